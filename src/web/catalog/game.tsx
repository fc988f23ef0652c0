import { useLocation, useSearch } from 'wouter'
import { api } from '../api.ts'
import { CardImage } from '../components/card-image.tsx'
import { ErrorMessage, QueryError } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { TileSkeleton } from '../components/skeleton.tsx'
import { Tile } from '../components/tile.tsx'
import { dayText, plural } from '../format.ts'
import { useQuery } from '../hooks/use-query.ts'
import { parsePage } from '../route-params.ts'

/** Lists the sets of a game, newest first. */
export function GameView({ slug }: { slug: string }) {
  const page = parsePage(useSearch())
  const [, go] = useLocation()
  const game = useQuery(`game ${slug}`, (signal) =>
    api.get('/v1/games/{slug}', { path: { slug }, signal }),
  )
  const sets = useQuery(`sets of ${slug} ${page}`, (signal) =>
    api.get('/v1/games/{slug}/sets', { path: { slug }, query: { page, per_page: 60 }, signal }),
  )
  const details = game.data?.data
  if (game.state === 'failed') {
    return (
      <Page title="Game" crumbs={CRUMBS}>
        <ErrorMessage error={game.error} onRetry={game.refetch} notFound={NOT_FOUND} />
      </Page>
    )
  }
  return (
    <Page
      title={details?.name ?? 'Game'}
      lead={details && `${plural(details.set_count, 'set')}, ${plural(details.card_count, 'card')}`}
      crumbs={CRUMBS}
    >
      <QueryError query={sets} />
      {sets.state === 'loading' && <TileSkeleton />}
      {sets.state === 'ready' && (
        <>
          <ul className="tiles">
            {sets.data.data.map((set) => (
              <Tile
                key={set.id}
                href={`/sets/${set.id}`}
                name={set.name}
                art={
                  <CardImage
                    src={set.image_url === null ? undefined : `/pictures/sets/${set.id}`}
                    name={set.name}
                    size="small"
                  />
                }
              >
                <p className="small soft">
                  {[set.abbreviation, set.release_date && dayText(set.release_date)]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
                <p className="small soft">{plural(set.card_count, 'card')}</p>
              </Tile>
            ))}
          </ul>
          <Pager meta={sets.data.meta} onPage={(next) => go(`/games/${slug}?page=${next}`)} />
        </>
      )}
    </Page>
  )
}

const CRUMBS = [{ href: '/', name: 'Games' }]

const NOT_FOUND = { title: 'Game not found', text: 'Choose one from the list of games.' }
