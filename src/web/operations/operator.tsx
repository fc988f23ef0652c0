import { useState } from 'react'
import { ApiError, api } from '../api.ts'
import { Fault } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { LineBones } from '../components/skeleton.tsx'
import { secondText } from '../format.ts'
import { useLive } from '../hooks/use-live-query.ts'
import { useSession } from '../session.tsx'
import { Details } from './details.tsx'
import { ErrorsList } from './errors-list.tsx'
import { GamesTable } from './games-table.tsx'
import { VerdictBones, Verdicts } from './health-row.tsx'
import { JobsTable } from './jobs-table.tsx'
import { SyncDesk } from './sync-panel.tsx'

/** How the service fares, for whoever runs it. */
export function OperatorView() {
  const { me, fault, refresh } = useSession()
  if (me?.is_operator === true) return <Desk />
  return (
    <Page title="Operator">
      {me === undefined && <LineBones />}
      {fault !== undefined && <Fault error={fault} again={() => void refresh()} />}
      {me === null && fault === undefined && <Fault error={NOBODY} />}
      {me && <NotYours email={me.email} />}
    </Page>
  )
}

const NOBODY = new ApiError('SESSION_REQUIRED', 'Log in to see how the service fares.')

function NotYours({ email }: { email: string }) {
  return (
    <section className="note" aria-labelledby="not-yours">
      <h2 id="not-yours">This is for operators</h2>
      <p>Whoever runs this service can mark your account as one, on its machine:</p>
      <pre className="command">
        <code>bun run admin account operator --email {email}</code>
      </pre>
    </section>
  )
}

function Desk() {
  const [isBusy, setBusy] = useState(false)
  const { data, error, at, again } = useLive(
    'operator status',
    async (signal) => {
      const { data } = await api.get('/v1/operator/status', { signal })
      setBusy(data.sync.is_running)
      return data
    },
    isBusy ? BUSY_MS : CALM_MS,
  )
  return (
    <Page
      title="Operator"
      lead={
        at === undefined
          ? 'How the service fares.'
          : `Looked at ${secondText(at)}, and every ${CALM_MS / 1000} seconds while you see this.`
      }
      aside={
        <button type="button" className="button" onClick={again}>
          Look again
        </button>
      }
    >
      <div className="stack">
        {error !== undefined && <Fault error={error} again={again} />}
        {data === undefined && error === undefined && <VerdictBones />}
        {data !== undefined && (
          <>
            <Verdicts status={data} />
            <SyncDesk
              status={data}
              onStarted={() => {
                setBusy(true)
                again()
              }}
            />
            <GamesTable games={data.games} now={data.now} />
            <Details status={data} />
            <JobsTable jobs={data.jobs} now={data.now} />
            <ErrorsList errors={data.errors} />
          </>
        )}
      </div>
    </Page>
  )
}

const CALM_MS = 10_000

/** While a sync runs. */
const BUSY_MS = 2_000
