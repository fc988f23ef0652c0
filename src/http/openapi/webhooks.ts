import { Type } from '@sinclair/typebox'
import { PriceAlertSchema } from '../schemas/webhooks.ts'
import { EXAMPLES } from './examples.ts'
import type { SchemaCollector } from './schemas.ts'

const HEADERS = {
  'webhook-id': Type.String({
    description: 'ID of the alert, the same for every attempt: ignore one that you have seen.',
  }),
  'webhook-timestamp': Type.Integer({ description: 'Time of the attempt, in epoch seconds.' }),
  'webhook-signature': Type.String({
    description:
      '`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64, as Standard Webhooks define it. Two signatures, separated by a space, while a secret is being replaced.',
  }),
}

/** Renders the requests that the service sends. */
export function renderOutgoingRequests({ render }: SchemaCollector): object {
  const parameters = Object.entries(HEADERS).map(([name, { description, ...schema }]) => {
    return { name, in: 'header', required: true, description, schema: render(schema) }
  })
  const content = { schema: render(PriceAlertSchema), example: EXAMPLES.webhooks.price_alert }
  return {
    price_alert: {
      post: {
        operationId: 'receivePriceAlert',
        tags: ['Alerts'],
        summary: 'Receive a price alert',
        description:
          'Sent to the URL of a webhook when the price reaches its threshold. Verify the signature with the secret of the webhook before you trust the body. An alert that fails is sent again for days.',
        security: [],
        parameters,
        requestBody: { required: true, content: { 'application/json': content } },
        responses: {
          '2XX': { description: 'The alert is delivered.' },
          410: { description: 'Disables the webhook.' },
        },
      },
    },
  }
}
