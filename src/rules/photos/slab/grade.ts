// Parses the grade on the label of a slab. label-card.ts parses the card.
import { GRADE_WORDS } from '../../pricing/grades.ts'
import { spanConfidence } from '../span-confidence.ts'
import { splitColumns } from '../split-columns.ts'
import { type PrintedLine, soleValue } from '../text-line.ts'
import { readGrader } from './grader-name.ts'

const GRADERS: readonly [grader: string, words: RegExp][] = [
  ['PSA', /^PSA\b/],
  ['BGS', /^(?:BGS|BECKETT)\b/],
  ['CGC', /^CGC(?: TRADING)?(?: CARDS)?\b/],
  ['SGC', /^SGC\b/],
  // Also words of names and rules, so it must stand alone.
  ['TAG', /^TAG(?: GRADING)?(?= [0-9]|$)/],
  ['ACE', /^ACE(?: GRADING)?(?= [0-9]|$)/],
]

/** Stands for a grader that could not be read: "Grade 9" is a 9 of any grader (pricing/grades.ts). */
const ANY_GRADER = 'Grade'
const ANNOUNCED = /^(?:GRADED?|FINAL GRADE|OVERALL(?: GRADE)?)\b:?/

/** A part of a label that contains only a grader, a grade or its words. */
type GradeLine = {
  grader: string
  grade: number | undefined
  /** Words of the grade; empty if there are no words. */
  words: string
  /** Grades that its words may mean; undefined without words. */
  allowed: readonly number[] | undefined
  heightPx: number
  /** True if a word announces the grade: "Grade 9". */
  isAnnounced: boolean
}

/** Limits of the confidence of each part, if words and a number confirm each other and if one of them is missing. */
type GradeLimits = { withWords: number; alone: number }

/**
 * Returns the grade, such as `PSA 10`, `ACME 9` of another grader, or `Grade 9` if no grader can be read; empty unless
 * number and words agree. Words with a single meaning replace the number beside a known grader: `EX-NM+` is 6.5, even
 * if only its 6 was read.
 *
 * @param label legible lines of the label, at any confidence
 * @param isName returns whether a text is the name of a card, and not of a grader
 */
export function parseGrade(
  label: readonly PrintedLine[],
  limits: GradeLimits,
  isName: (text: string) => boolean = () => false,
): string {
  // Authenticated cards have no grade.
  if (label.some(({ text }) => /\bAUTH(?:ENTIC)?\b|\bALTERED\b/i.test(text))) return ''
  const parts = label.flatMap(partsOf)
  const sure = (least: number) =>
    parts.flatMap(({ part, confidence }) => (confidence >= least ? part : []))
  const known = parts.flatMap(({ part }) => part.grader || [])
  if (known.length > 0) {
    return gradeOf(sure(limits.alone), label, false) || gradeOf(sure(limits.withWords), label, true)
  }
  const grade =
    gradeOfAny(sure(limits.alone), label, false) || gradeOfAny(sure(limits.withWords), label, true)
  if (grade === '') return ''
  return `${readGrader(label, limits.alone, isName) || ANY_GRADER} ${grade}`
}

/** Returns the grade of a known grader. */
function gradeOf(
  parts: readonly GradeLine[],
  label: readonly PrintedLine[],
  needsBoth: boolean,
): string {
  const grader = soleValue(parts.flatMap((part) => part.grader || []))
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
  return grader !== '' && isConfirmed(grade, parts, label, needsBoth) ? `${grader} ${grade}` : ''
}

/**
 * Returns the grade on a label without a known grader: a number that words confirm, that is announced, or that is the
 * tallest text beside others. Words alone may describe anything.
 */
function gradeOfAny(
  parts: readonly GradeLine[],
  label: readonly PrintedLine[],
  needsBoth: boolean,
): string {
  const grade = soleValue(findGrades(parts, label).map(String))
  if (!isConfirmed(grade, parts, label, needsBoth)) return ''
  if (parts.some(({ allowed, isAnnounced }) => allowed !== undefined || isAnnounced)) return grade
  const most = tallest(label)
  const isTallest = parts.some((part) => part.grade !== undefined && part.heightPx >= most)
  return isTallest && label.some(({ text }) => /\p{L}{3}/u.test(text)) ? grade : ''
}

