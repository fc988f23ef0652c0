import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { OperatorStatus } from '#client/endpoints.ts'
import * as texts from '#texts/operations/operator.ts'
import { Button } from '../components/button.tsx'
import { QueryError } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { dateTimeText } from '../format.ts'
import { secondText } from '../measure-text.ts'
import { NotFoundView } from '../not-found.tsx'
import { apiQuery, pollQuery } from '../query-client.ts'
import { HealthPanel, HealthSkeleton } from './health-panel.tsx'
import { OlderPricesPanel } from './older-prices-panel.tsx'
import { OperatorDetails } from './operator-details.tsx'
import { OperatorGate } from './operator-gate.tsx'
import { GamesTable, JobsTable, ServersTable } from './operator-tables.tsx'
import { ReferencesView } from './references.tsx'
import { SyncPanel } from './sync-panel.tsx'

/** Shows the state of the service, for operators, or another of their pages. */
export function OperatorView({ part }: { part: string | undefined }) {
  if (part === 'references') return <ReferencesView />
  if (part !== undefined) return <NotFoundView />
  return (
    <OperatorGate title={texts.operator}>
      <OperatorDashboard />
    </OperatorGate>
  )
}

function OperatorDashboard() {
  const result = useQuery(
    pollQuery(apiQuery('/v1/operator/status'), (answer) =>
      answer?.data.sync.is_running ? BUSY_MS : CALM_MS,
    ),
  )
  const data = result.data?.data
  const updatedAt = Math.max(result.dataUpdatedAt, result.errorUpdatedAt)
  return (
    <Page
      title={texts.operator}
      lead={
        updatedAt === 0
          ? texts.serverStatus
          : texts.updatedAt({ time: secondText(updatedAt), seconds: CALM_MS / 1000 })
      }
      aside={
        <div className="row">
          <Link className="button" href="/operator/references">
            {texts.references}
          </Link>
          <Link className="button" href="/operator/settings">
            {texts.settings}
          </Link>
          <Button onClick={() => void result.refetch()}>{texts.refresh}</Button>
        </div>
      }
    >
      <div className="stack">
        <QueryError query={result} />
        {result.isPending && <HealthSkeleton />}
        {data !== undefined && (
          <>
            <HealthPanel status={data} isCurrent={!result.isError} />
            <SyncPanel status={data} />
            {!data.sync.is_replica && <OlderPricesPanel />}
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

/** Lists the latest errors of the servers. */
function ErrorsList({ errors }: Pick<OperatorStatus, 'errors'>) {
  return (
    <section className="stack tight" aria-labelledby="errors">
      <h2 id="errors">{texts.recentErrors}</h2>
      {errors.length === 0 ? (
        <p className="note">{texts.noErrorsSinceStart}</p>
      ) : (
        <ul className="panel errors" aria-label={texts.recentErrors}>
          {errors.map(({ at, event, message, request_id, server }) => (
            <li key={`${at} ${event} ${message} ${request_id} ${server}`}>
              <p>
                <b>{event}</b>{' '}
                <time className="small soft" dateTime={at}>
                  {dateTimeText(at)}
                </time>
                {server !== null && <span className="small soft"> {texts.on(server)}</span>}
              </p>
              {message !== '' && <p className="small">{message}</p>}
              {request_id !== null && (
                <p className="small soft">{texts.request(<code>{request_id}</code>)}</p>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
