import { Type } from '@sinclair/typebox'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  updateWebhook,
} from '#actions/alerts/manage-rules.ts'
import type { Deps } from '#deps.ts'
import { ALERT_CONDITIONS } from '#rules/alerts/alert-condition.ts'
import { CONFIDENCE_LEVELS } from '#rules/pricing/confidence.ts'
import { computeOptionalPaging, pagingMeta } from '#rules/primitives/paging.ts'
import { WEBHOOK_URL_CHARACTERS_MAX } from '#rules/primitives/webhook-url.ts'
import {
  ID,
  line,
  OPTIONAL_PAGING,
  PRICE_CHOICE,
  stringEnum,
  WEBHOOK_ID,
} from '../../input/fields.ts'
import { jsonChanges, jsonObject } from '../../input/json-body.ts'
import { PagingSchema } from '../../schemas/members.ts'
import {
  NewWebhookSchema,
  renderWebhook,
  renderWebhooks,
  UpdatedWebhookSchema,
  WebhookSchema,
} from '../../schemas/webhooks.ts'
import type { Server } from '../../server.ts'

const URL_FIELD = Type.String({
  minLength: 1,
  maxLength: WEBHOOK_URL_CHARACTERS_MAX,
  description: 'URL that receives alerts, such as `https://shop.example/alerts`.',
})

export const CONDITION = stringEnum(
  ALERT_CONDITIONS,
  'At or above the threshold, or at or below it.',
)

export const THRESHOLD = Type.Number({
  minimum: 0.01,
  maximum: 10_000_000,
  description: 'In the currency, or US dollars without one, with at most two decimals.',
})

const MINIMUM = 'Minimum confidence in the price for an alert; `low` accepts any.'

const NOT_FOUND = { 404: 'Webhook not found.' }

const INVALID =
  'The request is invalid, or alerts cannot be sent to that URL. The message names the field.'

/** Webhooks for price alerts. */
export function webhookRoutes({ endpoint }: Server, deps: Deps): void {
  endpoint('POST /v1/webhooks', {
    auth: 'session',
    needs: 'alerts',
    id: 'createWebhook',
    tag: 'Alerts',
    summary: 'Create a webhook for a price alert',
    description:
      'Sends an alert when the price reaches the threshold, again after it has crossed back. Only this response has the secret.',
    body: jsonObject({
      url: URL_FIELD,
      card_id: ID,
      condition: CONDITION,
      threshold: THRESHOLD,
      printing: Type.Optional(
        line({ description: 'Exact name of a printing. Default: the most expensive one.' }),
      ),
      min_confidence: stringEnum(CONFIDENCE_LEVELS, MINIMUM, 'low'),
      ...PRICE_CHOICE,
    }),
    status: 201,
    refusals: {
      400: INVALID,
      404: 'Card not found.',
      409: 'The account has reached its maximum number of webhooks.',
    },
    returns: 'The webhook with its secret.',
    reply: NewWebhookSchema,
    async respond({ principal: { account_id }, body, clientAddress: address }) {
      const { currency, source, ...watched } = body
      const input = { ...watched, printing: body.printing, choice: { currency, source } }
      const { webhook, secret } = await createWebhook(deps, { account_id, address }, input)
      return { data: { ...renderWebhook(deps, webhook), secret } }
    },
  })

  endpoint('GET /v1/webhooks', {
    auth: 'session',
    id: 'listWebhooks',
    tag: 'Alerts',
    summary: 'List webhooks',
    query: OPTIONAL_PAGING,
    returns: 'The webhooks, or a page of them.',
    reply: Type.Array(WebhookSchema),
    meta: Type.Optional(PagingSchema),
    async respond({ principal: { account_id }, query }) {
      const paging = computeOptionalPaging(query)
      const { rows, total } = await deps.ledger.webhooks.list({ account_id }, paging)
      return { data: renderWebhooks(deps, rows), meta: paging && pagingMeta(paging, total) }
    },
  })

  endpoint('GET /v1/webhooks/:webhook_id', {
    auth: 'session',
    id: 'getWebhook',
    tag: 'Alerts',
    summary: 'Get a webhook',
    params: WEBHOOK_ID,
    refusals: NOT_FOUND,
    returns: 'The webhook.',
    reply: WebhookSchema,
    async respond({ principal: { account_id }, params }) {
      return { data: renderWebhook(deps, await getWebhook(deps, { account_id, ...params })) }
    },
  })

  endpoint('PATCH /v1/webhooks/:webhook_id', {
    auth: 'session',
    id: 'updateWebhook',
    tag: 'Alerts',
    summary: 'Update a webhook',
    description:
      'A new threshold can alert again. `"paused": false` also enables a disabled webhook, and sends the waiting deliveries.',
    params: WEBHOOK_ID,
    body: jsonChanges({
      url: Type.Optional(URL_FIELD),
      threshold: Type.Optional(THRESHOLD),
      min_confidence: Type.Optional(stringEnum(CONFIDENCE_LEVELS, MINIMUM)),
      paused: Type.Optional(Type.Boolean()),
      rotate_secret: Type.Optional(Type.Literal(true)),
    }),
    refusals: { 400: INVALID, ...NOT_FOUND },
    returns: 'The webhook, with its new secret if it was replaced.',
    reply: UpdatedWebhookSchema,
    async respond({ principal: { account_id }, params, body, clientAddress: address }) {
      const { paused: is_paused, rotate_secret: rotateSecret = false, ...rest } = body
      const changes = { ...rest, is_paused, rotateSecret }
      const owner = { account_id, ...params, address }
      const { webhook, ...secret } = await updateWebhook(deps, owner, changes)
      return { data: { ...renderWebhook(deps, webhook), ...secret } }
    },
  })

  endpoint('DELETE /v1/webhooks/:webhook_id', {
    auth: 'session',
    id: 'deleteWebhook',
    tag: 'Alerts',
    summary: 'Delete a webhook',
    description: 'Pending deliveries are deleted, too.',
    params: WEBHOOK_ID,
    refusals: NOT_FOUND,
    returns: 'The deleted webhook.',
    reply: WebhookSchema,
    async respond({ principal: { account_id }, params, clientAddress: address }) {
      const deleted = await deleteWebhook(deps, { account_id, ...params, address })
      return { data: renderWebhook(deps, deleted) }
    },
  })
}
