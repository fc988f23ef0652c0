import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Notification } from '#client/endpoints.ts'
import * as texts from '#texts/alerts/alerts.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { QueryError } from '../components/error-message.tsx'
import { FormError } from '../components/form-error.tsx'
import { Pager } from '../components/pager.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { agoText, dateTimeText, moneyText } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { apiQuery, pollQuery, refetchAfterChange } from '../query-client.ts'
import { conditionText, printingText } from './alert-text.ts'

type NotificationListProps = { page: number; onPage: (page: number) => void }

/** Lists notifications, newest first, and marks them as read. */
export function NotificationList({ page, onPage }: NotificationListProps) {
  const result = useQuery(
    pollQuery(apiQuery('/v1/notifications', { query: { page, per_page: 20 } }), () => POLL_MS),
  )
  const { data } = result
  const read = useAction(async () => {
    await api.post('/v1/notifications/read', { body: {} })
    refetchAfterChange('/v1/notifications')
  })
  const isUnread = data !== undefined && data.meta.unread > 0
  return (
    <section className="stack tight" aria-labelledby="notifications">
      <div className="section-head">
        <h2 id="notifications">{texts.notifications}</h2>
        {isUnread && <Button action={read}>{texts.markAllAsRead}</Button>}
      </div>
      <FormError error={read.error} />
      <QueryError query={result} />
      {result.isPending && <LineSkeleton />}
      {data?.data.length === 0 && <p className="note">{texts.noNotifications}</p>}
      {data !== undefined && data.data.length > 0 && (
        <>
          <ul className="panel notifications">
            {data.data.map((notification) => (
              <NotificationItem key={notification.id} notification={notification} />
            ))}
          </ul>
          <Pager meta={data.meta} onPage={onPage} />
        </>
      )}
    </section>
  )
}

const POLL_MS = 60_000

function NotificationItem({ notification }: { notification: Notification }) {
  const { alert, created_at, read_at } = notification
  const isUnread = read_at === null
  return (
    <li className={isUnread ? 'notification unread' : 'notification'}>
      {alert === null ? (
        <p>{texts.channelHasStopped}</p>
      ) : (
        <>
          <p>
            {texts.cardIsAt({
              cardName: <Link href={`/cards/${alert.card_id}`}>{alert.card_name}</Link>,
              currentPrice: <b>{moneyText(alert.current_price, alert.currency)}</b>,
            })}
          </p>
          <p className="small soft">
            {conditionText(alert)} · {printingText(alert.printing)}
          </p>
        </>
      )}
      <p className="small soft">
        {isUnread && <span className="visually-hidden">{texts.unread} </span>}
        <time dateTime={created_at} title={dateTimeText(created_at)}>
          {agoText(created_at)}
        </time>
      </p>
    </li>
  )
}
