import { describe, expect, test } from 'bun:test'
import type { PhotoKind } from '#rules/photos/photo-reading.ts'
import { readFields } from '#rules/photos/read-fields.ts'
import type { PrintedLine } from '#rules/photos/text-line.ts'
import { createSeededRandom, type SeededRandom } from '../../../../scripts/tools/seed/random.ts'
import {
  GOOD_QUALITY,
  printedLine,
  recognizedLine,
} from '../../../support/photos/candidate-fixtures.ts'

/** Creates a line of a label; the kind of its lines is unknown. */
function label(text: string, facts: Partial<PrintedLine> = {}): PrintedLine {
  const box = { left: 0.1, top: -0.15, right: 0.5, bottom: -0.125 }
  const read = { confidence: 0.995, legibility: 0.97, kind: 'other', heightPx: 24 } as const
  const ctc = recognizedLine(text, facts.confidence ?? read.confidence)
  return printedLine(text, { ...read, box, ctc, ...facts })
}

const game = { id: 3, slug: 'pokemon', name: 'Pokemon' }
const namesakes = (text: string) => (text === 'MEW' ? [{ number: '8/53', game }] : [])
const gradeIn = (lines: PrintedLine[], kind: PhotoKind) =>
  readFields(
    lines,
    { kind, quality: GOOD_QUALITY, finish: undefined },
    { shapes: new Set(), namesakes },
  ).grade

