/**
 * Work that a line may cause, in comparisons of a card, so that its cost has a limit, whatever it contains, and its
 * result depends neither on the machine nor on other lines.
 */
export type Effort = {
  /** Counts work; false if the line has none left. */
  spend(comparisons: number): boolean
}

export function createEffort(): Effort {
  let left = COMPARISONS_MAX
  return {
    spend(comparisons) {
      left -= comparisons
      return left >= 0
    },
  }
}

/** A comparison takes a tenth of a microsecond. */
const COMPARISONS_MAX = 60_000
