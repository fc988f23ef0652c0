import { Type } from '@sinclair/typebox'
import { mapYielding } from '#actions/cooperative-loop.ts'
import { EXPORT_FORMATS, exportSet } from '#actions/pricing/export-prices.ts'
import type { Deps } from '#deps.ts'
import { historyDepth } from '#rules/accounts/tiers.ts'
import { BULK_IDS_MAX, parseIds } from '#rules/matching/bulk-limits.ts'
import { firstDay, formatSimplifiedPoints } from '#rules/pricing/history.ts'
import { dayOf, formatDate } from '#rules/primitives/days.ts'
import { jsonArray, jsonText } from '../endpoint/envelope.ts'
import type { KeyEndpoints } from '../endpoint/key-endpoints.ts'
import { ID, line, stringEnum } from '../input/fields.ts'
import { BulkMetaSchema, SimplePriceSchema } from '../schemas/bulk.ts'
import { CardWithPricesSchema, HistoryMetaSchema, SimplePointSchema } from '../schemas/catalog.ts'
import { noSuchSet } from './sets.ts'

/** Many cards in one request, and a set as a file. */
export function bulkRoutes(keyEndpoints: KeyEndpoints, { catalog, now }: Deps): void {
  keyEndpoints.planned('/v1/bulk/prices', 'bulk_prices', {
    tag: 'Bulk',
    summary: 'Current prices of up to 500 cards, one entry a card',
    query: { ids: idList(BULK_IDS_MAX.prices) },
    reply: Type.Array(SimplePriceSchema),
    meta: BulkMetaSchema,
    plan({ query }) {
      const ids = parseIds(query.ids, BULK_IDS_MAX.prices)
      return {
        credits: 1,
        answer() {
          const data = catalog.prices.listSimple(ids)
          const found = data.map(({ card_id }) => card_id)
          return { data, meta: metaOf(ids, found) }
        },
      }
    },
  })

  keyEndpoints.planned('/v1/bulk/cards', 'bulk_cards', {
    tag: 'Bulk',
    summary: 'Up to 100 cards with their prices',
    query: { ids: idList(BULK_IDS_MAX.cards) },
    reply: Type.Array(CardWithPricesSchema),
    meta: BulkMetaSchema,
    plan({ query }) {
      const ids = parseIds(query.ids, BULK_IDS_MAX.cards)
      return {
        credits: 1,
        answer() {
          const cards = catalog.cards.listWithPrices(ids)
          const found = cards.map(({ id }) => id)
          return { data: jsonArray(cards.map(({ text }) => text)), meta: metaOf(ids, found) }
        },
      }
    },
  })

  keyEndpoints.planned('/v1/bulk/history', 'bulk_history', {
    tag: 'Bulk',
    summary: 'Price history of up to 50 cards, by card id',
    description: 'One entry a day and card, as `/v1/cards/{id}/history` tells it.',
    query: {
      ids: idList(BULK_IDS_MAX.history),
      range: stringEnum(['month', 'quarter', 'year'], {
        default: 'month',
        description: '30, 90 or 365 days.',
      }),
    },
    reply: Type.Record(Type.String(), Type.Array(SimplePointSchema)),
    meta: Type.Object({ ...HistoryMetaSchema.properties, ...BulkMetaSchema.properties }),
    plan({ query: { ids: list, range }, caller }) {
      const ids = parseIds(list, BULK_IDS_MAX.history)
      return {
        credits: 1,
        async answer() {
          const today = dayOf(now())
          const from = firstDay(range, historyDepth(caller.tier), today)
          const found = ids.filter(catalog.cards.exists)
          const texts = await mapYielding(found, (id) => {
            const points = formatSimplifiedPoints(catalog.history.listByCard(id, from))
            return `"${id}":${JSON.stringify(points)}`
          })
          return {
            data: jsonText(`{${texts.join(',')}}`),
            meta: { range, from: formatDate(from), to: formatDate(today), ...metaOf(ids, found) },
            variant: `${caller.tier}-${today}`,
          }
        },
      }
    },
  })

  keyEndpoints.get('/v1/export/set/:id', 'set_export', {
    tag: 'Bulk',
    summary: 'All cards and prices of a set, as a file',
    description: 'The bytes are those of `bun run export --set ID`.',
    params: { id: ID },
    query: {
      format: stringEnum(EXPORT_FORMATS, { default: 'json', description: 'What the file is.' }),
    },
    files: ['application/json', 'text/csv'],
    answer({ params: { id }, query: { format } }) {
      const set = catalog.sets.getById(id)
      if (set === undefined) throw noSuchSet(id)
      return {
        fileName: `${set.game_slug}-${set.slug}.${format}`,
        contentType:
          format === 'json' ? 'application/json; charset=utf-8' : 'text/csv; charset=utf-8',
        source: { chunks: exportSet({ catalog }, id, format) },
        variant: format,
      }
    },
  })
}

function idList(idsMax: number) {
  return line({
    // Ids of sixteen digits, with a comma and a blank behind each.
    maxLength: 20_000,
    description: `Card ids with commas between them, at most ${idsMax}.`,
  })
}

/** How many were asked for, each id once, and which of them are no card's. */
function metaOf(asked: readonly number[], found: readonly number[]) {
  const known = new Set(found)
  return { total_requested: asked.length, not_found: asked.filter((id) => !known.has(id)) }
}
