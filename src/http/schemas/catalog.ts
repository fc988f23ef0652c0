import { type TSchema, Type } from '@sinclair/typebox'
import { REGISTRATION_MODES } from '#rules/accounts/invitations.ts'
import { TIERS } from '#rules/accounts/tiers.ts'
import { PACKS } from '#rules/billing/plans.ts'
import { MIGRATION_KINDS } from '#rules/catalog/card-migration.ts'
import { CONFIDENCE_LEVELS } from '#rules/pricing/confidence.ts'
import { stringEnum } from '../input/fields.ts'
import { extendObject, namedObject } from '../openapi/schemas.ts'

// Schemas of the catalog and of accounts. Names and notes follow the specification (docs/reference/spec.md).

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
export const Described = (description: string) => Type.String({ description })
export const Integer = (description: string) => Type.Integer({ description })
export const Money = (description: string) => nullable(Type.Number({ description }))
export const Percent = nullable(Type.Number({ description: 'In percent; null if unknown.' }))
export const Url = nullable(Type.String({ format: 'uri' }))
export const Text = nullable(Type.String())
export const DateTime = Type.String({ format: 'date-time' })
export const Day = Type.String({ format: 'date' })

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
  image_url: Url,
  set_icon_url: Url,
  last_synced_at: DateTime,
  game_name: Type.String(),
  game_slug: Type.String(),
})

const CONVERSION = {
  currency: Type.Optional(Described('ISO 4217 code.')),
  converted: Type.Optional(Type.Boolean({ description: 'True if it is from another currency.' })),
  rate: Type.Optional(
    nullable(
      Type.Number({
        description:
          'Units of `currency` per original unit, if the price is converted. Null: no rate of the last seven days, and no price.',
      }),
    ),
  ),
  rate_date: Type.Optional(
    nullable(Type.String({ format: 'date', description: 'Day of `rate`.' })),
  ),
}

/** Members of a price if the request has `currency` or `source`. */
export const PRICE_ORIGIN = {
  source: Type.Optional(nullable(Described('Whose price it is. Null: none is known.'))),
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

/** Members of a match that `include=confidence` adds, beside the confidence in the match. */
export const MATCH_PRICE_CONFIDENCE = {
  price_confidence: PRICE_CONFIDENCE.confidence,
  price_confidence_reasons: PRICE_CONFIDENCE.confidence_reasons,
}

export const PriceSchema = extendObject('Price', OriginSchema, {
  card_id: Type.Integer(),
  printing: Type.String(),
  condition: Type.Optional(
    nullable(
      Described(
        'With `all`, and for a graded card on a photo: such as `near_mint` or `damaged`. Null: the source has no conditions, or the card is graded.',
      ),
    ),
  ),
  grade: Type.Optional(
    nullable(
      Described(
        'With `all`, and for a graded card on a photo: such as `PSA 10`, or `Grade 9` for a 9 of any grader. Null: a raw card.',
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
  last_updated_at: DateTime,
  age_days: Type.Optional(Integer('With `all`: days since `last_updated_at`.')),
  ...PRICE_CONFIDENCE,
})

export const CardIdSchema = namedObject('CardId', {
  source: Described('`tcgplayer`, another marketplace, or a system of the operator.'),
  id: Type.String(),
  printing: nullable(Described('Printing that it stands for. Null: the card.')),
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
    Type.Array(CardIdSchema, { description: 'With `include=ids`: IDs of the card elsewhere.' }),
  ),
})

export const BasePrinting = nullable(Described('Name of the base printing. Null: no prices.'))

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
      'Printing of `market_price`: the one that the query names, else the base printing. Null without prices. Where a query names a printing of more than 2,000 cards, prices sort and filter by the base printing.',
  }),
  ...PRICE_ORIGIN,
  market_price: Money('Price by which results are sorted and filtered: that of `printing`.'),
  matched_printing: Type.Union([Type.String(), Type.Null()], {
    description: 'Printing of the card that the words of the query name; null if they name none.',
  }),
  prices: Type.Array(PriceSchema),
})

