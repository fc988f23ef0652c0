import type { AccessPolicy, Tier } from '#rules/accounts/tiers.ts'
import { ALERT_CONDITIONS } from '#rules/alerts/alert-condition.ts'
import { BILLABLE_ITEMS } from '#rules/billing/plans.ts'
import { WEBHOOK_INPUT } from '../support/alerts/webhook-fixtures.ts'
import { PHOTO } from '../support/photos/reader-fixtures.ts'
import { emailOf, PASSWORD, SETUP_TOKEN } from '../support/test-app.ts'

/** JSON type of a parameter, or its allowed words. */
export type ParameterKind =
  | 'integer'
  | 'number'
  | 'string'
  | 'boolean'
  | 'array'
  | readonly string[]

/** A request: an address, and what is sent there. */
export type Call = { path: string; json?: unknown; csv?: string; list?: string }

export type Endpoint = {
  method: 'GET' | 'POST'
  /** The path in the specification's notation. */
  path: string
  /** Undefined: open to all. Else the lowest tier by each of the two descriptions. */
  lowest: Record<AccessPolicy, Tier> | undefined
  parameters: Record<string, ParameterKind>
  required?: readonly string[]
  /** The members of its JSON body, all of which are needed; or a CSV file. */
  body?: Record<string, ParameterKind> | 'csv' | 'list'
  /** The media types of a success, where it is not JSON alone. */
  answers?: readonly string[]
  /** Answers a file without the envelope: made while it is sent, or stored, with parts. */
  file?: 'made' | 'stored'
  /** Answers 200 in the sample catalog. */
  sample: Call
  /** Breaks one field, which `names` says; an endpoint without any has none. */
  malformed?: Call & { names: string }
  /** A well-formed request for an id that does not exist. */
  unknown?: Call
  /** The request of the golden body: small but representative. */
  golden: Call & { name: string; as?: Tier }
}

const FREE = { 'five-tier': 'free', strict: 'free' } as const
const STARTER = { 'five-tier': 'starter', strict: 'starter' } as const
const PRO = { 'five-tier': 'pro', strict: 'pro' } as const
const BUSINESS_IF_STRICT = { 'five-tier': 'pro', strict: 'business' } as const
const GZIP = 'application/gzip'
const FILE_PARAMETERS = { version: 'integer', game: 'string', name: 'string' } as const
const PAGING = { page: 'integer', per_page: 'integer' } as const
const CHANGES = { updated_after: 'string' } as const
/** Choose the prices of an endpoint. */
const PRICES = { currency: 'string', source: 'string' } as const
/** Trims the rows of a list. */
const FIELDS = { fields: 'string' } as const
/** Members that are added to cards and prices. */
const INCLUDE = { include: 'string' } as const
const PRODUCT_TYPES = ['Cards', 'Sealed Products'] as const

/**
 * The endpoints of the specification's "Catalog and prices" and "Bulk and export", how fresh the data
 * is, and the files of the whole catalog.
 */
