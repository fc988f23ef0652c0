import { useState } from 'react'
import { ApiError, api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { secondText } from '../format.ts'
import { useLiveQuery } from '../hooks/use-live-query.ts'
import { useSession } from '../session.tsx'
import { ErrorsList } from './errors-list.tsx'
import { GamesTable } from './games-table.tsx'
import { HealthPanel, HealthSkeleton } from './health-panel.tsx'
import { JobsTable } from './jobs-table.tsx'
import { OperatorDetails } from './operator-details.tsx'
import { ServersTable } from './servers-table.tsx'
import { SyncPanel } from './sync-panel.tsx'

export function OperatorView() {
  const { me, error, refresh } = useSession()
  if (me?.is_operator === true) return <OperatorDashboard />
  return (
    <Page title="Operator">
      {me === undefined && <LineSkeleton />}
      {error !== undefined && <ErrorMessage error={error} onRetry={() => void refresh()} />}
      {me === null && error === undefined && <ErrorMessage error={NOT_LOGGED_IN} />}
      {me && <OperatorsOnly email={me.email} />}
    </Page>
  )
}

const NOT_LOGGED_IN = new ApiError('SESSION_REQUIRED', 'Log in to see the server status.')

function OperatorsOnly({ email }: { email: string }) {
  return (
    <section className="note" aria-labelledby="not-yours">
      <h2 id="not-yours">Operators only</h2>
      <p>To make your account an operator, run this command on the server:</p>
      <pre className="command">
        <code>bun run admin account operator --email {email}</code>
      </pre>
    </section>
  )
}

function OperatorDashboard() {
  const [isBusy, setBusy] = useState(false)
  const { data, error, updatedAt, refetch } = useLiveQuery(
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
        updatedAt === undefined
          ? 'Server status'
          : `Updated ${secondText(updatedAt)}; refreshes every ${CALM_MS / 1000} s.`
      }
      aside={<Button onClick={refetch}>Refresh</Button>}
    >
      <div className="stack">
        {error !== undefined && <ErrorMessage error={error} onRetry={refetch} />}
        {data === undefined && error === undefined && <HealthSkeleton />}
        {data !== undefined && (
          <>
            <HealthPanel status={data} />
            <SyncPanel
              status={data}
              onStarted={() => {
                setBusy(true)
                refetch()
              }}
            />
            <GamesTable games={data.games} now={data.now} />
            <OperatorDetails status={data} />
            <ServersTable servers={data.servers} now={data.now} />
            <JobsTable jobs={data.jobs} now={data.now} />
            <ErrorsList errors={data.errors} />
          </>
        )}
      </div>
    </Page>
  )
}

const CALM_MS = 10_000

/** Interval while a sync runs. */
const BUSY_MS = 2_000
