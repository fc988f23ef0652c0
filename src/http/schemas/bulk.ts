import { Type } from '@sinclair/typebox'
import { CERTAINTIES } from '#rules/matching/certainty.ts'
import { stringEnum } from '../input/fields.ts'
import { extendObject, namedObject } from '../openapi/schemas.ts'
import {
  DateTime,
  Described,
  Integer,
  Money,
  Notes,
  nullable,
  Percent,
  Text,
  Url,
} from './members.ts'
import {
  BasePrinting,
  FoilOrigin,
  FoilPrice,
  MATCH_PRICE_CONFIDENCE,
  OriginSchema,
  PRICE_CONFIDENCE,
  PriceSchema,
} from './prices.ts'

// Schemas of bulk endpoints and files.

export const SimplePriceSchema = extendObject('SimplifiedPrice', OriginSchema, {
  card_id: Type.Integer(),
  printing: BasePrinting,
  market_price: Money('Market price of the base printing.'),
  low_price: Money('Lowest price of the base printing.'),
  foil_market_price: FoilPrice,
  foil_origin: FoilOrigin,
  price_change_24h: Percent,
  last_updated_at: DateTime,
  ...PRICE_CONFIDENCE,
})

export const BulkMetaSchema = namedObject('BulkMeta', {
  total_requested: Integer('A repeated ID counts once.'),
  not_found: Type.Array(Type.Integer(), { description: 'IDs that match no card.' }),
  notes: Notes,
})

const CardReference = namedObject('CardReference', {
  id: Type.Integer(),
  name: Type.String(),
  marketplace_id: Type.Integer(),
  game_name: Type.String(),
  set_name: Type.String(),
  image_url: Url,
})

const NamedCard = extendObject('CardSummary', CardReference, {
  number: Text,
  game_slug: Type.String(),
  set_slug: Type.String(),
})

const CreditsConsumed = Integer('Price in requests of the daily quota.')

const TotalRequested = Integer('A repeated entry counts once.')

export const ResolvedIdsSchema = namedObject('ResolvedIds', {
  resolved: Type.Array(
    namedObject('ResolvedId', {
      marketplace_id: Type.Integer(),
      card: CardReference,
      prices: Type.Array(
        extendObject('PrintingPrice', OriginSchema, {
          printing: Type.String(),
          market_price: Money('Median of recent sales.'),
          low_price: Money('Lowest verified listing price.'),
          ...PRICE_CONFIDENCE,
        }),
      ),
    }),
  ),
  not_found: Type.Array(Type.Integer(), { description: 'IDs that match no card.' }),
})

export const ResolvedIdsMetaSchema = namedObject('ResolvedIdsMeta', {
  total_requested: TotalRequested,
  total_resolved: Type.Integer(),
  credits_consumed: CreditsConsumed,
  notes: Notes,
})

const CONFIDENCE = {
  confidence: Described(
    '`exact`: equal names. `high`: the name of the card starts with the given one. `medium`: it contains the given one, or that was corrected.',
  ),
  certainty: stringEnum(
    CERTAINTIES,
    '`certain`: an ID, or an exact name with the set and number that are named. `assumed`: an exact name alone. `guessed`: all else.',
  ),
  corrected_name: Type.Optional(Described('Name that was searched instead.')),
}

const NameQuery = namedObject(
  'NameQuery',
  { name: Type.String() },
  { description: 'The item as it was sent, with your `ref`.', additionalProperties: true },
)

export const ResolvedNamesSchema = namedObject('ResolvedNames', {
  results: Type.Array(
    namedObject('ResolvedName', {
      query: NameQuery,
      quantity: Integer('Copies that the name mentions, as in `4x Absol`; else 1.'),
      match: namedObject('NameMatch', {
        card: NamedCard,
        prices: Type.Array(PriceSchema),
        ...CONFIDENCE,
      }),
      alternatives: Type.Array(NamedCard, { maxItems: 3 }),
    }),
  ),
  unmatched: Type.Array(
    namedObject('UnmatchedName', {
      query: NameQuery,
      name: Type.String(),
      reason: Described('`no_match`, `game_not_found`, `set_not_found` or `name_too_short`.'),
    }),
  ),
})

export const ResolvedNamesMetaSchema = namedObject('ResolvedNamesMeta', {
  total_requested: TotalRequested,
  total_matched: Type.Integer(),
  credits_consumed: CreditsConsumed,
  notes: Notes,
})

const CollectionQuery = namedObject('CollectionQuery', {
  name: Text,
  game: Text,
  set: Text,
  number: Text,
  printing: Text,
  product_id: Text,
})

const Section = Type.Optional(
  Described('Section of a list: `main`, `sideboard`, `commander`, `companion` or `maybeboard`.'),
)

/** Columns of a file, and what each was used for. */
export const ColumnUses = Type.Array(
  namedObject('ColumnUse', {
    header: Type.String(),
    use: nullable(
      Described('Such as `name`; `unknown_quantity` if it looks like one; null if unused.'),
    ),
  }),
)

export const CollectionRowsSchema = namedObject('PricedCollection', {
  rows: Type.Array(
    namedObject('CollectionRow', {
      row: Integer('Row after the header, or line of a list, from 1.'),
      section: Section,
      quantity: Type.Integer(),
      query: CollectionQuery,
      match: extendObject('CollectionMatch', OriginSchema, {
        card: NamedCard,
        printing: Text,
        market_price: Money('Price of one copy.'),
        low_price: Money('Lowest verified listing price.'),
        ...CONFIDENCE,
        ...MATCH_PRICE_CONFIDENCE,
      }),
      value: Money('Value of all copies.'),
      alternatives: Type.Array(NamedCard, { maxItems: 3 }),
      notes: Type.Array(Type.String(), { description: 'Parts of the row that were ignored.' }),
    }),
  ),
  unmatched: Type.Array(
    namedObject('UnmatchedRow', {
      row: Type.Integer(),
      section: Section,
      query: CollectionQuery,
      name: Text,
      reason: Type.String(),
      alternatives: Type.Optional(Type.Array(NamedCard)),
    }),
  ),
  total_value: Money('Value of all rows with a known price.'),
  currency: Type.Optional(Described('Currency of the values; by default US dollars.')),
  columns: Type.Optional(ColumnUses),
})

export const CollectionMetaSchema = namedObject('CollectionMeta', {
  total_requested: Type.Integer(),
  total_matched: Type.Integer(),
  unpriced: Integer('Matched rows without a known price.'),
  credits_consumed: CreditsConsumed,
  notes: Notes,
})

export const BulkFileSchema = namedObject('BulkFile', {
  type: Described('`cards`, `prices`, `catalog` with both, or `history`.'),
  game: Described('Slug of a game, or `all`.'),
  format: Described('`jsonl.gz`, `csv.gz`, `sqlite.gz` or `tar.zst`.'),
  month: Type.Optional(Described('Of a history: `YYYY-MM`.')),
  updated_at: DateTime,
  size: Integer('Bytes of the download.'),
  sha256: Described('Hash of the downloaded bytes.'),
  rows: Type.Integer(),
  download_url: Type.String({ format: 'uri' }),
})

export const BulkDataMetaSchema = namedObject('BulkFilesMeta', {
  version: nullable(Integer('Catalog version of the files.')),
  built_at: nullable(DateTime),
  notes: Notes,
})
