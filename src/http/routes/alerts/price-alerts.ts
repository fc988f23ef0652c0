import { Type } from '@sinclair/typebox'
import {
  createPriceAlert,
  deletePriceAlert,
  getPriceAlert,
  updatePriceAlert,
} from '#actions/alerts/manage-price-alerts.ts'
import type { Deps } from '#deps.ts'
import { tierLimits } from '#rules/accounts/tier-limits.ts'
import { ALERT_CONDITIONS } from '#rules/alerts/alert-condition.ts'
import type { Endpoints } from '../../endpoint/endpoints.ts'
import { ID, line, PRICE_CHOICE, PRINTING, stringEnum } from '../../input/fields.ts'
import {
  AlertLimitsSchema,
  PersonalAlertSchema,
  renderPriceAlert,
  renderPriceAlerts,
} from '../../schemas/price-alerts.ts'
import { THRESHOLD } from './webhooks.ts'

const TAG = 'Alerts'

const ALERT_ID = { id: line({ description: 'ID of the price alert.' }) }

const NOT_FOUND = { 404: 'Price alert not found.' }

const CONDITION = 'At or above the threshold, or at or below it.'

/** Price alerts of people, which every account can have. */
export function priceAlertRoutes(endpoints: Endpoints, deps: Deps): void {
  endpoints.account('POST', '/v1/alerts', {
    id: 'createAlert',
    tag: TAG,
    summary: 'Create a price alert',
    description:
      'Notifies when the price reaches the threshold, and again each time it reaches it after crossing back: in the dashboard, and on each channel of the account.',
    body: {
      card_id: ID,
      condition: stringEnum(ALERT_CONDITIONS, CONDITION),
      threshold: THRESHOLD,
      printing: PRINTING,
      ...PRICE_CHOICE,
    },
    status: 201,
    refusals: {
      404: 'Card not found.',
      409: 'The account has as many price alerts as its tier allows.',
    },
    returns: 'The price alert.',
    reply: PersonalAlertSchema,
    async answer({ body, ...owner }) {
      const { currency, source, ...watched } = body
      const input = { ...watched, printing: body.printing, choice: { currency, source } }
      return { data: renderPriceAlert(deps, await createPriceAlert(deps, owner, input)) }
    },
  })

  endpoints.account('GET', '/v1/alerts', {
    id: 'listAlerts',
    tag: TAG,
    summary: 'List price alerts, oldest first',
    query: { card_id: Type.Optional(ID) },
    returns: 'The price alerts, and how many the account can have.',
    reply: Type.Array(PersonalAlertSchema),
    meta: AlertLimitsSchema,
    async answer({ account_id, tier, query: { card_id } }) {
      const { hasLimits } = deps.config
      const alerts = await deps.ledger.priceAlerts.list(account_id, card_id)
      return {
        data: renderPriceAlerts(deps, alerts),
        meta: { alerts_max: hasLimits ? tierLimits(tier, hasLimits).alerts : null },
      }
    },
  })

  endpoints.account('GET', '/v1/alerts/:id', {
    id: 'getAlert',
    tag: TAG,
    summary: 'Get a price alert',
    params: ALERT_ID,
    refusals: NOT_FOUND,
    returns: 'The price alert.',
    reply: PersonalAlertSchema,
    async answer({ account_id, params: { id } }) {
      return { data: renderPriceAlert(deps, await getPriceAlert(deps, { id, account_id })) }
    },
  })

  endpoints.account('PATCH', '/v1/alerts/:id', {
    id: 'updateAlert',
    tag: TAG,
    summary: 'Update a price alert',
    description: 'A new condition or threshold can notify again.',
    params: ALERT_ID,
    body: {
      condition: Type.Optional(stringEnum(ALERT_CONDITIONS, CONDITION)),
      threshold: Type.Optional(THRESHOLD),
      is_paused: Type.Optional(Type.Boolean()),
    },
    needsOne: true,
    refusals: NOT_FOUND,
    returns: 'The price alert.',
    reply: PersonalAlertSchema,
    async answer({ account_id, params: { id }, body }) {
      const { condition, threshold, is_paused } = body
      const changes = { condition, threshold, is_paused }
      const updated = await updatePriceAlert(deps, { id, account_id }, changes)
      return { data: renderPriceAlert(deps, updated) }
    },
  })

  endpoints.account('DELETE', '/v1/alerts/:id', {
    id: 'deleteAlert',
    tag: TAG,
    summary: 'Delete a price alert',
    description: 'Its notifications stay.',
    params: ALERT_ID,
    refusals: NOT_FOUND,
    returns: 'The deleted price alert.',
    reply: PersonalAlertSchema,
    async answer({ account_id, params: { id } }) {
      return { data: renderPriceAlert(deps, await deletePriceAlert(deps, { id, account_id })) }
    },
  })
}
