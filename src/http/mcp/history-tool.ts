import { type Static, Type } from '@sinclair/typebox'
import {
  HistoryMetaSchema,
  nullable,
  PrintingPointSchema,
  SimplePointSchema,
} from '../schemas/catalog.ts'
import { CARD_ID } from './card-tools.ts'
import { defineTool, type Tool } from './tool.ts'
import { dollars, joined, percent } from './tool-text.ts'

/** A day with the members of either shape of the history. */
const Point = Type.Object({
  date: Type.String(),
  printing: Type.Optional(PrintingPointSchema.properties.printing),
  market_price: PrintingPointSchema.properties.market_price,
  low_price: PrintingPointSchema.properties.low_price,
  foil_market_price: Type.Optional(SimplePointSchema.properties.foil_market_price),
})

type HistoryReply = { data: Static<typeof Point>[]; meta: Static<typeof HistoryMetaSchema> }

/** Tool for the price history of a card. */
export const HISTORY_TOOL: Tool = defineTool({
  name: 'get_price_history',
  title: 'Get price history',
  description:
    'Returns the daily market prices of one card in US dollars: of its base printing and its most expensive other foil, or of one printing. How far back depends on the subscription; `from` is the first day.',
  endpoint: 'GET /v1/cards/:id/history',
  arguments: {
    card_id: CARD_ID,
    range: {},
    printing: { description: 'Only this printing, by its exact name: `Reverse Holofoil`.' },
  },
  output: Type.Object({
    points: Type.Array(Point, { description: 'Oldest day first.' }),
    range: HistoryMetaSchema.properties.range,
    from: nullable(Type.String()),
    to: Type.String(),
    currency: Type.Literal('USD'),
  }),
  select: ({ data, meta }: HistoryReply) => ({ points: data, ...meta, currency: 'USD' as const }),
  describe({ points, from, to }) {
    const days = `${from ?? 'the first known day'} to ${to}`
    if (points.length === 0) return [`No prices are known from ${days}.`]
    const shown = sample(points)
    const note = shown.length < points.length ? `; ${shown.length} of them are below` : ''
    return [
      `${points.length} days with a price from ${days}${note}. Prices in US dollars.`,
      summary(points),
      ...shown.map(
        ({ date, printing, market_price, low_price, foil_market_price: foil }) =>
          `- ${date}: ${joined(printing, `market ${dollars(market_price)}`, `low ${dollars(low_price)}`, foil == null ? '' : `foil ${dollars(foil)}`)}`,
      ),
    ]
  },
})

/** Days in the text: a month in full, longer ranges evenly spread. */
const DAYS_SHOWN = 31

/** Picks evenly spread points, always the first and the last. */
function sample<T>(points: readonly T[]): T[] {
  if (points.length <= DAYS_SHOWN) return [...points]
  const step = (points.length - 1) / (DAYS_SHOWN - 1)
  return Array.from({ length: DAYS_SHOWN }, (_, index) => points[Math.round(index * step)] as T)
}

/** Describes the first, last, lowest and highest known market price. */
function summary(points: readonly Static<typeof Point>[]): string {
  const known = points.flatMap(({ date, market_price }) =>
    market_price === null ? [] : [{ date, price: market_price }],
  )
  const [first] = known
  const last = known.at(-1)
  if (first === undefined || last === undefined) return 'No market price is known.'
  const low = known.reduce((least, one) => (one.price < least.price ? one : least))
  const high = known.reduce((most, one) => (one.price > most.price ? one : most))
  const change = first.price === 0 ? null : (last.price / first.price - 1) * 100
  return `Market price: ${dollars(first.price)} on ${first.date}, ${dollars(last.price)} on ${last.date} (${percent(change)}); lowest ${dollars(low.price)} on ${low.date}, highest ${dollars(high.price)} on ${high.date}.`
}
