import { Type } from '@sinclair/typebox'
import { CONFIDENCE_LEVELS } from '#rules/pricing/confidence.ts'
import { stringEnum } from '../input/fields.ts'
import { extendObject, namedObject } from '../openapi/schemas.ts'
import {
  DateTime,
  Day,
  Described,
  Integer,
  Money,
  Notes,
  nullable,
  Percent,
  Text,
  Url,
} from './members.ts'

// Schemas of prices and their history. Names and notes follow the specification (docs/reference/spec.md).

export const CONVERSION = {
  currency: Type.Optional(Described('ISO 4217 code.')),
  converted: Type.Optional(
    Type.Boolean({ description: 'True if the price was converted from another currency.' }),
  ),
  rate: Type.Optional(
    nullable(
      Type.Number({
        description:
          'Units of `currency` per original unit, if converted. Null: no rate of the last seven days, and no price.',
      }),
    ),
  ),
  rate_date: Type.Optional(
    nullable(Type.String({ format: 'date', description: 'Day of `rate`.' })),
  ),
}

/** Members of a price if the request has `currency` or `source`. */
export const PRICE_ORIGIN = {
  source: Type.Optional(nullable(Described('Source of the price. Null: no price is known.'))),
  ...CONVERSION,
}

export const OriginSchema = namedObject('PriceOrigin', PRICE_ORIGIN)

export const FoilOrigin = Type.Optional(nullable(OriginSchema))

/** Members of a price that `include=confidence` adds. */
export const PRICE_CONFIDENCE = {
  confidence: Type.Optional(
    stringEnum(CONFIDENCE_LEVELS, 'With `include=confidence`: how reliable `market_price` is.'),
  ),
  confidence_reasons: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'With `include=confidence`: reasons for a level below `high`, such as `unchanged`.',
    }),
  ),
}

/** Part of a sum of prices that is of low confidence. */
export const LOW_CONFIDENCE_PART = {
  low_confidence_value: Type.Number({ description: 'Part of `value` of low confidence.' }),
  low_confidence_cards: Integer('Cards of that part.'),
}

/** Members of a match that `include=confidence` adds, beside the confidence in the match. */
export const MATCH_PRICE_CONFIDENCE = {
  price_confidence: PRICE_CONFIDENCE.confidence,
  price_confidence_reasons: PRICE_CONFIDENCE.confidence_reasons,
}

/** Members of a price besides its printing and its time, which a card without prices does not have. */
export const PriceFiguresSchema = extendObject('PriceFigures', OriginSchema, {
  condition: Type.Optional(
    nullable(
      Described(
        'With `all`, and for a graded card on a photo: such as `near_mint`. Null: unknown to the source, or graded.',
      ),
    ),
  ),
  grade: Type.Optional(
    nullable(
      Described(
        'With `all`, and for a graded card on a photo: `PSA 10`, or `Grade 9` of any grader. Null: a raw card.',
      ),
    ),
  ),
  market_price: Money('Median of recent sales.'),
  low_price: Money('Lowest verified listing price.'),
  median_price: Money('Median listing price across sellers.'),
  lowest_with_shipping: Money('Lowest listing with shipping.'),
  buylist_price: Money('Price that stores pay.'),
  sale_count: Type.Optional(
    nullable(Integer('With `all`: sales behind the market price; null if unknown.')),
  ),
  price_change_24h: Percent,
  price_change_7d: Percent,
  price_change_30d: Percent,
  age_days: Type.Optional(Integer('With `all`: days since `last_updated_at`.')),
  ...PRICE_CONFIDENCE,
})

export const PriceSchema = extendObject('Price', PriceFiguresSchema, {
  card_id: Type.Integer(),
  printing: Type.String(),
  last_updated_at: DateTime,
})

export const BasePrinting = nullable(Described('Name of the base printing. Null: no prices.'))

export const FoilPrice = Money(
  'Price of the most expensive foil of the same edition beside the base printing.',
)

export const SimplePointSchema = extendObject('PriceHistoryEntry', OriginSchema, {
  date: Day,
  printing: BasePrinting,
  market_price: Money('Market price of the base printing.'),
  low_price: Money('Lowest price of the base printing.'),
  foil_market_price: FoilPrice,
  foil_origin: FoilOrigin,
})

export const PrintingPointSchema = extendObject('PrintingHistoryEntry', OriginSchema, {
  date: Day,
  printing: Type.String(),
  market_price: Money('Median of recent sales.'),
  low_price: Money('Lowest verified listing price.'),
})

export const DetailedPointSchema = extendObject('DetailedHistoryEntry', PrintingPointSchema, {
  avg_sales_price: Money('Average sale price of the day. Null: not published by the upstream.'),
  sales_volume: nullable(Integer('Null: not published by the upstream.')),
})

export const HistoryMetaSchema = namedObject('HistoryMeta', {
  range: Type.String(),
  from: nullable(Day),
  to: Day,
  notes: Notes,
})

export const MoverSchema = extendObject('Mover', OriginSchema, {
  card_id: Type.Integer(),
  marketplace_id: Type.Integer(),
  name: Type.String(),
  number: Text,
  rarity: Text,
  set_id: Type.Integer(),
  set_name: Type.String(),
  game_name: Type.String(),
  game_slug: Type.String(),
  product_type: Text,
  foil_only: Type.Integer(),
  printing: Type.String(),
  previous_price: Type.Number({
    description: 'Market price at the beginning of the period, converted like `market_price`.',
  }),
  market_price: Type.Number(),
  price_change: Type.Number({ description: 'Change over the period, in percent.' }),
  price_change_amount: Type.Number({
    description: 'Change over the period: `market_price` minus `previous_price`.',
  }),
  image_url: Url,
  ...PRICE_CONFIDENCE,
})
