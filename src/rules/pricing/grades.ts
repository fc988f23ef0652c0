import { GRADE_WORDS } from './grade-words.ts'

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
 * Normalizes a grade to the grader and the number: `psa10`, `PSA GEM MT 10` and `PSA 10` are `PSA 10`.
 * `Grade 9` is a 9 of any grader. Words stay only where a grader has several tens, as in `CGC 10 Pristine`.
 *
 * @returns undefined if the text is not a grade, or if its words mean another one
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

/** Returns the grade of any grader with the same number: `Grade 9` for `PSA 9`. */
export function poolGrade(grade: string): string | undefined {
  const [, number] = /^[A-Z]{3} (\d+(?:\.5)?)$/.exec(grade) ?? []
  return number === undefined ? undefined : `Grade ${number}`
}
