// A catalog card as the verdict weighs it and the answer names it.

export type CandidateCard = {
  id: number
  name: string
  /** The name without accents and signs (rules/catalog/names.ts). */
  clean_name: string
  number: string | null
  rarity: string | null
  product_type: string
  /** Absolute, as clients are told it. */
  image_url: string | null
  set: { id: number; name: string; code: string | null }
  /** YYYY-MM-DD. */
  release_date: string | null
  game: { id: number; slug: string; name: string }
  /** Names of its printings, in the order of the printings' ids. */
  printings: readonly string[]
  /** Cards of one group show the same picture; null: the picture is not indexed. */
  art_group: number | null
}