export const ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/v1/games',
    lowest: undefined,
    parameters: { ...PAGING, ...FIELDS },
    sample: { path: '/v1/games' },
    malformed: { path: '/v1/games?page=0', names: 'page' },
    golden: { name: 'games', path: '/v1/games?per_page=2' },
  },
  {
    method: 'GET',
    path: '/v1/games/{slug}',
    lowest: undefined,
    parameters: { slug: 'string' },
    required: ['slug'],
    sample: { path: '/v1/games/wickerwild' },
    malformed: { path: `/v1/games/${'x'.repeat(101)}`, names: 'slug' },
    unknown: { path: '/v1/games/no-such-game' },
    golden: { name: 'game', path: '/v1/games/9002' },
  },
  {
    method: 'GET',
    path: '/v1/games/{slug}/sets',
    lowest: undefined,
    parameters: { slug: 'string', ...CHANGES, ...PAGING, ...FIELDS },
    required: ['slug'],
    sample: { path: '/v1/games/wickerwild/sets' },
    malformed: { path: '/v1/games/wickerwild/sets?per_page=many', names: 'per_page' },
    unknown: { path: '/v1/games/no-such-game/sets' },
    golden: { name: 'game-sets', path: '/v1/games/wickerwild/sets' },
  },
  {
    method: 'GET',
    path: '/v1/sets',
    lowest: FREE,
    parameters: { q: 'string', code: 'string', game: 'string', ...CHANGES, ...PAGING, ...FIELDS },
    sample: { path: '/v1/sets?game=vellum-and-thorn' },
    malformed: { path: '/v1/sets?updated_after=yesterday', names: 'updated_after' },
    unknown: { path: '/v1/sets?game=no-such-game' },
    golden: { name: 'sets', path: '/v1/sets?page=2&per_page=2' },
  },
  {
    method: 'GET',
    path: '/v1/sets/{id}',
    lowest: FREE,
    parameters: { id: 'integer' },
    required: ['id'],
    sample: { path: '/v1/sets/90021' },
    malformed: { path: '/v1/sets/lantern-season', names: 'id' },
    unknown: { path: '/v1/sets/1' },
    golden: { name: 'set', path: '/v1/sets/90012' },
  },
  {
    method: 'GET',
    path: '/v1/sets/{id}/cards',
    lowest: FREE,
    parameters: {
      id: 'integer',
      type: PRODUCT_TYPES,
      rarity: 'string',
      printing: 'string',
      sort: ['number', 'name', 'price_asc', 'price_desc', 'change_asc', 'change_desc'],
      ...CHANGES,
      ...PAGING,
      ...INCLUDE,
      ...PRICES,
      ...FIELDS,
    },
    required: ['id'],
    sample: { path: '/v1/sets/90021/cards?per_page=5' },
    malformed: { path: '/v1/sets/90021/cards?page=-1', names: 'page' },
    unknown: { path: '/v1/sets/1/cards' },
    golden: { name: 'set-cards', path: '/v1/sets/90012/cards?page=11&per_page=2' },
  },
  {
    method: 'GET',
    path: '/v1/sets/{id}/summary',
    lowest: FREE,
    parameters: { id: 'integer', ...PRICES },
    required: ['id'],
    sample: { path: '/v1/sets/90021/summary' },
    malformed: { path: '/v1/sets/lantern-season/summary', names: 'id' },
    unknown: { path: '/v1/sets/1/summary' },
    golden: { name: 'set-summary', path: '/v1/sets/90012/summary' },
  },
  {
    method: 'GET',
    path: '/v1/sets/{id}/history',
    lowest: { 'five-tier': 'hobby', strict: 'pro' },
    parameters: { id: 'integer', range: ['month', 'quarter', 'year', 'all'], ...PRICES },
    required: ['id'],
    sample: { path: '/v1/sets/90021/history?range=quarter' },
    malformed: { path: '/v1/sets/90021/history?range=week', names: 'range' },
    unknown: { path: '/v1/sets/1/history' },
    golden: { name: 'set-history', path: '/v1/sets/90012/history?range=month', as: 'hobby' },
  },
  {
    method: 'GET',
    path: '/v1/sets/{id}/prices',
    lowest: { 'five-tier': 'starter', strict: 'pro' },
    parameters: {
      id: 'integer',
      type: PRODUCT_TYPES,
      ...CHANGES,
      ...INCLUDE,
      ...PRICES,
      ...FIELDS,
    },
    required: ['id'],
    sample: { path: '/v1/sets/90022/prices' },
    malformed: { path: '/v1/sets/0/prices', names: 'id' },
    unknown: { path: '/v1/sets/1/prices' },
    golden: { name: 'set-prices', path: '/v1/sets/90022/prices' },
  },
  {
    method: 'GET',
    path: '/v1/cards/{id}',
    lowest: FREE,
    parameters: { id: 'integer', ...INCLUDE, ...PRICES },
    required: ['id'],
    sample: { path: '/v1/cards/900003' },
    malformed: { path: '/v1/cards/1e3', names: 'id' },
    unknown: { path: '/v1/cards/1' },
    golden: { name: 'card', path: '/v1/cards/900003' },
  },
  {
    method: 'GET',
    path: '/v1/cards/marketplace/{marketplace_id}',
    lowest: FREE,
    parameters: { marketplace_id: 'integer', ...INCLUDE, ...PRICES },
    required: ['marketplace_id'],
    sample: { path: '/v1/cards/marketplace/900401' },
    malformed: { path: '/v1/cards/marketplace/0x1', names: 'marketplace_id' },
    unknown: { path: '/v1/cards/marketplace/1' },
    golden: { name: 'card-by-marketplace', path: '/v1/cards/marketplace/900402' },
  },
  {
    method: 'GET',
    path: '/v1/cards/{id}/reprints',
    lowest: FREE,
    parameters: { id: 'integer', ...PAGING, ...PRICES, ...FIELDS },
    required: ['id'],
    sample: { path: '/v1/cards/900208/reprints' },
    malformed: { path: '/v1/cards/900208/reprints?page=0', names: 'page' },
    unknown: { path: '/v1/cards/1/reprints' },
    golden: { name: 'card-reprints', path: '/v1/cards/900208/reprints' },
  },
  {
    method: 'GET',
    path: '/v1/cards/by-id/{system}/{id}',
    lowest: FREE,
    parameters: { system: 'string', id: 'string', ...INCLUDE, ...PRICES },
    required: ['system', 'id'],
    sample: { path: '/v1/cards/by-id/tcgplayer/900401' },
    malformed: { path: `/v1/cards/by-id/tcgplayer/${'9'.repeat(101)}`, names: 'id' },
    unknown: { path: '/v1/cards/by-id/tcgplayer/1' },
    golden: {
      name: 'card-by-external-id',
      path: '/v1/cards/by-id/tcgplayer/900402?include=confidence,ids',
    },
  },
  {
    method: 'GET',
    path: '/v1/cards/{id}/prices',
    lowest: FREE,
    parameters: {
      id: 'integer',
      printing: 'string',
      all: ['true', 'false'],
      ...INCLUDE,
      ...PRICES,
    },
    required: ['id'],
    sample: { path: '/v1/cards/900401/prices' },
    malformed: { path: '/v1/cards/900401/prices?printing=%0A', names: 'printing' },
    unknown: { path: '/v1/cards/1/prices' },
    golden: { name: 'card-prices', path: '/v1/cards/900401/prices' },
  },
  {
    method: 'GET',
    path: '/v1/cards/{id}/history',
    lowest: { 'five-tier': 'hobby', strict: 'pro' },
    parameters: {
      id: 'integer',
      range: ['month', 'quarter', 'year', 'all'],
      printing: 'string',
      ...PRICES,
    },
    required: ['id'],
    sample: { path: '/v1/cards/900401/history?range=quarter' },
    malformed: { path: '/v1/cards/900401/history?range=week', names: 'range' },
    unknown: { path: '/v1/cards/1/history' },
    golden: { name: 'card-history', path: '/v1/cards/900401/history?range=all', as: 'hobby' },
  },
  {
    method: 'GET',
    path: '/v1/cards/{id}/history/detailed',
    lowest: { 'five-tier': 'pro', strict: 'business' },
    parameters: { id: 'integer', printing: 'string', ...PRICES },
    required: ['id'],
    sample: { path: '/v1/cards/900401/history/detailed' },
    malformed: { path: '/v1/cards/900401/history/detailed?printing=%00', names: 'printing' },
    unknown: { path: '/v1/cards/1/history/detailed' },
    golden: {
      name: 'card-history-detailed',
      path: '/v1/cards/900416/history/detailed?printing=Normal',
    },
  },
  {
    method: 'GET',
    path: '/v1/search',
    lowest: FREE,
    parameters: {
      q: 'string',
      game: 'string',
      set_id: 'integer',
      rarity: 'string',
      printing: 'string',
      min_price: 'number',
      max_price: 'number',
      sort: ['relevance', 'price_asc', 'price_desc', 'name', 'change_desc', 'change_asc', 'newest'],
      type: PRODUCT_TYPES,
      ...INCLUDE,
      ...PAGING,
      ...PRICES,
      ...FIELDS,
    },
    required: ['q'],
    sample: { path: '/v1/search?q=marigold&game=perihelion-drift&sort=price_desc&type=Cards' },
    malformed: { path: '/v1/search?q=a', names: 'q' },
    unknown: { path: '/v1/search?q=marigold&game=no-such-game' },
    golden: { name: 'search', path: '/v1/search?q=whisht&per_page=2' },
  },
  {
    method: 'GET',
    path: '/v1/prices/top-movers',
    lowest: FREE,
    parameters: {
      game: 'string',
      direction: ['up', 'down'],
      period: ['24h', '7d', '30d'],
      printing: 'string',
      type: PRODUCT_TYPES,
      min_confidence: ['high', 'medium', 'low'],
      limit: 'integer',
      ...INCLUDE,
      ...PRICES,
      ...FIELDS,
    },
    sample: { path: '/v1/prices/top-movers?game=vellum-and-thorn&period=7d' },
    malformed: { path: '/v1/prices/top-movers?limit=51', names: 'limit' },
    unknown: { path: '/v1/prices/top-movers?game=no-such-game' },
    golden: { name: 'top-movers', path: '/v1/prices/top-movers?limit=3' },
  },
  {
    method: 'GET',
    path: '/v1/migrations',
    lowest: FREE,
    parameters: {
      since: 'string',
      kind: ['removed', 'restored', 'moved', 'merged'],
      ...PAGING,
      ...FIELDS,
    },
    sample: { path: '/v1/migrations?kind=removed&since=2026-01-01' },
    malformed: { path: '/v1/migrations?since=yesterday', names: 'since' },
    golden: { name: 'migrations', path: '/v1/migrations' },
  },
  {
    method: 'GET',
    path: '/v1/meta',
    lowest: undefined,
    parameters: {},
    sample: { path: '/v1/meta' },
    golden: { name: 'meta', path: '/v1/meta' },
  },
  {
    method: 'GET',
    path: '/v1/x402/info',
    lowest: undefined,
    parameters: {},
    sample: { path: '/v1/x402/info' },
    golden: { name: 'x402-info', path: '/v1/x402/info' },
  },
  {
    method: 'GET',
    path: '/v1/bulk/prices',
    lowest: PRO,
    parameters: { ids: 'string', ...INCLUDE, ...PRICES, ...FIELDS },
    required: ['ids'],
    sample: { path: '/v1/bulk/prices?ids=900001,900401,1' },
    malformed: { path: '/v1/bulk/prices?ids=900001,x', names: 'ids' },
    golden: { name: 'bulk-prices', path: '/v1/bulk/prices?ids=900401,900082,1,900205,900401' },
  },
  {
    method: 'GET',
    path: '/v1/bulk/cards',
    lowest: PRO,
    parameters: { ids: 'string', ...INCLUDE, ...PRICES, ...FIELDS },
    required: ['ids'],
    sample: { path: '/v1/bulk/cards?ids=900001,900401,1' },
    malformed: { path: '/v1/bulk/cards?ids=', names: 'ids' },
    golden: { name: 'bulk-cards', path: '/v1/bulk/cards?ids=900401,1,900082' },
  },
  {
    method: 'GET',
    path: '/v1/bulk/history',
    lowest: BUSINESS_IF_STRICT,
    parameters: { ids: 'string', range: ['month', 'quarter', 'year'], ...PRICES },
    required: ['ids'],
    sample: { path: '/v1/bulk/history?ids=900001,900401,1&range=quarter' },
    malformed: { path: '/v1/bulk/history?ids=900001&range=all', names: 'range' },
    golden: { name: 'bulk-history', path: '/v1/bulk/history?ids=900416,1,900082' },
  },
  {
    method: 'GET',
    path: '/v1/export/set/{id}',
    lowest: BUSINESS_IF_STRICT,
    parameters: { id: 'integer', format: ['json', 'csv'], ...INCLUDE, ...PRICES },
    required: ['id'],
    answers: ['application/json', 'text/csv'],
    file: 'made',
    sample: { path: '/v1/export/set/90021' },
    malformed: { path: '/v1/export/set/90021?format=xlsx', names: 'format' },
    unknown: { path: '/v1/export/set/1' },
    golden: { name: 'export-set', path: '/v1/export/set/90022?format=csv' },
  },
  {
    method: 'POST',
    path: '/v1/bulk/resolve/marketplace',
    lowest: STARTER,
    parameters: { ...INCLUDE, ...PRICES },
    body: { ids: 'array' },
    sample: { path: '/v1/bulk/resolve/marketplace', json: { ids: [900001, 1] } },
    malformed: { path: '/v1/bulk/resolve/marketplace', json: { ids: [1, '2'] }, names: 'ids[1]' },
    golden: {
      name: 'resolve-marketplace',
      path: '/v1/bulk/resolve/marketplace',
      json: { ids: [900401, 1, 900082, 900401] },
    },
  },
  {
    method: 'POST',
    path: '/v1/bulk/resolve/name',
    lowest: STARTER,
    parameters: { ...INCLUDE, ...PRICES },
    body: { items: 'array' },
    sample: { path: '/v1/bulk/resolve/name', json: { items: [{ name: 'Cindle' }] } },
    malformed: {
      path: '/v1/bulk/resolve/name',
      json: { items: [{ name: 'Cindle' }, { game: 'wickerwild' }] },
      names: 'items[1].name',
    },
    golden: {
      name: 'resolve-name',
      path: '/v1/bulk/resolve/name',
      json: {
        items: [
          { name: 'Cindle', set: 'tidepool-parade', printing: 'Normal', ref: 'mine' },
          { name: 'Marginwyrm' },
          { name: 'Nobody at All' },
          { name: 'Cindle', game: 'no-such-game' },
        ],
      },
    },
  },
  {
    method: 'POST',
    path: '/v1/bulk/resolve/csv',
    lowest: STARTER,
    parameters: { game: 'string', format: ['json', 'csv'], ...INCLUDE, ...PRICES },
    body: 'csv',
    answers: ['application/json', 'text/csv'],
    sample: { path: '/v1/bulk/resolve/csv', csv: 'Name\nCindle\n' },
    malformed: { path: '/v1/bulk/resolve/csv?format=pdf', csv: 'Name\nCindle\n', names: 'format' },
    unknown: { path: '/v1/bulk/resolve/csv?game=no-such-game', csv: 'Name\nCindle\n' },
    golden: {
      name: 'resolve-csv',
      path: '/v1/bulk/resolve/csv?game=wickerwild',
      csv: 'Quantity,Name,Set\n2,Cindle,Tidepool Parade\n1,Nobody at All,\n',
    },
  },
  {
    method: 'POST',
    path: '/v1/bulk/resolve/list',
    lowest: STARTER,
    parameters: { game: 'string', format: ['json', 'csv'], ...INCLUDE, ...PRICES },
    body: 'list',
    answers: ['application/json', 'text/csv'],
    sample: { path: '/v1/bulk/resolve/list', list: '4 Cindle TPP 1\n' },
    malformed: { path: '/v1/bulk/resolve/list?format=pdf', list: '4 Cindle\n', names: 'format' },
    unknown: { path: '/v1/bulk/resolve/list?game=no-such-game', list: '4 Cindle\n' },
    golden: {
      name: 'resolve-list',
      path: '/v1/bulk/resolve/list?game=wickerwild',
      list: 'Deck\n4x Cindle [TPP] 1/20\n\nSideboard\n1 Nobody at All\n',
    },
  },
  {
    method: 'GET',
    path: '/v1/bulk-data',
    lowest: FREE,
    parameters: {},
    sample: { path: '/v1/bulk-data' },
    golden: { name: 'bulk-data', path: '/v1/bulk-data' },
  },
  {
    method: 'GET',
    path: '/v1/bulk-data/{version}/{game}/{name}',
    lowest: FREE,
    parameters: FILE_PARAMETERS,
    required: ['version', 'game', 'name'],
    answers: [GZIP],
    file: 'stored',
    sample: { path: '/v1/bulk-data/3/wickerwild/cards.jsonl.gz' },
    malformed: { path: '/v1/bulk-data/v3/wickerwild/cards.jsonl.gz', names: 'version' },
    unknown: { path: '/v1/bulk-data/2/wickerwild/cards.jsonl.gz' },
    golden: { name: 'bulk-data-game', path: '/v1/bulk-data/3/perihelion-drift/prices.jsonl.gz' },
  },
  {
    method: 'GET',
    path: '/v1/bulk-data/{version}/all/{name}',
    lowest: PRO,
    parameters: { version: 'integer', name: 'string' },
    required: ['version', 'name'],
    answers: [GZIP],
    file: 'stored',
    sample: { path: '/v1/bulk-data/3/all/catalog.sqlite.gz' },
    malformed: { path: `/v1/bulk-data/3/all/${'x'.repeat(101)}`, names: 'name' },
    unknown: { path: '/v1/bulk-data/3/all/no-such-file.gz' },
    golden: { name: 'bulk-data-all', path: '/v1/bulk-data/3/all/prices.csv.gz' },
  },
]

