import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { isDistinctiveShape, numberShape } from '#rules/catalog/number-forms.ts'

describe('the shape of a number', () => {
  test.each([
    ['OP07-080', 'AA00-000'],
    ['OP07-080_p1', 'AA00-000'],
    ['SAO/S20-E001', 'AAA/A00-A000'],
    ['128s', '000'],
    ['U 0148', 'A 0000'],
  ])('of %p is %p', (number, shape) => {
    expect(numberShape(number)).toBe(shape)
  })

  test('is the same for all digits and capitals', () => {
    const capital = fc.constantFrom(...'ABCXYZ')
    const digit = fc.constantFrom(...'0123456789')
    const numbers = fc.tuple(capital, capital, digit, digit, digit)
    fc.assert(
      fc.property(numbers, ([a, b, x, y, z]) => {
        expect(numberShape(`${a}${b}${x}-${y}${z}`)).toBe('AA0-00')
      }),
    )
  })
})

describe('a distinctive shape', () => {
  test.each(['AA00-000', 'AAA000', 'AAA00/A00-000', 'A000/A000', 'AA0/000', 'AAA.000', '00AA-000'])(
    'is %p',
    (shape) => expect(isDistinctiveShape(shape)).toBe(true),
  )

  test.each([
    '000',
    '0/0',
    '000/000',
    '0000',
    'A 0000',
    'AAA',
    'AAA-A0',
    'aaa000',
    'A00',
    '',
    '-AA00',
  ])('is not %p', (shape) => expect(isDistinctiveShape(shape)).toBe(false))
})
