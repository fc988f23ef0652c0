import { Type } from '@sinclair/typebox'
import type { Deps } from '#deps.ts'
import { historyDepth } from '#rules/accounts/tiers.ts'
import {
  firstDay,
  formatDetailedPoints,
  formatPrintingPoints,
  formatSimplifiedPoints,
} from '#rules/pricing/history.ts'
import type { PriceJson as CardPrice } from '#rules/pricing/price-json.ts'
import { dayOf, formatDate } from '#rules/primitives/days.ts'
import { cardNotFound } from '#rules/primitives/errors.ts'
import { jsonText } from '../endpoint/envelope.ts'
import type { KeyEndpoints } from '../endpoint/key-endpoints.ts'
import { ID, PRINTING, stringEnum } from '../input/fields.ts'
import {
  CardSchema,
  DetailedPointSchema,
  HistoryMetaSchema,
  MarketplaceCardSchema,
  PriceSchema,
  PrintingPointSchema,
  SimplePointSchema,
} from '../schemas/catalog.ts'

/** Cards, their prices and their history. */
export function cardRoutes(keyEndpoints: KeyEndpoints, { catalog, now }: Deps): void {
  keyEndpoints.get('/v1/cards/:id', 'catalog', {
    tag: 'Cards',
    summary: 'Look up a card',
    params: { id: ID },
    reply: CardSchema,
    answer({ params }) {
      const card = catalog.cards.getById(params.id)
      if (card === undefined) throw cardNotFound(params.id)
      return { data: jsonText(card) }
    },
  })

  keyEndpoints.get('/v1/cards/marketplace/:marketplace_id', 'catalog', {
    tag: 'Cards',
    summary: 'Look up a card by its marketplace product id',
    params: { marketplace_id: ID },
    reply: MarketplaceCardSchema,
    answer({ params }) {
      const card = catalog.cards.getByMarketplaceId(params.marketplace_id)
      if (card === undefined) throw cardNotFound(params.marketplace_id)
      return { data: jsonText(card) }
    },
  })

  keyEndpoints.get('/v1/cards/:id/prices', 'catalog', {
    tag: 'Cards',
    summary: 'Current prices of a card, per printing',
    description: 'A card with a single printing answers one Price instead of an array.',
    params: { id: ID },
    query: { printing: PRINTING },
    reply: Type.Union([Type.Array(PriceSchema), PriceSchema]),
    answer({ params, query }) {
      const prices = catalog.prices.getByCard(params.id)
      if (prices === undefined && !catalog.cards.exists(params.id)) throw cardNotFound(params.id)
      return { data: jsonText(onePrinting(prices ?? '[]', query.printing)) }
    },
  })

  keyEndpoints.get('/v1/cards/:id/history', 'history', {
    tag: 'Cards',
    summary: 'Price history of a card',
    description:
      'One entry a day; with `printing` that printing alone. A range beyond the depth of your tier is clipped, and `meta.from` says where it begins.',
    params: { id: ID },
    query: {
      range: stringEnum(['month', 'quarter', 'year', 'all'], {
        default: 'month',
        description: '30, 90 or 365 days, or all that your tier sees.',
      }),
      printing: PRINTING,
    },
    reply: Type.Union([Type.Array(SimplePointSchema), Type.Array(PrintingPointSchema)]),
    meta: HistoryMetaSchema,
    answer({ params, query, caller }) {
      if (!catalog.cards.exists(params.id)) throw cardNotFound(params.id)
      const today = dayOf(now())
      const from = firstDay(query.range, historyDepth(caller.tier), today)
      const series = catalog.history.listByCard(params.id, from)
      const data =
        query.printing === undefined
          ? formatSimplifiedPoints(series)
          : series.filter((one) => one.printing === query.printing).flatMap(formatPrintingPoints)
      return {
        data,
        meta: {
          range: query.range,
          from: from === 0 ? null : formatDate(from),
          to: formatDate(today),
        },
        variant: `${caller.tier}-${today}`,
      }
    },
  })

  keyEndpoints.get('/v1/cards/:id/history/detailed', 'detailed_history', {
    tag: 'Cards',
    summary: 'The whole price history of a card, per printing, with sales',
    params: { id: ID },
    query: { printing: PRINTING },
    reply: Type.Array(DetailedPointSchema),
    answer({ params, query }) {
      if (!catalog.cards.exists(params.id)) throw cardNotFound(params.id)
      const series = catalog.history
        .listByCard(params.id, 0)
        .filter((one) => query.printing === undefined || one.printing === query.printing)
      return { data: series.flatMap(formatDetailedPoints) }
    },
  })
}

/** A card's prices as the caller asked for them; a card with one printing answers it bare. */
function onePrinting(text: string, printing: string | undefined): string {
  if (text === '[]') return text
  // Within a JSON string the quotes would be escaped, so this stands only between two prices.
  const single = !text.includes('},{"card_id":')
  if (printing === undefined) return single ? text.slice(1, -1) : text
  // The text was written by price-text.ts, so its shape is known.
  const fitting = (JSON.parse(text) as CardPrice[]).filter(
    (priceJson) => priceJson.printing === printing,
  )
  return JSON.stringify(single && fitting.length === 1 ? fitting[0] : fitting)
}
