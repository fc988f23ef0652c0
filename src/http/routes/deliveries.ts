import { Type } from '@sinclair/typebox'
import { deliveryWithAttempts } from '#actions/alerts/get-deliveries.ts'
import { watchOf } from '#actions/alerts/manage-webhooks.ts'
import { redeliver } from '#actions/alerts/redeliver.ts'
import { testWebhook } from '#actions/alerts/test-webhook.ts'
import type { Deps } from '#deps.ts'
import { metaOf, pagingOf } from '#rules/primitives/paging.ts'
import type { AccountDoors } from '../endpoint/session-endpoints.ts'
import { line, PAGING } from '../input/fields.ts'
import { Paged } from '../schemas/catalog.ts'
import { DeliveryShape, toldDelivery } from '../schemas/webhooks.ts'
import { WATCH_ID } from './webhooks.ts'

const TAG = 'Alerts'

/** What watches told, and how that went. */
export function deliveryRoutes(doors: AccountDoors, deps: Deps): void {
  const { deliveries } = deps.ledger

  doors.session('GET', '/v1/webhooks/:webhook_id/deliveries', {
    tag: TAG,
    summary: 'What a watch has delivered, newest first',
    description: 'Alerts and tests of the last 30 days.',
    params: WATCH_ID,
    query: PAGING,
    refusals: { 404: 'The account has no such webhook.' },
    reply: Type.Array(DeliveryShape),
    meta: Paged,
    async answer({ session: { account_id }, params, query }) {
      const { id } = await watchOf(deps, { account_id, ...params })
      const paging = pagingOf(query)
      const { total, rows } = await deliveries.list(id, paging)
      const told = await Promise.all(rows.map((row) => deliveryWithAttempts(deps, row)))
      return { data: told.map(toldDelivery), meta: metaOf(paging, total) }
    },
  })

  doors.session('POST', '/v1/webhooks/:webhook_id/test', {
    tag: TAG,
    summary: 'Send a test message',
    description: 'Once, and now: the answer tells how it went.',
    needs: 'alerts',
    params: WATCH_ID,
    refusals: {
      404: 'The account has no such webhook.',
      429: 'Too many tests: Retry-After says how long to wait.',
    },
    reply: DeliveryShape,
    async answer({ session: { account_id }, params }) {
      return { data: toldDelivery(await testWebhook(deps, { account_id, ...params })) }
    },
  })

  doors.session('POST', '/v1/webhooks/:webhook_id/redeliver/:delivery_id', {
    tag: TAG,
    summary: 'Deliver a message once more',
    description: 'With the same id and body, from now on, and with all its attempts.',
    needs: 'alerts',
    params: { ...WATCH_ID, delivery_id: line({ description: "The delivery's id." }) },
    refusals: {
      404: 'The account has no such webhook, or the webhook no such delivery.',
      409: 'The webhook is paused or disabled.',
      429: 'Too many redeliveries: Retry-After says how long to wait.',
    },
    reply: DeliveryShape,
    async answer({ session: { account_id }, params }) {
      return { data: toldDelivery(await redeliver(deps, { account_id, ...params })) }
    },
  })
}