/** Rows for test.each: the path first, so that it is in the name of the test. */
export function named(endpoints: readonly Endpoint[] = ENDPOINTS): [string, Endpoint][] {
  return endpoints.map((endpoint) => [endpoint.path, endpoint])
}

/** Endpoints with GET: cacheable, and with HEAD. */
export const GETS = ENDPOINTS.filter(({ method }) => method === 'GET')

export const POSTS = ENDPOINTS.filter(({ method }) => method === 'POST')

/** Endpoints whose prices a request can choose. */
export const PRICED = ENDPOINTS.filter(({ parameters }) => 'currency' in parameters)

/** Endpoints with an enveloped response. */
export const ENVELOPED = ENDPOINTS.filter(({ file }) => file === undefined)

export const KEYED = ENDPOINTS.filter((endpoint) => endpoint.lowest !== undefined)

export const PUBLIC = ENDPOINTS.filter((endpoint) => endpoint.lowest === undefined)

export type AccountEndpoint = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  /** Open to all, or for logged-in users. */
  access: 'open' | 'session'
  /** The lowest tier, where one is needed. */
  lowest?: Tier
  /** Set if the account must be an operator. */
  operator?: true
  /** In the path and in the query. */
  parameters: Record<string, ParameterKind>
  required?: readonly string[]
  /** The members of its body; an endpoint without looks at no body. */
  body?: Record<string, ParameterKind>
  bodyRequired?: readonly string[]
  /** Set if at least one of them is required. */
  needsOne?: true
  status: 200 | 201 | 202
  /** Refusals besides `usualRefusals`. */
  refusals: readonly number[]
  /** Set if it returns a page of a list. */
  paged?: true
  /** Set if it answers a file without the envelope. */
  file?: true
  /** Set if a success deletes the account `pro`. */
  deletesAccount?: true
  /** Succeeds for the account `pro`; `{id}`, `{webhook_id}`, `{delivery_id}` stand for what it has. */
  sample: Call
  /** Each breaks one field, which `names` says. */
  malformed: readonly (Call & { names: string })[]
  /** Set if a valid request hashes a password, about 50 ms. */
  hashes?: true
  golden: string
}