export const SetPriceSchema = extendObject('SetPrice', PriceSchema, {
  name: Type.String(),
  number: Text,
  rarity: Text,
  marketplace_id: Type.Integer(),
  product_type: Text,
  foil_only: Type.Integer(),
})

const NamedCountSchema = namedObject('NamedCount', {
  name: Type.String(),
  cards: Type.Integer(),
})

export const SetSummarySchema = namedObject('SetSummary', {
  cards: Type.Integer(),
  priced: Integer('Cards whose base printing has a known price.'),
  value: Type.Number({
    description: 'Sum of those prices, in US dollars if `currency` is not set.',
  }),
  ...CONVERSION,
  rarities: Type.Array(NamedCountSchema, { description: 'The commonest first.' }),
  printings: Type.Array(NamedCountSchema, { description: 'The commonest first.' }),
})

export const SetValueSchema = namedObject('SetValue', {
  date: Day,
  value: Type.Number({
    description:
      'Sum of the market prices of base printings, in US dollars if `currency` is not set.',
  }),
  ...CONVERSION,
  cards: Integer('Cards that had a price by then.'),
})

export const FoilPrice = Money('Price of the most expensive foil beside the base printing.')

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

export const MoverSchema = extendObject('Mover', OriginSchema, {
  card_id: Type.Integer(),
  name: Type.String(),
  set_name: Type.String(),
  game_name: Type.String(),
  product_type: Text,
  foil_only: Type.Integer(),
  printing: Type.String(),
  market_price: Type.Number(),
  price_change: Type.Number({ description: 'Change over the period, in percent.' }),
  image_url: Url,
  ...PRICE_CONFIDENCE,
})

/** Member of every `meta` of the catalog. */
export const Notes = Type.Optional(
  Type.Array(Type.String(), {
    description: 'Parameters that were ignored, and what to use instead.',
  }),
)

export const CardMetaSchema = extendObject('CardMeta', OriginSchema, {
  ...BASE_PRICE,
  ...PRICE_CONFIDENCE,
  notes: Notes,
})

/** `meta` of endpoints without any other. */
export const NotesMetaSchema = namedObject('NotesMeta', { notes: Notes })

export const PagingSchema = namedObject('PagingMeta', {
  total: Type.Integer(),
  page: Type.Integer(),
  per_page: Type.Integer(),
  has_more: Type.Boolean(),
  notes: Notes,
})

export const RateLimitSchema = namedObject('RateLimit', {
  daily_limit: Type.Integer(),
  daily_remaining: Type.Integer(),
  daily_reset: DateTime,
})

export const CardMigrationSchema = namedObject('CardMigration', {
  id: Integer('Increases with time.'),
  kind: stringEnum(MIGRATION_KINDS),
  card_id: Type.Integer(),
  card_name: Type.String(),
  new_card_id: nullable(Integer('Card that replaces a `merged` one.')),
  old_set_id: nullable(Integer('Set that a `moved` card left.')),
  new_set_id: nullable(Integer('Set to which it `moved`.')),
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
        stale: Type.Boolean({ description: 'True if its last import failed.' }),
        reason: nullable(Described('Reason of the failed import.')),
      }),
      { description: 'Further sources of prices; missing without any.' },
    ),
  ),
  currencies: Type.Optional(
    namedObject(
      'Currencies',
      {
        available: Type.Array(Type.String(), { description: 'Currencies of `currency`.' }),
        rate_date: nullable(
          Type.String({ format: 'date', description: 'Day of the newest rates; null: none.' }),
        ),
      },
      { description: 'Missing if US dollars are the only one.' },
    ),
  ),
})

export const HistoryMetaSchema = namedObject('HistoryMeta', {
  range: Type.String(),
  from: nullable(Day),
  to: Day,
  notes: Notes,
})

export const AccountSchema = namedObject('Account', {
  id: Type.Integer(),
  email: Type.String(),
  tier: Described('`free`, `hobby`, `starter`, `pro` or `business`.'),
  is_operator: Type.Boolean({ description: 'True if it may use `/v1/operator/…`.' }),
  created_at: DateTime,
})

