// Generated from the API document by `bun scripts/tools/generate-client.ts`. Do not edit: change src/http/schemas and generate it again.

/** Input and response of each endpoint. An input that is missing here is not accepted. */
export type Endpoints = {
  /** List games. */
  'GET /v1/games': {
    query: { page?: number; per_page?: number }
    response: { data: Game[]; meta: Meta; rate_limit?: RateLimit }
  }
  /** Get a game. */
  'GET /v1/games/{slug}': {
    path: { slug: string }
    response: { data: Game; rate_limit?: RateLimit }
  }
  /** List the sets of a game, newest first. */
  'GET /v1/games/{slug}/sets': {
    path: { slug: string }
    query: { updated_after?: string; page?: number; per_page?: number }
    response: { data: CardSet[]; meta: Meta; rate_limit?: RateLimit }
  }
  /** List sets, newest first. */
  'GET /v1/sets': {
    query: { game?: string; updated_after?: string; page?: number; per_page?: number }
    response: { data: CardSet[]; meta: Meta; rate_limit: RateLimit }
  }
  /** Get a set. */
  'GET /v1/sets/{id}': {
    path: { id: number }
    response: { data: CardSet; rate_limit: RateLimit }
  }
  /** List the cards of a set with their prices, by collector number. */
  'GET /v1/sets/{id}/cards': {
    path: { id: number }
    query: {
      type?: 'Cards' | 'Sealed Products'
      updated_after?: string
      page?: number
      per_page?: number
    }
    response: { data: PricedCard[]; meta: Meta; rate_limit: RateLimit }
  }
  /** List all prices of a set, one per printing. */
  'GET /v1/sets/{id}/prices': {
    path: { id: number }
    query: { type?: 'Cards' | 'Sealed Products'; updated_after?: string }
    response: { data: SetPrice[]; rate_limit: RateLimit }
  }
  /** Get a card. */
  'GET /v1/cards/{id}': {
    path: { id: number }
    response: { data: Card; rate_limit: RateLimit }
  }
  /** Get a card by its marketplace product ID. */
  'GET /v1/cards/marketplace/{marketplace_id}': {
    path: { marketplace_id: number }
    response: { data: MarketplaceCard; rate_limit: RateLimit }
  }
  /** Get the current prices of a card. */
  'GET /v1/cards/{id}/prices': {
    path: { id: number }
    query: { printing?: string }
    response: { data: Price[] | Price; rate_limit: RateLimit }
  }
  /** Get the price history of a card. */
  'GET /v1/cards/{id}/history': {
    path: { id: number }
    query: { range?: 'month' | 'quarter' | 'year' | 'all'; printing?: string }
    response: { data: HistoryPoint[] | PrintingPoint[]; meta: HistoryMeta; rate_limit: RateLimit }
  }
  /** Get the full price history of a card, per printing, with sales. */
  'GET /v1/cards/{id}/history/detailed': {
    path: { id: number }
    query: { printing?: string }
    response: { data: DetailedPoint[]; rate_limit: RateLimit }
  }
  /** Search cards and sealed products. */
  'GET /v1/search': {
    query: {
      q: string
      game?: string
      set_id?: number
      rarity?: string
      min_price?: number
      max_price?: number
      sort?: 'relevance' | 'price_asc' | 'price_desc' | 'name'
      type?: 'Cards' | 'Sealed Products'
      page?: number
      per_page?: number
    }
    response: {
      data: SearchResult[]
      meta: Meta & { corrected_query?: string }
      rate_limit: RateLimit
    }
  }
  /** List the printings whose price rose or fell most. */
  'GET /v1/prices/top-movers': {
    query: {
      game?: string
      direction?: 'up' | 'down'
      period?: '24h' | '7d' | '30d'
      printing?: string
      type?: 'Cards' | 'Sealed Products'
      limit?: number
    }
    response: {
      data: Mover[]
      meta: {
        /** Printings excluded as implausible. */
        excluded: number
      }
      rate_limit: RateLimit
    }
  }
  /** Get the current prices of up to 500 cards. */
  'GET /v1/bulk/prices': {
    query: { ids: string }
    response: { data: SimplePrice[]; meta: BulkMeta; rate_limit: RateLimit }
  }
  /** Get up to 100 cards with their prices. */
  'GET /v1/bulk/cards': {
    query: { ids: string }
    response: { data: PricedCard[]; meta: BulkMeta; rate_limit: RateLimit }
  }
  /** Get the price history of up to 50 cards. */
  'GET /v1/bulk/history': {
    query: { ids: string; range?: 'month' | 'quarter' | 'year' }
    response: {
      data: Record<string, HistoryPoint[]>
      meta: HistoryMeta & BulkMeta
      rate_limit: RateLimit
    }
  }
  /** Download all cards and prices of a set. */
  'GET /v1/export/set/{id}': {
    path: { id: number }
    query: { format?: 'json' | 'csv' }
    response: Blob
  }
  /** Match marketplace product IDs to cards with their prices. */
  'POST /v1/bulk/resolve/marketplace': {
    body: { ids: number[] }
    response: {
      data: ResolvedIds
      meta: {
        /** A repeated entry counts once. */
        total_requested: number
        total_resolved: number
        /** Price in requests of the daily quota. */
        credits_consumed: number
      }
      rate_limit: RateLimit
    }
  }
  /** Match card names to cards with their prices. */
  'POST /v1/bulk/resolve/name': {
    body: {
      items: {
        /** Name of a card. */
        name: string
        /** Slug of a game. */
        game?: string
        /** Slug, code or name of a set. */
        set?: string
        /** Collector number. It narrows the match. */
        number?: string
        /** Printing such as `Foil`. Restricts the match to cards with it, and the prices to it. */
        printing?: string
      }[]
    }
    response: {
      data: ResolvedNames
      meta: {
        /** A repeated entry counts once. */
        total_requested: number
        total_matched: number
        /** Price in requests of the daily quota. */
        credits_consumed: number
      }
      rate_limit: RateLimit
    }
  }
  /** Match the CSV export of a collection app to cards, with prices and its total value. */
  'POST /v1/bulk/resolve/csv': {
    query: { game?: string; format?: 'json' | 'csv' }
    body: Blob | FormData
    response:
      | Blob
      | {
          data: PricedCollection
          meta: {
            total_requested: number
            total_matched: number
            /** Matched rows without a known price. */
            unpriced: number
            /** Price in requests of the daily quota. */
            credits_consumed: number
          }
          rate_limit: RateLimit
        }
  }
  /** List the files of the whole catalog. */
  'GET /v1/bulk-data': {
    response: { data: BulkFile[]; meta: BulkDataMeta; rate_limit: RateLimit }
  }
  /** Download a file of all games. */
  'GET /v1/bulk-data/{version}/all/{name}': {
    path: { version: number; name: string }
    response: Blob
  }
  /** Download a file of a game's cards or prices. */
  'GET /v1/bulk-data/{version}/{game}/{name}': {
    path: { version: number; game: string; name: string }
    response: Blob
  }
  /** Get the version and freshness of the data. */
  'GET /v1/meta': {
    response: { data: Freshness; rate_limit?: RateLimit }
  }
  /** Get the terms of paying for one photo without an account. */
  'GET /v1/x402/info': {
    response: { data: PaymentInfo; rate_limit?: RateLimit }
  }
  /** Create an account. */
  'POST /v1/auth/register': {
    body: {
      email: string
      /** At least 8 characters, at most 1024 bytes. */
      password: string
      /** Code of an invitation, if the operator requires one. */
      invitation?: string
    }
    response: { data: Account }
  }
  /** Log in. */
  'POST /v1/auth/login': {
    body: { email: string; password: string }
    response: { data: Account }
  }
  /** Log out. */
  'POST /v1/auth/logout': {
    query: { all?: 'true' | 'false' }
    response: {
      data: {
        /** Whether there was a session. */
        logged_out: boolean
      }
    }
  }
  /** Get the account and its sessions. */
  'GET /v1/auth/me': {
    response: { data: Me; rate_limit: RateLimit }
  }
  /** Change the password. */
  'POST /v1/auth/password': {
    body: {
      current_password: string
      /** At least 8 characters, at most 1024 bytes. */
      new_password: string
    }
    response: { data: Account; rate_limit: RateLimit }
  }
  /** List API keys. */
  'GET /v1/keys': {
    response: { data: ApiKey[]; rate_limit: RateLimit }
  }
  /** Create an API key. */
  'POST /v1/keys': {
    body:
      | {
          /** Name of the key. */
          name?: string
        }
      | undefined
    response: { data: NewApiKey; rate_limit: RateLimit }
  }
  /** Deactivate an API key. */
  'DELETE /v1/keys/{id}': {
    path: { id: string }
    response: { data: ApiKey; rate_limit: RateLimit }
  }
  /** Get the usage of the last 30 days. */
  'GET /v1/usage': {
    response: { data: Usage; rate_limit: RateLimit }
  }
  /** List plans and packs of scans with their prices. */
  'GET /v1/plans': {
    response: { data: Offers }
  }
  /** Create a checkout for a plan or a pack of scans. */
  'POST /v1/payments/create-checkout': {
    body: {
      /** A plan, paid monthly, or a pack of scans. */
      plan:
        | 'hobby'
        | 'starter'
        | 'pro'
        | 'business'
        | 'scans_1000'
        | 'scans_5000'
        | 'scans_25000'
        | 'scans_100000'
    }
    response: { data: PaymentLink; rate_limit: RateLimit }
  }
  /** Get a link to manage the subscription. */
  'POST /v1/payments/portal': {
    response: { data: PaymentLink; rate_limit: RateLimit }
  }
  /** Create a webhook for a price alert. */
  'POST /v1/webhooks': {
    body: {
      /** URL that receives alerts, such as `https://shop.example/alerts`. */
      url: string
      /** ID on the marketplace. */
      card_id: number
      /** At or above the threshold, or at or below it. */
      condition: 'above' | 'below'
      /** US dollars, with at most two decimals. */
      threshold: number
      /** Exact name of a printing. Default: the most expensive one. */
      printing?: string
    }
    response: { data: CreatedWebhook; rate_limit: RateLimit }
  }
  /** List webhooks. */
  'GET /v1/webhooks': {
    response: { data: Webhook[]; rate_limit: RateLimit }
  }
  /** Get a webhook. */
  'GET /v1/webhooks/{webhook_id}': {
    path: { webhook_id: string }
    response: { data: Webhook; rate_limit: RateLimit }
  }
  /** Update a webhook. */
  'PATCH /v1/webhooks/{webhook_id}': {
    path: { webhook_id: string }
    body: {
      /** URL that receives alerts, such as `https://shop.example/alerts`. */
      url?: string
      /** US dollars, with at most two decimals. */
      threshold?: number
      paused?: boolean
      rotate_secret?: true
    }
    response: { data: UpdatedWebhook; rate_limit: RateLimit }
  }
  /** Delete a webhook. */
  'DELETE /v1/webhooks/{webhook_id}': {
    path: { webhook_id: string }
    response: { data: Webhook; rate_limit: RateLimit }
  }
  /** List the deliveries of a webhook, newest first. */
  'GET /v1/webhooks/{webhook_id}/deliveries': {
    path: { webhook_id: string }
    query: { page?: number; per_page?: number }
    response: { data: Delivery[]; meta: Meta; rate_limit: RateLimit }
  }
  /** Send a test delivery. */
  'POST /v1/webhooks/{webhook_id}/test': {
    path: { webhook_id: string }
    response: { data: Delivery; rate_limit: RateLimit }
  }
  /** Redeliver a delivery. */
  'POST /v1/webhooks/{webhook_id}/redeliver/{delivery_id}': {
    path: { webhook_id: string; delivery_id: string }
    response: { data: Delivery; rate_limit: RateLimit }
  }
  /** Get the status of the service. */
  'GET /v1/operator/status': {
    response: { data: OperatorStatus; rate_limit: RateLimit }
  }
  /** Start a sync. */
  'POST /v1/operator/sync': {
    body:
      | {
          /** Slug or ID of the only game to sync. */
          game?: string
          /** Fetch everything again, and skip the sanity checks. */
          force?: boolean
        }
      | undefined
    response: { data: { state: 'started' }; rate_limit: RateLimit }
  }
  /** Identify a card from one photo. */
  'POST /v1/identify': {
    query: { game?: string; include?: 'prices' }
    body:
      | FormData
      | {
          /** Base64, or a data URL with it. */
          image: string
          /** Slug of the game to search in. Default: all games. */
          game?: string
          /** `prices` adds the current prices of the first candidate. */
          include?: 'prices'
        }
      | Blob
    response: { data: Identification; meta: ScanMeta; rate_limit?: RateLimit }
  }
  /** Get the scan balance and usage. */
  'GET /v1/identify/usage': {
    response: { data: ScanUsage; rate_limit: RateLimit }
  }
  /** Get an identification. */
  'GET /v1/identify/{id}': {
    path: { id: string }
    response: { data: ReviewedIdentification; rate_limit: RateLimit }
  }
  /** Report the correct card. */
  'POST /v1/identify/{id}/feedback': {
    path: { id: string }
    body: {
      /** ID of the correct card; null if it is not in the catalog. */
      card_id: number | null
    }
    response: { data: ReviewedIdentification; rate_limit: RateLimit }
  }
}

