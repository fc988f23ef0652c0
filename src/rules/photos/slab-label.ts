// Parses the grading label of a slab: grader, grade, and name and number of the card.
import { GRADE_WORDS } from '../pricing/grades.ts'
import { readLetters } from './ctc.ts'
import { parseCollectorLine } from './parse-collector-line.ts'
import { cleanTitle } from './read-title.ts'
import { spanConfidence } from './span-confidence.ts'
import { type PrintedLine, soleValue } from './text-line.ts'

const GRADERS: readonly [grader: string, words: RegExp][] = [
  ['PSA', /^PSA\b/],
  ['BGS', /^(?:BGS|BECKETT)\b/],
  ['CGC', /^CGC(?: TRADING)?(?: CARDS)?\b/],
  ['SGC', /^SGC\b/],
  // Also words of names and rules, so it must stand alone.
  ['TAG', /^TAG(?: GRADING)?(?= [0-9]|$)/],
  ['ACE', /^ACE(?: GRADING)?(?= [0-9]|$)/],
]

/** A part of a label that contains only a grader, a grade or its words. */
type GradeLine = {
  grader: string
  grade: number | undefined
  /** Words of the grade; empty if there are no words. */
  words: string
  /** Grades that its words may mean; undefined without words. */
  allowed: readonly number[] | undefined
  heightPx: number
}

/**
 * Returns the grade, such as "PSA 10"; empty unless grader, grade and words agree. Words with a single meaning
 * replace the number: `EX-NM+` is 6.5, even if only its 6 was read.
 *
 * @param label legible lines of the label, at any confidence
 * @param limits confidence of each part, if words and a number confirm each other and if one of them is missing
 */
export function parseGrade(
  label: readonly PrintedLine[],
  limits: { withWords: number; alone: number },
): string {
  // Authenticated cards have no grade.
  if (label.some(({ text }) => /\bAUTH(?:ENTIC)?\b|\bALTERED\b/i.test(text))) return ''
  const parts = label.flatMap(partsOf)
  const sure = (least: number) =>
    parts.flatMap(({ part, confidence }) => (confidence >= least ? part : []))
  return gradeOf(sure(limits.alone), label, false) || gradeOf(sure(limits.withWords), label, true)
}

function gradeOf(
  parts: readonly GradeLine[],
  label: readonly PrintedLine[],
  needsBoth: boolean,
): string {
  const grader = soleValue(parts.flatMap((part) => part.grader || []))
  const allowed = parts.flatMap((part) => (part.allowed === undefined ? [] : [part.allowed]))
  const numbers = findGrades(parts, label).map(String)
  const isSplit = label.some(({ text }) => FIRST_WORD.test(text))
  const meant = isSplit ? [] : parts.flatMap((part) => gradeMeant(part) ?? [])
  const words = soleValue(meant.map(String))
  // A truncated number is the beginning of the right one.
  const isMeant =
    words !== '' &&
    [...numbers, ...fractionsOf(label)].every((number) => words.startsWith(number)) &&
    (numbers.length > 0 || !needsBoth)
  const grade = isMeant ? words : soleValue(numbers)
  const isConfirmed =
    allowed.every((grades) => grades.includes(Number(grade))) && (allowed.length > 0 || !needsBoth)
  return grader !== '' && grade !== '' && isConfirmed ? `${grader} ${grade}` : ''
}

/** First words of a grade that mean no grade by themselves: "GEM" above "MINT". */
const FIRST_WORD = /\b(?:GEM|NEAR|VERY)\W*$/i

/**
 * Returns the grade that words mean by themselves. `MINT` is not treated as a truncated `MINT+`: of 33 labels with a
 * plus, none was read without it.
 */
function gradeMeant({ allowed }: GradeLine): number | undefined {
  return allowed?.length === 1 ? allowed[0] : undefined
}

/** Returns lines that are a number with a fraction, even if no such grade exists: 9.3 is a misread grade. */
function fractionsOf(label: readonly PrintedLine[]): string[] {
  return label.flatMap(({ text }) => /^[0-9]{1,2}\.[0-9]?$/.exec(text.trim())?.[0] ?? [])
}

type SurePart = { part: GradeLine; confidence: number }

/** Returns the parts of a line that describe the grade. A line may contain several columns of the label. */
function partsOf(line: PrintedLine): SurePart[] {
  const columns = splitColumns(line)
  const take = (first: number, end: number): SurePart[] => {
    // The longest part first, because GEM MINT is another grade than MINT.
    for (let length = end - first; length > 0; length--) {
      for (let from = first; from + length <= end; from++) {
        const text = columns.slice(from, from + length).join(' ')
        const part = parseGradeLine({ text, heightPx: line.heightPx }, length === 1)
        if (part === undefined) continue
        return [...take(first, from), withConfidence(part, line, text), ...take(from + length, end)]
      }
    }
    return []
  }
  const parts = take(0, columns.length)
  return parts.length > 0 ? parts : lastWordOf(line)
}

