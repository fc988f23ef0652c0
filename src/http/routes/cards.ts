import { Type } from '@sinclair/typebox'
import type { Deps } from '#deps.ts'
import { historyDepth } from '#rules/accounts/tiers.ts'
import {
  detailedPoints,
  firstDay,
  pointsOfPrinting,
  simplifiedPoints,
} from '#rules/pricing/history.ts'
import type { Price as CardPrice } from '#rules/pricing/price-json.ts'
import { dateOf, dayOf } from '#rules/primitives/days.ts'
import { noSuchCard } from '#rules/primitives/errors.ts'
import { jsonText } from '../endpoint/envelope.ts'
import type { Doors } from '../endpoint/key-endpoints.ts'
import { ID, oneOf, PRINTING } from '../input/fields.ts'
import {
  Card,
  DetailedPoint,
  HistoryMeta,
  MarketplaceCard,
  Price,
  PrintingPoint,
  SimplePoint,
} from '../schemas/catalog.ts'

/** Cards, their prices and their history. */
export function cardRoutes(doors: Doors, { catalog, now }: Deps): void {
  doors.keyed('/v1/cards/:id', 'catalog', {
    tag: 'Cards',
    summary: 'Look up a card',
    params: { id: ID },
    reply: Card,
    answer({ params }) {
      const card = catalog.cards.byId(params.id)
      if (card === undefined) throw noSuchCard(params.id)
      return { data: jsonText(card) }
    },
  })

  doors.keyed('/v1/cards/marketplace/:marketplace_id', 'catalog', {
    tag: 'Cards',
    summary: 'Look up a card by its marketplace product id',
    params: { marketplace_id: ID },
    reply: MarketplaceCard,
    answer({ params }) {
      const card = catalog.cards.byMarketplaceId(params.marketplace_id)
      if (card === undefined) throw noSuchCard(params.marketplace_id)
      return { data: jsonText(card) }
    },
  })

  doors.keyed('/v1/cards/:id/prices', 'catalog', {
    tag: 'Cards',
    summary: 'Current prices of a card, per printing',
    description: 'A card with a single printing answers one Price instead of an array.',
    params: { id: ID },
    query: { printing: PRINTING },
    reply: Type.Union([Type.Array(Price), Price]),
    answer({ params, query }) {
      const prices = catalog.prices.ofCard(params.id)
      if (prices === undefined && !catalog.cards.exists(params.id)) throw noSuchCard(params.id)
      return { data: jsonText(onePrinting(prices ?? '[]', query.printing)) }
    },
  })

  doors.keyed('/v1/cards/:id/history', 'history', {
    tag: 'Cards',
    summary: 'Price history of a card',
    description:
      'One entry a day; with `printing` that printing alone. A range beyond the depth of your tier is clipped, and `meta.from` says where it begins.',
    params: { id: ID },
    query: {
      range: oneOf(['month', 'quarter', 'year', 'all'], {
        default: 'month',
        description: '30, 90 or 365 days, or all that your tier sees.',
      }),
      printing: PRINTING,
    },
    reply: Type.Union([Type.Array(SimplePoint), Type.Array(PrintingPoint)]),
    meta: HistoryMeta,
    answer({ params, query, caller }) {
      if (!catalog.cards.exists(params.id)) throw noSuchCard(params.id)
      const today = dayOf(now())
      const from = firstDay(query.range, historyDepth(caller.tier), today)
      const series = catalog.history.ofCard(params.id, from)
      const data =
        query.printing === undefined
          ? simplifiedPoints(series)
          : series.filter((one) => one.printing === query.printing).flatMap(pointsOfPrinting)
      return {
        data,
        meta: { range: query.range, from: from === 0 ? null : dateOf(from), to: dateOf(today) },
        variant: `${caller.tier}-${today}`,
      }
    },
  })

  doors.keyed('/v1/cards/:id/history/detailed', 'detailed_history', {
    tag: 'Cards',
    summary: 'The whole price history of a card, per printing, with sales',
    params: { id: ID },
    query: { printing: PRINTING },
    reply: Type.Array(DetailedPoint),
    answer({ params, query }) {
      if (!catalog.cards.exists(params.id)) throw noSuchCard(params.id)
      const series = catalog.history
        .ofCard(params.id, 0)
        .filter((one) => query.printing === undefined || one.printing === query.printing)
      return { data: series.flatMap(detailedPoints) }
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
  const fitting = (JSON.parse(text) as CardPrice[]).filter((price) => price.printing === printing)
  return JSON.stringify(single && fitting.length === 1 ? fitting[0] : fitting)
}
