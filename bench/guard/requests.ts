import { join } from 'node:path'
import { PERIOD_NAMES } from '#rules/pricing/price-changes.ts'
import { openDatabase } from '#store/db.ts'
import { createSeededRandom } from '../../scripts/tools/seed/random.ts'
import { chunk, createNameSampler, NAME_SPELLINGS } from '../bulk-requests.ts'
import { cardIdsOf, queriesOf } from '../data.ts'
import type { LoadRequest } from '../load.ts'
import type { FigureName } from './figures.ts'
import type { GuardData } from './guard-data.ts'

/**
 * The load of a figure that is measured over HTTP. With 64 connections the server never waits, because what waiting costs
 * changes from minute to minute. Requests that take many milliseconds are `sequential`: in a load that ends after some
 * time, those that are cut off would matter.
 */
export type HttpLoad = {
  requests: readonly LoadRequest[]
  /** Number of requests that are sent one after another. */
  sequential: number | undefined
}

/** Figures that are measured over HTTP. */
export const HTTP_FIGURES = [
  'card-prices',
  'card',
  'search-uncached',
  'search-cached',
  'history',
  'movers',
  'bulk-prices',
  'names',
  'lines',
] as const satisfies readonly FigureName[]

export type HttpFigure = (typeof HTTP_FIGURES)[number]

/** Returns the same requests on every run, for cards from the whole catalog, with the keys of all accounts in turn. */
export function createLoads({ folder, keys }: GuardData): Record<HttpFigure, HttpLoad> {
  const catalogFile = join(folder, 'catalog/catalog.db')
  const db = openDatabase(catalogFile, { readonly: true })
  const ids = cardIdsOf(db)
  const queries = queriesOf(db)
  const games = db.prepare<[], string>('SELECT slug FROM games ORDER BY id').pluck().all()
  db.close()
  const names = createNameSampler({ catalogFile })
  const load = (requests: readonly Omit<LoadRequest, 'key'>[], sequential?: number): HttpLoad => ({
    requests: requests.map((one, index) => ({ ...one, key: keys[index % keys.length] })),
    sequential,
  })
  const search = (q: string, more = '') => ({
    path: `/v1/search?q=${encodeURIComponent(q)}&sort=price_asc${more}`,
  })
  // A minimum price changes the result, and the variants are more than any cache holds.
  const variants = Array.from({ length: VARIANTS }, (_, variant) => `&min_price=${variant / 100}`)
  const seeds = Array.from({ length: BATCHES }, (_, seed) => seed)
  const batchOf = (seed: number) => [
    ...names.draw(900, seed, NAME_SPELLINGS.exact),
    ...names.draw(50, seed, NAME_SPELLINGS.misspelt),
    ...names.draw(50, seed, NAME_SPELLINGS.substring),
  ]
  const listOf = (seed: number) =>
    names.draw(500, seed, NAME_SPELLINGS.exact).map((name) => `4 ${name}`)
  return {
    'card-prices': load(ids.map((id) => ({ path: `/v1/cards/${id}/prices` }))),
    card: load(ids.map((id) => ({ path: `/v1/cards/${id}` }))),
    'search-uncached': load(variants.flatMap((more) => queries.map((q) => search(q, more)))),
    'search-cached': load(queries.map((q) => search(q))),
    history: load(ids.map((id) => ({ path: `/v1/cards/${id}/history?range=year` }))),
    movers: load(moverPaths(games)),
    'bulk-prices': load(
      chunk([...new Set(ids)], 500).map((some) => ({ path: `/v1/bulk/prices?ids=${some}` })),
      200,
    ),
    names: load(
      seeds.map((seed) => ({
        path: '/v1/bulk/resolve/name',
        body: JSON.stringify({ items: batchOf(seed).map((name) => ({ name })) }),
      })),
      BATCHES,
    ),
    lines: load(
      seeds.map((seed) => ({
        path: '/v1/bulk/resolve/list',
        body: JSON.stringify({ list: listOf(seed).join('\n') }),
      })),
      BATCHES,
    ),
  }
}

function moverPaths(games: readonly string[]) {
  const random = createSeededRandom(games.length)
  return Array.from({ length: 1_000 }, () => {
    const [period, direction] = [random.pick(PERIOD_NAMES), random.pick(['up', 'down'])]
    const query = `period=${period}&direction=${direction}&game=${random.pick(games)}`
    return { path: `/v1/prices/top-movers?${query}` }
  })
}

const BATCHES = 20
const VARIANTS = 200