export const MeSchema = extendObject('CurrentAccount', AccountSchema, {
  has_password: Type.Boolean({ description: 'False if it only logs in with a provider.' }),
  login_provider: nullable(
    namedObject('LoginProviderLink', {
      label: Described('Name of the login provider.'),
      linked_at: nullable(DateTime),
    }),
  ),
  sessions: Type.Array(
    namedObject('Session', {
      id: Type.String(),
      browser: Described('Browser and system in words; empty if unknown.'),
      network: Described('Network in which it began, such as `203.0.113.0/24`; empty if unknown.'),
      created_at: DateTime,
      last_seen_at: DateTime,
      expires_at: DateTime,
      is_current: Type.Boolean(),
    }),
  ),
})

export const KeySchema = namedObject('ApiKey', {
  id: Type.String(),
  name: Type.String(),
  key_prefix: Type.String(),
  last4: Type.String(),
  is_active: Type.Boolean(),
  created_at: DateTime,
  last_used_at: nullable(DateTime),
  requests_today: Type.Integer(),
  requests_total: Type.Integer(),
})

export const NewKeySchema = extendObject('CreatedApiKey', KeySchema, {
  key: Described('The API key.'),
})

const UsageDays = Type.Array(
  namedObject('UsageDay', {
    date: Day,
    requests: Type.Integer(),
    groups: Type.Record(Type.String(), Type.Integer(), {
      description: 'Requests by group of endpoints.',
    }),
  }),
)

export const UsageSchema = namedObject('Usage', {
  account: extendObject('AccountUsage', RateLimitSchema, {
    tier: Type.String(),
    today_requests: Type.Integer(),
  }),
  days: UsageDays,
  keys: Type.Array(extendObject('ApiKeyUsage', KeySchema, { days: UsageDays })),
  subscription: namedObject('Subscription', {
    plan: Type.String(),
    status: Type.String(),
    current_period_end: nullable(DateTime),
    cancel_at_period_end: Type.Boolean({ description: 'True if the subscription ends then.' }),
    next_plan: nullable(Described('Plan of the next period. Null: unchanged.')),
  }),
  scans: namedObject('ScanBalance', { balance: Type.Integer(), trial_pending: Type.Boolean() }),
})

export const PaymentLinkSchema = namedObject('PaymentLink', {
  url: Type.String({ format: 'uri' }),
  kind: Described('`checkout`: link to pay. `portal`: link to manage the existing subscription.'),
})

export const PlanSchema = namedObject('PlanOffer', {
  plan: stringEnum(TIERS, 'Value for `create-checkout`, except `free`.'),
  name: Type.String(),
  price_cents: Integer('US cents per month.'),
  daily_requests: Type.Integer(),
  history_days: nullable(
    Integer('Depth of price histories in days. Null: unlimited; 0: no histories.'),
  ),
  resolve_items: nullable(Integer('Maximum items of one resolve request. Null: not included.')),
  commercial_use: Type.Boolean({ description: 'True if the license allows commercial use.' }),
  features: Type.Array(Type.String(), { description: 'Features of the tier.' }),
})

export const PackSchema = namedObject('PackOffer', {
  pack: stringEnum(PACKS, 'Value for `create-checkout`.'),
  scans: Type.Integer(),
  price_cents: Integer('US cents, paid once.'),
})

export const OffersSchema = namedObject('Offers', {
  provider: stringEnum(
    ['stripe', 'manual', 'off'],
    '`stripe`, `manual` (paid to the operator) or `off`.',
  ),
  plans: Type.Array(PlanSchema),
  packs: Type.Array(PackSchema),
  registration: stringEnum(
    REGISTRATION_MODES,
    'Access to registration: anyone, people with an invitation, or nobody.',
  ),
  login_provider: nullable(Described('Name of the login provider. Null without one.')),
  has_password_reset: Type.Boolean({ description: 'True if passwords can be reset by mail.' }),
})
