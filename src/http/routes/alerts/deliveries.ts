import { Type } from '@sinclair/typebox'
import { getDeliveryWithAttempts, redeliver } from '#actions/alerts/deliveries.ts'
import { getWebhook } from '#actions/alerts/manage-rules.ts'
import { testWebhook } from '#actions/alerts/send-test.ts'
import type { Deps } from '#deps.ts'
import { computePaging, pagingMeta } from '#rules/primitives/paging.ts'
import { line, PAGING, WEBHOOK_ID } from '../../input/fields.ts'
import { PagingSchema } from '../../schemas/members.ts'
import { DeliverySchema, renderDelivery } from '../../schemas/webhooks.ts'
import type { Server } from '../../server.ts'

/** Deliveries of webhooks and their attempts. */
export function deliveryRoutes({ endpoint }: Server, deps: Deps): void {
  const { messages } = deps.ledger

  endpoint('GET /v1/webhooks/:webhook_id/deliveries', {
    auth: 'session',
    id: 'listWebhookDeliveries',
    tag: 'Alerts',
    summary: 'List the deliveries of a webhook, newest first',
    description: 'Alerts and test deliveries of the last 30 days.',
    params: WEBHOOK_ID,
    query: PAGING,
    refusals: { 404: 'Webhook not found.' },
    returns: 'A page of deliveries.',
    reply: Type.Array(DeliverySchema),
    meta: PagingSchema,
    async respond({ principal: { account_id }, params, query }) {
      const { id } = await getWebhook(deps, { account_id, ...params })
      const paging = computePaging(query)
      const { total, rows } = await messages.list(id, paging)
      const detailed = await Promise.all(rows.map((row) => getDeliveryWithAttempts(deps, row)))
      return { data: detailed.map(renderDelivery), meta: pagingMeta(paging, total) }
    },
  })

  endpoint('POST /v1/webhooks/:webhook_id/test', {
    auth: 'session',
    needs: 'alerts',
    id: 'sendTestDelivery',
    tag: 'Alerts',
    summary: 'Send a test delivery',
    description: 'Sent once; the response has the result.',
    params: WEBHOOK_ID,
    refusals: {
      404: 'Webhook not found.',
      429: 'Too many tests. Retry after the time in Retry-After.',
    },
    returns: 'The delivery with its attempt.',
    reply: DeliverySchema,
    async respond({ principal: { account_id }, params }) {
      return { data: renderDelivery(await testWebhook(deps, { account_id, ...params })) }
    },
  })

  endpoint('POST /v1/webhooks/:webhook_id/redeliver/:delivery_id', {
    auth: 'session',
    needs: 'alerts',
    id: 'redeliverWebhook',
    tag: 'Alerts',
    summary: 'Redeliver a delivery',
    description: 'Sends the same ID and body again, starting now, with all retries.',
    params: { ...WEBHOOK_ID, delivery_id: line({ description: 'ID of the delivery.' }) },
    refusals: {
      404: 'Webhook or delivery not found.',
      409: 'The webhook is paused or disabled.',
      429: 'Too many redeliveries. Retry after the time in Retry-After.',
    },
    returns: 'The delivery with its attempts so far.',
    reply: DeliverySchema,
    async respond({ principal: { account_id }, params }) {
      return { data: renderDelivery(await redeliver(deps, { account_id, ...params })) }
    },
  })
}
