import { describe, expect, test } from 'bun:test'
import { parseNumber } from '#rules/catalog/number-forms.ts'
import { fitNumber, numberDistance, parseRowNumber } from '#rules/matching/row-number.ts'

const fit = (cell: string, listed: string) => {
  const number = parseRowNumber(cell)
  return number === undefined ? undefined : fitNumber(number, parseNumber(listed))
}

describe('the number of a row', () => {
  test.each([
    ['149', '149'],
    ['149.0', '149'],
    ['00149', '149'],
    ['#149', '149'],
    ['="149"', '149'],
    ['=""149""', '149'],
    ['149/249', '149'],
    ['058', '058/102'],
    ['58 / 102', '058/102'],
    ['58 of 102', '058/102'],
    ['A', 'A/28'],
    ['!', '!/28'],
    ['?/28', '?/28'],
    ['OP01-016', 'OP01-016'],
  ])('%p is %p', (cell, listed) => expect(fit(cell, listed)).toBeGreaterThan(2))

  test.each([
    ['M11-149', '149'],
    ['M11 149', '149'],
    ['58-102', '058/102'],
    ['4-Feb', '004/102'],
    ['Apr-02', '004/102'],
    ['1-Apr', '1/4'],
    ['U8', '8'],
    ['187', 'SWSH187'],
    ['DDC-49', '49'],
    ['SVP027', '027'],
    ['TG12', '12'],
  ])('%p is another spelling of %p', (cell, listed) => expect(fit(cell, listed)).toBe(2))

  test.each([
    ['SVP027', '7'],
    ['TG12', '2'],
    ['149', '150'],
    ['4/102', '4/110'],
    ['4-Feb', '003/102'],
    ['A', 'B/28'],
    ['96a', '97'],
  ])('%p is not %p', (cell, listed) => expect(fit(cell, listed)).toBe(0))

  test('fits worst without its letter', () => expect(fit('96a', '96')).toBe(1))

  test('fits best with the same total', () => {
    expect(fit('4/102', '004/102')).toBe(4)
    expect(fit('4/102', '004')).toBe(3)
  })

  test.each(['', ' ', '-', '""', '#'])('of %p is undefined', (cell) => {
    expect(parseRowNumber(cell)).toBeUndefined()
  })

  test('of a long cell takes no time that grows with its square', () => {
    for (const cell of ['"'.repeat(100_000), `${'1'.repeat(100_000)}x`]) {
      const started = process.cpuUsage()
      parseRowNumber(cell)
      expect(process.cpuUsage(started).user).toBeLessThan(50_000)
    }
  })
})

test('the distance of numbers counts digits only', () => {
  const distance = (cell: string, listed: string) =>
    numberDistance(parseRowNumber(cell) ?? { value: undefined }, listed)
  expect(distance('161', '162')).toBe(1)
  expect(distance('4/102', '010/102')).toBe(6)
  expect(distance('A', '1')).toBe(Number.POSITIVE_INFINITY)
})
