import { poolGrade } from './grades.ts'

/**
 * Selects the prices of a grade: exactly of it, or else of the same grade by any grader.
 *
 * @param grade as read from a slab; empty if none was read
 * @returns the prices, and the grade that they have; undefined without any price
 */
export function selectGradedPrices<Price extends { grade: string | null }>(
  prices: readonly Price[],
  grade: string,
): { grade: string; prices: Price[] } | undefined {
  if (grade === '') return undefined
  for (const wanted of [grade, poolGrade(grade)]) {
    if (wanted === undefined) continue
    const found = prices.filter((price) => price.grade === wanted)
    if (found.length > 0) return { grade: wanted, prices: found }
  }
  return undefined
}