export type Game = {
  id: number
  name: string
  slug: string
  marketplace_id: number
  /** 3: synced daily, 2: every 3 days. */
  priority: number
  set_count: number
  card_count: number
  image_url: string | null
  logo_url: string | null
  last_synced_at: string | null
}

export type Meta = { total: number; page: number; per_page: number; has_more: boolean }

export type RateLimit = { daily_limit: number; daily_remaining: number; daily_reset: string }

export type CardSet = {
  id: number
  game_id: number
  name: string
  slug: string
  marketplace_id: number
  abbreviation: string | null
  release_date: string | null
  card_count: number
  image_url: string | null
  set_icon_url: string | null
  last_synced_at: string
  game_name: string
  game_slug: string
}

export type PricedCard = Card & {
  /** Name of the base printing. Null: no prices. */
  printing: string | null
  /** Of the base printing. */
  market_price: number | null
  prices: Price[]
}

export type Card = CardSummary & {
  clean_name: string
  rarity: string | null
  marketplace_url: string | null
  /** `Cards` or `Sealed Products`. */
  product_type: string | null
  /** 1 if the card only exists as foil, else 0. */
  foil_only: number
  total_listings: number
  /** 1 card, 3 box, 4 case. */
  shipping_category_id: number
  /** 1 active, 20 presale. */
  product_status_id: number
  hp?: string
  custom_attributes: Record<string, string | string[]>
  set_id: number
  game_id: number
}

