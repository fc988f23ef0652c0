import { useLocation, useSearch } from 'wouter'
import { api } from '../api.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { SegmentedControl } from '../components/segmented-control.tsx'
import { TileSkeleton } from '../components/skeleton.tsx'
import { CardTile } from '../components/tile.tsx'
import { dayText, plural } from '../format.ts'
import { useQuery } from '../hooks/use-query.ts'
import { parsePage } from '../route-params.ts'

/** A set's cards with their pictures and prices. */
export function SetView({ id }: { id: number }) {
  const told = new URLSearchParams(useSearch())
  const page = parsePage(told)
  const type = TYPES.find(([one]) => one === told.get('type'))?.[0] ?? ''
  const [, go] = useLocation()
  const set = useQuery(`set ${id}`, (signal) => api.get('/v1/sets/{id}', { path: { id }, signal }))
  const cards = useQuery(`cards of ${id} ${type} ${page}`, (signal) =>
    api.get('/v1/sets/{id}/cards', {
      path: { id },
      query: { page, per_page: 60, type: type || undefined },
      signal,
    }),
  )
  const addressOf = (query: Record<string, string>) => {
    const given = Object.entries(query).filter(([, value]) => value !== '')
    return `/sets/${id}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`
  }
  const here = set.data?.data
  const crumbs = [
    { href: '/', name: 'Games' },
    ...(here === undefined ? [] : [{ href: `/games/${here.game_slug}`, name: here.game_name }]),
  ]
  if (set.state === 'failed') {
    return (
      <Page title="Set" crumbs={crumbs}>
        <ErrorMessage error={set.error} again={set.again} />
      </Page>
    )
  }
  return (
    <Page
      title={here?.name ?? 'Set'}
      lead={
        here &&
        [
          here.abbreviation,
          here.release_date && dayText(here.release_date),
          plural(here.card_count, 'card'),
        ]
          .filter(Boolean)
          .join(' · ')
      }
      crumbs={crumbs}
      aside={
        <SegmentedControl
          label="Type"
          options={TYPES}
          value={type}
          onChange={(next) => go(addressOf({ type: next }))}
        />
      }
    >
      {cards.state === 'failed' && <ErrorMessage error={cards.error} again={cards.again} />}
      {cards.state === 'loading' && <TileSkeleton />}
      {cards.state === 'ready' && cards.data.meta.total === 0 && (
        <p className="note">{EMPTY[type]}</p>
      )}
      {cards.state === 'ready' && (
        <>
          <ul className="tiles">
            {cards.data.data.map((card, at) => (
              <CardTile key={card.id} card={card} eager={at < 12} />
            ))}
          </ul>
          <Pager
            meta={cards.data.meta}
            onPage={(next) => go(addressOf({ type, page: String(next) }))}
          />
        </>
      )}
    </Page>
  )
}

const TYPES = [
  ['', 'All'],
  ['Cards', 'Cards'],
  ['Sealed Products', 'Sealed products'],
] as const

const EMPTY = {
  '': 'Nothing of this set is here.',
  Cards: 'This set has no cards here.',
  'Sealed Products': 'This set has no sealed products.',
} as const
