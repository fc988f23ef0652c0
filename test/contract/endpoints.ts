import type { AccessPolicy, Tier } from '#rules/tiers.ts'

/** What a parameter is: its JSON type, or the words that it may be. */
export type ParameterKind = 'integer' | 'number' | 'string' | readonly string[]

export type Endpoint = {
  method: 'GET'
  /** As the specification writes it. */
  path: string
  /** Undefined: open to all. Else the lowest tier by each of the two descriptions. */
  lowest: Record<AccessPolicy, Tier> | undefined
  parameters: Record<string, ParameterKind>
  required?: readonly string[]
  /** Answers 200 in the sample catalog. */
  sample: string
  /** Breaks one parameter, which `names` says; an endpoint without parameters has none. */
  malformed?: { path: string; names: string }
  /** Well formed, but asks for something that is not there. */
  unknown?: string
  /** Asked for the golden body: small, and telling. */
  golden: { name: string; path: string; as?: Tier }
}

const FREE = { 'five-tier': 'free', strict: 'free' } as const
const PAGING = { page: 'integer', per_page: 'integer' } as const
const PRODUCT_TYPES = ['Cards', 'Sealed Products'] as const

/** The endpoints of the specification's "Catalog and prices", and how fresh the data is. */
export const ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/v1/games',
    lowest: undefined,
    parameters: PAGING,
    sample: '/v1/games',
    malformed: { path: '/v1/games?page=0', names: 'page' },
    golden: { name: 'games', path: '/v1/games?per_page=2' },
  },
  {
    method: 'GET',
    path: '/v1/games/{slug}',
    lowest: undefined,
    parameters: { slug: 'string' },
    required: ['slug'],
    sample: '/v1/games/wickerwild',
    malformed: { path: `/v1/games/${'x'.repeat(101)}`, names: 'slug' },
    unknown: '/v1/games/no-such-game',
    golden: { name: 'game', path: '/v1/games/9002' },
  },
  {
    method: 'GET',
    path: '/v1/games/{slug}/sets',
    lowest: undefined,
    parameters: { slug: 'string', ...PAGING },
    required: ['slug'],
    sample: '/v1/games/wickerwild/sets',
    malformed: { path: '/v1/games/wickerwild/sets?per_page=many', names: 'per_page' },
    unknown: '/v1/games/no-such-game/sets',
    golden: { name: 'game-sets', path: '/v1/games/wickerwild/sets' },
  },
  {
    method: 'GET',
    path: '/v1/sets',
    lowest: FREE,
    parameters: { game: 'string', ...PAGING },
    sample: '/v1/sets?game=vellum-and-thorn',
    malformed: { path: '/v1/sets?page=1.5', names: 'page' },
    unknown: '/v1/sets?game=no-such-game',
    golden: { name: 'sets', path: '/v1/sets?page=2&per_page=2' },
  },
  {
    method: 'GET',
    path: '/v1/sets/{id}',
    lowest: FREE,
    parameters: { id: 'integer' },
    required: ['id'],
    sample: '/v1/sets/90021',
    malformed: { path: '/v1/sets/lantern-season', names: 'id' },
    unknown: '/v1/sets/1',
    golden: { name: 'set', path: '/v1/sets/90012' },
  },
  {
    method: 'GET',
    path: '/v1/sets/{id}/cards',
    lowest: FREE,
    parameters: { id: 'integer', type: PRODUCT_TYPES, ...PAGING },
    required: ['id'],
    sample: '/v1/sets/90021/cards?per_page=5',
    malformed: { path: '/v1/sets/90021/cards?page=-1', names: 'page' },
    unknown: '/v1/sets/1/cards',
    golden: { name: 'set-cards', path: '/v1/sets/90012/cards?page=11&per_page=2' },
  },
  {
    method: 'GET',
    path: '/v1/sets/{id}/prices',
    lowest: { 'five-tier': 'starter', strict: 'pro' },
    parameters: { id: 'integer', type: PRODUCT_TYPES },
    required: ['id'],
    sample: '/v1/sets/90022/prices',
    malformed: { path: '/v1/sets/0/prices', names: 'id' },
    unknown: '/v1/sets/1/prices',
    golden: { name: 'set-prices', path: '/v1/sets/90022/prices' },
  },
  {
    method: 'GET',
    path: '/v1/cards/{id}',
    lowest: FREE,
    parameters: { id: 'integer' },
    required: ['id'],
    sample: '/v1/cards/900003',
    malformed: { path: '/v1/cards/1e3', names: 'id' },
    unknown: '/v1/cards/1',
    golden: { name: 'card', path: '/v1/cards/900003' },
  },
  {
    method: 'GET',
    path: '/v1/cards/marketplace/{marketplace_id}',
    lowest: FREE,
    parameters: { marketplace_id: 'integer' },
    required: ['marketplace_id'],
    sample: '/v1/cards/marketplace/900401',
    malformed: { path: '/v1/cards/marketplace/0x1', names: 'marketplace_id' },
    unknown: '/v1/cards/marketplace/1',
    golden: { name: 'card-by-marketplace', path: '/v1/cards/marketplace/900402' },
  },
  {
    method: 'GET',
    path: '/v1/cards/{id}/prices',
    lowest: FREE,
    parameters: { id: 'integer', printing: 'string' },
    required: ['id'],
    sample: '/v1/cards/900401/prices',
    malformed: { path: '/v1/cards/900401/prices?printing=', names: 'printing' },
    unknown: '/v1/cards/1/prices',
    golden: { name: 'card-prices', path: '/v1/cards/900401/prices' },
  },
  {
    method: 'GET',
    path: '/v1/cards/{id}/history',
    lowest: { 'five-tier': 'hobby', strict: 'pro' },
    parameters: { id: 'integer', range: ['month', 'quarter', 'year', 'all'], printing: 'string' },
    required: ['id'],
    sample: '/v1/cards/900401/history?range=quarter',
    malformed: { path: '/v1/cards/900401/history?range=week', names: 'range' },
    unknown: '/v1/cards/1/history',
    golden: { name: 'card-history', path: '/v1/cards/900401/history?range=all', as: 'hobby' },
  },
  {
    method: 'GET',
    path: '/v1/cards/{id}/history/detailed',
    lowest: { 'five-tier': 'pro', strict: 'business' },
    parameters: { id: 'integer', printing: 'string' },
    required: ['id'],
    sample: '/v1/cards/900401/history/detailed',
    malformed: { path: '/v1/cards/900401/history/detailed?printing=%00', names: 'printing' },
    unknown: '/v1/cards/1/history/detailed',
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
      min_price: 'number',
      max_price: 'number',
      sort: ['relevance', 'price_asc', 'price_desc', 'name'],
      type: PRODUCT_TYPES,
      ...PAGING,
    },
    required: ['q'],
    sample: '/v1/search?q=marigold&game=perihelion-drift&sort=price_desc&type=Cards',
    malformed: { path: '/v1/search?q=a', names: 'q' },
    unknown: '/v1/search?q=marigold&game=no-such-game',
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
      limit: 'integer',
    },
    sample: '/v1/prices/top-movers?game=vellum-and-thorn&period=7d',
    malformed: { path: '/v1/prices/top-movers?limit=51', names: 'limit' },
    unknown: '/v1/prices/top-movers?game=no-such-game',
    golden: { name: 'top-movers', path: '/v1/prices/top-movers?limit=3' },
  },
  {
    method: 'GET',
    path: '/v1/meta',
    lowest: undefined,
    parameters: {},
    sample: '/v1/meta',
    golden: { name: 'meta', path: '/v1/meta' },
  },
]

/** Rows for test.each: the path first, so that it is in the name of the test. */
export function named(endpoints: readonly Endpoint[] = ENDPOINTS): [string, Endpoint][] {
  return endpoints.map((endpoint) => [endpoint.path, endpoint])
}

export const KEYED = ENDPOINTS.filter((endpoint) => endpoint.lowest !== undefined)

export const PUBLIC = ENDPOINTS.filter((endpoint) => endpoint.lowest === undefined)