export type CardSummary = NamedCard & { number: string | null; game_slug: string; set_slug: string }

export type NamedCard = {
  id: number
  name: string
  marketplace_id: number
  game_name: string
  set_name: string
  image_url: string | null
}

export type Price = PrintingPrice & {
  card_id: number
  /** Median listing price across sellers. */
  median_price: number | null
  /** Lowest listing with shipping. */
  lowest_with_shipping: number | null
  /** Price that stores pay. */
  buylist_price: number | null
  /** Change in percent; 15.5 means +15.5 %. Null: not enough data. */
  price_change_24h: number | null
  /** Change in percent; 15.5 means +15.5 %. Null: not enough data. */
  price_change_7d: number | null
  /** Change in percent; 15.5 means +15.5 %. Null: not enough data. */
  price_change_30d: number | null
  last_updated_at: string
}

export type PrintingPrice = {
  printing: string
  /** Median of recent sales. */
  market_price: number | null
  /** Lowest verified listing price. */
  low_price: number | null
}

export type SetPrice = Price & {
  name: string
  number: string | null
  rarity: string | null
  marketplace_id: number
  product_type: string | null
  foil_only: number
}

export type MarketplaceCard = { id: number; name: string; foil_only: number; prices: Price[] }

export type HistoryPoint = {
  date: string
  /** Name of the base printing. Null: no prices. */
  printing: string | null
  /** Of the base printing. */
  market_price: number | null
  /** Of the base printing. */
  low_price: number | null
  /** Of the most expensive foil beside the base printing. */
  foil_market_price: number | null
}

