import { Type } from '@sinclair/typebox'
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  updateWebhook,
} from '#actions/alerts/manage-webhooks.ts'
import type { Deps } from '#deps.ts'
import { ALERT_CONDITIONS } from '#rules/alerts/alert-condition.ts'
import { WEBHOOK_URL_CHARACTERS_MAX } from '#rules/primitives/webhook-url.ts'
import type { SessionEndpoints } from '../endpoint/session-endpoints.ts'
import { ID, line, stringEnum } from '../input/fields.ts'
import {
  NewWebhookSchema,
  renderWebhook,
  renderWebhooks,
  UpdatedWebhookSchema,
  WebhookSchema,
} from '../schemas/webhooks.ts'

const TAG = 'Alerts'

export const WEBHOOK_ID = { webhook_id: line({ description: "The webhook's id." }) }

const ADDRESS = Type.String({
  minLength: 1,
  maxLength: WEBHOOK_URL_CHARACTERS_MAX,
  description: 'Where alerts are posted to, such as `https://shop.example/alerts`.',
})

const THRESHOLD = Type.Number({
  minimum: 0.01,
  maximum: 10_000_000,
  description: 'US dollars, with at most two decimals.',
})

const UNKNOWN = { 404: 'The account has no such webhook.' }

const BAD_ADDRESS =
  'The request is malformed, the message names the field; or alerts cannot be sent to that address.'

/** Watches of prices. */
export function webhookRoutes(doors: SessionEndpoints, deps: Deps): void {
  doors.session('POST', '/v1/webhooks', {
    tag: TAG,
    summary: 'Watch a price',
    description:
      'Posts an alert when the price of the card is at the threshold or beyond it; again after it has crossed back. The secret is in this answer and in no other: keep it.',
    needs: 'alerts',
    body: {
      url: ADDRESS,
      card_id: ID,
      condition: stringEnum(ALERT_CONDITIONS, {
        description: 'At or above the threshold, or at or below.',
      }),
      threshold: THRESHOLD,
      printing: Type.Optional(
        line({ description: 'Exact name of a printing; else the dearest one counts.' }),
      ),
    },
    status: 201,
    refusals: {
      400: BAD_ADDRESS,
      404: 'There is no such card.',
      409: 'The account has as many webhooks as it may.',
    },
    reply: NewWebhookSchema,
    async answer({ session: { account_id }, body: { printing, ...wish }, address }) {
      const asker = { account_id, address }
      const { webhook, secret } = await createWebhook(deps, asker, { ...wish, printing })
      return { data: { ...renderWebhook(deps, webhook), secret } }
    },
  })

  doors.session('GET', '/v1/webhooks', {
    tag: TAG,
    summary: 'List the watches',
    reply: Type.Array(WebhookSchema),
    async answer({ session: { account_id } }) {
      return { data: renderWebhooks(deps, await listWebhooks(deps, account_id)) }
    },
  })

  doors.session('GET', '/v1/webhooks/:webhook_id', {
    tag: TAG,
    summary: 'Look up a watch',
    params: WEBHOOK_ID,
    refusals: UNKNOWN,
    reply: WebhookSchema,
    async answer({ session: { account_id }, params }) {
      return { data: renderWebhook(deps, await getWebhook(deps, { account_id, ...params })) }
    },
  })

  doors.session('PATCH', '/v1/webhooks/:webhook_id', {
    tag: TAG,
    summary: 'Change a watch',
    description:
      'Another threshold is told of anew. `"paused": false` also enables what was disabled, and sends what waited. A secret that is replaced signs for another day, beside the new one.',
    params: WEBHOOK_ID,
    body: {
      url: Type.Optional(ADDRESS),
      threshold: Type.Optional(THRESHOLD),
      paused: Type.Optional(Type.Boolean()),
      rotate_secret: Type.Optional(Type.Literal(true)),
    },
    needsOne: true,
    refusals: { 400: BAD_ADDRESS, ...UNKNOWN },
    reply: UpdatedWebhookSchema,
    async answer({ session: { account_id }, params, body, address }) {
      const { webhook, ...secret } = await updateWebhook(
        deps,
        { account_id, ...params, address },
        {
          url: body.url,
          threshold: body.threshold,
          is_paused: body.paused,
          rotateSecret: body.rotate_secret === true,
        },
      )
      return { data: { ...renderWebhook(deps, webhook), ...secret } }
    },
  })

  doors.session('DELETE', '/v1/webhooks/:webhook_id', {
    tag: TAG,
    summary: 'End a watch',
    description: 'With all that it has to deliver.',
    params: WEBHOOK_ID,
    refusals: UNKNOWN,
    reply: WebhookSchema,
    async answer({ session: { account_id }, params, address }) {
      return {
        data: renderWebhook(deps, await deleteWebhook(deps, { account_id, ...params, address })),
      }
    },
  })
}
