import { Type } from '@sinclair/typebox'
import { getDeliveryWithAttempts } from '#actions/alerts/get-deliveries.ts'
import { getWebhook } from '#actions/alerts/manage-webhooks.ts'
import { redeliver } from '#actions/alerts/redeliver.ts'
import { testWebhook } from '#actions/alerts/test-webhook.ts'
import type { Deps } from '#deps.ts'
import { computePaging, pagingMeta } from '#rules/primitives/paging.ts'
import type { SessionEndpoints } from '../endpoint/session-endpoints.ts'
import { line, PAGING } from '../input/fields.ts'
import { PagingSchema } from '../schemas/catalog.ts'
import { DeliverySchema, renderDelivery } from '../schemas/webhooks.ts'
import { WEBHOOK_ID } from './webhooks.ts'

const TAG = 'Alerts'

/** What watches told, and how that went. */
export function deliveryRoutes(doors: SessionEndpoints, deps: Deps): void {
  const { deliveries } = deps.ledger

  doors.session('GET', '/v1/webhooks/:webhook_id/deliveries', {
    tag: TAG,
    summary: 'What a watch has delivered, newest first',
    description: 'Alerts and tests of the last 30 days.',
    params: WEBHOOK_ID,
    query: PAGING,
    refusals: { 404: 'The account has no such webhook.' },
    reply: Type.Array(DeliverySchema),
    meta: PagingSchema,
    async answer({ session: { account_id }, params, query }) {
      const { id } = await getWebhook(deps, { account_id, ...params })
      const paging = computePaging(query)
      const { total, rows } = await deliveries.list(id, paging)
      const told = await Promise.all(rows.map((row) => getDeliveryWithAttempts(deps, row)))
      return { data: told.map(renderDelivery), meta: pagingMeta(paging, total) }
    },
  })

  doors.session('POST', '/v1/webhooks/:webhook_id/test', {
    tag: TAG,
    summary: 'Send a test message',
    description: 'Once, and now: the answer tells how it went.',
    needs: 'alerts',
    params: WEBHOOK_ID,
    refusals: {
      404: 'The account has no such webhook.',
      429: 'Too many tests: Retry-After says how long to wait.',
    },
    reply: DeliverySchema,
    async answer({ session: { account_id }, params }) {
      return { data: renderDelivery(await testWebhook(deps, { account_id, ...params })) }
    },
  })

  doors.session('POST', '/v1/webhooks/:webhook_id/redeliver/:delivery_id', {
    tag: TAG,
    summary: 'Deliver a message once more',
    description: 'With the same id and body, from now on, and with all its attempts.',
    needs: 'alerts',
    params: { ...WEBHOOK_ID, delivery_id: line({ description: "The delivery's id." }) },
    refusals: {
      404: 'The account has no such webhook, or the webhook no such delivery.',
      409: 'The webhook is paused or disabled.',
      429: 'Too many redeliveries: Retry-After says how long to wait.',
    },
    reply: DeliverySchema,
    async answer({ session: { account_id }, params }) {
      return { data: renderDelivery(await redeliver(deps, { account_id, ...params })) }
    },
  })
}
