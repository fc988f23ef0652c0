import { Type } from '@sinclair/typebox'
import { mapYielding } from '#actions/cooperative-loop.ts'
import { EXPORT_FORMATS, exportSet } from '#actions/pricing/export-prices.ts'
import type { Deps } from '#deps.ts'
import { BULK_IDS_MAX, parseIds } from '#rules/matching/bulk-limits.ts'
import { firstDay, formatSimplifiedPoints } from '#rules/pricing/history.ts'
import { dayOf, formatDate } from '#rules/primitives/days.ts'
import { jsonArray, jsonText } from '../../endpoint/envelope.ts'
import { historyDaysOf } from '../../endpoint/request-context.ts'
import { ID, idsField, stringEnum } from '../../input/fields.ts'
import { extendObject } from '../../openapi/schemas.ts'
import { BulkMetaSchema, SimplePriceSchema } from '../../schemas/bulk.ts'
import { CardWithPricesSchema } from '../../schemas/catalog.ts'
import { HistoryMetaSchema, SimplePointSchema } from '../../schemas/prices.ts'
import type { Server } from '../../server.ts'
import { getSet } from '../catalog/sets.ts'

/** Many cards in one request, and a set as a file. */
export function bulkRoutes({ endpoint }: Server, { catalog, now }: Deps): void {
  endpoint('GET /v1/bulk/prices', {
    auth: 'key',
    needs: 'bulk_prices',
    cost: 'counted',
    id: 'getBulkPrices',
    tag: 'Bulk',
    summary: 'Get the current prices of up to 500 cards',
    description:
      'One price per card, of its base printing: the usual edition, then finish (plain, foil, reverse, others); among equals a reliable price, then the cheaper one.',
    hasPrices: true,
    query: { ids: idsField(BULK_IDS_MAX.prices) },
    returns: 'The prices, in the order of the IDs.',
    includes: ['confidence'],
    reply: Type.Array(SimplePriceSchema),
    entryId: 'card_id',
    meta: BulkMetaSchema,
    async respond({ query, view, form, charge }) {
      const ids = parseIds(query.ids, BULK_IDS_MAX.prices)
      await charge(1)
      const prices = view.prices.listSimple(ids, form)
      const found = prices.map(({ card_id }) => card_id)
      return { data: jsonArray(prices.map(({ data }) => data)), meta: bulkMeta(ids, found) }
    },
  })

  endpoint('GET /v1/bulk/cards', {
    auth: 'key',
    needs: 'bulk_cards',
    cost: 'counted',
    id: 'getBulkCards',
    tag: 'Bulk',
    summary: 'Get up to 100 cards with their prices',
    hasPrices: true,
    query: { ids: idsField(BULK_IDS_MAX.cards) },
    returns: 'The cards, in the order of the IDs.',
    includes: ['confidence', 'ids'],
    reply: Type.Array(CardWithPricesSchema),
    entryId: 'id',
    meta: BulkMetaSchema,
    async respond({ query, view, form, charge }) {
      const ids = parseIds(query.ids, BULK_IDS_MAX.cards)
      await charge(1)
      const cards = view.cards.listWithPrices(ids, form)
      const found = cards.map(({ id }) => id)
      return { data: jsonArray(cards.map(({ data }) => data)), meta: bulkMeta(ids, found) }
    },
  })

  endpoint('GET /v1/bulk/history', {
    auth: 'key',
    needs: 'bulk_history',
    cost: 'counted',
    id: 'getBulkHistory',
    tag: 'Bulk',
    summary: 'Get the price history of up to 50 cards',
    description: 'One entry per day and card, as in `/v1/cards/{id}/history`.',
    hasPrices: true,
    query: {
      ids: idsField(BULK_IDS_MAX.history),
      range: stringEnum(['month', 'quarter', 'year'], '30, 90 or 365 days.', 'month'),
    },
    returns: 'Histories by card ID, oldest day first.',
    reply: Type.Record(Type.String(), Type.Array(SimplePointSchema)),
    meta: extendObject('BulkHistoryMeta', HistoryMetaSchema, BulkMetaSchema.properties),
    async respond({ query: { ids: list, range }, principal, view, charge }) {
      const ids = parseIds(list, BULK_IDS_MAX.history)
      await charge(1)
      const today = dayOf(now())
      const from = firstDay(range, historyDaysOf(principal), today)
      const found = ids.filter(catalog.cards.exists)
      const texts = await mapYielding(found, (id) => {
        const points = formatSimplifiedPoints(view.history.getSimplified(id, from))
        return `"${id}":${JSON.stringify(points)}`
      })
      return {
        data: jsonText(`{${texts.join(',')}}`),
        meta: { range, from: formatDate(from), to: formatDate(today), ...bulkMeta(ids, found) },
        variant: `${principal.tier}-${today}`,
      }
    },
  })

  endpoint('GET /v1/export/set/:id', {
    auth: 'key',
    needs: 'set_export',
    cost: 1,
    id: 'exportSet',
    tag: 'Bulk',
    summary: 'Download all cards and prices of a set',
    description: 'As `bun run export --set ID`.',
    hasPrices: true,
    includes: ['confidence'],
    params: { id: ID },
    query: {
      format: stringEnum(EXPORT_FORMATS, 'Format of the file.', 'json'),
    },
    returns: 'The file.',
    files: ['application/json', 'text/csv'],
    respond({ params: { id }, query: { format }, view, includes }) {
      const set = getSet(catalog, id)
      const confidence = includes.includes('confidence') ? { now } : undefined
      return {
        fileName: `${set.game_slug}-${set.slug}.${format}`,
        contentType:
          format === 'json' ? 'application/json; charset=utf-8' : 'text/csv; charset=utf-8',
        source: { chunks: exportSet({ catalog: view, confidence }, id, format) },
        // Prices lose confidence with age.
        variant: confidence === undefined ? format : `${format}-${dayOf(now())}`,
      }
    },
  })
}

/** Counts the requested IDs, and lists the IDs that match no card. */
function bulkMeta(ids: readonly number[], found: readonly number[]) {
  const known = new Set(found)
  return { total_requested: ids.length, not_found: ids.filter((id) => !known.has(id)) }
}
