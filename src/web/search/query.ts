import type { ApiRequest } from '#client/client.ts'
import * as texts from '#texts/search/search.ts'
import type { ApiError } from '../api.ts'
import { DOLLARS } from '../format.ts'
import { parseId, parsePage } from '../route-params.ts'
import { RESULT_FIELDS } from './shown-results.ts'

/** Search parameters as in the page URL, under their API names. Empty if not set. */
export type SearchParams = Readonly<Record<Name, string>>

const EMPTY_SEARCH = {
  q: '',
  game: '',
  set_id: '',
  rarity: '',
  printing: '',
  type: '',
  min_price: '',
  max_price: '',
  sort: '',
  currency: '',
  page: '',
}

type Name = keyof typeof EMPTY_SEARCH

// Object.keys returns string[].
const NAMES = Object.keys(EMPTY_SEARCH) as Name[]

/** Filters in display order. */
export const FILTERS = [
  'game',
  'set_id',
  'type',
  'rarity',
  'printing',
  'min_price',
  'max_price',
] as const

export type FilterName = (typeof FILTERS)[number]

/** Parses a query string, with or without its `?`. Ignores invalid values. */
export function parseSearch(search: string): SearchParams {
  const query = new URLSearchParams(search)
  const read = (name: Name) => {
    const text = query.get(name) ?? ''
    return IS_VALID[name]?.(text) === false ? '' : text
  }
  return { ...EMPTY_SEARCH, ...Object.fromEntries(NAMES.map((name) => [name, read(name)])) }
}

export const SORTS = [
  ['', texts.relevance],
  ['price_asc', texts.priceLowestFirst],
  ['price_desc', texts.priceHighestFirst],
  ['name', texts.name],
  ['change_desc', texts.changeIn7DaysRisingFirst],
  ['change_asc', texts.changeIn7DaysFallingFirst],
  ['newest', texts.releaseNewestFirst],
] as const

export const TYPES = [
  ['', texts.all],
  ['Cards', texts.cards],
  ['Sealed Products', texts.sealed],
] as const

/** Validators of values in the URL. */
const IS_VALID: Partial<Record<Name, (text: string) => boolean>> = {
  set_id: (text) => parseId(text) !== undefined,
  type: (text) => TYPES.some(([type]) => type === text),
  min_price: (text) => Number.isFinite(Number(text)),
  max_price: (text) => Number.isFinite(Number(text)),
  sort: (text) => SORTS.some(([sort]) => sort === text),
  page: (text) => String(parsePage(new URLSearchParams({ page: text }))) === text,
}

/** Returns the page URL, such as `/search?q=marigold&sort=price_desc`. */
export function searchUrl(searchParams: SearchParams): string {
  const defined = NAMES.filter((name) => searchParams[name] !== '')
  if (defined.length === 0) return '/search'
  return `/search?${new URLSearchParams(defined.map((name) => [name, searchParams[name]]))}`
}

/** Returns changed parameters at page 1. Another game clears the set. */
export function withChange(
  searchParams: SearchParams,
  change: Partial<SearchParams>,
): SearchParams {
  const isOtherGame = change.game !== undefined && change.game !== searchParams.game
  return { ...searchParams, page: '', ...(isOtherGame && { set_id: '' }), ...change }
}

/** Adds the currency of price bounds, so that the URL means the same to everyone. */
export function withCurrency(searchParams: SearchParams, currency: string): SearchParams {
  const hasBounds = searchParams.min_price !== '' || searchParams.max_price !== ''
  const named = currency === DOLLARS ? '' : currency
  return { ...searchParams, currency: hasBounds ? named : searchParams.currency }
}

/** Number of results per page; divisible by 2, 3, 4 and 6, so that rows are full. */
export const PER_PAGE = 24

/** Returns the parameters of the API request. */
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
    printing: searchParams.printing || undefined,
    min_price: number('min_price'),
    max_price: number('max_price'),
    type: TYPES.find(([type]) => type === searchParams.type)?.[0] || undefined,
    sort: SORTS.find(([sort]) => sort === searchParams.sort)?.[0] || undefined,
    page: number('page'),
    per_page: PER_PAGE,
    fields: RESULT_FIELDS,
    include: 'confidence',
  }
}

/** Fields with free input, with their labels. */
const FIELDS = [
  { name: 'q', label: texts.theSearch },
  { name: 'set_id', label: texts.set },
  { name: 'rarity', label: texts.rarity },
  { name: 'printing', label: texts.printing },
  { name: 'min_price', label: texts.price },
  { name: 'max_price', label: texts.price },
] as const

/** Returns the field that the API rejected; undefined if the error names none of them. */
export function invalidField(error: ApiError): (typeof FIELDS)[number] | undefined {
  if (error.status !== 400) return undefined
  const named = /^"(\w+)"/.exec(error.message)?.[1]
  return FIELDS.find(({ name }) => name === named)
}

/**
 * Parses a price, also with the sign of its currency.
 *
 * @returns text for the API; empty for no price; undefined if invalid
 */
export function parsePrice(text: string): string | undefined {
  const price = text
    .trim()
    .replace(/^\p{Sc}\s*/u, '')
    .replace(',', '.')
  if (price === '') return ''
  return /^\d{1,12}(\.\d{1,2})?$/.test(price) ? price : undefined
}
