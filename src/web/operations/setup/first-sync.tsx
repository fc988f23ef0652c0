import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'wouter'
import type { OperatorStatus } from '#client/endpoints.ts'
import * as texts from '#texts/operations/setup.ts'
import { Meter } from '../../components/meter.tsx'
import { count } from '../../format.ts'
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
      <h2 id="first-sync">{texts.firstSync}</h2>
      {data === undefined && (
        <p className="soft">{errorUpdateCount === 0 ? texts.starting : texts.serverIsRestarting}</p>
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
      <h2>{texts.noGamesYet}</h2>
      {sync.upstream !== null && <Progress sync={sync} games={gameCount} />}
      <p>
        {(sync.upstream === null ? texts.chooseAMirror : texts.mirrorCanBeChanged)((text) => (
          <Link href="/operator/settings">{text}</Link>
        ))}
      </p>
    </div>
  )
}

type ProgressProps = { sync: OperatorStatus['sync']; games: number }

function Progress({ sync: { is_running, progress, last }, games }: ProgressProps) {
  if (is_running) {
    if (progress === null) return <p role="status">{texts.readingTheListOfSets}</p>
    const text = texts.ofSets({ done: count(progress.done), total: progress.total })
    return (
      <>
        <Meter label={texts.setsRead} value={progress.done} max={progress.total} text={text} />
        <p role="status">{texts.readSoFar(text)}</p>
      </>
    )
  }
  if (last === null) return <p role="status">{texts.waitingForTheSyncToStart}</p>
  if (last.outcome === 'complete') {
    return <p role="status">{texts.completeSync({ games, cardsRead: last.cards_read })}</p>
  }
  return (
    <div role="status">
      <p>{last.outcome === 'failed' ? texts.syncFailed : texts.setsFailed}</p>
      <ul className="failures small">
        {last.failures.slice(0, 3).map(({ game, set_id, message }) => (
          <li key={`${game} ${set_id}`}>{message}</li>
        ))}
      </ul>
    </div>
  )
}
