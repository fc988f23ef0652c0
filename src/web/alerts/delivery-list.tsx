import { useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { QueryError } from '../components/error-message.tsx'
import { Pager } from '../components/pager.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { apiQuery, pollQuery } from '../query-client.ts'
import { alertsUrl } from './alert-text.ts'
import { DeliveryItem } from './delivery-item.tsx'

type DeliveryListProps = { alertId: string; page: number }

/** Lists the deliveries of an alert, newest first. Follows those that are pending. */
export function DeliveryList({ alertId, page }: DeliveryListProps) {
  const [, go] = useLocation()
  const path = { webhook_id: alertId }
  const query = { page, per_page: 20 }
  const result = useQuery(
    pollQuery(apiQuery('/v1/webhooks/{webhook_id}/deliveries', { path, query }), (answer) =>
      answer?.data.some(({ state }) => state === 'pending') ? POLL_MS : undefined,
    ),
  )
  const { data } = result
  return (
    <section className="stack" aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      <QueryError query={result} />
      {result.isPending && <LineSkeleton />}
      {data?.data.length === 0 && (
        <p className="note">
          No deliveries in the last 30 days. Send a test to check your webhook.
        </p>
      )}
      {data !== undefined && (
        <>
          <ul className="stack tight">
            {data.data.map((delivery) => (
              <DeliveryItem key={delivery.id} delivery={delivery} />
            ))}
          </ul>
          <Pager meta={data.meta} onPage={(page) => go(alertsUrl({ watch: alertId, page }))} />
        </>
      )}
    </section>
  )
}

const POLL_MS = 5_000
