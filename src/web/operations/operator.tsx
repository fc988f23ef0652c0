import { useState } from 'react'
import { Link } from 'wouter'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { ErrorMessage } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { secondText } from '../format.ts'
import { useLiveQuery } from '../hooks/use-live-query.ts'
import { ErrorsList } from './errors-list.tsx'
import { GamesTable } from './games-table.tsx'
import { HealthPanel, HealthSkeleton } from './health-panel.tsx'
import { JobsTable } from './jobs-table.tsx'
import { OperatorDetails } from './operator-details.tsx'
import { OperatorGate } from './operator-gate.tsx'
import { ServersTable } from './servers-table.tsx'
import { SyncPanel } from './sync-panel.tsx'

/** Shows the state of the service, for operators. */
export function OperatorView() {
  return (
    <OperatorGate title="Operator">
      <OperatorDashboard />
    </OperatorGate>
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
      aside={
        <div className="row">
          <Link className="button" href="/operator/settings">
            Settings
          </Link>
          <Button onClick={refetch}>Refresh</Button>
        </div>
      }
    >
      <div className="stack">
        {error !== undefined && <ErrorMessage error={error} onRetry={refetch} />}
        {data === undefined && error === undefined && <HealthSkeleton />}
        {data !== undefined && (
          <>
            <HealthPanel status={data} isCurrent={error === undefined} />
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