export type PrintingPoint = PrintingPrice & { date: string }

export type HistoryMeta = { range: string; from: string | null; to: string }

export type DetailedPoint = PrintingPoint & {
  /** Average sale price of the day. Null: not published by the upstream. */
  avg_sales_price: number | null
  /** Null: not published by the upstream. */
  sales_volume: number | null
}

export type SearchResult = Card & {
  /** Name of the base printing. Null: no prices. */
  printing: string | null
  /** Of the base printing. Results are sorted and filtered by it. */
  market_price: number | null
  prices: Price[]
}

export type Mover = {
  card_id: number
  name: string
  set_name: string
  game_name: string
  product_type: string | null
  foil_only: number
  printing: string
  market_price: number
  /** Change over the period, in percent. */
  price_change: number
  image_url: string | null
}

export type SimplePrice = {
  card_id: number
  /** Name of the base printing. Null: no prices. */
  printing: string | null
  /** Of the base printing. */
  market_price: number | null
  /** Of the base printing. */
  low_price: number | null
  /** Of the most expensive foil beside the base printing. */
  foil_market_price: number | null
  /** Change in percent; 15.5 means +15.5 %. Null: not enough data. */
  price_change_24h: number | null
  last_updated_at: string
}

export type BulkMeta = {
  /** A repeated ID counts once. */
  total_requested: number
  /** IDs of no card. */
  not_found: number[]
}

