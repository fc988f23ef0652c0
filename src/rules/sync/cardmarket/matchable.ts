import type { PrintingPrice } from '../../catalog/base-printing.ts'
import type { ListedProduct } from './files.ts'

/** Card or sealed product of the catalog that can be matched with a product. */
export type MatchableCard = {
  id: number
  game_id: number
  set_id: number
  name: string
  number: string | null
  /** Names of its attacks; empty if it has none, or if they are unknown. */
  attacks: readonly string[]
  is_sealed: boolean
  /** Its printings, with the mirror's prices. */
  printings: readonly PrintingPrice[]
}

/** Set of the catalog. */
export type MatchableSet = { id: number; name: string; release_day: number | null }

/** Catalog data for matching the products of a game. */
export type MatchInput = {
  products: readonly ListedProduct[]
  cards: readonly MatchableCard[]
  sets: readonly MatchableSet[]
  /** Expansions whose set is already known. */
  known: ReadonlyMap<number, ExpansionMatch>
}

/** How a product was matched, from the strongest evidence to the weakest. */
const MATCH_METHODS = [
  'operator',
  'number',
  'position',
  'attacks',
  'label',
  'name',
  'rest',
  'order',
  'spelling',
] as const

export type MatchMethod = (typeof MATCH_METHODS)[number]

/** Card of a product. */
export type ProductMatch = {
  card_id: number
  /** Printing to which all prices belong; null for the base printing and its foil. */
  printing: string | null
  method: MatchMethod
  /** From 0 to 1. */
  confidence: number
}

/** Set of an expansion. */
export type ExpansionMatch = { set_id: number; confidence: number }