describe('the grade', () => {
  const grade = (...lines: PrintedLine[]) => gradeIn(lines, 'graded slab')
  const texts = (...all: string[]) => all.map((text) => label(text))

  test.each([
    [['PSA', '2016 POKEMON', '#11', 'CINDLEMANE', 'GEM MT', '10', '23456789'], 'PSA 10'],
    [['PSA', 'NM-MT 8'], 'PSA 8'],
    [['PSA', 'NM-MT', '8'], 'PSA 8'],
    [['PSA 10'], 'PSA 10'],
    [['BECKETT', 'GEM MINT', '9.5'], 'BGS 9.5'],
    [['BGS', 'GEM MINT 9.5', 'CENTERING 10', 'CORNERS 9.5', 'EDGES 9', 'SURFACE 10'], 'BGS 9.5'],
    [['CGC', 'MINT', '9', '4123456789'], 'CGC 9'],
    [['CGC TRADING CARDS', 'EX/NM+ 6.5'], 'CGC 6.5'],
    [['SGC', 'MINT+ 9.5'], 'SGC 9.5'],
    [['SGC', 'MT+', '9.5'], 'SGC 9.5'],
    [['TAG', 'PRISTINE', '10', 'A1234567'], 'TAG 10'],
    [['ACE GRADING', 'GEM MINT 10'], 'ACE 10'],
    [['PSA', 'MINT 9.0'], 'PSA 9'],
    // Words that mean one grade, spaces that were not read, and zeros for letters
    [['PSA', 'GEM MT'], 'PSA 10'],
    [['PSA', 'MINT'], 'PSA 9'],
    [['BGS', 'GD'], 'BGS 2'],
    [['PSA', 'EX-NM+', '6'], 'PSA 6.5'],
    [['PSA', 'NMMT+', '8.5'], 'PSA 8.5'],
    [['PSA', 'G00D+', '2.5'], 'PSA 2.5'],
    // Columns that are close to each other
    [['CINDLEMANE V PSA', 'GEM MT', '10'], 'PSA 10'],
    [['CGC TRADING CARDS CINDLEMANE', 'MINT', '9'], 'CGC 9'],
    [['BGS', 'MINT', 'Wickerwild - LTS - 041/165 9'], 'BGS 9'],
    // "GEM" above "MINT"
    [['PSA', 'GEM', 'MINT', '10'], 'PSA 10'],
    [['CGC', 'NEAR', 'MINT', '7'], 'CGC 7'],
    // Graders that are not known, and names that contain the initials of known ones
    [['GEM MT', '10'], 'Grade 10'],
    [['PORTGAS.D.ACE', 'GEM MINT 10'], 'Grade 10'],
    [['TAG TEAM', 'GEM MINT 10'], 'Grade 10'],
    [['DCM', 'Umbreon ex', 'Prismatic Evolutions #161/131', '9', 'MINT'], 'DCM 9'],
    [['2020 WICKERWILD', 'CINDLEMANE V', 'Apex Grading', 'NM-MT+ 8.5', '220109'], 'APEX 8.5'],
    [['CINDLEMANE', 'GRADE 9', '2023 LANTERN SEASON #41'], 'Grade 9'],
    [['VAULT CARD GRADING', 'FINAL GRADE: 7.5'], 'VAULT 7.5'],
    [['HGA', 'KSA', 'GEM MINT 10'], 'Grade 10'],
    [['MEW', 'GEM MINT 10'], 'Grade 10'],
    [['X 10', 'GEM MINT', '220109'], 'Grade 10'],
    [['GEM MINT', 'CINDLEMANE'], ''],
    [['MINT', '10'], ''],
    [['GEM MINT', '9.5', '10'], ''],
    [['ACME', 'CINDLEMANE', '2016', '#11', '41/165', '23456789'], ''],
    // Not a grade
    [['BGS', 'GEM MINT'], ''],
    [['PSA', 'GEM', 'MINT'], ''],
    [['PSA', 'NEAR', 'MINT'], ''],
    [['PSA', 'VERY', 'GOOD'], ''],
    [['PSA', 'NM', 'MINT'], ''],
    [['PSA', 'MINT', '10'], ''],
    [['PSA', 'GEM MT 10', 'MINT 9'], ''],
    [['PSA', 'CGC', 'GEM MT 10'], ''],
    [['PSA', 'AUTHENTIC', '8'], ''],
    [['PSA', 'CENTERING 9.5', 'CORNERS 9'], ''],
    [['PSA', '#4'], ''],
    [['CGC', '4/102'], ''],
    [['PSA', '2016', '23456789'], ''],
    [['PSA', 'MINT', '9.3'], ''],
    [['PSA', 'EX-NM+', '6.3'], ''],
    [['PSA', 'GEM MT 11'], ''],
    [['PSA', 'EX-NM+', '7'], ''],
  ])('on a label of %p is %p', (lines, expected) => {
    expect(grade(...texts(...lines))).toBe(expected)
  })

  test('alone is the tallest number', () => {
    const tall = label('9', { heightPx: 50 })
    const subgrades = texts('9.5', '9', '8.5', '9.5')
    expect(grade(...texts('BGS', 'CENTERING', 'SURFACE'), ...subgrades, tall)).toBe('BGS 9')
    expect(grade(...texts('BGS', 'CENTERING', 'SURFACE'), ...subgrades)).toBe('')
    expect(grade(label('PSA', { heightPx: 50 }), label('4'))).toBe('')
  })

  test('alone on a label without a known grader is the tallest text beside others', () => {
    const tall = label('9', { heightPx: 60 })
    const logo = label('ACME', { heightPx: 38 })
    const name = label('WEATHERCOCK BARON', { heightPx: 35 })
    expect(grade(tall, logo, name)).toBe('ACME 9')
    expect(grade(tall, name)).toBe('Grade 9')
    expect(grade(tall)).toBe('')
    expect(grade(label('9', { heightPx: 30 }), logo, name)).toBe('')
  })

  test('never comes from a part beside a taller number that was not read', () => {
    const unsure = label('9', { heightPx: 60, confidence: 0.2 })
    expect(grade(...texts('GEM MINT', '10'), unsure)).toBe('')
    expect(grade(...texts('BGS', 'GEM MINT', '10'), unsure)).toBe('')
  })

  test('is read only from confident lines on the label of a slab', () => {
    const lines = texts('PSA', 'GEM MT', '10')
    expect(gradeIn(lines, 'raw')).toBe('')
    expect(
      grade(
        ...lines.map((line) => ({
          ...line,
          box: { left: 0.1, top: 0.6, right: 0.5, bottom: 0.625 },
        })),
      ),
    ).toBe('')
    const unsure = ['PSA', 'GEM MT', '10'].map((text) => label(text, { confidence: 0.3 }))
    expect(grade(...unsure)).toBe('')
  })

  test('is read at lower confidence if its words agree', () => {
    const unsure = (...all: string[]) =>
      grade(...all.map((text) => label(text, { confidence: 0.8 })))
    expect(unsure('PSA', 'GEM MT', '10')).toBe('PSA 10')
    expect(unsure('PSA', 'GEM MT', '9')).toBe('')
    expect(unsure('PSA', '10')).toBe('')
  })
})

