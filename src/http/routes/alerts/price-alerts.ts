import { Type } from '@sinclair/typebox'
import {
  createPriceAlert,
  deletePriceAlert,
  getPriceAlert,
  updatePriceAlert,
} from '#actions/alerts/manage-rules.ts'
import type { Deps } from '#deps.ts'
import { tierLimits } from '#rules/accounts/tiers.ts'
import { computePaging, pagingMeta } from '#rules/primitives/paging.ts'
import { ID, line, PAGING, PRICE_CHOICE, PRINTING } from '../../input/fields.ts'
import { jsonChanges, jsonObject } from '../../input/json-body.ts'
import {
  AlertLimitsSchema,
  PersonalAlertSchema,
  renderPriceAlert,
  renderPriceAlerts,
} from '../../schemas/price-alerts.ts'
import type { Server } from '../../server.ts'
import { CONDITION, THRESHOLD } from './webhooks.ts'

const ALERT_ID = { id: line({ description: 'ID of the price alert.' }) }

const NOT_FOUND = { 404: 'Price alert not found.' }

/** Price alerts for people, which every account can have. */
export function priceAlertRoutes({ endpoint }: Server, deps: Deps): void {
  endpoint('POST /v1/alerts', {
    auth: 'account',
    id: 'createAlert',
    tag: 'Alerts',
    summary: 'Create a price alert',
    description:
      'Notifies in the dashboard and on each channel when the price reaches the threshold, again after it has crossed back.',
    body: jsonObject({
      card_id: ID,
      condition: CONDITION,
      threshold: THRESHOLD,
      printing: PRINTING,
      ...PRICE_CHOICE,
    }),
    status: 201,
    refusals: {
      404: 'Card not found.',
      409: 'The account has as many price alerts as its tier allows.',
    },
    returns: 'The price alert.',
    reply: PersonalAlertSchema,
    async respond({ body, principal: owner }) {
      const { currency, source, ...watched } = body
      const input = { ...watched, printing: body.printing, choice: { currency, source } }
      return { data: renderPriceAlert(deps, await createPriceAlert(deps, owner, input)) }
    },
  })

  endpoint('GET /v1/alerts', {
    auth: 'account',
    id: 'listAlerts',
    tag: 'Alerts',
    summary: 'List price alerts, oldest first',
    query: { card_id: Type.Optional(ID), ...PAGING },
    returns: 'A page of the price alerts, and how many the account can have.',
    reply: Type.Array(PersonalAlertSchema),
    meta: AlertLimitsSchema,
    async respond({ principal: owner, query: { card_id = 0, ...query } }) {
      const { account_id } = owner
      const paging = computePaging(query)
      const { rows, total } = await deps.ledger.priceAlerts.list({ account_id, card_id }, paging)
      return {
        data: renderPriceAlerts(deps, rows),
        meta: {
          ...pagingMeta(paging, total),
          alerts_max: owner.is_unlimited ? null : tierLimits(owner).alerts,
        },
      }
    },
  })

  endpoint('GET /v1/alerts/:id', {
    auth: 'account',
    id: 'getAlert',
    tag: 'Alerts',
    summary: 'Get a price alert',
    params: ALERT_ID,
    refusals: NOT_FOUND,
    returns: 'The price alert.',
    reply: PersonalAlertSchema,
    async respond({ principal: { account_id }, params: { id } }) {
      return { data: renderPriceAlert(deps, await getPriceAlert(deps, { id, account_id })) }
    },
  })

  endpoint('PATCH /v1/alerts/:id', {
    auth: 'account',
    id: 'updateAlert',
    tag: 'Alerts',
    summary: 'Update a price alert',
    description: 'A new condition or threshold can notify again.',
    params: ALERT_ID,
    body: jsonChanges({
      condition: Type.Optional(CONDITION),
      threshold: Type.Optional(THRESHOLD),
      is_paused: Type.Optional(Type.Boolean()),
    }),
    refusals: NOT_FOUND,
    returns: 'The price alert.',
    reply: PersonalAlertSchema,
    async respond({ principal: { account_id }, params: { id }, body: changes }) {
      const updated = await updatePriceAlert(deps, { id, account_id }, changes)
      return { data: renderPriceAlert(deps, updated) }
    },
  })

  endpoint('DELETE /v1/alerts/:id', {
    auth: 'account',
    id: 'deleteAlert',
    tag: 'Alerts',
    summary: 'Delete a price alert',
    description: 'Its notifications stay.',
    params: ALERT_ID,
    refusals: NOT_FOUND,
    returns: 'The deleted price alert.',
    reply: PersonalAlertSchema,
    async respond({ principal: { account_id }, params: { id } }) {
      return { data: renderPriceAlert(deps, await deletePriceAlert(deps, { id, account_id })) }
    },
  })
}