const TOO_LONG = 'x'.repeat(10_000)

const BAD_IDS = ['x'.repeat(101), 'a%00b', '%ff']

/** In dollars: no number, none that is too small or too large, no fraction of a cent. */
const BAD_THRESHOLDS = ['19.99', null, [5], true, 0, -1, 0.001, 19.999, 10_000_000.01, 1e300]

function without(name: keyof typeof WEBHOOK_INPUT): object {
  return Object.fromEntries(Object.entries(WEBHOOK_INPUT).filter(([one]) => one !== name))
}

/**
 * The endpoints of the specification's "Account, keys, usage, billing, webhooks", and the
 * additional ones.
 */
export const ACCOUNT_ENDPOINTS: readonly AccountEndpoint[] = [
  {
    method: 'POST',
    path: '/v1/auth/register',
    access: 'open',
    parameters: {},
    // The specification allows `invitation` in addition.
    body: { email: 'string', password: 'string', invitation: 'string' },
    bodyRequired: ['email', 'password'],
    status: 201,
    refusals: [409, 429],
    sample: {
      path: '/v1/auth/register',
      json: { email: 'new@guests.example', password: PASSWORD },
    },
    malformed: [
      { json: { email: 'nobody', password: PASSWORD }, names: 'email' },
      { json: { email: 'a b@c.example', password: PASSWORD }, names: 'email' },
      { json: { email: 'a\u0000b@c.example', password: PASSWORD }, names: 'email' },
      { json: { email: `${TOO_LONG}@c.example`, password: PASSWORD }, names: 'email' },
      { json: { email: ['a@c.example'], password: PASSWORD }, names: 'email' },
      { json: { password: PASSWORD }, names: 'email' },
      { json: { email: 'a@c.example' }, names: 'password' },
      { json: { email: 'a@c.example', password: null }, names: 'password' },
      { json: { email: 'a@c.example', password: 12345678 }, names: 'password' },
      { json: { email: 'a@c.example', password: 'seven77' }, names: 'password' },
      { json: { email: 'a@c.example', password: TOO_LONG }, names: 'password' },
      { json: { email: 'a@c.example', password: '🃏'.repeat(257) }, names: 'password' },
      { json: { email: 'a@c.example', password: 'half of \ud83c' }, names: 'password' },
    ].map((call) => ({ path: '/v1/auth/register', ...call })),
    hashes: true,
    golden: 'register',
  },
  {
    method: 'POST',
    path: '/v1/auth/setup',
    access: 'open',
    parameters: {},
    body: { token: 'string', email: 'string', password: 'string' },
    bodyRequired: ['token', 'email', 'password'],
    status: 201,
    refusals: [401, 409, 429],
    sample: {
      path: '/v1/auth/setup',
      json: { token: SETUP_TOKEN, email: 'operator@guests.example', password: PASSWORD },
    },
    malformed: [
      { json: { email: 'a@c.example', password: PASSWORD }, names: 'token' },
      { json: { token: 1, email: 'a@c.example', password: PASSWORD }, names: 'token' },
      { json: { token: TOO_LONG, email: 'a@c.example', password: PASSWORD }, names: 'token' },
      { json: { token: SETUP_TOKEN, email: 'nobody', password: PASSWORD }, names: 'email' },
      {
        json: { token: SETUP_TOKEN, email: 'a@c.example', password: 'seven77' },
        names: 'password',
      },
    ].map((call) => ({ path: '/v1/auth/setup', ...call })),
    hashes: true,
    golden: 'setup',
  },
  {
    method: 'POST',
    path: '/v1/auth/login',
    access: 'open',
    parameters: {},
    body: { email: 'string', password: 'string' },
    bodyRequired: ['email', 'password'],
    status: 200,
    refusals: [401, 429],
    sample: { path: '/v1/auth/login', json: { email: emailOf('pro'), password: PASSWORD } },
    malformed: [
      { json: { email: { $ne: '' }, password: PASSWORD }, names: 'email' },
      { json: { email: TOO_LONG, password: PASSWORD }, names: 'email' },
      { json: { password: PASSWORD }, names: 'email' },
      { json: { email: emailOf('pro') }, names: 'password' },
      { json: { email: emailOf('pro'), password: true }, names: 'password' },
      { json: { email: emailOf('pro'), password: TOO_LONG }, names: 'password' },
      { json: { email: emailOf('pro'), password: 'half of \udfff' }, names: 'password' },
    ].map((call) => ({ path: '/v1/auth/login', ...call })),
    hashes: true,
    golden: 'login',
  },
  {
    method: 'POST',
    path: '/v1/auth/logout',
    access: 'open',
    parameters: { all: ['true', 'false'] },
    status: 200,
    refusals: [],
    sample: { path: '/v1/auth/logout' },
    malformed: [
      { path: '/v1/auth/logout?all=1', names: 'all' },
      { path: '/v1/auth/logout?all=true&all=true', names: 'all' },
    ],
    golden: 'logout',
  },
  {
    method: 'GET',
    path: '/v1/auth/me',
    access: 'session',
    parameters: {},
    status: 200,
    refusals: [],
    sample: { path: '/v1/auth/me' },
    malformed: [],
    golden: 'me',
  },
  {
    method: 'POST',
    path: '/v1/auth/password',
    access: 'session',
    parameters: {},
    body: { current_password: 'string', new_password: 'string' },
    bodyRequired: ['current_password', 'new_password'],
    status: 200,
    refusals: [429],
    sample: {
      path: '/v1/auth/password',
      json: { current_password: PASSWORD, new_password: 'another of them' },
    },
    malformed: [
      { json: { new_password: 'another of them' }, names: 'current_password' },
      { json: { current_password: 8, new_password: 'another of them' }, names: 'current_password' },
      { json: { current_password: PASSWORD }, names: 'new_password' },
      { json: { current_password: PASSWORD, new_password: [] }, names: 'new_password' },
      { json: { current_password: PASSWORD, new_password: 'seven77' }, names: 'new_password' },
      { json: { current_password: PASSWORD, new_password: TOO_LONG }, names: 'new_password' },
      {
        json: { current_password: PASSWORD, new_password: 'half of \ud83c' },
        names: 'new_password',
      },
      {
        json: { current_password: PASSWORD, new_password: '🃏'.repeat(257) },
        names: 'new_password',
      },
    ].map((call) => ({ path: '/v1/auth/password', ...call })),
    hashes: true,
    golden: 'password',
  },
  {
    method: 'GET',
    path: '/v1/auth/export',
    access: 'session',
    parameters: {},
    status: 200,
    refusals: [],
    file: true,
    sample: { path: '/v1/auth/export' },
    malformed: [],
    golden: 'account-export',
  },
  {
    method: 'POST',
    path: '/v1/auth/delete',
    access: 'session',
    parameters: {},
    body: { email: 'string', password: 'string' },
    bodyRequired: ['email'],
    status: 200,
    refusals: [403, 429],
    sample: { path: '/v1/auth/delete', json: { email: emailOf('pro'), password: PASSWORD } },
    malformed: [
      { json: { password: PASSWORD }, names: 'email' },
      { json: { email: null, password: PASSWORD }, names: 'email' },
      { json: { email: TOO_LONG, password: PASSWORD }, names: 'email' },
      { json: { email: emailOf('pro'), password: TOO_LONG }, names: 'password' },
      { json: { email: emailOf('pro'), password: 7 }, names: 'password' },
    ].map((call) => ({ path: '/v1/auth/delete', ...call })),
    hashes: true,
    deletesAccount: true,
    golden: 'deleted-account',
  },
  {
    method: 'POST',
    path: '/v1/auth/reset',
    access: 'open',
    parameters: {},
    body: { email: 'string' },
    bodyRequired: ['email'],
    status: 202,
    refusals: [404, 429],
    sample: { path: '/v1/auth/reset', json: { email: emailOf('pro') } },
    malformed: [{ email: 'nobody' }, { email: null }, {}].map((json) => ({
      path: '/v1/auth/reset',
      json,
      names: 'email',
    })),
    golden: 'reset-request',
  },
  {
    method: 'POST',
    path: '/v1/auth/confirmation',
    access: 'open',
    parameters: {},
    body: { email: 'string' },
    bodyRequired: ['email'],
    status: 202,
    refusals: [404, 429],
    sample: { path: '/v1/auth/confirmation', json: { email: emailOf('pro') } },
    malformed: [{ email: 'nobody' }, { email: null }, {}].map((json) => ({
      path: '/v1/auth/confirmation',
      json,
      names: 'email',
    })),
    golden: 'confirmation-request',
  },
  {
    method: 'POST',
    path: '/v1/auth/reset/password',
    access: 'open',
    parameters: {},
    body: { token: 'string', new_password: 'string' },
    bodyRequired: ['token', 'new_password'],
    status: 200,
    refusals: [404],
    sample: {
      path: '/v1/auth/reset/password',
      json: { token: '{reset_token}', new_password: 'another of them' },
    },
    malformed: [
      { json: { token: 'x', new_password: 'seven77' }, names: 'new_password' },
      { json: { token: 1, new_password: 'another of them' }, names: 'token' },
      { json: { new_password: 'another of them' }, names: 'token' },
    ].map((call) => ({ path: '/v1/auth/reset/password', ...call })),
    hashes: true,
    golden: 'reset-password',
  },
  {
    method: 'POST',
    path: '/v1/auth/confirm',
    access: 'open',
    parameters: {},
    body: { token: 'string' },
    bodyRequired: ['token'],
    status: 200,
    refusals: [404],
    sample: { path: '/v1/auth/confirm', json: { token: '{confirm_token}' } },
    malformed: [{}, { token: null }, { token: '' }].map((json) => ({
      path: '/v1/auth/confirm',
      json,
      names: 'token',
    })),
    golden: 'confirmed-email',
  },
  {
    method: 'POST',
    path: '/v1/auth/provider',
    access: 'open',
    parameters: {},
    body: { link: 'boolean' },
    status: 200,
    refusals: [401, 404],
    sample: { path: '/v1/auth/provider', json: {} },
    malformed: [1, 'yes', null].map((link) => ({
      path: '/v1/auth/provider',
      json: { link },
      names: 'link',
    })),
    golden: 'provider-login',
  },
  {
    method: 'DELETE',
    path: '/v1/auth/provider',
    access: 'session',
    parameters: {},
    status: 200,
    refusals: [409],
    sample: { path: '/v1/auth/provider' },
    malformed: [],
    golden: 'unlinked-provider',
  },
  {
    method: 'DELETE',
    path: '/v1/auth/sessions/{session_id}',
    access: 'session',
    parameters: { session_id: 'string' },
    required: ['session_id'],
    status: 200,
    refusals: [404],
    sample: { path: '/v1/auth/sessions/{session_id}' },
    malformed: BAD_IDS.map((id) => ({ path: `/v1/auth/sessions/${id}`, names: 'session_id' })),
    golden: 'ended-session',
  },
  {
    method: 'DELETE',
    path: '/v1/auth/sessions',
    access: 'session',
    parameters: {},
    status: 200,
    refusals: [],
    sample: { path: '/v1/auth/sessions' },
    malformed: [],
    golden: 'ended-sessions',
  },
  {
    method: 'GET',
    path: '/v1/keys',
    access: 'session',
    parameters: { page: 'integer', per_page: 'integer' },
    status: 200,
    refusals: [],
    sample: { path: '/v1/keys' },
    malformed: [{ path: '/v1/keys?per_page=0', names: 'per_page' }],
    golden: 'keys',
  },
  {
    method: 'POST',
    path: '/v1/keys',
    access: 'session',
    parameters: {},
    body: { name: 'string' },
    status: 201,
    refusals: [409],
    sample: { path: '/v1/keys', json: { name: 'Shop window' } },
    malformed: [
      { path: '/v1/keys', json: { name: '' }, names: 'name' },
      { path: '/v1/keys', json: { name: null }, names: 'name' },
      { path: '/v1/keys', json: { name: 7 }, names: 'name' },
      { path: '/v1/keys', json: { name: 'a\u0000b' }, names: 'name' },
      { path: '/v1/keys', json: { name: 'a\nb' }, names: 'name' },
      { path: '/v1/keys', json: { name: 'half of \udc00' }, names: 'name' },
      { path: '/v1/keys', json: { name: 'x'.repeat(101) }, names: 'name' },
    ],
    golden: 'new-key',
  },
  {
    method: 'DELETE',
    path: '/v1/keys/{id}',
    access: 'session',
    parameters: { id: 'string' },
    required: ['id'],
    status: 200,
    refusals: [404],
    sample: { path: '/v1/keys/{id}' },
    malformed: [
      { path: `/v1/keys/${'x'.repeat(101)}`, names: 'id' },
      { path: '/v1/keys/a%00b', names: 'id' },
      { path: '/v1/keys/%ff', names: 'id' },
    ],
    golden: 'deleted-key',
  },
  {
    method: 'GET',
    path: '/v1/usage',
    access: 'session',
    parameters: {},
    status: 200,
    refusals: [],
    sample: { path: '/v1/usage' },
    malformed: [],
    golden: 'usage',
  },
  {
    method: 'GET',
    path: '/v1/plans',
    access: 'open',
    parameters: {},
    status: 200,
    refusals: [],
    sample: { path: '/v1/plans' },
    malformed: [],
    golden: 'plans',
  },
  {
    method: 'POST',
    path: '/v1/payments/create-checkout',
    access: 'session',
    parameters: {},
    body: { plan: BILLABLE_ITEMS },
    bodyRequired: ['plan'],
    status: 200,
    refusals: [404, 429],
    sample: { path: '/v1/payments/create-checkout', json: { plan: 'business' } },
    malformed: [
      {},
      { plan: '' },
      { plan: 'free' },
      { plan: 'Pro' },
      { plan: ['pro'] },
      { plan: 'scans_1' },
      { plan: null },
    ].map((json) => ({ path: '/v1/payments/create-checkout', json, names: 'plan' })),
    golden: 'create-checkout',
  },
  {
    method: 'POST',
    path: '/v1/payments/portal',
    access: 'session',
    parameters: {},
    status: 200,
    refusals: [404],
    sample: { path: '/v1/payments/portal' },
    malformed: [],
    golden: 'portal',
  },
  {
    method: 'POST',
    path: '/v1/webhooks',
    access: 'session',
    lowest: 'pro',
    parameters: {},
    body: {
      url: 'string',
      card_id: 'integer',
      condition: ALERT_CONDITIONS,
      threshold: 'number',
      printing: 'string',
      min_confidence: ['high', 'medium', 'low'],
      currency: 'string',
      source: 'string',
    },
    bodyRequired: ['url', 'card_id', 'condition', 'threshold'],
    status: 201,
    refusals: [404, 409],
    sample: { path: '/v1/webhooks', json: WEBHOOK_INPUT },
    malformed: [
      { json: without('url'), names: 'url' },
      { json: { ...WEBHOOK_INPUT, url: 7 }, names: 'url' },
      { json: { ...WEBHOOK_INPUT, url: null }, names: 'url' },
      { json: { ...WEBHOOK_INPUT, url: '' }, names: 'url' },
      { json: { ...WEBHOOK_INPUT, url: `https://shop.example/${TOO_LONG}` }, names: 'url' },
      { json: without('card_id'), names: 'card_id' },
      { json: { ...WEBHOOK_INPUT, card_id: '900401' }, names: 'card_id' },
      { json: { ...WEBHOOK_INPUT, card_id: 0 }, names: 'card_id' },
      { json: { ...WEBHOOK_INPUT, card_id: 1.5 }, names: 'card_id' },
      { json: { ...WEBHOOK_INPUT, card_id: 2 ** 53 }, names: 'card_id' },
      { json: without('condition'), names: 'condition' },
      { json: { ...WEBHOOK_INPUT, min_confidence: 'certain' }, names: 'min_confidence' },
      { json: { ...WEBHOOK_INPUT, condition: 'equal' }, names: 'condition' },
      { json: { ...WEBHOOK_INPUT, condition: 'Above' }, names: 'condition' },
      { json: { ...WEBHOOK_INPUT, condition: ['above'] }, names: 'condition' },
      ...BAD_THRESHOLDS.map((threshold) => {
        return { json: { ...WEBHOOK_INPUT, threshold }, names: 'threshold' }
      }),
      { json: without('threshold'), names: 'threshold' },
      { json: { ...WEBHOOK_INPUT, printing: '' }, names: 'printing' },
      { json: { ...WEBHOOK_INPUT, printing: null }, names: 'printing' },
      { json: { ...WEBHOOK_INPUT, printing: 'a\u0000b' }, names: 'printing' },
      { json: { ...WEBHOOK_INPUT, printing: 'Gold' }, names: 'printing' },
      { json: { ...WEBHOOK_INPUT, printing: 'normal' }, names: 'printing' },
    ].map((call) => ({ path: '/v1/webhooks', ...call })),
    golden: 'new-webhook',
  },
  {
    method: 'GET',
    path: '/v1/webhooks',
    access: 'session',
    parameters: { page: 'integer', per_page: 'integer' },
    status: 200,
    refusals: [],
    sample: { path: '/v1/webhooks' },
    malformed: [{ path: '/v1/webhooks?per_page=0', names: 'per_page' }],
    golden: 'webhooks',
  },
  {
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}',
    access: 'session',
    parameters: { webhook_id: 'string' },
    required: ['webhook_id'],
    status: 200,
    refusals: [404],
    sample: { path: '/v1/webhooks/{webhook_id}' },
    malformed: BAD_IDS.map((id) => ({ path: `/v1/webhooks/${id}`, names: 'webhook_id' })),
    golden: 'webhook',
  },
  {
    method: 'PATCH',
    path: '/v1/webhooks/{webhook_id}',
    access: 'session',
    parameters: { webhook_id: 'string' },
    required: ['webhook_id'],
    body: {
      url: 'string',
      threshold: 'number',
      min_confidence: ['high', 'medium', 'low'],
      paused: 'boolean',
      rotate_secret: ['true'],
    },
    needsOne: true,
    status: 200,
    refusals: [404],
    sample: {
      path: '/v1/webhooks/{webhook_id}',
      json: { threshold: 25, paused: true, rotate_secret: true },
    },
    malformed: [
      ...BAD_IDS.map((id) => {
        return { path: `/v1/webhooks/${id}`, json: { paused: true }, names: 'webhook_id' }
      }),
      ...[
        { json: {}, names: 'rotate_secret' },
        { json: { nothing: true }, names: 'paused' },
        { json: { url: '' }, names: 'url' },
        { json: { url: null }, names: 'url' },
        { json: { url: `https://shop.example/${TOO_LONG}` }, names: 'url' },
        ...BAD_THRESHOLDS.map((threshold) => ({ json: { threshold }, names: 'threshold' })),
        { json: { paused: 'true' }, names: 'paused' },
        { json: { paused: null }, names: 'paused' },
        { json: { paused: 1 }, names: 'paused' },
        { json: { rotate_secret: false }, names: 'rotate_secret' },
        { json: { rotate_secret: 'true' }, names: 'rotate_secret' },
        { json: { paused: true, rotate_secret: 1 }, names: 'rotate_secret' },
      ].map((call) => ({ path: '/v1/webhooks/{webhook_id}', ...call })),
    ],
    golden: 'changed-webhook',
  },
  {
    method: 'DELETE',
    path: '/v1/webhooks/{webhook_id}',
    access: 'session',
    parameters: { webhook_id: 'string' },
    required: ['webhook_id'],
    status: 200,
    refusals: [404],
    sample: { path: '/v1/webhooks/{webhook_id}' },
    malformed: BAD_IDS.map((id) => ({ path: `/v1/webhooks/${id}`, names: 'webhook_id' })),
    golden: 'deleted-webhook',
  },
  {
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}/deliveries',
    access: 'session',
    parameters: { webhook_id: 'string', ...PAGING },
    required: ['webhook_id'],
    status: 200,
    refusals: [404],
    paged: true,
    sample: { path: '/v1/webhooks/{webhook_id}/deliveries' },
    malformed: [
      { path: '/v1/webhooks/{webhook_id}/deliveries?page=0', names: 'page' },
      { path: '/v1/webhooks/{webhook_id}/deliveries?per_page=all', names: 'per_page' },
      { path: '/v1/webhooks/{webhook_id}/deliveries?page=1&page=2', names: 'page' },
      ...BAD_IDS.map((id) => ({ path: `/v1/webhooks/${id}/deliveries`, names: 'webhook_id' })),
    ],
    golden: 'deliveries',
  },
  {
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/test',
    access: 'session',
    lowest: 'pro',
    parameters: { webhook_id: 'string' },
    required: ['webhook_id'],
    status: 200,
    refusals: [404, 429],
    sample: { path: '/v1/webhooks/{webhook_id}/test' },
    malformed: BAD_IDS.map((id) => ({ path: `/v1/webhooks/${id}/test`, names: 'webhook_id' })),
    golden: 'test-webhook',
  },
  {
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/redeliver/{delivery_id}',
    access: 'session',
    lowest: 'pro',
    parameters: { webhook_id: 'string', delivery_id: 'string' },
    required: ['webhook_id', 'delivery_id'],
    status: 200,
    refusals: [404, 409, 429],
    sample: { path: '/v1/webhooks/{webhook_id}/redeliver/{delivery_id}' },
    malformed: BAD_IDS.map((id) => {
      return { path: `/v1/webhooks/{webhook_id}/redeliver/${id}`, names: 'delivery_id' }
    }),
    golden: 'redelivery',
  },
  {
    method: 'GET',
    path: '/v1/shared/{token}',
    access: 'open',
    parameters: {
      token: 'string',
      sort: ['added_desc', 'added_asc', 'name', 'value_desc', 'value_asc'],
      ...PAGING,
      currency: 'string',
    },
    required: ['token'],
    status: 200,
    refusals: [404],
    sample: { path: '/v1/shared/{token}' },
    malformed: [
      ...BAD_IDS.map((token) => ({ path: `/v1/shared/${token}`, names: 'token' })),
      { path: '/v1/shared/{token}?sort=price_paid', names: 'sort' },
      { path: '/v1/shared/{token}?page=0', names: 'page' },
      { path: '/v1/shared/{token}?currency=XAU', names: 'currency' },
    ],
    golden: 'shared-collection',
  },
  ...(['unsubscribe', 'confirm'] as const).map(
    (name): AccountEndpoint => ({
      method: 'POST',
      path: `/v1/${name}/{${name}_token}`,
      access: 'open',
      parameters: { [`${name}_token`]: 'string' },
      required: [`${name}_token`],
      status: 200,
      refusals: [404],
      sample: { path: `/v1/${name}/{${name}_token}` },
      malformed: BAD_IDS.map((token) => ({
        path: `/v1/${name}/${token}`,
        names: `${name}_token`,
      })),
      golden: `${name}-channel`,
    }),
  ),
  {
    method: 'GET',
    path: '/v1/operator/status',
    access: 'session',
    operator: true,
    parameters: {},
    status: 200,
    refusals: [],
    sample: { path: '/v1/operator/status' },
    malformed: [],
    golden: 'operator-status',
  },
  {
    method: 'POST',
    path: '/v1/operator/sync',
    access: 'session',
    operator: true,
    parameters: {},
    body: { game: 'string', force: 'boolean' },
    status: 202,
    refusals: [404, 409],
    sample: { path: '/v1/operator/sync', json: { game: 'wickerwild', force: true } },
    malformed: [
      { json: { game: '' }, names: 'game' },
      { json: { game: null }, names: 'game' },
      { json: { game: 9001 }, names: 'game' },
      { json: { game: 'a\u0000b' }, names: 'game' },
      { json: { game: TOO_LONG }, names: 'game' },
      { json: { force: 'true' }, names: 'force' },
      { json: { force: null }, names: 'force' },
      { json: { game: 'wickerwild', force: 1 }, names: 'force' },
    ].map((call) => ({ path: '/v1/operator/sync', ...call })),
    golden: 'operator-sync',
  },
  {
    method: 'GET',
    path: '/v1/operator/settings',
    access: 'session',
    operator: true,
    parameters: {},
    status: 200,
    refusals: [],
    sample: { path: '/v1/operator/settings' },
    malformed: [],
    golden: 'operator-settings',
  },
  {
    method: 'POST',
    path: '/v1/operator/settings',
    access: 'session',
    operator: true,
    parameters: {},
    body: {
      mode: ['private', 'community', 'business'],
      mirror: 'string',
      remove_sample: 'boolean',
      index_pictures: 'boolean',
      exchange_rates: 'boolean',
      finish: 'boolean',
    },
    status: 200,
    refusals: [409],
    sample: { path: '/v1/operator/settings', json: { mode: 'business', index_pictures: true } },
    malformed: [
      { json: { mode: 'public' }, names: 'mode' },
      { json: { mode: null }, names: 'mode' },
      { json: { mirror: 1 }, names: 'mirror' },
      { json: { mirror: 'file:///etc' }, names: 'mirror' },
      { json: { mirror: 'mirror' }, names: 'mirror' },
      { json: { mirror: `https://${TOO_LONG}` }, names: 'mirror' },
      { json: { remove_sample: 'yes' }, names: 'remove_sample' },
      { json: { index_pictures: 1 }, names: 'index_pictures' },
      { json: { exchange_rates: 'on' }, names: 'exchange_rates' },
      { json: { finish: 1 }, names: 'finish' },
    ].map((call) => ({ path: '/v1/operator/settings', ...call })),
    golden: 'changed-settings',
  },
]

