import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'wouter'
import type { OperatorStatus } from '#client/endpoints.ts'
import { Meter } from '../../components/meter.tsx'
import { count, plural } from '../../format.ts'
import { apiQuery, pollQuery } from '../../query-client.ts'

const EVERY_MS = 2_000

/** Polls the status of the server, unless it is disabled. */
function useSyncStatus(isEnabled: boolean) {
  return useQuery({
    ...pollQuery(apiQuery('/v1/operator/status'), () => EVERY_MS),
    select: ({ data }) => data,
    enabled: isEnabled,
  })
}

/** Shows the progress of the first sync; nothing without a mirror. */
export function FirstSync({ mirror }: { mirror: string | null }) {
  const { data, errorUpdateCount } = useSyncStatus(mirror !== null)
  if (mirror === null) return null
  return (
    <section className="panel stack tight" aria-labelledby="first-sync">
      <h2 id="first-sync">First sync</h2>
      {data === undefined && (
        <p className="soft">{errorUpdateCount === 0 ? 'Starting…' : 'The server is restarting…'}</p>
      )}
      {data !== undefined && <Progress sync={data.sync} games={data.games.length} />}
    </section>
  )
}

/** Explains to an operator why the catalog is empty. @param onGames is called when it is no longer empty */
export function EmptyCatalog({ onGames }: { onGames: () => void }) {
  const { data, dataUpdatedAt } = useSyncStatus(true)
  const gameCount = data?.games.length ?? 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again after each poll
  useEffect(() => {
    if (gameCount > 0) onGames()
  }, [gameCount, dataUpdatedAt, onGames])
  if (data === undefined) return null
  const { sync } = data
  return (
    <div className="note stack tight">
      <h2>No games yet</h2>
      {sync.upstream !== null && <Progress sync={sync} games={gameCount} />}
      <p>
        {sync.upstream === null ? 'Choose a mirror' : 'The mirror can be changed'} in the{' '}
        <Link href="/operator/settings">settings</Link>.
      </p>
    </div>
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
