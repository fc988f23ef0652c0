// Sanity checks against a broken upstream. Data that would remove too much of the catalog, or bring
// records of another game, is refused as a whole, and the old data stays. A first import has
// nothing to lose and passes.

/** New data of one set, compared with the catalog. */
export type SetFacts = PriceFacts & {
  id: number
  name: string
  /** Name of the other game that has this set in the catalog; null if no other game has it. */
  held_by: string | null
  /** Cards of this set in the catalog, except those marked as missing. */
  cards_before: number
  /** Number of these in the new data. */
  cards_kept: number
  /** Cards in the new data that belong to another game in the catalog. */
  cards_foreign: number
}

/** New data of one game, compared with the catalog. */
export type GameFacts = {
  slug: string
  /** Sets of this game in the catalog, except those marked as missing. */
  sets_before: number
  /** Number of these in the new data. */
  sets_kept: number
  /** Number of set and card ids in the new data. */
  ids: number
  /** Number of these that belong to another game in the catalog. */
  ids_foreign: number
}

/** Returns the reason to refuse the data of a set, and the remedy; undefined if it passes. */
export function findSetProblem(facts: SetFacts): string | undefined {
  const fault = setFault(facts)
  return fault && `${fault} ${advice(`--set ${facts.id}`)}`
}

/** Returns the reason to refuse the data of a game, and the remedy; undefined if it passes. */
export function findGameProblem(facts: GameFacts): string | undefined {
  const fault = gameFault(facts)
  return fault && `${fault} ${advice(`--game ${facts.slug}`)}`
}

/** Known prices of a set, or of a whole game: many small sets can lose a few each. */
export type PriceFacts = {
  /** Printings with a known market price. */
  prices_before: number
  /** Number of these without a price in the new data. */
  prices_lost: number
}

/** Returns the reason to refuse the prices of a game, and the remedy; undefined if they pass. */
export function findPriceProblem(slug: string, facts: PriceFacts): string | undefined {
  if (!losesPrices(facts)) return undefined
  const { prices_lost, prices_before } = facts
  const fault = `${slug} would lose ${prices_lost} of its ${prices_before} known prices.`
  return `${fault} ${advice(`--game ${slug}`)}`
}

function setFault(facts: SetFacts): string | undefined {
  const set = `Set ${facts.id} (${facts.name})`
  if (facts.held_by !== null) return `${set} is already in the catalog under ${facts.held_by}.`
  if (facts.cards_foreign > 0) {
    return `${set} contains ${facts.cards_foreign} cards that belong to another game in the catalog.`
  }
  if (losesTooMany(facts.cards_before, facts.cards_kept)) {
    const lost = facts.cards_before - facts.cards_kept
    return `${set} would lose ${lost} of its ${facts.cards_before} cards.`
  }
  if (losesPrices(facts)) {
    return `${set} would lose ${facts.prices_lost} of its ${facts.prices_before} known prices.`
  }
  return undefined
}

function gameFault(facts: GameFacts): string | undefined {
  const { slug, sets_before, sets_kept, ids, ids_foreign } = facts
  if (ids_foreign > ids * FOREIGN_SHARE_MAX) {
    return `${slug} contains ${ids_foreign} sets and cards that belong to another game in the catalog.`
  }
  if (losesTooMany(sets_before, sets_kept)) {
    return `${slug} would lose ${sets_before - sets_kept} of its ${sets_before} sets.`
  }
  return undefined
}

function advice(target: string): string {
  return (
    'The old data stays, and the next run tries again, because the upstream is probably broken. ' +
    `If the new data is correct, accept it with: bun run sync ${target} --force`
  )
}

// Single records are withdrawn now and then, which exceeds 5 % of a small set.
const VANISHING_ALWAYS = 2
const KEPT_SHARE_MIN = 0.95
const PRICES_JUDGED_MIN = 10
const LOST_PRICES_SHARE_MAX = 0.2
const FOREIGN_SHARE_MAX = 0.01

function losesTooMany(before: number, kept: number): boolean {
  const lost = before - kept
  if (lost <= 0) return false
  if (lost <= VANISHING_ALWAYS && lost * 2 < before) return false
  return kept < before * KEPT_SHARE_MIN
}

function losesPrices(facts: PriceFacts): boolean {
  if (facts.prices_before < PRICES_JUDGED_MIN) return false
  return facts.prices_lost > facts.prices_before * LOST_PRICES_SHARE_MAX
}
