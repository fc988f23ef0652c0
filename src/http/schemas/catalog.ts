import { Type } from '@sinclair/typebox'
import { MIGRATION_KINDS } from '#rules/catalog/catalog-records.ts'
import { stringEnum } from '../input/fields.ts'
import { extendObject, namedObject } from '../openapi/schemas.ts'
import { DateTime, Day, Described, Integer, Money, Notes, nullable, Text, Url } from './members.ts'
import {
  BasePrinting,
  CONVERSION,
  LOW_CONFIDENCE_PART,
  OriginSchema,
  PRICE_CONFIDENCE,
  PRICE_ORIGIN,
  PriceFiguresSchema,
  PriceSchema,
} from './prices.ts'

// Schemas of the catalog. Names and notes follow the specification (docs/reference/spec.md).

export const GameSchema = namedObject('Game', {
  id: Type.Integer(),
  name: Type.String(),
  slug: Type.String(),
  marketplace_id: Type.Integer(),
  priority: Integer('3: synced daily, 2: every 3 days.'),
  set_count: Type.Integer(),
  card_count: Type.Integer(),
  image_url: Url,
  logo_url: Url,
  last_synced_at: nullable(DateTime),
})

export const CardSetSchema = namedObject('CardSet', {
  id: Type.Integer(),
  game_id: Type.Integer(),
  name: Type.String(),
  slug: Type.String(),
  marketplace_id: Type.Integer(),
  abbreviation: Text,
  release_date: nullable(Day),
  card_count: Type.Integer(),
  single_count: Integer('Cards that are not sealed products.'),
  priced_count: Integer('Of these: base printing has a known price.'),
  value: Money('Sum of these prices.'),
  image_url: Url,
  set_icon_url: Url,
  last_synced_at: DateTime,
  game_name: Type.String(),
  game_slug: Type.String(),
  ...CONVERSION,
})

const CardIdSchema = namedObject('CardId', {
  source: Described('`tcgplayer`, another marketplace, or a system of the operator.'),
  id: Type.String(),
  printing: nullable(Described('Printing that the ID identifies. Null: the card.')),
})

export const CardSchema = namedObject('Card', {
  id: Type.Integer(),
  name: Type.String(),
  clean_name: Type.String(),
  number: Text,
  rarity: Text,
  image_url: Url,
  marketplace_id: Type.Integer(),
  marketplace_url: Text,
  product_type: nullable(Described('`Cards` or `Sealed Products`.')),
  foil_only: Integer('1 if the card only exists as foil, else 0.'),
  total_listings: Type.Integer(),
  shipping_category_id: Integer('1 card, 3 box, 4 case.'),
  product_status_id: Integer('1 active, 20 presale.'),
  hp: Type.Optional(Type.String()),
  custom_attributes: Type.Record(
    Type.String(),
    Type.Union([Type.String(), Type.Array(Type.String())]),
  ),
  set_id: Type.Integer(),
  set_name: Type.String(),
  set_slug: Type.String(),
  game_id: Type.Integer(),
  game_name: Type.String(),
  game_slug: Type.String(),
  ids: Type.Optional(
    Type.Array(CardIdSchema, {
      description: 'With `include=ids`: IDs of the card in other systems.',
    }),
  ),
})

const BASE_PRICE = {
  printing: BasePrinting,
  market_price: Money('Market price of the base printing.'),
}

export const CardWithPricesSchema = extendObject('PricedCard', CardSchema, {
  ...BASE_PRICE,
  ...PRICE_ORIGIN,
  prices: Type.Array(PriceSchema),
})

export const SearchItemSchema = extendObject('SearchResult', CardSchema, {
  printing: Type.Union([Type.String(), Type.Null()], {
    description:
      'Printing of `market_price`: named by the query, else the base printing. Null without prices. Over 2,000 matches are sorted and filtered by the base printing.',
  }),
  ...PRICE_ORIGIN,
  market_price: Money('Price of `printing`, by which results are sorted and filtered.'),
  matched_printing: Type.Union([Type.String(), Type.Null()], {
    description: 'Printing that the query names; null if none.',
  }),
  prices: Type.Array(PriceSchema),
})

