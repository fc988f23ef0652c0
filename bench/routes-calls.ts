import { openDatabase } from '#store/db.ts'
import { createNameSampler, NAME_SPELLINGS } from './bulk-requests.ts'
import type { BenchData } from './data.ts'
import type { LargeAccount } from './routes-account.ts'

/** A request to a route with the largest input that its limits allow. */
export type RouteCall = {
  /** Method and path as the API document has them, and what distinguishes calls of one route. */
  name: string
  send(url: string, at: number): Promise<Response>
}

/** Lists a call of each route that does more than reading or writing some rows. */
export function listCalls(data: BenchData, account: LargeAccount): RouteCall[] {
  const { largestSet, game } = readCatalog(data.catalogFile)
  const names = createNameSampler(data)
  const ids = (count: number, at: number) =>
    Array.from(
      { length: count },
      (_, index) => data.cardIds[(at * count + index) % data.cardIds.length],
    )
  const { collection, scanSession, token, item } = account
  /** Requests for the catalog use many accounts, because their quotas would end within seconds. */
  const credentialsFor = (
    path: string,
    at: number,
    as: 'key' | 'session' = 'key',
  ): Record<string, string> =>
    as === 'session'
      ? { cookie: `session=${account.session}` }
      : { 'x-api-key': OWNED.test(path) ? account.key : (data.keys[at % data.keys.length] ?? '') }
  const get = (
    name: string,
    path: (at: number) => string,
    as: 'key' | 'session' = 'key',
  ): RouteCall => ({
    name: `GET ${name}`,
    send: (url, at) => fetch(url + path(at), { headers: credentialsFor(path(at), at, as) }),
  })
  const post = (
    name: string,
    path: string,
    body: (at: number) => BodyInit,
    type = 'application/json',
  ): RouteCall => ({
    name: `POST ${name}`,
    send: (url, at) =>
      fetch(url + path, {
        method: 'POST',
        headers: { ...credentialsFor(path, at), 'content-type': type },
        body: body(at),
      }),
  })
  const deep = 1 + Math.floor(250_000 / 100 / 2)
  const items = `/v1/collections/${collection}/items`
  const hostile = (at: number) =>
    Array.from({ length: 1_000 }, (_, line) => `7 Dragon (abc) ${at + line}/49 [wxyz] *F*`)
  return [
    get('/v1/games', () => '/v1/games?per_page=100'),
    get('/v1/games/{slug}/sets', () => `/v1/games/${game}/sets?per_page=100`),
    get('/v1/sets', (at) => `/v1/sets?per_page=100&page=${1 + (at % 10)}`),
    get('/v1/sets, search', (at) => `/v1/sets?q=${'abcdefgh'[at % 8]}&per_page=100`),
    get(
      '/v1/sets/{id}/cards',
      (at) => `/v1/sets/${largestSet}/cards?sort=price_desc&per_page=100&page=${1 + (at % 5)}`,
    ),
    get('/v1/sets/{id}/prices', () => `/v1/sets/${largestSet}/prices`),
    get('/v1/sets/{id}/summary', () => `/v1/sets/${largestSet}/summary`),
    get('/v1/sets/{id}/history', () => `/v1/sets/${largestSet}/history?range=all`),
    get('/v1/export/set/{id}', () => `/v1/export/set/${largestSet}?format=csv`),
    get('/v1/export/set/{id}, JSON', () => `/v1/export/set/${largestSet}?format=json`),
    get('/v1/cards/{id}', (at) => `/v1/cards/${ids(1, at)}`),
    get('/v1/cards/{id}/reprints', (at) => `/v1/cards/${ids(1, at)}/reprints`),
    get(
      '/v1/cards/{id}/history/detailed',
      (at) => `/v1/cards/${ids(1, at)}/history/detailed?range=all`,
    ),
    get(
      '/v1/search',
      (at) => `/v1/search?q=${data.queries[at % data.queries.length]}&per_page=100`,
    ),
    get(
      '/v1/search, deep',
      (at) => `/v1/search?q=${'aeioust'[at % 7]}&sort=price_desc&per_page=100&page=${100 + at}`,
    ),
    get(
      '/v1/search, misspelt',
      (at) =>
        `/v1/search?q=${encodeURIComponent(names.draw(1, at, NAME_SPELLINGS.misspelt)[0] ?? '')}`,
    ),
    get('/v1/search, all', (at) => `/v1/search?sort=price_desc&per_page=100&page=${1 + at * 7}`),
    get(
      '/v1/search, many words',
      (at) =>
        `/v1/search?q=${encodeURIComponent(names.draw(12, at, NAME_SPELLINGS.exact).join(' ').slice(0, 100))}`,
    ),
    get('/v1/prices/top-movers', (at) => `/v1/prices/top-movers?limit=100&page=${1 + at}`),
    get('/v1/migrations', () => '/v1/migrations?per_page=100'),
    get('/v1/bulk/prices', (at) => `/v1/bulk/prices?ids=${ids(500, at)}`),
    get('/v1/bulk/cards', (at) => `/v1/bulk/cards?ids=${ids(100, at)}`),
    get('/v1/bulk/history', (at) => `/v1/bulk/history?ids=${ids(50, at)}&range=all`),
    post('/v1/bulk/resolve/marketplace', '/v1/bulk/resolve/marketplace', (at) =>
      JSON.stringify({ ids: ids(1_000, at) }),
    ),
    post('/v1/bulk/resolve/name', '/v1/bulk/resolve/name', (at) =>
      JSON.stringify({
        items: names.draw(1_000, at, NAME_SPELLINGS.misspelt).map((name) => ({ name })),
      }),
    ),
    post('/v1/bulk/resolve/name, hostile', '/v1/bulk/resolve/name', (at) =>
      JSON.stringify({ items: hostile(at).map((name) => ({ name, ref: name.repeat(8) })) }),
    ),
    post(
      '/v1/bulk/resolve/list',
      '/v1/bulk/resolve/list',
      (at) => hostile(at).join('\n'),
      'text/plain',
    ),
    post(
      '/v1/bulk/resolve/list, long lines',
      '/v1/bulk/resolve/list',
      (at) => repeatLines(names.draw(60, at, NAME_SPELLINGS.exact).join(' ').slice(0, 990), 1_000),
      'text/plain',
    ),
    post(
      '/v1/bulk/resolve/csv',
      '/v1/bulk/resolve/csv',
      (at) =>
        `Name,Set\n${hostile(at)
          .map((name) => `"${name}","Dragon"`)
          .join('\n')}`,
      'text/csv',
    ),
    post(
      '/v1/bulk/resolve/csv, 5 MB',
      '/v1/bulk/resolve/csv',
      () => `Name\n${'"a""b"\n'.repeat(700_000)}`.slice(0, 5_242_000),
      'text/csv',
    ),
    get('/v1/usage', () => '/v1/usage', 'session'),
    get('/v1/keys', () => '/v1/keys', 'session'),
    get('/v1/auth/me', () => '/v1/auth/me', 'session'),
    get('/v1/auth/export', () => '/v1/auth/export', 'session'),
    get('/v1/collections', () => '/v1/collections?per_page=100'),
    get('/v1/collections/{id}', () => `/v1/collections/${collection}`),
    ...(['added_desc', 'name', 'value_desc', 'value_asc'] as const).flatMap((sort) => [
      get(`/v1/collections/{id}/items, ${sort}, first`, () => `${items}?sort=${sort}&per_page=100`),
      get(
        `/v1/collections/{id}/items, ${sort}, middle`,
        () => `${items}?sort=${sort}&per_page=100&page=${deep}`,
      ),
    ]),
    get(
      '/v1/collections/{id}/items, a game',
      () => `${items}?sort=value_desc&game=${game}&per_page=100&page=300`,
    ),
    get(
      '/v1/collections/{id}/items, a set',
      () => `${items}?sort=value_desc&set_id=${largestSet}&per_page=100`,
    ),
    get(
      '/v1/shared/{token}',
      () => `/v1/shared/${token}?sort=value_desc&per_page=100&page=${deep}`,
    ),
    get('/v1/collections/{id}/summary', () => `/v1/collections/${collection}/summary`),
    get('/v1/collections/{id}/history', () => `/v1/collections/${collection}/history?range=all`),
    get('/v1/collections/{id}/completion', () => `/v1/collections/${collection}/completion`),
    get('/v1/collections/{id}/export', () => `/v1/collections/${collection}/export`),
    get('/v1/collections/export', () => '/v1/collections/export'),
    post('/v1/collections/{id}/items', `/v1/collections/${account.other}/items`, (at) =>
      JSON.stringify({
        items: ids(100, at).map((card_id) => ({ card_id, note: 'x'.repeat(1_000) })),
      }),
    ),
    post(
      '/v1/collections/{id}/import',
      `/v1/collections/${collection}/import`,
      (at) => `${at}\n${hostile(at).join('\n')}`,
      'text/plain',
    ),
    get('/v1/scan-sessions', () => '/v1/scan-sessions?per_page=100'),
    get('/v1/scan-sessions/{id}', () => `/v1/scan-sessions/${scanSession}`),
    get(
      '/v1/scan-sessions/{id}/items',
      (at) => `/v1/scan-sessions/${scanSession}/items?per_page=100&page=${1 + (at % 50)}`,
    ),
    get('/v1/scan-sessions/{id}/export', () => `/v1/scan-sessions/${scanSession}/export`),
    get('/v1/alerts', () => '/v1/alerts?per_page=100', 'session'),
    get('/v1/notifications', () => '/v1/notifications?per_page=100', 'session'),
    get('/v1/webhooks', () => '/v1/webhooks?per_page=100', 'session'),
    get('/v1/meta', () => '/v1/meta'),
    get('/v1/bulk-data', () => '/v1/bulk-data'),
    get('/openapi.json', () => '/openapi.json'),
    get('/metrics', () => '/metrics'),
    {
      name: `PATCH /v1/collections/{id}/items/{item_id}`,
      send: (url, at) =>
        fetch(`${url}${items}/${item}`, {
          method: 'PATCH',
          headers: { ...credentialsFor(items, at), 'content-type': 'application/json' },
          body: JSON.stringify({ quantity: 1 + (at % 9) }),
        }),
    },
  ]
}

const repeatLines = (line: string, count: number) => Array(count).fill(line).join('\n')

/** Paths of the account's own lists. */
const OWNED = /^\/v1\/(?:collections|scan-sessions)/

function readCatalog(catalogFile: string): { largestSet: number; game: string } {
  const db = openDatabase(catalogFile, { readonly: true })
  const largestSet = db
    .prepare<[], number>('SELECT set_id FROM cards GROUP BY set_id ORDER BY count(*) DESC LIMIT 1')
    .pluck()
    .get()
  const game = db
    .prepare<[], string>(
      `SELECT slug FROM games WHERE id =
         (SELECT game_id FROM cards GROUP BY game_id ORDER BY count(*) DESC LIMIT 1)`,
    )
    .pluck()
    .get()
  db.close()
  return { largestSet: largestSet ?? 0, game: game ?? '' }
}
