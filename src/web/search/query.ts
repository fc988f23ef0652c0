import type { ApiRequest } from '#client/client.ts'
import type { ApiError } from '../api.ts'
import { parseId, parsePage } from '../route-params.ts'

/**
 * What is searched for, as the address of the page has it, under the API's own names. Everything is
 * text, and empty where it is not asked for.
 */
export type SearchParams = Readonly<Record<Name, string>>

export const EMPTY_SEARCH: SearchParams = {
  q: '',
  game: '',
  set_id: '',
  rarity: '',
  type: '',
  min_price: '',
  max_price: '',
  sort: '',
  page: '',
}

type Name =
  | 'q'
  | 'game'
  | 'set_id'
  | 'rarity'
  | 'type'
  | 'min_price'
  | 'max_price'
  | 'sort'
  | 'page'

// These are the names of the object above.
const NAMES = Object.keys(EMPTY_SEARCH) as Name[]

/** What narrows a search down, in the order in which it is shown. */
export const FILTERS = ['game', 'set_id', 'type', 'rarity', 'min_price', 'max_price'] as const

export type FilterName = (typeof FILTERS)[number]

/** @param search the query of an address, with or without its `?` */
export function parseSearch(search: string): SearchParams {
  const query = new URLSearchParams(search)
  const told = (name: Name) => {
    const text = query.get(name) ?? ''
    return IS_VALID[name]?.(text) === false ? '' : text
  }
  return { ...EMPTY_SEARCH, ...Object.fromEntries(NAMES.map((name) => [name, told(name)])) }
}

/** In which order results can stand. */
export const SORTS = [
  ['', 'Relevance'],
  ['price_asc', 'Price, lowest first'],
  ['price_desc', 'Price, highest first'],
  ['name', 'Name'],
] as const

/** Which kinds can be searched for. */
export const TYPES = [
  ['', 'All'],
  ['Cards', 'Cards'],
  ['Sealed Products', 'Sealed'],
] as const

/** What of an address would be no question at all is as if it were not there. */
const IS_VALID: Partial<Record<Name, (text: string) => boolean>> = {
  set_id: (text) => parseId(text) !== undefined,
  type: (text) => TYPES.some(([type]) => type === text),
  min_price: (text) => Number.isFinite(Number(text)),
  max_price: (text) => Number.isFinite(Number(text)),
  sort: (text) => SORTS.some(([sort]) => sort === text),
  page: (text) => String(parsePage(new URLSearchParams({ page: text }))) === text,
}

/** Where a search stands: `/search?q=marigold&sort=price_desc`. */
export function searchUrl(searchParams: SearchParams): string {
  const given = NAMES.filter((name) => searchParams[name] !== '')
  if (given.length === 0) return '/search'
  return `/search?${new URLSearchParams(given.map((name) => [name, searchParams[name]]))}`
}

/** Another question: it begins at its first page, and the sets of one game are not those of another. */
export function withChange(
  searchParams: SearchParams,
  change: Partial<SearchParams>,
): SearchParams {
  const isOtherGame = change.game !== undefined && change.game !== searchParams.game
  return { ...searchParams, page: '', ...(isOtherGame && { set_id: '' }), ...change }
}

/** Whether there is enough to search for: the API wants two characters. */
export function isSearchable(q: string): boolean {
  return [...q.trim()].length >= 2
}

/** How many results a page has: whole rows in grids of 2, 3, 4 and 6. */
export const PER_PAGE = 24

/** The question as the API is asked it. */
export function searchRequest(
  searchParams: SearchParams,
): NonNullable<ApiRequest<'GET', '/v1/search'>['query']> {
  const number = (name: Name) =>
    searchParams[name] === '' ? undefined : Number(searchParams[name])
  return {
    q: searchParams.q,
    game: searchParams.game || undefined,
    set_id: number('set_id'),
    rarity: searchParams.rarity || undefined,
    min_price: number('min_price'),
    max_price: number('max_price'),
    type: TYPES.find(([type]) => type === searchParams.type)?.[0] || undefined,
    sort: SORTS.find(([sort]) => sort === searchParams.sort)?.[0] || undefined,
    page: number('page'),
    per_page: PER_PAGE,
  }
}

/** Where somebody can write what the API then refuses. */
const FIELDS = ['q', 'set_id', 'rarity', 'min_price', 'max_price'] as const

/** Which field the API refuses, which it names in quotes; undefined: none of them. */
export function invalidField(error: ApiError): (typeof FIELDS)[number] | undefined {
  if (error.status !== 400) return undefined
  const named = /^"(\w+)"/.exec(error.message)?.[1]
  return FIELDS.find((name) => name === named)
}

/**
 * A price as somebody writes it, in dollars and cents.
 *
 * @returns as the API is told it; empty for nothing; undefined for what is no price
 */
export function parsePrice(text: string): string | undefined {
  const told = text
    .trim()
    .replace(/^\$\s*/, '')
    .replace(',', '.')
  if (told === '') return ''
  return /^\d{1,12}(\.\d{1,2})?$/.test(told) ? told : undefined
}
