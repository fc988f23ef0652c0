import type { AskOf } from '#client/client.ts'
import type { ApiError } from '../api.ts'

/**
 * What is searched for, as the address of the page has it, under the API's own names. Everything is
 * text, and empty where it is not asked for: what is wrong with it the API says.
 */
export type Question = Readonly<Record<Name, string>>

export const NO_QUESTION: Question = {
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
const NAMES = Object.keys(NO_QUESTION) as Name[]

/** What narrows a search down, in the order in which it is shown. */
export const FILTERS = ['game', 'set_id', 'type', 'rarity', 'min_price', 'max_price'] as const

export type FilterName = (typeof FILTERS)[number]

/** @param search the query of an address, with or without its `?` */
export function questionOf(search: string): Question {
  const told = new URLSearchParams(search)
  return {
    ...NO_QUESTION,
    ...Object.fromEntries(NAMES.map((name) => [name, told.get(name) ?? ''])),
  }
}

/** Where a search stands: `/search?q=marigold&sort=price_desc`. */
export function addressOf(question: Question): string {
  const given = NAMES.filter((name) => question[name] !== '')
  if (given.length === 0) return '/search'
  return `/search?${new URLSearchParams(given.map((name) => [name, question[name]]))}`
}

/** Another question: it begins at its first page, and the sets of one game are not those of another. */
export function changed(question: Question, change: Partial<Question>): Question {
  const isOtherGame = change.game !== undefined && change.game !== question.game
  return { ...question, page: '', ...(isOtherGame && { set_id: '' }), ...change }
}

/** Whether there is enough to search for: the API wants two characters. */
export function isAskable(q: string): boolean {
  return [...q.trim()].length >= 2
}

/** How many results a page has: whole rows in grids of 2, 3, 4 and 6. */
export const PER_PAGE = 24

/** The question as the API is asked it. */
export function askOf(question: Question): NonNullable<AskOf<'GET', '/v1/search'>['query']> {
  const number = (name: Name) => (question[name] === '' ? undefined : Number(question[name]))
  return {
    q: question.q,
    game: question.game || undefined,
    set_id: number('set_id'),
    rarity: question.rarity || undefined,
    min_price: number('min_price'),
    max_price: number('max_price'),
    // An address may have anything there: what is neither, the API refuses by name.
    type: (question.type || undefined) as 'Cards' | 'Sealed Products' | undefined,
    sort: (question.sort || undefined) as
      | 'relevance'
      | 'price_asc'
      | 'price_desc'
      | 'name'
      | undefined,
    page: number('page'),
    per_page: PER_PAGE,
  }
}

/** Which part of the question the API refuses, which it names in quotes; undefined: none of them. */
export function refusedBy(error: ApiError): Name | undefined {
  if (error.status !== 400) return undefined
  const named = /^"(\w+)"/.exec(error.message)?.[1]
  return NAMES.find((name) => name === named)
}

/**
 * A price as somebody writes it, in dollars and cents.
 *
 * @returns as the API is told it; empty for nothing; undefined for what is no price
 */
export function priceOf(text: string): string | undefined {
  const told = text
    .trim()
    .replace(/^\$\s*/, '')
    .replace(',', '.')
  if (told === '') return ''
  return /^\d{1,12}(\.\d{1,2})?$/.test(told) ? told : undefined
}
