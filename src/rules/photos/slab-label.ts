// What the label of a slab says: who graded the card and how, and which card it is.
import { parseCollectorLine } from './parse-collector-line.ts'
import { cleanTitle } from './read-title.ts'
import { type PrintedLine, soleValue } from './text-line.ts'

const GRADERS: readonly [grader: string, words: RegExp][] = [
  ['PSA', /^PSA\b/],
  ['BGS', /^(?:BGS|BECKETT)\b/],
  ['CGC', /^CGC(?: TRADING)?(?: CARDS)?\b/],
  ['SGC', /^SGC\b/],
  // Words of names and rules, too: these stand alone.
  ['TAG', /^TAG(?: GRADING)?(?= [0-9]|$)/],
  ['ACE', /^ACE(?: GRADING)?(?= [0-9]|$)/],
]

/** The words for the grades, in capitals, with spaces for hyphens and slashes. */
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

/** What a line of a label says of the grade, where it says nothing else. */
type GradeLine = {
  grader: string
  grade: number | undefined
  /** The grades that its words may stand for; undefined without words. */
  allowed: readonly number[] | undefined
  heightPx: number
}

/**
 * As "PSA 10", where grader, grade and its words agree; else empty.
 *
 * @param needsWords only where its words are there to agree: they vouch for a number that is less sure
 */
export function parseGrade(label: readonly PrintedLine[], needsWords: boolean): string {
  // Authentic cards have no grade.
  if (label.some(({ text }) => /\bAUTH(?:ENTIC)?\b|\bALTERED\b/i.test(text))) return ''
  const lines = label.flatMap((line) => gradeLine(line) ?? [])
  const grader = soleValue(lines.flatMap((line) => line.grader || []))
  const spoken = lines.flatMap(({ allowed }) => (allowed === undefined ? [] : [allowed]))
  const grade = soleValue(gradesIn(lines, label).map(String))
  const isSpoken =
    spoken.every((allowed) => allowed.includes(Number(grade))) && (spoken.length > 0 || !needsWords)
  return grader !== '' && grade !== '' && isSpoken ? `${grader} ${grade}` : ''
}

/** Grades that stand with the grader or with words; else those alone, among which the tallest count. */
function gradesIn(lines: readonly GradeLine[], label: readonly PrintedLine[]): number[] {
  const graded = lines.filter(({ grade }) => grade !== undefined)
  const isAlone = ({ grader, allowed }: GradeLine) => grader === '' && allowed === undefined
  const told = graded.filter((line) => !isAlone(line))
  const alone = graded.filter(isAlone)
  // Without words for it on the label, a small number is as likely the card's.
  const hasWords = lines.some(({ allowed }) => allowed !== undefined)
  const heights = (hasWords ? alone : label).map(({ heightPx }) => heightPx)
  const tall = alone.filter(({ heightPx }) => heightPx >= 0.9 * Math.max(...heights))
  return (told.length > 0 ? told : tall).flatMap(({ grade }) => grade ?? [])
}

function gradeLine({ text, heightPx }: PrintedLine): GradeLine | undefined {
  const said = text
    .toUpperCase()
    .replace(/(?<=[A-Z])[-/](?=[A-Z])/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const [grader = '', words = /^$/] = GRADERS.find(([, of]) => of.test(said)) ?? []
  const tokens = said.replace(words, '').split(' ').filter(Boolean)
  const [number, ...numbers] = tokens.filter((token) => /[0-9]/.test(token))
  const rest = tokens.filter((token) => !/[0-9]/.test(token)).join(' ')
  const allowed = TIERS.get(rest)
  const isOfGrade =
    numbers.length === 0 && isGrade(number) && (rest === '' || allowed !== undefined)
  if (isOfGrade)
    return { grader, grade: number === undefined ? undefined : Number(number), allowed, heightPx }
  return grader === '' ? undefined : { grader, grade: undefined, allowed: undefined, heightPx }
}

/** Or nothing: words alone are of a grade, too. */
function isGrade(number: string | undefined): boolean {
  return number === undefined || /^(?:10(?:\.0)?|[1-9](?:\.[05])?)$/.test(number)
}

/** Labels write "#4", or the number as the card has it. */
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

/** In capitals, and with what the grader adds to it. */
export function parseLabelName(label: readonly PrintedLine[]): string {
  const names = label.filter((line) => line.kind === 'name' && gradeLine(line) === undefined)
  return soleValue(
    names
      .filter(({ text }) => !/\b(?:19|20)[0-9]{2}\b/.test(text))
      .map(({ text }) =>
        cleanTitle(text.replace(/^FA\//, '').replace(/[-\s](?:HOLO|REV\.?\s?FOIL)$/, '')),
      ),
  )
}