export type ResolvedIds = {
  resolved: { marketplace_id: number; card: NamedCard; prices: PrintingPrice[] }[]
  /** IDs of no card. */
  not_found: number[]
}

export type ResolvedNames = {
  results: {
    /** The item as it was sent. */
    query: { name: string; [member: string]: unknown }
    match: {
      card: CardSummary
      prices: Price[]
      /**
       * `exact`: the name is equal. `high`: the name starts with it. `medium`: the name contains
       * it, or was corrected.
       */
      confidence: string
      /** Corrected spelling that was searched instead. */
      corrected_name?: string
    }
    alternatives: CardSummary[]
  }[]
  unmatched: {
    name: string
    /** `no_match`, `game_not_found`, `set_not_found` or `name_too_short`. */
    reason: string
  }[]
}

export type PricedCollection = {
  rows: {
    /** Row number; 1 is the first one after the header. */
    row: number
    quantity: number
    query: {
      name: string | null
      game: string | null
      set: string | null
      number: string | null
      printing: string | null
      product_id: string | null
    }
    match: {
      card: CardSummary
      printing: string | null
      /** Price of one copy. */
      market_price: number | null
      /** Lowest verified listing price. */
      low_price: number | null
      /**
       * `exact`: the name is equal. `high`: the name starts with it. `medium`: the name contains
       * it, or was corrected.
       */
      confidence: string
      /** Corrected spelling that was searched instead. */
      corrected_name?: string
    }
    /** Value of all copies. */
    value: number | null
    alternatives: CardSummary[]
    /** Parts of the row that were ignored. */
    notes: string[]
  }[]
  unmatched: { row: number; name: string | null; reason: string }[]
  /** Value of all rows with a known price. */
  total_value: number | null
}

export type BulkFile = {
  /** `cards`, `prices`, or `catalog` with both. */
  type: string
  /** Slug of a game, or `all`. */
  game: string
  /** `jsonl.gz`, `csv.gz` or `sqlite.gz`. */
  format: string
  updated_at: string
  /** Bytes of the download. */
  size: number
  /** Hash of the downloaded bytes. */
  sha256: string
  rows: number
  download_url: string
}

export type BulkDataMeta = {
  /** Catalog version of the files. */
  version: number | null
  built_at: string | null
}

export type Freshness = {
  /** Increases with every change of the catalog. */
  version: number
  published_at: string | null
  changed_at: string
  /** Whether a game missed its refresh. */
  stale: boolean
  counts: { games: number; sets: number; cards: number }
  games: {
    id: number
    slug: string
    priority: number
    card_count: number
    last_synced_at: string | null
    published_at: string | null
    stale: boolean
    stale_since: string | null
  }[]
  last_sync: { started_at: string; finished_at: string | null; outcome: string | null } | null
}

export type PaymentInfo = {
  enabled: boolean
  x402_version: number | null
  price: {
    dollars: number
    /** Amount in the smallest unit of the token. */
    atomic: string
  } | null
  scheme: string | null
  /** CAIP-2 name of the network. */
  network: string | null
  asset: { address: string; name: string; version: string; decimals: number } | null
  pay_to: string | null
  facilitator_url: string | null
  resource: string | null
  max_timeout_seconds: number | null
  how_to_pay: string | null
}

export type Account = {
  id: number
  email: string
  /** `free`, `hobby`, `starter`, `pro` or `business`. */
  tier: string
  /** Whether it may use `/v1/operator/…`. */
  is_operator: boolean
  created_at: string
}

export type Me = Account & {
  sessions: { created_at: string; last_seen_at: string; expires_at: string; is_current: boolean }[]
}

export type ApiKey = {
  id: string
  name: string
  key_prefix: string
  last4: string
  is_active: boolean
  created_at: string
  last_used_at: string | null
  requests_today: number
  requests_total: number
}

export type NewApiKey = ApiKey & {
  /** The API key. */
  key: string
}

