import { Type } from '@sinclair/typebox'
import { mapYielding } from '#actions/cooperative-loop.ts'
import { EXPORT_FORMATS, exportSet } from '#actions/pricing/export-prices.ts'
import type { Deps } from '#deps.ts'
import { BULK_IDS_MAX, parseIds } from '#rules/matching/bulk-limits.ts'
import { firstDay, formatSimplifiedPoints } from '#rules/pricing/history.ts'
import { dayOf, formatDate } from '#rules/primitives/days.ts'
import type { Endpoints } from '../../endpoint/endpoints.ts'
import { jsonArray, jsonText } from '../../endpoint/envelope.ts'
import { historyDaysOf } from '../../endpoint/request-context.ts'
import { ID, listField, stringEnum } from '../../input/fields.ts'
import { extendObject } from '../../openapi/schemas.ts'
import { BulkMetaSchema, SimplePriceSchema } from '../../schemas/bulk.ts'
import { CardWithPricesSchema } from '../../schemas/catalog.ts'
import { HistoryMetaSchema, SimplePointSchema } from '../../schemas/prices.ts'
import { setNotFound } from '../catalog/sets.ts'

/** Many cards in one request, and a set as a file. */
export function bulkRoutes(endpoints: Endpoints, { catalog, now }: Deps): void {
  endpoints.getMetered('/v1/bulk/prices', 'bulk_prices', {
    id: 'getBulkPrices',
    tag: 'Bulk',
    summary: 'Get the current prices of up to 500 cards',
    description:
      'One price per card, that of its base printing: the first of Normal, Unlimited, Unlimited Edition Normal, 1st Edition Normal, 1st Edition and Limited, else the cheapest non-foil, else the cheapest.',
    hasPrices: true,
    query: { ids: idsField(BULK_IDS_MAX.prices) },
    returns: 'The prices, in the order of the IDs.',
    includes: ['confidence'],
    reply: Type.Array(SimplePriceSchema),
    entryId: 'card_id',
    meta: BulkMetaSchema,
    plan({ query, view }) {
      const ids = parseIds(query.ids, BULK_IDS_MAX.prices)
      return {
        credits: 1,
        answer() {
          const prices = view.prices.listSimple(ids)
          const found = prices.map(({ card_id }) => card_id)
          return { data: jsonArray(prices.map(({ text }) => text)), meta: bulkMeta(ids, found) }
        },
      }
    },
  })

  endpoints.getMetered('/v1/bulk/cards', 'bulk_cards', {
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
    plan({ query, view }) {
      const ids = parseIds(query.ids, BULK_IDS_MAX.cards)
      return {
        credits: 1,
        answer() {
          const cards = view.cards.listWithPrices(ids)
          const found = cards.map(({ id }) => id)
          return { data: jsonArray(cards.map(({ text }) => text)), meta: bulkMeta(ids, found) }
        },
      }
    },
  })

  endpoints.getMetered('/v1/bulk/history', 'bulk_history', {
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
    plan({ query: { ids: list, range }, principal, view }) {
      const ids = parseIds(list, BULK_IDS_MAX.history)
      return {
        credits: 1,
        async answer() {
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
      }
    },
  })

  endpoints.get('/v1/export/set/:id', 'set_export', {
    id: 'exportSet',
    tag: 'Bulk',
    summary: 'Download all cards and prices of a set',
    description: 'Identical to the output of `bun run export --set ID`.',
    hasPrices: true,
    includes: ['confidence'],
    params: { id: ID },
    query: {
      format: stringEnum(EXPORT_FORMATS, 'Format of the file.', 'json'),
    },
    returns: 'The file.',
    files: ['application/json', 'text/csv'],
    answer({ params: { id }, query: { format }, view, includes }) {
      const set = catalog.sets.getById(id)
      if (set === undefined) throw setNotFound(id)
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

function idsField(idsMax: number) {
  return listField({
    // IDs of sixteen digits, each with a comma and a space.
    maxLength: 20_000,
    description: `Comma-separated card IDs, at most ${idsMax}.`,
  })
}

/** Counts the requested IDs, and lists those of no card. */
function bulkMeta(ids: readonly number[], found: readonly number[]) {
  const known = new Set(found)
  return { total_requested: ids.length, not_found: ids.filter((id) => !known.has(id)) }
}
