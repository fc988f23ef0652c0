import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { foilOnly, isFoil, matchesPrinting, simplifyPrintings } from '#rules/catalog/printings.ts'

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
  test('is 1 if every printing is a foil', () => {
    expect(foilOnly(FOILS)).toBe(1)
    expect(foilOnly(['Holofoil'])).toBe(1)
  })
  test('is 0 if one is not, or without printings', () => {
    expect(foilOnly([])).toBe(0)
    for (const plain of PLAIN) expect(foilOnly(['Foil', plain])).toBe(0)
  })
})

describe('the simplified price', () => {
  const of = (...rows: [string, number | null][]) =>
    rows.map(([printing, market_price]) => ({ printing, market_price }))

  test('uses Normal, else Unlimited, else 1st Edition, else Limited, at any price', () => {
    const order = ['Normal', 'Unlimited', '1st Edition', 'Limited']
    for (let first = 0; first < order.length; first++) {
      const rows = of(...order.slice(first).map((name): [string, number] => [name, first]), [
        'Foil',
        9_999,
      ])
      for (const shuffled of [rows, rows.toReversed()]) {
        const { base } = simplifyPrintings(shuffled)
        expect(shuffled[base ?? -1]?.printing).toBe(order[first])
      }
    }
  })

  test('uses the most expensive printing if none of these exists', () => {
    const rows = of(['Foil', 200], ['Cold Foil', 900], ['Rainbow Foil', null])
    expect(simplifyPrintings(rows)).toEqual({ base: 1, foil: 1 })
  })

  test('includes the most expensive foil', () => {
    const rows = of(['Normal', 500], ['Foil', null], ['Reverse Holofoil', 20], ['Holofoil', 300])
    expect(simplifyPrintings(rows)).toEqual({ base: 0, foil: 3 })
  })

  test('uses a printing with an unknown price rather than none', () => {
    expect(simplifyPrintings(of(['Normal', null], ['Foil', null]))).toEqual({ base: 0, foil: 1 })
  })

  test('of no printings is empty', () => {
    expect(simplifyPrintings([])).toEqual({ base: undefined, foil: undefined })
    expect(simplifyPrintings(of(['Normal', 1]))).toEqual({ base: 0, foil: undefined })
  })

  test('uses one of the printings, and its foil is a foil', () => {
    const rows = fc.array(
      fc.record({
        printing: fc.constantFrom(...FOILS, ...PLAIN, 'Gold', 'Étched foil'),
        market_price: fc.option(fc.integer({ min: 1, max: 1_000 }), { nil: null }),
      }),
      { minLength: 1 },
    )
    fc.assert(
      fc.property(rows, (given) => {
        const { base, foil } = simplifyPrintings(given)
        expect(given[base ?? -1]).toBeDefined()
        expect(foil !== undefined).toBe(given.some(({ printing }) => isFoil(printing)))
        if (foil !== undefined) expect(isFoil(given[foil]?.printing ?? '')).toBe(true)
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