export type Usage = {
  account: RateLimit & { tier: string; today_requests: number }
  days: UsageDay[]
  keys: (ApiKey & { days: UsageDay[] })[]
  subscription: {
    plan: string
    status: string
    current_period_end: string | null
    /** Whether the subscription ends then. */
    cancel_at_period_end: boolean
    /** Plan of the next period. Null: unchanged. */
    next_plan: string | null
  }
  scans: { balance: number; trial_pending: boolean }
}

export type UsageDay = {
  date: string
  requests: number
  /** Requests by group of endpoints. */
  groups: Record<string, number>
}

export type Offers = {
  /** `stripe`, `manual` (paid to the operator) or `off`. */
  provider: 'stripe' | 'manual' | 'off'
  plans: PlanOffer[]
  packs: PackOffer[]
  /** Access to registration: anyone, people with an invitation, or nobody. */
  registration: 'open' | 'invite' | 'closed'
}

export type PlanOffer = {
  /** Value for `create-checkout`, except `free`. */
  plan: 'free' | 'hobby' | 'starter' | 'pro' | 'business'
  name: string
  /** US cents per month. */
  price_cents: number
  daily_requests: number
  /** Depth of price histories in days. Null: unlimited; 0: no histories. */
  history_days: number | null
  /** Maximum items of one resolve request. Null: not included. */
  resolve_items: number | null
  /** Whether the license allows commercial use. */
  commercial_use: boolean
  /** Features of the tier. */
  features: string[]
}

export type PackOffer = {
  /** Value for `create-checkout`. */
  pack: 'scans_1000' | 'scans_5000' | 'scans_25000' | 'scans_100000'
  scans: number
  /** US cents, paid once. */
  price_cents: number
}

export type PaymentLink = {
  url: string
  /** `checkout`: link to pay. `portal`: link to manage the existing subscription. */
  kind: string
}

export type CreatedWebhook = Webhook & {
  /** Secret that signs deliveries. It is shown only here. */
  secret: string
}

export type Webhook = {
  id: string
  url: string
  card_id: number
  /** Null: the card is not in the catalog. */
  card_name: string | null
  /** Null: the most expensive one. */
  printing: string | null
  /** `above` or `below`, inclusive of the threshold. */
  condition: string
  /** US dollars. */
  threshold: number
  /** `active`, `paused` or `disabled`. */
  status: string
  /**
   * `paused`: by its owner. `tier`: the tier is too low. `gone`: the URL answered 410.
   * `failing`: it failed for days.
   */
  status_reason: string | null
  created_at: string
  updated_at: string
  /** The newest alert of the last 30 days. */
  last_alert_at: string | null
  /** Until then, deliveries are also signed with the previous secret. */
  previous_secret_until: string | null
}

export type UpdatedWebhook = Webhook & {
  /** Secret that signs deliveries. It is shown only here. */
  secret?: string
}

export type Delivery = {
  /** Sent as `webhook-id` with every attempt. */
  id: string
  webhook_id: string
  /** `alert` or `test`. */
  kind: string
  /** `pending`, `delivered` or `dead`. */
  state: string
  /** Body of the delivery. */
  payload: Record<string, unknown>
  created_at: string
  /** Null also during an attempt. */
  next_attempt_at: string | null
  /** When it was delivered, or failed permanently. */
  ended_at: string | null
  /** The newest 20 attempts, oldest first. */
  attempts: DeliveryAttempt[]
}

export type DeliveryAttempt = {
  at: string
  /** Status of the response; null if there was none. */
  status: number | null
  /** Why the attempt failed; null if it succeeded. */
  error: string | null
  latency_ms: number
  /** Beginning of the response body. */
  answer: string | null
}