/** Returns true if all words on the label allow a grade. */
function isConfirmed(
  grade: string,
  parts: readonly GradeLine[],
  label: readonly PrintedLine[],
  needsBoth: boolean,
): boolean {
  const allowed = allowedGrades(parts, label)
  return (
    grade !== '' &&
    allowed.every((grades) => grades.includes(Number(grade))) &&
    (allowed.length > 0 || !needsBoth)
  )
}

/** Returns the grades that each of the words allows. "GEM" on a line of its own belongs to the "MINT" below it. */
function allowedGrades(
  parts: readonly GradeLine[],
  label: readonly PrintedLine[],
): (readonly number[])[] {
  const [first = ''] = label.flatMap(({ text }) => FIRST_WORD.exec(text.toUpperCase())?.[1] ?? [])
  return parts.flatMap(({ words, allowed }) => {
    if (allowed === undefined) return []
    return [(first !== '' && GRADE_WORDS.get(`${first} ${words}`)) || allowed]
  })
}

/** First words of a grade that mean no grade by themselves: "GEM" above "MINT". */
const FIRST_WORD = /\b(GEM|NEAR|VERY)\W*$/i

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

/** Words beside the grades of its parts, as on labels of BGS. */
const PARTS = /\b(?:CENTERING|CORNERS|EDGES|SURFACE)\b/i
/** Minimum height of the grade on such a label, relative to these words. */
const PARTS_HEIGHT = 1.5
/** Minimum height of the grade, relative to the tallest number of the label. */
const TALLEST = 0.9

/** Returns grades next to a grader or words; otherwise the tallest separate grades. */
function findGrades(lines: readonly GradeLine[], label: readonly PrintedLine[]): number[] {
  const graded = lines.filter(({ grade }) => grade !== undefined)
  const isAlone = ({ grader, allowed, isAnnounced }: GradeLine) =>
    grader === '' && allowed === undefined && !isAnnounced
  const withContext = graded.filter((line) => !isAlone(line))
  if (withContext.length > 0) return withContext.flatMap(({ grade }) => grade ?? [])
  const heightMin = Math.max(
    TALLEST * tallest(rivalsOfGrade(lines, label)),
    PARTS_HEIGHT * tallest(label.filter(({ text }) => PARTS.test(text))),
  )
  return graded.flatMap(({ grade, heightPx }) => (heightPx >= heightMin ? (grade ?? []) : []))
}

/**
 * Returns the lines that a grade must not be smaller than: all numbers, also those that were not read with
 * confidence, because a part of the grade must not replace it. Without words on the label all lines, because a small
 * number may be the card's.
 */
function rivalsOfGrade(lines: readonly GradeLine[], label: readonly PrintedLine[]) {
  const hasWords = lines.some(({ allowed }) => allowed !== undefined)
  return hasWords ? label.filter(({ text }) => /^\W*[0-9]{1,2}(?:\.[0-9]?)?\W*$/.test(text)) : label
}

function tallest(lines: readonly Pick<PrintedLine, 'heightPx'>[]): number {
  return Math.max(0, ...lines.map(({ heightPx }) => heightPx))
}

/** @param isColumn true if a grader may precede other words, as in "CGC TRADING CARDS 2014" */
export function parseGradeLine(
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
  const isAnnounced = ANNOUNCED.test(normalized)
  const bare = normalized.replace(of, '').replace(ANNOUNCED, '')
  const tokens = bare.split(' ').filter(Boolean)
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
      isAnnounced,
    }
  return grader === '' || !isColumn
    ? undefined
    : { grader, grade: undefined, words: '', allowed: undefined, heightPx, isAnnounced: false }
}

/** Returns true if a number is a grade. Undefined counts, because words alone are a grade line. */
function isGrade(number: string | undefined): boolean {
  return number === undefined || /^(?:10(?:\.0)?|[1-9](?:\.[05])?)$/.test(number)
}
