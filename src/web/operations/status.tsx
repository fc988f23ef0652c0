import { Link } from 'wouter'
import type { Game, Freshness as Told } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { CardImage } from '../components/card-image.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { Facts } from '../components/facts.tsx'
import { Page } from '../components/page.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { StatusMark } from '../components/status-mark.tsx'
import { agoText, count, dateTimeText } from '../format.ts'
import { useGames } from '../hooks/use-games.ts'
import { useQuery } from '../hooks/use-query.ts'
import { agoOrNever, FreshnessTag } from './games-table.tsx'

/** How fresh the data is: open to all. */
export function StatusView() {
  const meta = useQuery('meta', (signal) => api.get('/v1/meta', { signal }))
  // Their names and pictures; without them the slugs will do.
  const games = useGames()
  return (
    <Page title="How fresh this is" lead="Prices come from the marketplace's mirror, once a day.">
      {meta.state === 'failed' && <ErrorMessage error={meta.error} again={meta.again} />}
      {meta.state === 'loading' && <LineSkeleton />}
      {meta.state === 'ready' && (
        <DataStatus told={meta.data.data} games={games.data?.data ?? []} />
      )}
    </Page>
  )
}

function DataStatus({ told, games }: { told: Told; games: readonly Game[] }) {
  const named = new Map(games.map((game) => [game.id, game]))
  const late = told.games.filter(({ stale }) => stale).length
  return (
    <div className="stack">
      <section className="panel verdicts" aria-labelledby="verdict">
        <h2 id="verdict">
          <StatusMark state={told.stale ? 'wait' : 'good'} />
          {verdictOf(told, late)}
        </h2>
        <Facts
          rows={[
            ['Games', count(told.counts.games)],
            ['Sets', count(told.counts.sets)],
            ['Cards', count(told.counts.cards)],
            ['Version of the catalog', count(told.version)],
            ['Last change', dateTimeText(told.changed_at)],
            ['Last sync', told.last_sync === null ? 'none yet' : lastSyncText(told.last_sync)],
          ]}
        />
      </section>
      <section className="stack tight" aria-labelledby="games">
        <h2 id="games">Games</h2>
        <ul className="panel fresh-games">
          {told.games.map((game) => (
            <li key={game.id}>
              <CardImage
                src={named.get(game.id)?.image_url ? `/pictures/games/${game.slug}` : undefined}
                name=""
                size="tiny"
              />
              <div>
                <h3>
                  <Link href={`/games/${game.slug}`}>{named.get(game.id)?.name ?? game.slug}</Link>
                </h3>
                <p className="small soft">
                  {count(game.card_count)} cards, refreshed{' '}
                  {REFRESH_INTERVALS[game.priority] ?? 'weekly'}
                </p>
                <p className="small soft">
                  Read {agoOrNever(game.last_synced_at)}
                  {game.published_at !== null && `, prices of ${dateTimeText(game.published_at)}`}
                </p>
              </div>
              <FreshnessTag isStale={game.stale} since={game.stale_since} />
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}

function verdictOf({ games }: Told, late: number): string {
  if (games.length === 0) return 'Nothing is published yet'
  if (late === 0) return 'Every game is fresh'
  return late === games.length ? 'Every game is late' : `${late} of ${games.length} games are late`
}

function lastSyncText({ finished_at, outcome }: NonNullable<Told['last_sync']>): string {
  if (finished_at === null) return 'under way'
  return `${outcome}, ${agoText(finished_at)}`
}

/** How often games are refreshed, by their priority. */
const REFRESH_INTERVALS: Readonly<Record<number, string>> = {
  3: 'daily',
  2: 'every 3 days',
  1: 'every 4 days',
}
