import { describe, expect, test } from 'bun:test'
import { isFoil } from '#rules/catalog/printing-words.ts'
import { foilOnly, matchesPrinting } from '#rules/catalog/printings.ts'

/** Printing names of the specification. */
const FOILS = [
  'Foil',
  'Holofoil',
  'Reverse Holofoil',
  'Rainbow Foil',
  'Cold Foil',
  '1st Edition Rainbow Foil',
  '1st Edition Cold Foil',
  'Unlimited Edition Rainbow Foil',
]
const PLAIN = [
  'Normal',
  '1st Edition',
  'Unlimited',
  'Limited',
  '1st Edition Normal',
  'Unlimited Edition Normal',
]

describe('a foil', () => {
  test.each(FOILS)('is %s', (printing) => expect(isFoil(printing)).toBe(true))
  test.each(PLAIN)('is not %s', (printing) => expect(isFoil(printing)).toBe(false))
  test.each(['Cosmos Holo', 'Étched foil', 'Canon Foil', 'HOLO'])('may be called %s', (printing) =>
    expect(isFoil(printing)).toBe(true),
  )
  test.each(['Non-Foil', 'Nonfoil', 'non foil', 'Non-Holo', 'Gold', ''])(
    'is never called %p',
    (printing) => expect(isFoil(printing)).toBe(false),
  )
})

describe('foil_only', () => {
  const pricesOf = (...printings: string[]) => printings.map((printing) => ({ printing }))

  test('is 1 if every printing is a foil', () => {
    expect(foilOnly(pricesOf(...FOILS))).toBe(1)
    expect(foilOnly(pricesOf('Holofoil'))).toBe(1)
  })
  test('is 0 if one is not, or without printings', () => {
    expect(foilOnly([])).toBe(0)
    for (const plain of PLAIN) expect(foilOnly(pricesOf('Foil', plain))).toBe(0)
  })
})

describe('a written printing', () => {
  test.each([
    ['Reverse Holofoil', 'Reverse Holofoil'],
    ['reverse holofoil', 'Reverse Holofoil'],
    ['Reverse-Holofoil', 'Reverse Holofoil'],
    ['REVERSEHOLOFOIL', 'Reverse Holofoil'],
    [' 1st edition ', '1st Edition'],
    ...FOILS.map((printing) => ['foil', printing] as const),
    ...PLAIN.flatMap((printing) => [
      ['Non-Foil', printing] as const,
      ['nonfoil', printing] as const,
      ['Regular', printing] as const,
    ]),
  ] as const)('%p may be %p', (written, printing) => {
    expect(matchesPrinting(written, printing)).toBe(true)
  })

  test.each([
    ['Holofoil', 'Reverse Holofoil'],
    ['Reverse', 'Reverse Holofoil'],
    ['foil', 'Normal'],
    ['non-foil', 'Holofoil'],
    ['Normal', 'Unlimited'],
    ['', 'Normal'],
    ['1st Edition', 'Unlimited'],
  ])('%p is not %p', (written, printing) => {
    expect(matchesPrinting(written, printing)).toBe(false)
  })
})
