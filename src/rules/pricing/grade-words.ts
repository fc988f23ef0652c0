/** Grades that the words on a label may mean. In capitals, with spaces instead of hyphens and slashes. */
export const GRADE_WORDS: ReadonlyMap<string, readonly number[]> = new Map([
  ...tiers([9.5, 10], 'GEM MINT'),
  ...tiers([10], 'GEM MT', 'PRISTINE', 'PERFECT', 'BLACK LABEL'),
  ...tiers([9.5], 'MINT+', 'MINT +'),
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
