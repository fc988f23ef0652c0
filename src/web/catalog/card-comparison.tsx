import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import * as texts from '#texts/catalog/card.ts'
import { CrossIcon } from '../action-icons.tsx'
import { api } from '../api.ts'
import type { WantedLine } from '../pricing/price-history.ts'
import { defineQuery } from '../query-client.ts'
import { parseId } from '../route-params.ts'
import { CardSearch } from '../search/card-search.tsx'

/** Maximum number of cards beside the one of the page. */
const COMPARED_MAX = 3

/** Returns the base printings of the cards in the URL, as lines of a chart; undefined until loaded. */
export function useComparedCards(ownId: number) {
  const [query, setQuery] = useSearchParams()
  const parsed = query.getAll('with').flatMap((text) => parseId(text) ?? [])
  const ids = [...new Set(parsed)].filter((id) => id !== ownId).slice(0, COMPARED_MAX)
  const cards = useQuery({
    ...defineQuery(['/v1/cards/{id}', 'compared', ids], (signal) =>
      Promise.all(ids.map((id) => fetchLine(id, signal))),
    ),
    enabled: ids.length > 0,
  })
  const change = (next: readonly number[]) =>
    setQuery(
      (before) => {
        const params = new URLSearchParams(before)
        params.delete('with')
        for (const id of next) params.append('with', String(id))
        return params
      },
      { replace: true },
    )
  return {
    // A card that cannot be loaded must not hide the chart of the page.
    lines: ids.length === 0 || cards.isError ? NONE : cards.data?.flat(),
    isFull: ids.length === COMPARED_MAX,
    add: (id: number) => change([...ids, id]),
    remove: (id: number) => change(ids.filter((one) => one !== id)),
  }
}

const NONE: WantedLine[] = []

/** Returns the line of a card, or none for a card without prices. */
async function fetchLine(id: number, signal: AbortSignal): Promise<WantedLine[]> {
  const { data, meta } = await api.get('/v1/cards/{id}', { path: { id }, signal })
  if (meta.printing === null) return []
  const name = `${data.name}, ${data.set_name} (${meta.printing})`
  return [{ id, printing: meta.printing, name }]
}

/** Adds other cards to a chart, and removes them. */
export function CardComparison({
  lines,
  isFull,
  add,
  remove,
}: ReturnType<typeof useComparedCards>) {
  return (
    <>
      {lines !== undefined && lines.length > 0 && (
        <ul className="chips" aria-label={texts.comparedCards}>
          {lines.map(({ id, name }) => (
            <li key={id}>
              <button type="button" className="chip" onClick={() => remove(id)}>
                <span className="visually-hidden">{texts.removeFromTheChart} </span>
                {name}
                <CrossIcon />
              </button>
            </li>
          ))}
        </ul>
      )}
      {!isFull && (
        <details className="fold">
          <summary>{texts.compareWithAnotherCard}</summary>
          <CardSearch key={lines?.length} onChoose={add} />
        </details>
      )}
    </>
  )
}
