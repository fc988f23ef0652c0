import type { SearchResult } from '#client/endpoints.ts'
import * as texts from '#texts/frame.ts'
import { ORIGIN_MEMBERS } from '../pricing/price-origin.ts'

/** Number of suggestions that fit on the screen. */
export const SUGGESTIONS_MAX = 8

/** Members of a result that the dashboard shows. The others are large. */
const MEMBERS = [
  'id',
  'name',
  'number',
  'rarity',
  'set_name',
  'game_slug',
  'image_url',
  'printing',
  'market_price',
  ...ORIGIN_MEMBERS,
  'matched_printing',
  'prices',
] as const

export type ShownResult = Pick<SearchResult, (typeof MEMBERS)[number]>

/** Limits the results of the API to their shown members. */
export const RESULT_FIELDS = MEMBERS.join(',')

/** Returns the price of the printing that the query names, if the card's price is of another one. */
export function otherMatchedPrice({ matched_printing, printing, prices }: ShownResult) {
  if (matched_printing === printing) return undefined
  return prices.find((price) => price.printing === matched_printing)
}

/** Returns true if the text is long enough for the API: two characters. */
export function isSearchable(q: string): boolean {
  return [...q.trim()].length >= 2
}

/** Names the words that no result contains. Returns an empty text without such words. */
export function ignoredText(words: readonly string[]): string {
  return words.length === 0 ? '' : texts.ignored(words.map((word) => `“${word}”`).join(', '))
}
