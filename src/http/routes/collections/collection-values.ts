import { Type } from '@sinclair/typebox'
import { chooseCurrency } from '#actions/collections/choose-currency.ts'
import { getValuation } from '#actions/collections/get-valuation.ts'
import type { Deps } from '#deps.ts'
import { historyDepth } from '#rules/accounts/tiers.ts'
import { type Costs, toAmount, toCost } from '#rules/collections/collection-money.ts'
import { percentOf } from '#rules/collections/summarize.ts'
import { firstDay } from '#rules/pricing/history.ts'
import { dayOf, formatDate } from '#rules/primitives/days.ts'
import { computePaging, pagingMeta } from '#rules/primitives/paging.ts'
import { COLLECTION_ID, HISTORY_RANGE, PAGING, VALUE_CURRENCY } from '../../input/fields.ts'
import {
  CollectionDaySchema,
  CollectionHistoryMetaSchema,
  CollectionSummarySchema,
  CompletionMetaSchema,
  SetCompletionSchema,
} from '../../schemas/collections.ts'
import { renderSummary, renderValuedAt } from '../../schemas/render-collections.ts'
import type { Server } from '../../server.ts'
import { COLLECTION_NOT_FOUND } from './collections.ts'

/** Values of collections, as they were last computed. */
export function collectionValueRoutes({ endpoint }: Server, deps: Deps): void {
  endpoint('GET /v1/collections/:id/summary', {
    auth: 'account',
    id: 'getCollectionSummary',
    tag: 'Collections',
    summary: 'Get the value of a collection',
    description: 'By game and set, with gains and changes of seven days.',
    params: COLLECTION_ID,
    query: VALUE_CURRENCY,
    refusals: COLLECTION_NOT_FOUND,
    returns: 'The summary.',
    reply: CollectionSummarySchema,
    async respond({ principal: { account_id }, params: { id }, query: { currency } }) {
      const money = chooseCurrency(deps, currency)
      return { data: renderSummary(await getValuation(deps, { id, account_id }), money) }
    },
  })

  endpoint('GET /v1/collections/:id/history', {
    auth: 'account',
    id: 'getCollectionHistory',
    tag: 'Collections',
    summary: 'Get the value of a collection over time',
    description:
      'Items count from their date or addition; days begin when 90 % of the value was priced. Days without a rate are skipped.',
    params: COLLECTION_ID,
    query: {
      range: HISTORY_RANGE,
      ...VALUE_CURRENCY,
    },
    refusals: COLLECTION_NOT_FOUND,
    returns: 'The days, oldest first.',
    reply: Type.Array(CollectionDaySchema),
    meta: CollectionHistoryMetaSchema,
    async respond({ principal: { account_id, tier }, params: { id }, query: { range, currency } }) {
      const money = chooseCurrency(deps, currency)
      const valuation = await getValuation(deps, { id, account_id })
      const { held_since, untracked_value } = valuation.summary
      const today = dayOf(deps.now())
      const from = firstDay(range, historyDepth(tier), today)
      const days = await deps.ledger.collectionValuations.listDays(id, from)
      return {
        data: days.flatMap(({ day, value, carried, cost, foreign_costs }) => {
          // The newest day equals the summary, whose rate can be newer.
          const newest = day === days.at(-1)?.day ? money.rate : undefined
          const rate = newest ?? money.rateOn(day)
          if (rate === undefined) return []
          return {
            date: formatDate(day),
            value: toAmount({ rate }, value),
            carried_value: toAmount({ rate }, carried),
            cost: toCost({ ...money, rate }, { cost, foreign: parseForeign(foreign_costs) }),
          }
        }),
        meta: {
          ...renderValuedAt(valuation, money),
          held_since: held_since === null ? null : formatDate(held_since),
          untracked_value: toAmount(money, untracked_value),
          range,
          from: formatDate(from),
          to: formatDate(today),
        },
      }
    },
  })

  endpoint('GET /v1/collections/:id/completion', {
    auth: 'account',
    id: 'getCollectionCompletion',
    tag: 'Collections',
    summary: 'Get the completeness of the sets of a collection',
    description: 'The most complete first.',
    params: COLLECTION_ID,
    query: { ...PAGING, ...VALUE_CURRENCY },
    refusals: COLLECTION_NOT_FOUND,
    returns: 'A page of the sets.',
    reply: Type.Array(SetCompletionSchema),
    meta: CompletionMetaSchema,
    async respond({ principal: { account_id }, params: { id }, query }) {
      const money = chooseCurrency(deps, query.currency)
      const valuation = await getValuation(deps, { id, account_id })
      const all = valuation.summary.sets
        .filter((set) => set.owned > 0)
        .map(({ set_id, set_name, game, owned, total, value }) => {
          const percent = total === null ? null : percentOf(Math.min(owned, total), total)
          return { set_id, set_name, game, owned, total, percent, value: toAmount(money, value) }
        })
        .sort((a, b) => (b.percent ?? -1) - (a.percent ?? -1) || b.owned - a.owned)
      const paging = computePaging(query)
      return {
        data: all.slice(paging.offset, paging.offset + paging.limit),
        meta: { ...pagingMeta(paging, all.length), ...renderValuedAt(valuation, money) },
      }
    },
  })
}

function parseForeign(json: string | null): Costs['foreign'] {
  // `valueCollection` has written this text, so its shape is known.
  return json === null ? undefined : (JSON.parse(json) as Costs['foreign'])
}
