// What keeps a broken upstream out: an intake that would take away too much of what is in, or bring
// what belongs elsewhere, is refused as a whole, and the old data stays. The first import has nothing
// to lose and passes.

/** One set's intake against what the catalog holds of that set. */
export type SetFacts = {
  id: number
  name: string
  /** The other game that the catalog holds this set under, null when there is none. */
  held_by: string | null
  /** Cards that the catalog has in this set, those marked as missing left out. */
  cards_before: number
  /** How many of them are in the intake. */
  cards_kept: number
  /** Cards of the intake that the catalog holds under another game. */
  cards_foreign: number
  /** Card printings of this set whose market price is known. */
  prices_before: number
  /** How many of them the intake does not know: null, or not there. */
  prices_lost: number
}

/** One game's intake against what the catalog holds of that game. */
export type GameFacts = {
  slug: string
  /** Sets that the catalog has of this game, those marked as missing left out. */
  sets_before: number
  /** How many of them are in the intake. */
  sets_kept: number
  /** Ids of sets and cards in the intake. */
  ids: number
  /** How many of them the catalog holds under another game. */
  ids_foreign: number
}

/** The reason to refuse a set's intake, with what the operator can do; undefined: take it. */
export function findSetProblem(facts: SetFacts): string | undefined {
  const fault = setFault(facts)
  return fault && `${fault} ${advice(`--set ${facts.id}`)}`
}

/** The reason to refuse a whole game's intake, with what to do; undefined: take it. */
export function findGameProblem(facts: GameFacts): string | undefined {
  const fault = gameFault(facts)
  return fault && `${fault} ${advice(`--game ${facts.slug}`)}`
}

/** What a whole game's intake would do to its known prices: many small sets can lose a few each. */
export type PriceFacts = {
  /** Card printings whose market price is known. */
  prices_before: number
  /** How many of them the intake does not know. */
  prices_lost: number
}

/** The reason to refuse the prices of a whole game, with what to do; undefined: take them. */
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
    return `${set} brings ${facts.cards_foreign} cards that the catalog holds under another game.`
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
    return `${slug} brings ${ids_foreign} sets and cards that the catalog holds under another game.`
  }
  if (losesTooMany(sets_before, sets_kept)) {
    return `${slug} would lose ${sets_before - sets_kept} of its ${sets_before} sets.`
  }
  return undefined
}

function advice(target: string): string {
  return (
    'The old data stays. The upstream is probably broken; the next run tries again. ' +
    `If this is right, accept it with: bun run sync ${target} --force`
  )
}

// A record or two is withdrawn now and then, which in a small set is more than 5 %.
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
