import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  basePrinting,
  foilOnly,
  isFoil,
  matchesPrinting,
  simplifyPrintings,
} from '#rules/catalog/printings.ts'

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

type Priced = { printing: string; market_price: number | null; low_price: number | null }

/** Builds printings of a card; a market price of null has a listing, "gone" has neither. */
function printingsOf(...rows: [string, number | null | 'gone'][]): Priced[] {
  return rows.map(([printing, price]) => {
    const market_price = price === 'gone' ? null : price
    return { printing, market_price, low_price: price === 'gone' ? null : 1 }
  })
}

describe('the base printing', () => {
  const baseOf = (...rows: [string, number | null | 'gone'][]) =>
    basePrinting(printingsOf(...rows))?.printing

  test('is the first of the named ones, at any price and in any order', () => {
    const order = [
      'Normal',
      'Unlimited',
      'Unlimited Edition Normal',
      '1st Edition Normal',
      '1st Edition',
      'Limited',
    ]
    for (const [first, expected] of order.entries()) {
      const named = order.slice(first).map((name, at): [string, number] => [name, 100 - at])
      const rows: typeof named = [...named, ['Gold', 1], ['Foil', 9_999]]
      expect(baseOf(...rows)).toBe(expected)
      expect(baseOf(...rows.toReversed())).toBe(expected)
    }
  })

  test('of a card with four editions is the unlimited plain one', () => {
    expect(
      baseOf(
        ['1st Edition Normal', 46],
        ['1st Edition Rainbow Foil', 3_024],
        ['Unlimited Edition Normal', 6],
        ['Unlimited Edition Rainbow Foil', 99],
      ),
    ).toBe('Unlimited Edition Normal')
  })

  test('is otherwise the cheapest non-foil', () => {
    expect(baseOf(['Etched', 900], ['Gold', 300], ['Foil', 5])).toBe('Gold')
    expect(baseOf(['Etched', null], ['Foil', 5])).toBe('Etched')
  })

  test('is otherwise the cheapest foil', () => {
    expect(baseOf(['1st Edition Holofoil', 30_000], ['Unlimited Holofoil', 9_000])).toBe(
      'Unlimited Holofoil',
    )
    expect(baseOf(['Holofoil', null], ['Gold Cold Foil', 700])).toBe('Gold Cold Foil')
    expect(baseOf(['Cold Foil', 700], ['Rainbow Foil', 700])).toBe('Cold Foil')
  })

  test('keeps its name while its market price is unknown', () => {
    expect(baseOf(['Normal', null], ['Foil', 500])).toBe('Normal')
  })

  test('is a printing that is still listed, if there is one', () => {
    expect(baseOf(['Normal', 'gone'], ['Foil', 500])).toBe('Foil')
    expect(baseOf(['Normal', 'gone'], ['Foil', 'gone'])).toBe('Normal')
    expect(baseOf()).toBeUndefined()
  })
})

describe('the simplified price', () => {
  const simplify = (...rows: [string, number | null | 'gone'][]) => {
    const { base, foil } = simplifyPrintings(printingsOf(...rows))
    return [base?.printing, foil?.printing]
  }

  test('includes the most expensive foil beside the base printing', () => {
    expect(
      simplify(['Normal', 500], ['Foil', null], ['Reverse Holofoil', 20], ['Holofoil', 300]),
    ).toEqual(['Normal', 'Holofoil'])
    expect(simplify(['Holofoil', 900], ['Reverse Holofoil', 500])).toEqual([
      'Reverse Holofoil',
      'Holofoil',
    ])
    expect(simplify(['Normal', 5], ['Foil', null])).toEqual(['Normal', 'Foil'])
  })

  test('has no foil price where the base printing is the only foil', () => {
    expect(simplify(['Foil', 500])).toEqual(['Foil', undefined])
    expect(simplify(['Normal', 'gone'], ['Foil', 500])).toEqual(['Foil', undefined])
    expect(simplify(['Normal', 1])).toEqual(['Normal', undefined])
    expect(simplify()).toEqual([undefined, undefined])
  })

  test('uses two different printings, and its foil is a foil', () => {
    const rows = fc.array(
      fc.record({
        printing: fc.constantFrom(...FOILS, ...PLAIN, 'Gold', 'Étched foil'),
        market_price: fc.option(fc.integer({ min: 1, max: 1_000 }), { nil: null }),
        low_price: fc.option(fc.integer({ min: 1, max: 1_000 }), { nil: null }),
      }),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(rows, (given) => {
        const { base, foil } = simplifyPrintings(given)
        if (base === undefined) throw new Error('no base printing')
        expect(given).toContain(base)
        const others = given.filter((row) => row !== base)
        expect(foil !== undefined).toBe(others.some(({ printing }) => isFoil(printing)))
        if (foil !== undefined) expect(isFoil(foil.printing)).toBe(true)
        expect(foil).not.toBe(base)
      }),
    )
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