/** An endpoint of the specification's "Photo identification". */
export type ScanEndpoint = {
  method: 'GET' | 'POST'
  path: string
  access: 'key' | 'key or session'
  /** In the path and in the query. */
  parameters: Record<string, ParameterKind>
  required?: readonly string[]
  /** The members of its body, be it JSON or a form; an endpoint without looks at no body. */
  body?: Record<string, ParameterKind>
  /** Set if its body is a photo, in any of three formats. */
  takesPhoto?: true
  /** Refusals besides 400, 401, 500 and 503. */
  refusals: readonly number[]
  /** Succeeds; `{id}` stands for an identification of the caller's. */
  sample: Call
  /** Each breaks one field, which `names` says. */
  malformed: readonly (Call & { names: string })[]
  golden: string
}

const IMAGE = PHOTO.jpeg.toBase64()

export const SCAN_ENDPOINTS: readonly ScanEndpoint[] = [
  {
    method: 'POST',
    path: '/v1/identify',
    access: 'key',
    parameters: {
      game: 'string',
      include: ['prices', 'confidence', 'prices,confidence'],
      ...PRICES,
    },
    body: {
      image: 'string',
      game: 'string',
      include: ['prices', 'confidence', 'prices,confidence'],
      ...PRICES,
    },
    takesPhoto: true,
    refusals: [402, 403, 429],
    sample: { path: '/v1/identify?include=prices', json: { image: IMAGE } },
    malformed: [
      { path: '/v1/identify?include=history', names: 'include' },
      { path: '/v1/identify?include=prices&include=prices', names: 'include' },
      { path: `/v1/identify?game=${TOO_LONG}`, names: 'game' },
      { path: '/v1/identify?game=a%00b', names: 'game' },
    ].map((call) => ({ ...call, json: { image: IMAGE } })),
    golden: 'identify',
  },
  {
    method: 'POST',
    path: '/v1/identify/page',
    access: 'key or session',
    parameters: {
      game: 'string',
      include: ['prices', 'confidence', 'prices,confidence'],
      ...PRICES,
      max_scans: 'integer',
    },
    body: {
      image: 'string',
      game: 'string',
      include: ['prices', 'confidence', 'prices,confidence'],
      ...PRICES,
      max_scans: 'integer',
    },
    takesPhoto: true,
    refusals: [402, 403, 429],
    sample: { path: '/v1/identify/page?max_scans=9', json: { image: IMAGE } },
    malformed: [
      { path: '/v1/identify/page?max_scans=0', names: 'max_scans' },
      { path: '/v1/identify/page?include=history', names: 'include' },
      { path: `/v1/identify/page?game=${TOO_LONG}`, names: 'game' },
    ].map((call) => ({ ...call, json: { image: IMAGE } })),
    golden: 'identify-page',
  },
  {
    method: 'GET',
    path: '/v1/identify/usage',
    access: 'key or session',
    parameters: {},
    refusals: [],
    sample: { path: '/v1/identify/usage' },
    malformed: [],
    golden: 'identify-usage',
  },
  {
    method: 'GET',
    path: '/v1/identify/{id}',
    access: 'key or session',
    parameters: { id: 'string' },
    required: ['id'],
    refusals: [404],
    sample: { path: '/v1/identify/{id}' },
    malformed: [
      { path: `/v1/identify/${'x'.repeat(101)}`, names: 'id' },
      { path: '/v1/identify/a%00b', names: 'id' },
    ],
    golden: 'identification',
  },
  {
    method: 'POST',
    path: '/v1/identify/{id}/feedback',
    access: 'key or session',
    parameters: { id: 'string' },
    required: ['id'],
    body: { card_id: ['integer', 'null'] },
    refusals: [403, 404, 413, 415],
    sample: { path: '/v1/identify/{id}/feedback', json: { card_id: 900402 } },
    malformed: [{}, { card_id: 0 }, { card_id: 1.5 }, { card_id: '900402' }].map((json) => ({
      path: '/v1/identify/{id}/feedback',
      json,
      names: 'card_id',
    })),
    golden: 'feedback',
  },
]

