/** Set that may belong to an expansion. */
export type TwinCandidate = {
  expansion: { id: number }
  set: { id: number }
  /** Shared names as a share of all names. */
  similarity: number
  /** Number of names that only one side has, reduced if a name or a date agrees. */
  cost: number
}

/**
 * Lists the pairs of two expansions and two sets that resemble only each other, such as a set and its reprint. A
 * single expansion may resemble both sets equally, because products and cards are missing. Comparing the two possible
 * pairings decides: missing names count in both pairings, so the pairings differ only by the names that one of the
 * sets lacks.
 */
export function listTwins<Candidate extends TwinCandidate>(
  candidates: readonly Candidate[],
): Candidate[] {
  const alike = candidates.filter(({ similarity }) => similarity >= ALIKE_MIN)
  const byExpansion = Map.groupBy(alike, ({ expansion }) => expansion.id)
  const bySet = Map.groupBy(alike, ({ set }) => set.id)
  return [...byExpansion.values()].flatMap((own) => {
    const [first, second, ...others] = own
    if (first === undefined || second === undefined || others.length > 0) return []
    const rivals = (bySet.get(first.set.id) ?? []).filter((one) => one !== first)
    const [rival] = rivals
    const isClosed =
      rivals.length === 1 &&
      (bySet.get(second.set.id) ?? []).length === 2 &&
      byExpansion.get(rival?.expansion.id ?? 0)?.length === 2
    const cross = alike.find(
      ({ expansion, set }) => expansion === rival?.expansion && set === second.set,
    )
    // Each pair of expansions is compared once.
    if (!isClosed || rival === undefined || cross === undefined) return []
    if (first.expansion.id > rival.expansion.id) return []
    return choosePairing([first, cross], [second, rival])
  })
}

type Pairing<Candidate> = readonly [Candidate, Candidate]

/** Returns the better of two pairings; an empty list if they are too close, or if too much is missing. */
function choosePairing<Candidate extends TwinCandidate>(
  one: Pairing<Candidate>,
  other: Pairing<Candidate>,
): Candidate[] {
  const [best, worse] = costOf(one) <= costOf(other) ? [one, other] : [other, one]
  const isClear = costOf(worse) - costOf(best) >= NAMES_MIN
  return isClear && best.every(({ similarity }) => similarity >= PAIRED_MIN) ? [...best] : []
}

function costOf([a, b]: Pairing<TwinCandidate>): number {
  return a.cost + b.cost
}

/** Minimum similarity for a set to count as a competitor. */
const ALIKE_MIN = 0.5
/** Minimum similarity of an expansion and its set: a tenth of either may be missing. */
const PAIRED_MIN = 0.8
/** Minimum number of names by which the pairings differ: three names that only one of the sets has. */
const NAMES_MIN = 6
