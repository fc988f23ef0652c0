/** The part of an identification that says which sets it may show. */
export type IdentifiedSets = {
  candidates: readonly { set: { id: number }; score: number }[]
}

/**
 * Orders the sets whose pictures photos need first: sets of the last identifications, by the sum of the scores of their
 * cards, then those of people's lists. Reprints are in many sets, so the set that is being scanned has the largest sum.
 *
 * @param ofLists in their order
 */
export function orderFirstSets(
  identifications: readonly IdentifiedSets[],
  ofLists: readonly number[],
): number[] {
  const sums = new Map<number, number>()
  for (const { candidates } of identifications) {
    for (const { set, score } of candidates) sums.set(set.id, (sums.get(set.id) ?? 0) + score)
  }
  const identified = [...sums].toSorted(([, one], [, other]) => other - one).map(([id]) => id)
  return [...new Set([...identified, ...ofLists])]
}
