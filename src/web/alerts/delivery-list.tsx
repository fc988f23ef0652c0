import { useLocation } from 'wouter'
import type { ApiResponse } from '#client/client.ts'
import { ErrorMessage } from '../components/error-message.tsx'
import { Pager } from '../components/pager.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import type { LiveQuery } from '../hooks/use-live-query.ts'
import { alertsUrl } from './alert-text.ts'
import { DeliveryItem } from './delivery-item.tsx'

export type DeliveryPage = ApiResponse<'GET', '/v1/webhooks/{webhook_id}/deliveries'>

type DeliveryListProps = { alertId: string; live: LiveQuery<DeliveryPage> }

/** Lists the deliveries of an alert, newest first. */
export function DeliveryList({ alertId, live }: DeliveryListProps) {
  const [, go] = useLocation()
  const { data, error, refetch } = live
  return (
    <section className="stack" aria-labelledby="deliveries">
      <h2 id="deliveries">Deliveries</h2>
      {error !== undefined && <ErrorMessage error={error} onRetry={refetch} />}
      {data === undefined && error === undefined && <LineSkeleton />}
      {data?.data.length === 0 && (
        <p className="note">
          No deliveries in the last 30 days. Send a test to check your webhook.
        </p>
      )}
      {data !== undefined && (
        <>
          <ul className="stack tight">
            {data.data.map((delivery) => (
              <DeliveryItem key={delivery.id} delivery={delivery} onChanged={refetch} />
            ))}
          </ul>
          <Pager meta={data.meta} onPage={(page) => go(alertsUrl({ watch: alertId, page }))} />
        </>
      )}
    </section>
  )
}
