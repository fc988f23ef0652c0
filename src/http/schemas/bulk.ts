import { Type } from '@sinclair/typebox'
import { DateTime, Money, nullable, Percent, PriceSchema, Text, Url } from './catalog.ts'

// The shapes of bulk look-ups and files, for the API document.

export const SimplePriceSchema = Type.Object({
  card_id: Type.Integer(),
  market_price: Money('Of the base printing.'),
  low_price: Money('Of the base printing.'),
  foil_market_price: Money('Of the best-known foil printing.'),
  price_change_24h: Percent,
  last_updated_at: DateTime,
})

export const BulkMetaSchema = Type.Object({
  total_requested: Type.Integer({ description: 'An id that was sent twice counts once.' }),
  not_found: Type.Array(Type.Integer(), { description: 'Ids that are no card.' }),
})

const NAMED_CARD = {
  id: Type.Integer(),
  name: Type.String(),
  marketplace_id: Type.Integer(),
  game_name: Type.String(),
  set_name: Type.String(),
  image_url: Url,
}

const NamedCard = Type.Object({
  ...NAMED_CARD,
  number: Text,
  game_slug: Type.String(),
  set_slug: Type.String(),
})

const CreditsConsumed = Type.Integer({ description: 'What it cost of the daily quota.' })

const TotalRequested = Type.Integer({ description: 'What was sent twice counts once.' })

export const ResolvedIdsSchema = Type.Object({
  resolved: Type.Array(
    Type.Object({
      marketplace_id: Type.Integer(),
      card: Type.Object(NAMED_CARD),
      prices: Type.Array(
        Type.Object({
          printing: Type.String(),
          market_price: Money('Median of recent sales.'),
          low_price: Money('Lowest verified listing price.'),
        }),
      ),
    }),
  ),
  not_found: Type.Array(Type.Integer(), { description: 'Ids that are no card.' }),
})

export const ResolvedIdsMetaSchema = Type.Object({
  total_requested: TotalRequested,
  total_resolved: Type.Integer(),
  credits_consumed: CreditsConsumed,
})

const CONFIDENCE = {
  confidence: Type.String({
    description: '`exact`: the name is this. `high`: it begins so. `medium`: it has this in it.',
  }),
  corrected_name: Type.Optional(
    Type.String({ description: 'What was looked for instead of a name that is nobody’s.' }),
  ),
}

export const ResolvedNamesSchema = Type.Object({
  results: Type.Array(
    Type.Object({
      query: Type.Object(
        { name: Type.String() },
        { description: 'The item as it was sent.', additionalProperties: true },
      ),
      match: Type.Object({
        card: NamedCard,
        prices: Type.Array(PriceSchema),
        ...CONFIDENCE,
      }),
      alternatives: Type.Array(NamedCard, { maxItems: 3 }),
    }),
  ),
  unmatched: Type.Array(
    Type.Object({
      name: Type.String(),
      reason: Type.String({
        description: '`no_match`, `game_not_found`, `set_not_found` or `name_too_short`.',
      }),
    }),
  ),
})

export const ResolvedNamesMetaSchema = Type.Object({
  total_requested: TotalRequested,
  total_matched: Type.Integer(),
  credits_consumed: CreditsConsumed,
})

export const CollectionRowsSchema = Type.Object({
  rows: Type.Array(
    Type.Object({
      row: Type.Integer({ description: 'From 1, the first record behind the header.' }),
      quantity: Type.Integer(),
      query: Type.Object({
        name: Text,
        game: Text,
        set: Text,
        number: Text,
        printing: Text,
        product_id: Text,
      }),
      match: Type.Object({
        card: NamedCard,
        printing: Text,
        market_price: Money('Of one copy.'),
        low_price: Money('Lowest verified listing price.'),
        ...CONFIDENCE,
      }),
      value: Money('Of all copies.'),
      alternatives: Type.Array(NamedCard, { maxItems: 3 }),
      notes: Type.Array(Type.String(), { description: 'What of the row was left aside.' }),
    }),
  ),
  unmatched: Type.Array(Type.Object({ row: Type.Integer(), name: Text, reason: Type.String() })),
  total_value: Money('Of all rows whose price is known.'),
})

export const CollectionMetaSchema = Type.Object({
  total_requested: Type.Integer(),
  total_matched: Type.Integer(),
  unpriced: Type.Integer({ description: 'Matched rows whose price is not known.' }),
  credits_consumed: CreditsConsumed,
})

export const BulkFileSchema = Type.Object({
  type: Type.String({ description: '`cards`, `prices`, or `catalog` for all in one.' }),
  game: Type.String({ description: 'Slug of a game, or `all`.' }),
  format: Type.String({ description: '`jsonl.gz`, `csv.gz` or `sqlite.gz`.' }),
  updated_at: DateTime,
  size: Type.Integer({ description: 'Bytes of the download.' }),
  sha256: Type.String({ description: 'Of the bytes of the download.' }),
  rows: Type.Integer(),
  download_url: Type.String({ format: 'uri' }),
})

export const BulkDataMetaSchema = Type.Object({
  version: nullable(Type.Integer({ description: 'Of the catalog that is in the files.' })),
  built_at: nullable(DateTime),
})
