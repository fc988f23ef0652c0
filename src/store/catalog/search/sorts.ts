/** Stored orders besides that by price: by name, by change in a week, and by release from the newest. */
export type SearchOrder = 'name' | 'rise' | 'fall' | 'release'

/** Orders of search results, except by relevance and price, as they are stored. */
export const SORT_ORDERS = {
  name: 'name',
  change_desc: 'rise',
  change_asc: 'fall',
  newest: 'release',
} as const satisfies Record<string, SearchOrder>

export type SearchSort = 'relevance' | 'price_asc' | 'price_desc' | keyof typeof SORT_ORDERS

// Object.keys returns strings; these are the keys of the orders.
const STORED = Object.keys(SORT_ORDERS) as (keyof typeof SORT_ORDERS)[]

export const SEARCH_SORTS = ['relevance', 'price_asc', 'price_desc', ...STORED] as const
