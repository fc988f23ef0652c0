const WRITTEN =
  /^(PSA|BGS|BECKETT|CGC|SGC|TAG|ACE|GRADE) ?(?:([A-Z][A-Z +]*) )?(\d{1,2}(?:\.\d)?)(?: ([A-Z][A-Z +]*))?$/

/** Words that distinguish a 10 from other tens of the same grader. */
const DESIGNATIONS: Readonly<Record<string, string>> = {
  'BGS BLACK': 'Black Label',
  'BGS BLACK LABEL': 'Black Label',
  'CGC PRISTINE': 'Pristine',
  'CGC PERFECT': 'Perfect',
  'TAG PRISTINE': 'Pristine',
}

/**
 * Normalizes a grade to the grader and the number: `psa10`, `PSA GEM MT 10` and `PSA 10` are `PSA 10`. `Grade 9` is a
 * 9 of any grader. Words are kept only if a grader has several tens, as in `CGC 10 Pristine`.
 *
 * @returns undefined if the text is not a grade, or if its words contradict the number
 */
export function normalizeGrade(text: string): string | undefined {
  const bare = text.toUpperCase().replace(/[-/]/g, ' ').replace(/\s+/g, ' ').trim()
  const [, name = '', before, digits, after] = WRITTEN.exec(bare) ?? []
  const grade = Number(digits)
  if (!(grade >= 1 && grade <= 10 && Number.isInteger(grade * 2))) return undefined
  const grader = name === 'BECKETT' ? 'BGS' : name === 'GRADE' ? 'Grade' : name
  const words = [before, after].filter((word) => word !== undefined)
  const designation = grade === 10 ? DESIGNATIONS[`${grader} ${words.join(' ')}`] : undefined
  if (designation !== undefined) return `${grader} ${grade} ${designation}`
  const agrees = words.every((word) => GRADE_WORDS.get(word)?.includes(grade))
  return agrees ? `${grader} ${grade}` : undefined
}

/** Returns the grade with the same number of any grader: `Grade 9` for `PSA 9`. */
export function poolGrade(grade: string): string | undefined {
  const [, number] = /^[A-Z]{3} (\d+(?:\.5)?)$/.exec(grade) ?? []
  return number === undefined ? undefined : `Grade ${number}`
}

/** Grades that the words on a label may mean. In capitals, with spaces instead of hyphens and slashes. */
export const GRADE_WORDS: ReadonlyMap<string, readonly number[]> = new Map([
  ...tiers([9.5, 10], 'GEM MINT'),
  ...tiers([10], 'GEM MT', 'PRISTINE', 'PERFECT', 'BLACK LABEL'),
  ...tiers([9.5], 'MINT+', 'MINT +', 'MT+'),
  ...tiers([9], 'MINT', 'MT'),
  ...tiers([8.5], 'NM MT+', 'NM MINT+'),
  ...tiers([8], 'NM MT', 'NM MINT'),
  ...tiers([7.5], 'NEAR MINT+', 'NM+'),
  ...tiers([7], 'NEAR MINT', 'NM'),
  ...tiers([6.5], 'EX NM+', 'EX MT+'),
  ...tiers([6], 'EX MT', 'EX NM'),
  ...tiers([5.5], 'EX+', 'EXCELLENT+'),
  ...tiers([5], 'EX', 'EXCELLENT'),
  ...tiers([4.5], 'VG EX+'),
  ...tiers([4], 'VG EX'),
  ...tiers([3.5], 'VG+', 'VERY GOOD+'),
  ...tiers([3], 'VG', 'VERY GOOD'),
  ...tiers([2.5], 'GOOD+', 'GD+'),
  ...tiers([2], 'GOOD', 'GD'),
  ...tiers([1.5], 'FAIR', 'FR'),
  ...tiers([1], 'POOR', 'PR'),
])

/** Returns each of the words, also without spaces, which are narrow on many labels. */
function tiers(grades: readonly number[], ...words: string[]): [string, readonly number[]][] {
  const forms = words.flatMap((word) => [word, word.replaceAll(' ', '')])
  return forms.map((word) => [word, grades])
}

/**
 * Selects the prices of exactly a grade, or otherwise of the same grade by any grader.
 *
 * @param grade as read from a slab; empty if none was read
 * @returns the prices with their grade; undefined without any price
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
