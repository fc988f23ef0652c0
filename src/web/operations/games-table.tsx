import { Link } from 'wouter'
import type { OperatorStatus } from '#client/endpoints.ts'
import { agoText, count, dayText } from '../format.ts'

/** Lists the games with their sync status and last error. */
export function GamesTable({ games, now }: Pick<OperatorStatus, 'games' | 'now'>) {
  const at = Date.parse(now)
  return (
    <section className="stack tight" aria-labelledby="games">
      <h2 id="games">Games</h2>
      <div className="table-frame">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Game</th>
              <th scope="col">Status</th>
              <th scope="col" className="wide-only">
                Synced
              </th>
              <th scope="col" className="wide-only">
                Published
              </th>
              <th scope="col" className="number wide-only">
                Sets
              </th>
              <th scope="col" className="number wide-only">
                Cards
              </th>
            </tr>
          </thead>
          <tbody>
            {games.map((game) => (
              <tr key={game.slug}>
                <th scope="row">
                  <Link href={`/games/${game.slug}`}>{game.name}</Link>
                  <p className="small soft narrow-only">
                    Synced {agoOrNever(game.last_synced_at, at)}
                  </p>
                  {game.last_error !== null && (
                    <p className="small error">
                      {agoText(game.last_error.at, at)}: {game.last_error.message}
                    </p>
                  )}
                </th>
                <td>
                  <FreshnessTag isStale={game.is_stale} since={game.stale_since} />
                </td>
                <td className="wide-only">{agoOrNever(game.last_synced_at, at)}</td>
                <td className="wide-only">{agoOrNever(game.published_at, at)}</td>
                <td className="number wide-only">{count(game.set_count)}</td>
                <td className="number wide-only">{count(game.card_count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

type FreshnessProps = { isStale: boolean; since: string | null }

/** Shows whether the prices of a game are up to date. */
export function FreshnessTag({ isStale, since }: FreshnessProps) {
  if (!isStale) return <span className="tag good">Up to date</span>
  return (
    <span className="tag wait">
      {since === null ? 'Never synced' : `Out of date since ${dayText(since.slice(0, 10))}`}
    </span>
  )
}

export function agoOrNever(time: string | null, now?: number): string {
  return time === null ? 'never' : agoText(time, now)
}
