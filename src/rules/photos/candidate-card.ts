/** A catalog card as the scoring reads it and the response lists it. */
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
  /** Names of the printings, ordered by printing id. */
  printings: readonly string[]
  /** Cards of one group show the same art; null if the picture is not indexed. */
  art_group: number | null
}
