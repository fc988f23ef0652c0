/** Selection of a set's page, as in its URL. Empty values are the defaults. */
import * as texts from '#texts/catalog/sets.ts'

export type SetParams = {
  type: '' | 'Cards' | 'Sealed Products'
  view: '' | 'table'
  sort: '' | 'name' | 'price_asc' | 'price_desc' | 'change_asc' | 'change_desc'
  rarity: string
  printing: string
  page: number
}

export const SET_TYPES = [
  ['', texts.all],
  ['Cards', texts.cards],
  ['Sealed Products', texts.sealedProducts],
] as const

export const SET_VIEWS = [
  ['', texts.tiles],
  ['table', texts.table],
] as const

export const SET_ORDERS = [
  ['', texts.byNumber],
  ['name', texts.byName],
  ['price_desc', texts.highestPriceFirst],
  ['price_asc', texts.lowestPriceFirst],
  ['change_desc', texts.risingFirst7Days],
  ['change_asc', texts.fallingFirst7Days],
] as const

/** Parses the query of a URL. Unknown values count as the defaults. */
export function parseSetParams(query: URLSearchParams, page: number): SetParams {
  const oneOf = <T extends string>(name: string, options: readonly (readonly [T, string])[]) =>
    options.find(([value]) => value === query.get(name))?.[0]
  return {
    type: oneOf('type', SET_TYPES) ?? '',
    view: oneOf('view', SET_VIEWS) ?? '',
    sort: oneOf('sort', SET_ORDERS) ?? '',
    rarity: query.get('rarity') ?? '',
    printing: query.get('printing') ?? '',
    page,
  }
}

/** Returns the URL of a set's page. */
export function setPageUrl(id: number, { page, ...params }: SetParams): string {
  const chosen = Object.entries({ ...params, page: page > 1 ? String(page) : '' })
  const query = new URLSearchParams(chosen.filter(([, value]) => value !== ''))
  return `/sets/${id}${query.size > 0 ? `?${query}` : ''}`
}
