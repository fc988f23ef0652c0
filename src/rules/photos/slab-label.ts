// Parses the grading label of a slab: grader, grade, and name and number of the card.
import { parseCollectorLine } from './parse-collector-line.ts'
import { cleanTitle } from './read-title.ts'
import { type PrintedLine, soleValue } from './text-line.ts'

const GRADERS: readonly [grader: string, words: RegExp][] = [
  ['PSA', /^PSA\b/],
  ['BGS', /^(?:BGS|BECKETT)\b/],
  ['CGC', /^CGC(?: TRADING)?(?: CARDS)?\b/],
  ['SGC', /^SGC\b/],
  // Also words of names and rules: must stand alone.
  ['TAG', /^TAG(?: GRADING)?(?= [0-9]|$)/],
  ['ACE', /^ACE(?: GRADING)?(?= [0-9]|$)/],
]

/** Words for grades, in capitals, with spaces instead of hyphens and slashes. */
const TIERS: ReadonlyMap<string, readonly number[]> = new Map([
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

function tiers(grades: readonly number[], ...words: string[]): [string, readonly number[]][] {
  return words.map((word) => [word, grades])
}

/** A line of a label with a grader, a grade or its words, and nothing else. */
type GradeLine = {
  grader: string
  grade: number | undefined
  /** Grades that its words may mean; undefined without words. */
  allowed: readonly number[] | undefined
  heightPx: number
}

/**
 * Returns the grade, such as "PSA 10"; empty unless grader, grade and words agree.
 *
 * @param needsWords requires words that confirm the grade, for lines of lower confidence
 */
export function parseGrade(label: readonly PrintedLine[], needsWords: boolean): string {
  // Authenticated cards have no grade.
  if (label.some(({ text }) => /\bAUTH(?:ENTIC)?\b|\bALTERED\b/i.test(text))) return ''
  const lines = label.flatMap((line) => parseGradeLine(line) ?? [])
  const grader = soleValue(lines.flatMap((line) => line.grader || []))
  const allowedGrades = lines.flatMap(({ allowed }) => (allowed === undefined ? [] : [allowed]))
  const grade = soleValue(findGrades(lines, label).map(String))
  const isConfirmed =
    allowedGrades.every((allowed) => allowed.includes(Number(grade))) &&
    (allowedGrades.length > 0 || !needsWords)
  return grader !== '' && grade !== '' && isConfirmed ? `${grader} ${grade}` : ''
}

/** Returns grades next to a grader or words; otherwise the tallest grades that stand alone. */
function findGrades(lines: readonly GradeLine[], label: readonly PrintedLine[]): number[] {
  const graded = lines.filter(({ grade }) => grade !== undefined)
  const isAlone = ({ grader, allowed }: GradeLine) => grader === '' && allowed === undefined
  const withContext = graded.filter((line) => !isAlone(line))
  const alone = graded.filter(isAlone)
  // Without words on the label, a small number may be the number of the card.
  const hasWords = lines.some(({ allowed }) => allowed !== undefined)
  const heights = (hasWords ? alone : label).map(({ heightPx }) => heightPx)
  const tall = alone.filter(({ heightPx }) => heightPx >= 0.9 * Math.max(...heights))
  return (withContext.length > 0 ? withContext : tall).flatMap(({ grade }) => grade ?? [])
}

function parseGradeLine({ text, heightPx }: PrintedLine): GradeLine | undefined {
  const normalised = text
    .toUpperCase()
    .replace(/(?<=[A-Z])[-/](?=[A-Z])/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const [grader = '', words = /^$/] = GRADERS.find(([, of]) => of.test(normalised)) ?? []
  const tokens = normalised.replace(words, '').split(' ').filter(Boolean)
  const [number, ...numbers] = tokens.filter((token) => /[0-9]/.test(token))
  const rest = tokens.filter((token) => !/[0-9]/.test(token)).join(' ')
  const allowed = TIERS.get(rest)
  const isGradeLine =
    numbers.length === 0 && isGrade(number) && (rest === '' || allowed !== undefined)
  if (isGradeLine)
    return { grader, grade: number === undefined ? undefined : Number(number), allowed, heightPx }
  return grader === '' ? undefined : { grader, grade: undefined, allowed: undefined, heightPx }
}

/** Returns whether a number is a grade. Undefined counts, because words alone are a grade line. */
function isGrade(number: string | undefined): boolean {
  return number === undefined || /^(?:10(?:\.0)?|[1-9](?:\.[05])?)$/.test(number)
}

/** Returns the number of the card: "#4", or in the format of the card. */
export function parseLabelNumber(
  label: readonly PrintedLine[],
  shapes: ReadonlySet<string>,
): string {
  return soleValue(
    label.flatMap(({ text }) => {
      const [, number] =
        /#\s?([A-Z]{0,4}[0-9]{1,3}(?:\/[A-Z]{0,4}[0-9]{1,3})?)(?![^\s,])/.exec(text) ?? []
      return number ?? (parseCollectorLine(text.replace(/#/g, ' '), false, shapes)?.number || [])
    }),
  )
}

/** Returns the name of the card, without additions of the grader. */
export function parseLabelName(label: readonly PrintedLine[]): string {
  const names = label.filter((line) => line.kind === 'name' && parseGradeLine(line) === undefined)
  return soleValue(
    names
      .filter(({ text }) => !/\b(?:19|20)[0-9]{2}\b/.test(text))
      .map(({ text }) =>
        cleanTitle(text.replace(/^FA\//, '').replace(/[-\s](?:HOLO|REV\.?\s?FOIL)$/, '')),
      ),
  )
}
