import { Type } from '@sinclair/typebox'
import type { Deps } from '#deps.ts'
import { computePaging, pagingMeta } from '#rules/primitives/paging.ts'
import { line, PAGING } from '../../input/fields.ts'
import { jsonObject } from '../../input/json-body.ts'
import { namedObject } from '../../openapi/schemas.ts'
import {
  NotificationSchema,
  NotificationsMetaSchema,
  renderNotification,
} from '../../schemas/price-alerts.ts'
import type { Server } from '../../server.ts'

/** Maximum count of unread notifications; more are reported as this number. */
const UNREAD_MAX = 100

/** Notifications of price alerts, as the dashboard shows them. */
export function notificationRoutes(
  { endpoint }: Server,
  { ledger: { notifications }, now }: Deps,
): void {
  endpoint('GET /v1/notifications', {
    auth: 'account',
    id: 'listNotifications',
    tag: 'Alerts',
    summary: 'List notifications of the last 30 days, newest first',
    query: PAGING,
    returns: 'The notifications, and the number of unread ones.',
    reply: Type.Array(NotificationSchema),
    meta: NotificationsMetaSchema,
    async respond({ principal: { account_id }, query }) {
      const paging = computePaging(query)
      const { rows, total } = await notifications.list(account_id, paging)
      const unread = await notifications.countUnread(account_id, UNREAD_MAX)
      return { data: rows.map(renderNotification), meta: { ...pagingMeta(paging, total), unread } }
    },
  })

  endpoint('POST /v1/notifications/read', {
    auth: 'account',
    id: 'readNotifications',
    tag: 'Alerts',
    summary: 'Mark notifications as read',
    body: jsonObject({
      up_to: Type.Optional(
        line({ description: 'ID of the newest notification to mark. Default: all.' }),
      ),
    }),
    returns: 'The number of notifications that are still unread, up to 100.',
    reply: namedObject('UnreadNotifications', { unread: Type.Integer() }),
    async respond({ principal: { account_id }, body: { up_to } }) {
      await notifications.markRead(account_id, up_to, now())
      return { data: { unread: await notifications.countUnread(account_id, UNREAD_MAX) } }
    },
  })
}