/** Labels in the formats of graders, as lines with their heights; `n` is the grade, `w` its words. */
const FORMATS: ((n: string, w: string, random: SeededRandom) => [string, number][])[] = [
  (n, w) => [
    ['2016 WICKERWILD EVO', 24],
    ['CINDLEMANE', 24],
    ['HOLO', 24],
    ['#11', 24],
    [w, 24],
    [n, 26],
    ['23456789', 24],
    ['PSA', 30],
  ],
  (n, w, random) => [
    [n, 60],
    [w, 20],
    ['BECKETT', 24],
    ['CINDLEMANE', 22],
    ...parts(random),
    ['0012345678', 16],
  ],
  (n, w) => [
    ['CGC', 40],
    [w, 22],
    [n, 46],
    ['CINDLEMANE', 26],
    ['Wickerwild (2016)', 18],
    ['Lantern Season - 11/108', 18],
    ['4012345001', 16],
  ],
  (n, w) => [
    ['SGC', 40],
    [n, 60],
    [w, 20],
    ['2016 LANTERN SEASON', 18],
    ['CINDLEMANE', 18],
    ['#11', 18],
    ['1234567', 14],
  ],
  (n, w) => [
    ['TAG', 40],
    [n, 50],
    [w, 20],
    ['CINDLEMANE', 20],
    ['998', 14],
    ['A1234567', 14],
  ],
  (n, w) => [
    ['ACE GRADING', 30],
    [`${w} ${n}`, 40],
    ['CINDLEMANE', 20],
    ['2016', 20],
  ],
  (n, w) => [
    ['DCM', 44],
    ['Cindlemane ex', 31],
    ['Lantern Season #125/94 2025', 26],
    ['899391', 26],
    [n, 56],
    [w, 25],
  ],
  (n) => [
    ['WEATHERCOCK BARON', 35],
    ['ACME', 38],
    [n, 60],
  ],
  (n, w, random) => [
    ['Vault Grading', 26],
    [n, 64],
    [w, 20],
    ['CINDLEMANE', 22],
    ...parts(random),
    ['2021', 18],
  ],
]
const WORDS: [string, string][] = [
  ['10', 'GEM MINT'],
  ['10', 'PRISTINE'],
  ['9.5', 'GEM MINT'],
  ['9', 'MINT'],
  ['8.5', 'NM-MT+'],
  ['8', 'NM-MT'],
  ['7', 'NM'],
  ['6', 'EX-MT'],
  ['5', 'EX'],
]

/** The four parts of a grade. */
function parts(random: SeededRandom): [string, number][] {
  const one = () => random.pick(['10', '9.5', '9', '8.5', '8'])
  return ['CENTERING', 'CORNERS', 'EDGES', 'SURFACE'].flatMap((word): [string, number][] =>
    random.happens(0.5)
      ? [[`${word} ${one()}`, 16]]
      : [
          [word, 14],
          [one(), 18],
        ],
  )
}

test('of 4,000 labels in nine formats, grades are read, and almost none is another number', () => {
  const random = createSeededRandom(49)
  const outcomes = { right: 0, wrong: 0, empty: 0 }
  for (let round = 0; round < 4000; round++) {
    const [number, words] = random.pick(WORDS)
    const format = random.pick(FORMATS)
    // Every tenth line is not found, and others are not read with confidence.
    const lines = format(number, words, random).flatMap(([text, heightPx]) => {
      if (random.happens(0.1)) return []
      const isUnsure = random.happens(0.15)
      return label(text, { heightPx, ...(isUnsure && { confidence: 0.3 + 0.6 * random.unit() }) })
    })
    const grade = gradeIn(lines, 'graded slab')
    const outcome = grade === '' ? 'empty' : grade.endsWith(` ${number}`) ? 'right' : 'wrong'
    outcomes[outcome]++
  }
  expect(outcomes.right / 4000).toBeGreaterThan(0.8)
  expect(outcomes.wrong / 4000).toBeLessThan(0.001)
})
