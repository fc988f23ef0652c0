import type { OperatorStatus } from '#client/endpoints.ts'
import { api } from '../../api.ts'
import { Meter } from '../../components/meter.tsx'
import { count, plural } from '../../format.ts'
import { useLiveQuery } from '../../hooks/use-live-query.ts'

const EVERY_MS = 2_000

/** Shows how far the first sync is; nothing without a mirror. */
export function FirstSync({ mirror }: { mirror: string | null }) {
  const { data, error } = useLiveQuery(
    mirror === null ? undefined : 'setup sync',
    async (signal) => (await api.get('/v1/operator/status', { signal })).data,
    EVERY_MS,
  )
  if (mirror === null) return null
  return (
    <section className="panel stack tight" aria-labelledby="first-sync">
      <h2 id="first-sync">First sync</h2>
      {data === undefined && (
        <p className="soft">{error === undefined ? 'Starting…' : 'The server is restarting…'}</p>
      )}
      {data !== undefined && <Progress sync={data.sync} games={data.games.length} />}
    </section>
  )
}

type ProgressProps = { sync: OperatorStatus['sync']; games: number }

function Progress({ sync: { is_running, progress, last }, games }: ProgressProps) {
  if (is_running) {
    if (progress === null) return <p role="status">Reading the list of sets…</p>
    const text = `${count(progress.done)} of ${plural(progress.total, 'set')}`
    return (
      <>
        <Meter label="Sets read" value={progress.done} max={progress.total} text={text} />
        <p role="status">{text} read. Prices appear game by game. You can close this page.</p>
      </>
    )
  }
  if (last === null) return <p role="status">Waiting for the sync to start…</p>
  if (last.outcome === 'complete') {
    return (
      <p role="status">
        Complete: {plural(games, 'game')}, {plural(last.cards_read, 'card')} read.
      </p>
    )
  }
  return (
    <div role="status">
      <p>
        {last.outcome === 'failed' ? 'The sync failed.' : 'Some sets could not be read.'} The server
        keeps what it has read, and tries again every hour.
      </p>
      <ul className="failures small">
        {last.failures.slice(0, 3).map(({ game, set_id, message }) => (
          <li key={`${game} ${set_id}`}>{message}</li>
        ))}
      </ul>
    </div>
  )
}
