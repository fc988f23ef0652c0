import { useQuery } from '@tanstack/react-query'
import type { CollectionItem } from '#client/endpoints.ts'
import * as texts from '#texts/collections/collections.ts'
import { api } from '../api.ts'
import { inCurrency } from '../pricing/currency.ts'
import { apiQuery, defineQuery, fetchAllPages } from '../query-client.ts'
import { parseId, parsePage } from '../route-params.ts'
import { CONDITION_NAMES } from './item-text.ts'

/** A collection in the currency of a view. */
export type CollectionQuery = { id: string; currency: string }

/** Fetches all collections of the account. */
export function useCollections(currency: string) {
  return useQuery(collectionsQuery(currency))
}

/** Declares the query of all collections of the account. */
export function collectionsQuery(currency: string) {
  return defineQuery(['/v1/collections', 'all', currency], (signal) =>
    inCurrency(currency, (chosen) =>
      fetchAllPages((paging) =>
        api.get('/v1/collections', { query: { ...chosen, ...paging }, signal }),
      ),
    ),
  )
}

export function useCollection({ id, currency }: CollectionQuery) {
  return useQuery(apiQuery('/v1/collections/{id}', { path: { id }, query: { currency } }))
}

export function useSummary({ id, currency }: CollectionQuery) {
  return useQuery(apiQuery('/v1/collections/{id}/summary', { path: { id }, query: { currency } }))
}

export function useCompletion({ id, currency }: CollectionQuery, page: number) {
  const query = { page, per_page: SETS, currency }
  return useQuery(apiQuery('/v1/collections/{id}/completion', { path: { id }, query }))
}

const SETS = 10

export type ItemParams = {
  q: string | undefined
  game: string | undefined
  set_id: number | undefined
  place: string | undefined
  condition: CollectionItem['condition'] | undefined
  printing: string | undefined
  sort: ItemOrder
  page: number
}

export type ItemOrder = (typeof ITEM_ORDERS)[number][0]

/** Orders of items, with their names. The first one is the default. */
export const ITEM_ORDERS = [
  ['added_desc', texts.newestFirst],
  ['added_asc', texts.oldestFirst],
  ['value_desc', texts.mostValuableFirst],
  ['value_asc', texts.leastValuableFirst],
  ['name', texts.byName],
] as const

export function useItems({ id, currency }: CollectionQuery, params: ItemParams) {
  const query = { ...params, per_page: ITEMS, currency }
  return useQuery(apiQuery('/v1/collections/{id}/items', { path: { id }, query }))
}

/** Fetches all items that a list finds, also those of its other pages, one page after another. */
export async function fetchAllItems(id: string, { page: _, ...query }: ItemParams) {
  const path = { id }
  const { data } = await fetchAllPages(
    (paging) => api.get('/v1/collections/{id}/items', { path, query: { ...query, ...paging } }),
    1,
  )
  return data
}

/** Parses the parameters of a list in the URL; unknown values count as missing. */
export function parseItemParams(query: URLSearchParams): ItemParams {
  const condition = CONDITION_NAMES.find(([one]) => one === query.get('condition'))
  return {
    q: query.get('q') || undefined,
    game: query.get('game') || undefined,
    set_id: parseId(query.get('set') ?? ''),
    place: query.get('place') || undefined,
    condition: condition?.[0],
    printing: query.get('printing') || undefined,
    sort: parseItemOrder(query.get('sort')),
    page: parsePage(query),
  }
}

/** Number of items on a page. */
export const ITEMS = 25

/** Parses the order of a URL; returns the default if it is unknown. */
export function parseItemOrder(text: string | null): ItemOrder {
  return ITEM_ORDERS.find(([value]) => value === text)?.[0] ?? 'added_desc'
}

/** Returns the address of a collection. */
export function collectionUrl(id: string): string {
  return `/collection/${id}`
}
