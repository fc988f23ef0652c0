import { useState } from 'react'
import { Link } from 'wouter'
import type { OperatorStatus } from '#client/endpoints.ts'
import * as texts from '#texts/operations/operator.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { ConfirmDialog } from '../components/dialog.tsx'
import { FormError } from '../components/form-error.tsx'
import { Select } from '../components/select.tsx'
import { StatusMark } from '../components/status-mark.tsx'
import { agoText } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { durationText } from '../measure-text.ts'
import { refetchAfterChange } from '../query-client.ts'

/** Starts a sync of one or all games and shows its progress. */
export function SyncPanel({ status }: { status: OperatorStatus }) {
  const [game, setGame] = useState('')
  const [isForcing, setForcing] = useState(false)
  const [before, setBefore] = useState<OperatorStatus>()
  const start = useAction(async (force: boolean) => {
    await api.post('/v1/operator/sync', {
      body: { ...(game !== '' && { game }), ...(force && { force }) },
    })
    setBefore(status)
    setForcing(false)
    // Until the status says that it runs, another click would ask for a second sync.
    await refetchAfterChange('/v1/operator/status')
  })
  const { upstream, is_running } = status.sync
  return (
    <section className="panel stack tight sync-panel" aria-labelledby="sync">
      <h2 id="sync">{texts.sync}</h2>
      <p className="small soft">
        {upstream === null
          ? texts.noMirrorConfiguredChooseOne((text) => (
              <Link href="/operator/settings">{text}</Link>
            ))
          : texts.from(<code>{upstream}</code>)}
      </p>
      <Progress status={status} before={before} />
      <div className="row">
        <Select
          className="select"
          aria-label={texts.gamesToSync}
          all={texts.allGamesWithNewData}
          options={status.games.map(({ slug, name }) => [slug, name])}
          value={game}
          onChange={setGame}
        />
        <Button
          className="main"
          isBusy={start.isRunning || is_running}
          disabled={upstream === null}
          onClick={() => !is_running && void start.start(false)}
        >
          {texts.syncNow}
        </Button>
        <Button
          className="quiet"
          disabled={upstream === null}
          onClick={() => {
            start.clearError()
            setForcing(true)
          }}
        >
          {texts.forceFullSync}
        </Button>
      </div>
      {!isForcing && <FormError error={start.error} />}
      {isForcing && (
        <ConfirmDialog
          title={texts.forceAFullSync}
          confirmLabel={texts.forceFullSyncNow}
          action={{ ...start, start: () => start.start(true) }}
          onClose={() => setForcing(false)}
        >
          <p>{game === '' ? texts.allGamesInFull : texts.gameInFull}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}

/** Returns a text that changes when a sync ends: by a new record, another run of the job, or a restart of a server. */
function traceOf({ sync, jobs, servers, started_at }: OperatorStatus): string {
  const runs = jobs.reduce((sum, job) => sum + (job.name === 'sync on request' ? job.runs : 0), 0)
  const starts = servers?.map((server) => server.started_at).toSorted() ?? [started_at]
  return `${sync.last?.started_at ?? 'never'} ${runs} ${starts}`
}

type ProgressProps = {
  status: OperatorStatus
  /** Status before the sync that was started here; undefined if none was started here. */
  before: OperatorStatus | undefined
}

function Progress({ status, before }: ProgressProps) {
  const { is_running } = status.sync
  const isAwaited = before !== undefined && traceOf(status) === traceOf(before)
  const state = is_running ? 'running' : isAwaited ? 'started' : 'ended'
  return (
    <div className="sync-progress" role="status">
      {state !== 'ended' && (
        <p>
          {texts.pageUpdatesWhenItEnds({
            pulse: <span className="pulse" aria-hidden="true" />,
            running: <b>{state === 'running' ? runningText(status) : texts.syncHasStarted}</b>,
          })}
        </p>
      )}
      {state === 'ended' && <Ended status={status} before={before} />}
    </div>
  )
}

function runningText({ jobs }: OperatorStatus): string {
  const isImport = jobs.some(({ name, is_running }) => name === 'import older prices' && is_running)
  return isImport ? texts.importOfOlderPrices : texts.syncIsRunning
}

function Ended({ status, before }: ProgressProps) {
  const { last } = status.sync
  const isOwn = before !== undefined
  if (isOwn && last?.started_at === before.sync.last?.started_at) {
    return <p>{texts.syncWasInterruptedSee}</p>
  }
  if (last === null) return <p>{texts.noSyncHasRunYet}</p>
  const { name, mark } = OUTCOMES[last.outcome]
  const took = Date.parse(last.ended_at) - Date.parse(last.started_at)
  return (
    <>
      <p className="row tight">
        <StatusMark state={mark} />
        <span>
          <b>{(isOwn ? texts.yourSync : texts.lastSync)(name)}</b>{' '}
          <span className="soft">
            {texts.took({
              endedAt: agoText(last.ended_at, Date.parse(status.now)),
              duration: durationText(took),
            })}
          </span>
        </span>
      </p>
      <p className="small soft">
        {[
          texts.gameCount(last.games),
          texts.setRead(last.sets_read),
          texts.cardRead(last.cards_read),
          texts.priceChanged(last.prices_changed),
          ...(last.bad_records > 0 ? [texts.recordSkipped(last.bad_records)] : []),
        ].join(' · ')}
      </p>
      {last.failures.length > 0 && (
        <ul className="failures small">
          {last.failures.map(({ game, set_id, message }) => (
            <li key={`${game} ${set_id} ${message}`}>
              <b>{placeOf(game, set_id)}</b>: {message}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function placeOf(game: string, setId: number | null): string {
  const name = game === 'all' ? texts.allGames : game
  return setId === null ? name : texts.set({ name, setId })
}

const OUTCOMES = {
  complete: { name: texts.complete, mark: 'good' },
  incomplete: { name: texts.incomplete, mark: 'wait' },
  failed: { name: texts.outcomeFailed, mark: 'bad' },
} as const
