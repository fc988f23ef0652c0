/** A catalog card with the data for scoring and for the response. */
export type CandidateCard = {
  id: number
  name: string
  /** The name without accents and symbols (rules/catalog/names.ts). */
  clean_name: string
  number: string | null
  rarity: string | null
  product_type: string
  /** Absolute URL, as in API responses. */
  image_url: string | null
  set: { id: number; name: string; code: string | null }
  /** YYYY-MM-DD. */
  release_date: string | null
  game: { id: number; slug: string; name: string }
  /** Names of the printings, the base printing first. */
  printings: readonly string[]
  /** Cards with the same art are in one group; null if the picture is not indexed. */
  art_group: number | null
}

/** Languages of games that are not listed in English. */
export const LANGUAGE_OF_GAME: ReadonlyMap<string, string> = new Map([
  ['pokemon-japan', 'Japanese'],
])
