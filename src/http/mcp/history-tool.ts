import { type Static, Type } from '@sinclair/typebox'
import { nullable } from '../schemas/members.ts'
import {
  HistoryMetaSchema,
  OriginSchema,
  PrintingPointSchema,
  SimplePointSchema,
} from '../schemas/prices.ts'
import { CARD_ID } from './card-tools.ts'
import { defineTool, type Tool } from './tool.ts'
import { PRICE_ARGUMENTS } from './tool-schemas.ts'
import { currencyOf, joined, money, percent, priceNote, type ToolOrigin } from './tool-text.ts'

/** A day with the members of either shape of the history. */
const Point = Type.Object({
  date: Type.String(),
  printing: Type.Optional(PrintingPointSchema.properties.printing),
  ...OriginSchema.properties,
  market_price: PrintingPointSchema.properties.market_price,
  low_price: PrintingPointSchema.properties.low_price,
  foil_market_price: Type.Optional(SimplePointSchema.properties.foil_market_price),
  foil_origin: Type.Optional(nullable(Type.Object(OriginSchema.properties))),
})

type HistoryReply = { data: Static<typeof Point>[]; meta: Static<typeof HistoryMetaSchema> }

/** Tool for the price history of a card. */
export const HISTORY_TOOL: Tool = defineTool({
  name: 'get_price_history',
  title: 'Get price history',
  description:
    'Returns the daily market prices of one card, in US dollars or another currency: of its base printing and its most expensive other foil, or of one printing. How far back depends on the subscription; `from` is the first day.',
  endpoint: 'GET /v1/cards/:id/history',
  arguments: {
    card_id: CARD_ID,
    range: {},
    printing: { description: 'Only this printing, by its exact name: `Reverse Holofoil`.' },
    ...PRICE_ARGUMENTS,
  },
  output: Type.Object({
    points: Type.Array(Point, { description: 'Oldest day first.' }),
    range: HistoryMetaSchema.properties.range,
    from: nullable(Type.String()),
    to: Type.String(),
    currency: Type.String(),
  }),
  select: ({ data, meta }: HistoryReply) => ({
    points: data,
    ...meta,
    currency: currencyOf(data),
  }),
  describe({ points, from, to, currency }) {
    const days = `${from ?? 'the first known day'} to ${to}`
    if (points.length === 0) return [`No prices are known from ${days}.`]
    const shown = sample(points)
    const note = shown.length < points.length ? `; ${shown.length} of them are below` : ''
    return [
      `${points.length} days with a price from ${days}${note}. ${priceNote(points)}`,
      summary(points, { currency }),
      ...shown.map(({ date, printing, foil_market_price: foil, ...price }) => {
        const [market, low] = [price.market_price, price.low_price].map((one) =>
          money(one, { currency }),
        )
        const shine = foil == null ? '' : `foil ${money(foil, { currency })}`
        return `- ${date}: ${joined(printing, `market ${market}`, `low ${low}`, shine)}`
      }),
    ]
  },
})

/** Days in the text: a month in full, longer ranges evenly spread. */
const DAYS_SHOWN = 31

/** Selects evenly spread points, including the first and the last. */
function sample<T>(points: readonly T[]): T[] {
  if (points.length <= DAYS_SHOWN) return [...points]
  const step = (points.length - 1) / (DAYS_SHOWN - 1)
  return Array.from({ length: DAYS_SHOWN }, (_, index) => points[Math.round(index * step)] as T)
}

/** Describes the first, last, lowest and highest known market price. */
function summary(points: readonly Static<typeof Point>[], origin: ToolOrigin): string {
  const known = points.flatMap(({ date, market_price }) =>
    market_price === null ? [] : [{ date, price: market_price }],
  )
  const [first] = known
  const last = known.at(-1)
  if (first === undefined || last === undefined) return 'No market price is known.'
  const low = known.reduce((least, one) => (one.price < least.price ? one : least))
  const high = known.reduce((most, one) => (one.price > most.price ? one : most))
  const change = first.price === 0 ? null : (last.price / first.price - 1) * 100
  const on = ({ price, date }: typeof first) => `${money(price, origin)} on ${date}`
  return `Market price: ${on(first)}, ${on(last)} (${percent(change)}); lowest ${on(low)}, highest ${on(high)}.`
}
