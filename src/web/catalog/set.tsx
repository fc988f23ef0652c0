import { useLocation, useSearch } from 'wouter'
import { api } from '../api.ts'
import { ErrorMessage, QueryError } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { SegmentedControl } from '../components/segmented-control.tsx'
import { TileSkeleton } from '../components/skeleton.tsx'
import { CardTile, TILE_FIELDS } from '../components/tile.tsx'
import { dayText, plural } from '../format.ts'
import { useQuery } from '../hooks/use-query.ts'
import { parsePage } from '../route-params.ts'

/** Lists the cards of a set with images and prices. */
export function SetView({ id }: { id: number }) {
  const params = new URLSearchParams(useSearch())
  const page = parsePage(params)
  const type = TYPES.find(([one]) => one === params.get('type'))?.[0] ?? ''
  const [, go] = useLocation()
  const set = useQuery(`set ${id}`, (signal) => api.get('/v1/sets/{id}', { path: { id }, signal }))
  const cards = useQuery(`cards of ${id} ${type} ${page}`, (signal) =>
    api.get('/v1/sets/{id}/cards', {
      path: { id },
      query: { page, per_page: 60, type: type || undefined, fields: TILE_FIELDS },
      signal,
    }),
  )
  const pageUrl = (query: Record<string, string>) => {
    const defined = Object.entries(query).filter(([, value]) => value !== '')
    return `/sets/${id}${defined.length > 0 ? `?${new URLSearchParams(defined)}` : ''}`
  }
  const details = set.data?.data
  const crumbs = [
    { href: '/', name: 'Games' },
    ...(details === undefined
      ? []
      : [{ href: `/games/${details.game_slug}`, name: details.game_name }]),
  ]
  if (set.state === 'failed') {
    return (
      <Page title="Set" crumbs={crumbs}>
        <ErrorMessage error={set.error} onRetry={set.refetch} notFound={NOT_FOUND} />
      </Page>
    )
  }
  return (
    <Page
      title={details?.name ?? 'Set'}
      lead={
        details &&
        [
          details.abbreviation,
          details.release_date && dayText(details.release_date),
          plural(details.card_count, 'card'),
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
          onChange={(next) => go(pageUrl({ type: next }))}
        />
      }
    >
      <QueryError query={cards} />
      {cards.state === 'loading' && <TileSkeleton />}
      {cards.state === 'ready' && cards.data.meta.total === 0 && (
        <p className="note">{EMPTY[type]}</p>
      )}
      {cards.state === 'ready' && (
        <>
          <ul className="tiles">
            {cards.data.data.map((card) => (
              <CardTile key={card.id} card={card} />
            ))}
          </ul>
          <Pager
            meta={cards.data.meta}
            onPage={(next) => go(pageUrl({ type, page: String(next) }))}
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
  '': 'This set is empty.',
  Cards: 'This set has no cards.',
  'Sealed Products': 'This set has no sealed products.',
} as const

const NOT_FOUND = { title: 'Set not found', text: 'Choose one from the list of games.' }