export const SetPriceSchema = extendObject('SetPrice', PriceFiguresSchema, {
  card_id: Type.Integer(),
  name: Type.String(),
  number: Text,
  rarity: Text,
  marketplace_id: Type.Integer(),
  product_type: Text,
  foil_only: Type.Integer(),
  printing: nullable(Described('Null: the card has no prices.')),
  last_updated_at: nullable(DateTime),
})

const NamedCountSchema = namedObject('NamedCount', {
  name: Type.String(),
  cards: Type.Integer(),
})

export const SetSummarySchema = namedObject('SetSummary', {
  cards: Type.Integer(),
  priced: Integer('Cards whose base printing has a known price.'),
  value: Type.Number({
    description: 'Sum of the prices.',
  }),
  ...LOW_CONFIDENCE_PART,
  ...CONVERSION,
  rarities: Type.Array(NamedCountSchema, { description: 'Most common first.' }),
  printings: Type.Array(NamedCountSchema, { description: 'Most common first.' }),
})

export const SetValueSchema = namedObject('SetValue', {
  date: Day,
  value: Type.Number({
    description: 'Value of one of each card in its base printing.',
  }),
  ...CONVERSION,
  cards: Integer(
    'Cards behind the value. If `chained`: with a price on this day and the next one (0: the value stays), else those in the sum.',
  ),
  chained: Type.Boolean({
    description:
      'False on the newest day, a sum. Earlier values follow from the next day by the change of `cards` cards.',
  }),
})

export const CardMetaSchema = extendObject('CardMeta', OriginSchema, {
  ...BASE_PRICE,
  ...PRICE_CONFIDENCE,
  notes: Notes,
})

export const CardMigrationSchema = namedObject('CardMigration', {
  id: Integer('Increases with time.'),
  kind: stringEnum(MIGRATION_KINDS),
  card_id: Type.Integer(),
  card_name: Type.String(),
  new_card_id: nullable(Integer('Card that replaces a `merged` one.')),
  old_set_id: nullable(Integer('Set that a `moved` card left.')),
  new_set_id: nullable(Integer('New set of a card that has `moved`.')),
  created_at: DateTime,
})

export const FreshnessSchema = namedObject('Freshness', {
  version: Integer('Increases with every change of the catalog.'),
  published_at: nullable(DateTime),
  changed_at: DateTime,
  stale: Type.Boolean({ description: 'True if a game missed its refresh.' }),
  counts: namedObject('CatalogCounts', {
    games: Type.Integer(),
    sets: Type.Integer(),
    cards: Type.Integer(),
  }),
  games: Type.Array(
    namedObject('GameFreshness', {
      id: Type.Integer(),
      slug: Type.String(),
      priority: Type.Integer(),
      card_count: Type.Integer(),
      last_synced_at: nullable(DateTime),
      published_at: nullable(DateTime),
      prices_since: nullable({ ...Day, description: 'Day of the first price in its histories.' }),
      stale: Type.Boolean(),
      stale_since: nullable(DateTime),
      is_sample: Type.Boolean({ description: 'True if the game and its prices are invented.' }),
    }),
  ),
  price_source: namedObject('PriceSource', {
    marketplace: Described('Marketplace whose prices are published.'),
    currency: Described('Currency of all prices.'),
    mirror: nullable(
      Described('Host that the prices are read from; null for none, or for a folder.'),
    ),
  }),
  last_sync: nullable(
    namedObject('LastSync', {
      started_at: DateTime,
      finished_at: nullable(DateTime),
      outcome: nullable(Type.String()),
    }),
  ),
  sources: Type.Optional(
    Type.Array(
      namedObject('SourceFreshness', {
        source: Type.String(),
        game: nullable(Described('Slug of the game of the file; null: all games.')),
        published_at: nullable(DateTime),
        stale: Type.Boolean({ description: 'True if the last import failed.' }),
        reason: nullable(Described('Reason of the failed import.')),
      }),
      { description: 'Further sources of prices; omitted if the mirror is the only source.' },
    ),
  ),
  currencies: Type.Optional(
    namedObject(
      'Currencies',
      {
        available: Type.Array(Type.String(), { description: 'Valid values of `currency`.' }),
        rate_date: nullable(
          Type.String({
            format: 'date',
            description: 'Day of the newest rates; null without rates.',
          }),
        ),
      },
      { description: 'Omitted if prices are available only in US dollars.' },
    ),
  ),
})
