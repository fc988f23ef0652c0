/**
 * Work that a line may cause, in comparisons of a card, so that its cost has a limit, whatever it contains, and its
 * result depends neither on the machine nor on other lines.
 */
export type Effort = {
  /** Counts work on parts of names and misspelled names before it is done; false if too little is left for it. */
  spend(comparisons: number): boolean
  /** Counts work on whole names before it is done. Some is left for it when the searches have used up theirs. */
  spendOnWhole(comparisons: number): boolean
  /** Counts work that was done. */
  count(comparisons: number): void
}

export function createEffort(): Effort {
  let forSearches = SEARCHES_MAX
  let forWhole = WHOLE_MAX
  function spend(comparisons: number): boolean {
    if (forSearches < comparisons) return false
    forSearches -= comparisons
    return true
  }
  return {
    spend,
    spendOnWhole(comparisons) {
      if (spend(comparisons)) return true
      if (forWhole < comparisons) return false
      forWhole -= comparisons
      return true
    },
    count(comparisons) {
      forSearches -= comparisons
    },
  }
}

/**
 * A comparison takes a tenth of a microsecond. Costs are those of names and cards that are not cached, because a client
 * may choose them.
 */
const SEARCHES_MAX = 48_000
const WHOLE_MAX = 8_000