export type OperatorStatus = {
  /** Version of Cardstock. */
  version: string
  started_at: string
  /** True if other servers with the same data folder may listen on the port. */
  is_port_shared: boolean
  now: string
  requests: {
    /** Responses since the start. */
    answered: number
    /** Responses with a 5xx status. */
    failed: number
  }
  catalog: { version: number; published_at: string | null; changed_at: string }
  sync: {
    /** Host and path of the mirror; null if none is configured. */
    upstream: string | null
    /** Whether a sync or import is running, also outside the server. */
    is_running: boolean
    last: {
      started_at: string
      ended_at: string
      outcome: 'complete' | 'incomplete' | 'failed'
      published_at: string | null
      games: number
      sets_read: number
      cards_read: number
      prices_changed: number
      /** Invalid records that were skipped. */
      bad_records: number
      failure_count: number
      /** The first 20 failures. */
      failures: {
        /** Slug of the game, or `all`. */
        game: string
        set_id: number | null
        message: string
      }[]
    } | null
  }
  games: {
    slug: string
    name: string
    priority: number
    set_count: number
    card_count: number
    last_synced_at: string | null
    published_at: string | null
    /** Whether the game missed its refresh. */
    is_stale: boolean
    stale_since: string | null
    /** Why the last sync could not refresh the game; null if it could. */
    last_error: { at: string; message: string } | null
  }[]
  jobs: {
    name: string
    is_running: boolean
    /** Runs since the start, like `failures`. */
    runs: number
    failures: number
    last_started_at: string | null
    last_ended_at: string | null
    last_outcome: 'done' | 'failed' | null
    next_at: string | null
  }[]
  reader: {
    /** Workers that read photos. */
    workers: number
    state: 'off' | 'ready' | 'not ready'
    /** Photos that wait for a worker. */
    waiting: number
    /** Photos in progress. */
    reading: number
    /** Workers that were replaced since the start. */
    replaced: number
    /** Indexed card images. */
    pictures: number
  }
  deliveries: {
    /** Allowed receivers: `public`, or `loopback-ok` for this machine, too. */
    network: string
    watches: number
    /** Deliveries that wait for their first or next attempt. */
    pending: number
    /** Pending deliveries that are due. */
    due: number
    /** Age of the oldest due delivery; 0 if none is due. */
    oldest_due_seconds: number
    /** Deliveries that failed permanently in the last 30 days. */
    dead: number
  }
  accounts: {
    total: number
    /** Scans used on this UTC day. */
    scans_today: number
  }
  disk: {
    files: { name: string; bytes: number }[]
    /** Null: the data folder is missing. */
    total_bytes: number | null
    /** Free space available to this process. */
    free_bytes: number | null
  }
  /** Complete backups on the disk; null if backups are disabled. */
  backups: { newest_at: string | null; count: number; bytes: number } | null
  /** The last 50 errors of this process, newest first. */
  errors: { at: string; event: string; message: string; request_id: string | null }[]
}

export type Identification = {
  id: string
  /** `matched`, `ambiguous`, `retake`, `not_found` or `unsupported`. */
  status: string
  /** For `retake`, what to fix. */
  message: string | null
  read: Reading
  /** At most ten, best first. */
  candidates: Candidate[]
  warnings: string[]
}

/** Text and features read from the photo. Unreadable ones are empty, not guessed. */
export type Reading = {
  game: string
  name: string
  number: string
  set: string
  language: string
  /** Such as `raw` or `graded slab`. */
  kind: string
  product_type: string
  finish: string
  /** `unclear` if it cannot be determined. */
  stamp: string | null
  grade: string
  readable: { name: boolean; number: boolean; set: boolean }
  notes: string
}

export type Candidate = {
  card_id: number
  marketplace_id: number
  name: string
  number: string | null
  rarity: string | null
  product_type: string | null
  set: { id: number; name: string; code: string | null }
  game: { slug: string; name: string }
  image_url: string | null
  match: {
    /** `exact`, `partial` or `unknown`. */
    number: string
    /** Share of agreeing words, 0 to 1. */
    name: number
    /** Share of agreeing words, 0 to 1. */
    set: number
    edition: boolean
  }
  printings: string[]
  suggested_printing: string | null
  score: number
  prices?: Price[]
}

export type ScanMeta = {
  /** `scan`, or `payment` if the photo was paid for by itself. */
  charged: string | null
  scans_remaining: number
}

export type ScanUsage = {
  balance: number
  /** Used scans whose payment was refunded. The next scans settle it. */
  debt: number
  /** Whether the first identification still adds 25 free scans. */
  trial_pending: boolean
  days: {
    date: string
    /** Photos that were identified. */
    scans: number
    /** Photos whose scan was refunded. */
    refunded: number
    matched: number
    ambiguous: number
    retake: number
    not_found: number
    unsupported: number
  }[]
  ledger: {
    /** `trial`, `purchase`, `grant`, or `reinstatement` after a dispute. */
    reason: string
    scans: number
    amount_cents: number | null
    created_at: string
  }[]
}

export type ReviewedIdentification = Identification & {
  feedback: {
    /** ID of the correct card; null if it is not in the catalog. */
    card_id: number | null
    created_at: string
  } | null
}
