import { api } from '../api.ts'
import { useQuery } from '../hooks/use-query.ts'
import { inCurrency } from '../pricing/currency.ts'

/** A collection as a view asks for it. `round` grows with each change, so that all parts are fetched again. */
export type CollectionQuery = { id: string; currency: string; round: number }

function keyOf(part: string, { id, currency, round }: CollectionQuery): string {
  return `${part} of ${id} ${currency} ${round}`
}

/** Fetches the collections of the account. @param isWanted false waits */
export function useCollections(isWanted: boolean, currency: string) {
  return useQuery(isWanted ? `collections ${currency}` : undefined, (signal) =>
    inCurrency(currency, (query) => api.get('/v1/collections', { query, signal })),
  )
}

export function useCollection(of: CollectionQuery) {
  const path = { id: of.id }
  return useQuery(keyOf('collection', of), (signal) =>
    inCurrency(of.currency, (query) => api.get('/v1/collections/{id}', { path, query, signal })),
  )
}

export function useSummary(of: CollectionQuery) {
  const path = { id: of.id }
  return useQuery(keyOf('summary', of), (signal) =>
    inCurrency(of.currency, (query) =>
      api.get('/v1/collections/{id}/summary', { path, query, signal }),
    ),
  )
}

export function useCompletion(of: CollectionQuery, page: number) {
  const path = { id: of.id }
  return useQuery(`${keyOf('completion', of)} ${page}`, (signal) =>
    inCurrency(of.currency, (choice) =>
      api.get('/v1/collections/{id}/completion', {
        path,
        query: { page, per_page: SETS, ...choice },
        signal,
      }),
    ),
  )
}

const SETS = 10

export type ItemParams = {
  game: string | undefined
  set_id: number | undefined
  sort: ItemOrder
  page: number
}

export type ItemOrder = (typeof ITEM_ORDERS)[number][0]

/** Orders of items, with their names. The first is the usual one. */
export const ITEM_ORDERS = [
  ['added_desc', 'Newest first'],
  ['added_asc', 'Oldest first'],
  ['value_desc', 'Most valuable first'],
  ['value_asc', 'Least valuable first'],
  ['name', 'By name'],
] as const

export function useItems(of: CollectionQuery, params: ItemParams) {
  const path = { id: of.id }
  return useQuery(`${keyOf('items', of)} ${JSON.stringify(params)}`, (signal) =>
    inCurrency(of.currency, (choice) =>
      api.get('/v1/collections/{id}/items', {
        path,
        query: { ...params, per_page: ITEMS, ...choice },
        signal,
      }),
    ),
  )
}

/** Items on a page. */
export const ITEMS = 25

/** Parses the order of a URL; the usual one if it is unknown. */
export function parseItemOrder(text: string | null): ItemOrder {
  return ITEM_ORDERS.find(([value]) => value === text)?.[0] ?? 'added_desc'
}

/** Returns the address of a collection. */
export function collectionUrl(id: string): string {
  return `/collection/${id}`
}