function withConfidence(part: GradeLine, { ctc }: PrintedLine, text: string): SurePart {
  // Words after the grader do not describe the grade.
  const isGraderAlone = part.grader !== '' && part.grade === undefined && part.words === ''
  return { part, confidence: spanConfidence(ctc, isGraderAlone ? firstWord(text) : text) }
}

function firstWord(text: string): string {
  return text.trim().split(/\s/)[0] ?? ''
}

/** Graders that never end the name of a card. */
const LAST_GRADER = /\s(PSA|BGS|BECKETT|CGC|SGC|TAG)$/
const LAST_GRADE = /\s(10|[1-9](?:\.[05])?)$/

/** Returns the grader or the grade at the end of other words, if a column of the label follows closely. */
function lastWordOf({ text, ctc }: PrintedLine): SurePart[] {
  const [, word] = LAST_GRADER.exec(text) ?? LAST_GRADE.exec(text) ?? []
  // Without a height, so that every separate number takes precedence.
  const part = word === undefined ? undefined : parseGradeLine({ text: word, heightPx: 0 }, true)
  return word === undefined || part === undefined
    ? []
    : [{ part, confidence: spanConfidence(ctc, word) }]
}

/** Minimum gap between two columns, in steps and in distances between the letters of the line. */
const GAP_STEPS_MIN = 5
const GAP_LETTERS_MIN = 2.5

/** Splits a line at its wide gaps. */
function splitColumns({ text, ctc }: PrintedLine): string[] {
  const letters = readLetters(ctc).filter(({ letter }) => letter !== ' ')
  const gaps = letters.slice(1).map(({ first }, index) => first - (letters[index]?.last ?? 0))
  const median = gaps.toSorted((one, other) => one - other)[gaps.length >> 1] ?? 0
  const least = Math.max(GAP_STEPS_MIN, GAP_LETTERS_MIN * median)
  let inked = -1
  const marked = [...text].map((letter) => {
    if (letter === ' ') return letter
    inked++
    return inked > 0 && (gaps[inked - 1] ?? 0) >= least ? `\t${letter}` : letter
  })
  return marked
    .join('')
    .split('\t')
    .map((column) => column.trim())
    .filter(Boolean)
}

/** Returns grades next to a grader or words; otherwise the tallest separate grades. */
function findGrades(lines: readonly GradeLine[], label: readonly PrintedLine[]): number[] {
  const graded = lines.filter(({ grade }) => grade !== undefined)
  const isAlone = ({ grader, allowed }: GradeLine) => grader === '' && allowed === undefined
  const withContext = graded.filter((line) => !isAlone(line))
  const alone = graded.filter(isAlone)
  // Without words on the label, a small number may be the card's number.
  const hasWords = lines.some(({ allowed }) => allowed !== undefined)
  const heights = (hasWords ? alone : label).map(({ heightPx }) => heightPx)
  const tall = alone.filter(({ heightPx }) => heightPx >= 0.9 * Math.max(...heights))
  return (withContext.length > 0 ? withContext : tall).flatMap(({ grade }) => grade ?? [])
}

/** @param isColumn true if a grader may precede other words, as in "CGC TRADING CARDS 2014" */
function parseGradeLine(
  { text, heightPx }: Pick<PrintedLine, 'text' | 'heightPx'>,
  isColumn: boolean,
): GradeLine | undefined {
  const normalized = text
    .toUpperCase()
    .replace(/(?<=[A-Z])[-/](?=[A-Z])/g, ' ')
    .replace(/(?<=[A-Z]0?)0|0(?=0?[A-Z])/g, 'O')
    .replace(/\s+/g, ' ')
    .trim()
  const [grader = '', of = /^$/] = GRADERS.find(([, of]) => of.test(normalized)) ?? []
  const tokens = normalized.replace(of, '').split(' ').filter(Boolean)
  const [number, ...numbers] = tokens.filter((token) => /[0-9]/.test(token))
  const words = tokens.filter((token) => !/[0-9]/.test(token)).join(' ')
  const allowed = GRADE_WORDS.get(words)
  const isGradeLine =
    numbers.length === 0 && isGrade(number) && (words === '' || allowed !== undefined)
  if (isGradeLine)
    return {
      grader,
      grade: number === undefined ? undefined : Number(number),
      words,
      allowed,
      heightPx,
    }
  return grader === '' || !isColumn
    ? undefined
    : { grader, grade: undefined, words: '', allowed: undefined, heightPx }
}

/** Returns true if a number is a grade. Undefined counts, because words alone are a grade line. */
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
  const names = label.filter(
    (line) => line.kind === 'name' && parseGradeLine(line, true) === undefined,
  )
  return soleValue(
    names
      .filter(({ text }) => !/\b(?:19|20)[0-9]{2}\b/.test(text))
      .map(({ text }) =>
        cleanTitle(text.replace(/^FA\//, '').replace(/[-\s](?:HOLO|REV\.?\s?FOIL)$/, '')),
      ),
  )
}
