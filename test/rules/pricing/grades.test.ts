import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { normalizeGrade, poolGrade } from '#rules/pricing/grades.ts'

describe('a grade', () => {
  test.each([
    ['PSA 10', 'PSA 10'],
    ['psa10', 'PSA 10'],
    ['PSA 10.0', 'PSA 10'],
    ['PSA GEM MT 10', 'PSA 10'],
    ['PSA 10 Gem Mint', 'PSA 10'],
    ['PSA-8 NM-MT', 'PSA 8'],
    ['BGS 9.5', 'BGS 9.5'],
    ['Beckett 9.5 Gem Mint', 'BGS 9.5'],
    ['BGS 10 Pristine', 'BGS 10'],
    ['BGS 10 Black Label', 'BGS 10 Black Label'],
    ['CGC 10 Pristine', 'CGC 10 Pristine'],
    ['CGC Pristine 10', 'CGC 10 Pristine'],
    ['CGC 10 Gem Mint', 'CGC 10'],
    ['SGC 9', 'SGC 9'],
    ['TAG 8.5', 'TAG 8.5'],
    ['ACE 10', 'ACE 10'],
    ['Grade 9', 'Grade 9'],
  ])('%s is %s', (text, grade) => {
    expect(normalizeGrade(text)).toBe(grade)
  })

  test.each([
    '',
    '10',
    'PSA',
    'PSA 11',
    'PSA 0',
    'PSA 9.3',
    'PSA Authentic',
    'XYZ 10',
    'PSA 10 Nice',
    'PSA 9 Gem Mint',
    'Near Mint',
    'PSA 10 10',
  ])('%p is refused', (text) => {
    expect(normalizeGrade(text)).toBeUndefined()
  })

  test('does not change once it is normalized', () => {
    const grader = fc.constantFrom('PSA', 'BGS', 'CGC', 'SGC', 'TAG', 'ACE', 'Grade')
    const number = fc.integer({ min: 2, max: 20 }).map((halves) => halves / 2)
    fc.assert(
      fc.property(grader, number, (name, value) => {
        expect(normalizeGrade(`${name} ${value}`)).toBe(`${name} ${value}`)
      }),
    )
  })
})

test.each([
  ['PSA 9', 'Grade 9'],
  ['BGS 9.5', 'Grade 9.5'],
  ['CGC 10', 'Grade 10'],
  ['Grade 9', undefined],
  ['CGC 10 Pristine', undefined],
])('%s belongs to the grade of any grader: %s', (grade, pool) => {
  expect(poolGrade(grade)).toBe(pool)
})
