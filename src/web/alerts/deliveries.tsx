import { useLocation } from 'wouter'
import type { ReplyOf } from '#client/client.ts'
import { Fault } from '../components/error-message.tsx'
import { Pager } from '../components/pager.tsx'
import { LineBones } from '../components/skeleton.tsx'
import type { Live } from '../hooks/use-live-query.ts'
import { alertsAt } from './alert-text.ts'
import { Message } from './delivery.tsx'

export type MessagePage = ReplyOf<'GET', '/v1/webhooks/{webhook_id}/deliveries'>

/** What a watch has sent, newest first. */
export function Messages({ watchId, live }: { watchId: string; live: Live<MessagePage> }) {
  const [, go] = useLocation()
  const { data, error, again } = live
  return (
    <section className="stack" aria-labelledby="messages">
      <h2 id="messages">Messages</h2>
      {error !== undefined && <Fault error={error} again={again} />}
      {data === undefined && error === undefined && <LineBones />}
      {data?.data.length === 0 && (
        <p className="note">
          Nothing was sent in the last 30 days. Send a test to see how your address answers.
        </p>
      )}
      {data !== undefined && (
        <>
          <ul className="stack tight">
            {data.data.map((delivery) => (
              <Message key={delivery.id} delivery={delivery} onChanged={again} />
            ))}
          </ul>
          <Pager meta={data.meta} onPage={(page) => go(alertsAt({ watch: watchId, page }))} />
        </>
      )}
    </section>
  )
}