/** Refusals of every account endpoint. */
export function usualRefusals({ method, access, operator, body }: AccountEndpoint): number[] {
  return [
    400,
    ...(access === 'session' ? [401] : []),
    ...(method === 'GET' && !operator ? [] : [403]),
    ...(body === undefined ? [] : [413, 415]),
    500,
    503,
  ]
}

/** Rows for test.each: method and path first. */
export function namedAccount(
  endpoints: readonly AccountEndpoint[] = ACCOUNT_ENDPOINTS,
): [string, AccountEndpoint][] {
  return endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint])
}

export const SESSIONED = ACCOUNT_ENDPOINTS.filter(({ access }) => access === 'session')

/** Endpoints for some tiers only. */
export const TIERED = SESSIONED.filter(({ lowest }) => lowest !== undefined)

/** Endpoints for operators only. */
export const OPERATED = SESSIONED.filter(({ operator }) => operator)

/** Endpoints that change data: pages of other origins must not reach them. */
export const CHANGING = ACCOUNT_ENDPOINTS.filter(({ method }) => method !== 'GET')

/** Rows for test.each: method and path first. */
export function namedScan(
  endpoints: readonly ScanEndpoint[] = SCAN_ENDPOINTS,
): [string, ScanEndpoint][] {
  return endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint])
}
