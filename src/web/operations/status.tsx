import { Link } from 'wouter'
import type { Game, Freshness as Told } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { Fault } from '../components/error-message.tsx'
import { Facts } from '../components/facts.tsx'
import { Page } from '../components/page.tsx'
import { Art } from '../components/picture.tsx'
import { LineBones } from '../components/skeleton.tsx'
import { Mark } from '../components/status-mark.tsx'
import { agoText, count, momentText } from '../format.ts'
import { useGames } from '../hooks/use-games.ts'
import { useAsk } from '../hooks/use-query.ts'
import { agoOrNever, Freshness } from './games-table.tsx'

/** How fresh the data is: open to all. */
export function StatusView() {
  const meta = useAsk('meta', (signal) => api.get('/v1/meta', { signal }))
  // Their names and pictures; without them the slugs will do.
  const games = useGames()
  return (
    <Page title="How fresh this is" lead="Prices come from the marketplace's mirror, once a day.">
      {meta.state === 'failed' && <Fault error={meta.error} again={meta.again} />}
      {meta.state === 'loading' && <LineBones />}
      {meta.state === 'ready' && <Fresh told={meta.data.data} games={games.data?.data ?? []} />}
    </Page>
  )
}

function Fresh({ told, games }: { told: Told; games: readonly Game[] }) {
  const named = new Map(games.map((game) => [game.id, game]))
  const late = told.games.filter(({ stale }) => stale).length
  return (
    <div className="stack">
      <section className="panel verdicts" aria-labelledby="verdict">
        <h2 id="verdict">
          <Mark state={told.stale ? 'wait' : 'good'} />
          {verdictOf(told, late)}
        </h2>
        <Facts
          rows={[
            ['Games', count(told.counts.games)],
            ['Sets', count(told.counts.sets)],
            ['Cards', count(told.counts.cards)],
            ['Version of the catalog', count(told.version)],
            ['Last change', momentText(told.changed_at)],
            ['Last sync', told.last_sync === null ? 'none yet' : lastSyncText(told.last_sync)],
          ]}
        />
      </section>
      <section className="stack tight" aria-labelledby="games">
        <h2 id="games">Games</h2>
        <ul className="panel fresh-games">
          {told.games.map((game) => (
            <li key={game.id}>
              <Art
                src={named.get(game.id)?.image_url ? `/pictures/games/${game.slug}` : undefined}
                name=""
                size="tiny"
              />
              <div>
                <h3>
                  <Link href={`/games/${game.slug}`}>{named.get(game.id)?.name ?? game.slug}</Link>
                </h3>
                <p className="small soft">
                  {count(game.card_count)} cards, refreshed {TURNS[game.priority] ?? 'weekly'}
                </p>
                <p className="small soft">
                  Read {agoOrNever(game.last_synced_at)}
                  {game.published_at !== null && `, prices of ${momentText(game.published_at)}`}
                </p>
              </div>
              <Freshness isStale={game.stale} since={game.stale_since} />
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
const TURNS: Readonly<Record<number, string>> = {
  3: 'daily',
  2: 'every 3 days',
  1: 'every 4 days',
}
