import { Link } from 'wouter'
import type { OperatorStatus } from '#client/endpoints.ts'
import { type Column, Table } from '../components/table.tsx'
import { agoText, count, dayText } from '../format.ts'

/** Lists the games with their sync status and last error. */
export function GamesTable({ games, now }: Pick<OperatorStatus, 'games' | 'now'>) {
  return (
    <section className="stack tight" aria-labelledby="games">
      <h2 id="games">Games</h2>
      <div className="table-frame">
        <Table columns={gameColumns(Date.parse(now))} rows={games} keyOf={({ slug }) => slug} />
      </div>
    </section>
  )
}

function gameColumns(at: number): Column<OperatorStatus['games'][number]>[] {
  return [
    [
      'Game',
      ({ slug, name, last_synced_at, last_error }) => (
        <>
          <Link href={`/games/${slug}`}>{name}</Link>
          <p className="small soft narrow-only">Synced {agoOrNever(last_synced_at, at)}</p>
          {last_error !== null && (
            <p className="small error">
              {agoText(last_error.at, at)}: {last_error.message}
            </p>
          )}
        </>
      ),
    ],
    ['Status', (game) => <FreshnessTag isStale={game.is_stale} since={game.stale_since} />],
    ['Synced', ({ last_synced_at }) => agoOrNever(last_synced_at, at), 'wide-only'],
    ['Published', ({ published_at }) => agoOrNever(published_at, at), 'wide-only'],
    ['Sets', ({ set_count }) => count(set_count), 'number wide-only'],
    ['Cards', ({ card_count }) => count(card_count), 'number wide-only'],
  ]
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
