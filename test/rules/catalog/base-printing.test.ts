import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  basePrinting,
  chooseBasePrinting,
  type PrintingPrice,
  simplifyPrintings,
} from '#rules/catalog/base-printing.ts'
import { isFoil } from '#rules/catalog/printing-words.ts'

/** Prices that name "?" have a listing but no sales, and "gone" has neither. */
type Given = [printing: string, price: number | '?' | 'gone']

function printingsOf(...rows: Given[]): PrintingPrice[] {
  return rows.map(([printing, price]) => ({
    printing,
    market_price: typeof price === 'number' ? price : null,
    low_price: price === 'gone' ? null : 1,
  }))
}

const baseOf = (...rows: Given[]) => basePrinting(printingsOf(...rows))?.printing

/** Returns the winner of two printings at any price and in any order. */
function winnerOf(one: string, other: string): string {
  const found = [
    baseOf([one, 1], [other, 9]),
    baseOf([one, 9], [other, 1]),
    baseOf([other, 1], [one, 9]),
    baseOf([other, 9], [one, 1]),
    baseOf([other, 9], [one, '?']),
    baseOf([other, '?'], [one, 9]),
  ]
  return [...new Set(found)].join(' or ')
}

describe('the words of a printing decide before its price', () => {
  // Each line is read as "the first represents the card, not the second".
  test.each([
    // Editions.
    ['Normal', '1st Edition Normal'],
    ['Unlimited', '1st Edition'],
    ['Unlimited', 'Limited'],
    ['Limited', '1st Edition'],
    ['Limited', '1st Edition Foil'],
    ['Unlimited Holofoil', '1st Edition Holofoil'],
    ['Unlimited Edition Rainbow Foil', '1st Edition Normal'],
    ['Unlimited Edition Rainbow Foil', '1st Edition Cold Foil'],
    ['Reverse Holofoil', '1st Edition'],
    ['1st Edition', 'Promo'],
    ['1st Edition Cold Foil', 'Staff'],
    ['Foil', 'Prerelease'],
    ['Reverse Holofoil', 'Stamped'],
    ['Normal', 'Stamped Normal'],
    ['Holofoil', 'Staff Holofoil'],
    ['1st Edition Holofoil', 'Pre-Release Holofoil'],
    ['Unlimited Foil', 'Unlimited Promo'],
    ['2nd Edition', 'First Edition'],
    ['3rd Printing Foil', '1st Printing'],
    // Finishes.
    ['Normal', 'Foil'],
    ['Normal', 'Holofoil'],
    ['Unlimited Edition Normal', 'Unlimited Edition Rainbow Foil'],
    ['1st Edition Normal', '1st Edition Cold Foil'],
    ['Holofoil', 'Reverse Holofoil'],
    ['Foil', 'Reverse Foil'],
    ['Reverse Holofoil', 'Cold Foil'],
    ['Foil', 'Gold Cold Foil'],
    ['Foil', 'Etched'],
    ['Non-Foil', 'Foil'],
    ['Regular', 'Holo'],
    // Words that nobody has seen: a finish, behind those that are known, of the edition that is named.
    ['Normal', 'Zorblax'],
    ['Holofoil', 'Galaxy Holofoil'],
    ['Reverse Holofoil', 'ミラー'],
    ['Foil', 'Surge Foil'],
    ['Unlimited Zorblax', '1st Edition Normal'],
    ['1st Edition Normal', '1st Edition Zorblax'],
    ['Zorblax', 'Promo Zorblax'],
    ['Normal', `${'★'.repeat(300)}x`],
  ])('%s, not %s', (first, second) => {
    expect(winnerOf(first, second)).toBe(first)
  })

  test('in any case and punctuation', () => {
    for (const name of ['1ST EDITION', '1st-edition', 'First Edition', ' (1st Edition) '])
      expect(winnerOf('Unlimited', name)).toBe('Unlimited')
    for (const name of ['PROMO', 'Pre Release', 'pre-release', 'Prerelease'])
      expect(winnerOf('1st Edition', name)).toBe('1st Edition')
  })

  test('but a printing without any price, which nobody lists, counts only alone', () => {
    expect(baseOf(['Normal', '?'], ['Foil', 500])).toBe('Normal')
    expect(baseOf(['Normal', 'gone'], ['Foil', 500])).toBe('Foil')
    expect(baseOf(['Normal', 'gone'], ['Foil', 'gone'])).toBe('Normal')
    expect(baseOf()).toBeUndefined()
  })
})

describe('of equals', () => {
  test('the cheapest represents the card, then the first', () => {
    expect(baseOf(['Cold Foil', 900], ['Rainbow Foil', 300])).toBe('Rainbow Foil')
    expect(baseOf(['Cold Foil', 300], ['Rainbow Foil', 300])).toBe('Cold Foil')
    expect(baseOf(['Cold Foil', '?'], ['Rainbow Foil', 300])).toBe('Rainbow Foil')
    expect(baseOf(['Cold Foil', '?'], ['Rainbow Foil', '?'])).toBe('Cold Foil')
  })

  test('a doubtful price does not, unless all are', () => {
    const rows = printingsOf(['Cold Foil', 100], ['Rainbow Foil', 300], ['Gold Cold Foil', 200])
    const baseExcept = (...doubtful: string[]) =>
      basePrinting(rows, ({ printing }) => doubtful.includes(printing))?.printing
    expect(baseExcept('Cold Foil')).toBe('Gold Cold Foil')
    expect(baseExcept('Cold Foil', 'Gold Cold Foil')).toBe('Rainbow Foil')
    expect(baseExcept('Cold Foil', 'Gold Cold Foil', 'Rainbow Foil')).toBe('Cold Foil')
  })
})

describe('a choice', () => {
  /** Chooses day by day; "1" marks the printing that was chosen on the day before. */
  function chooseDaily(days: readonly (readonly Given[])[]): (string | undefined)[] {
    const known = new Map<string, { is_base_printing: number; preferred_since: number | null }>()
    return days.map((given, day) => {
      const rows = printingsOf(...given).map((row) => {
        const { is_base_printing = 0, preferred_since = null } = known.get(row.printing) ?? {}
        return Object.assign(row, { is_base_printing, preferred_since })
      })
      const { base, rival } = chooseBasePrinting(
        rows,
        day,
        ({ market_price }) => market_price === null,
      )
      for (const row of rows) {
        known.set(row.printing, {
          is_base_printing: row === base ? 1 : 0,
          preferred_since: row === rival?.printing ? rival.since : null,
        })
      }
      return base?.printing
    })
  }
  const cold: Given[] = [
    ['Cold Foil', 3],
    ['Rainbow Foil', 4],
  ]
  const rainbow: Given[] = [
    ['Cold Foil', 5],
    ['Rainbow Foil', 4],
  ]
  const times = <T>(count: number, one: T): T[] => Array(count).fill(one)

  test('between equals changes after seven days in which prices preferred the other', () => {
    expect(chooseDaily([cold, ...times(8, rainbow)])).toEqual([
      ...times(8, 'Cold Foil'),
      'Rainbow Foil',
    ])
  })

  test('stays if they do so for six days, however often', () => {
    const week = [...times(7, rainbow), cold]
    expect(chooseDaily([cold, ...week, ...week, ...week])).toEqual(times(25, 'Cold Foil'))
  })

  test('stays if a price is 100 times the others for a day, or unknown', () => {
    const wrong: Given[] = [
      ['Cold Foil', 300],
      ['Rainbow Foil', 4],
    ]
    const unknown: Given[] = [
      ['Cold Foil', 'gone'],
      ['Rainbow Foil', 4],
    ]
    expect(chooseDaily([cold, wrong, cold, unknown, cold])).toEqual(times(5, 'Cold Foil'))
  })

  test('counts the days of each equal', () => {
    const three = (gold: number): Given[] => [
      ['Cold Foil', 5],
      ['Rainbow Foil', 4],
      ['Gold Cold Foil', gold],
    ]
    expect(chooseDaily([cold, ...times(4, three(9)), ...times(8, three(1))])).toEqual([
      ...times(12, 'Cold Foil'),
      'Gold Cold Foil',
    ])
  })

  test('follows the words at once', () => {
    expect(
      chooseDaily([
        [['1st Edition Holofoil', 3]],
        [
          ['1st Edition Holofoil', 3],
          ['Unlimited Holofoil', 40],
        ],
        [['1st Edition Holofoil', 3]],
      ]),
    ).toEqual(['1st Edition Holofoil', 'Unlimited Holofoil', '1st Edition Holofoil'])
  })
})

describe('the simplified price', () => {
  const simplify = (...rows: Given[]) => {
    const { base, foil } = simplifyPrintings(printingsOf(...rows))
    return [base?.printing, foil?.printing]
  }

  test('includes the most expensive foil beside the base printing, which comes first', () => {
    expect(
      simplify(['Normal', 500], ['Foil', '?'], ['Reverse Holofoil', 20], ['Holofoil', 300]),
    ).toEqual(['Normal', 'Holofoil'])
    expect(simplify(['Holofoil', 900], ['Reverse Holofoil', 500])).toEqual([
      'Holofoil',
      'Reverse Holofoil',
    ])
    expect(simplify(['Normal', 5], ['Foil', '?'])).toEqual(['Normal', 'Foil'])
  })

  test('has a foil of the same edition', () => {
    const editions: Given[] = [
      ['1st Edition Normal', 46],
      ['1st Edition Rainbow Foil', 3_024],
      ['Unlimited Edition Rainbow Foil', 13],
    ]
    expect(simplify(['Unlimited Edition Normal', 6], ...editions)).toEqual([
      'Unlimited Edition Normal',
      'Unlimited Edition Rainbow Foil',
    ])
    expect(simplify(...editions)).toEqual(['1st Edition Normal', '1st Edition Rainbow Foil'])
    expect(simplify(['Normal', 5], ['Staff Foil', 900], ['Unlimited Foil', 7])).toEqual([
      'Normal',
      'Unlimited Foil',
    ])
    expect(simplify(['Unlimited', 5], ['1st Edition Holofoil', 900])).toEqual([
      'Unlimited',
      undefined,
    ])
  })

  test('has no foil price where the base printing is the only foil', () => {
    expect(simplify(['Foil', 500])).toEqual(['Foil', undefined])
    expect(simplify(['Foil', 500], ['Normal', 'gone'])).toEqual(['Foil', undefined])
    expect(simplify(['Normal', 1])).toEqual(['Normal', undefined])
    expect(simplify()).toEqual([undefined, undefined])
  })
})

test('any names and prices have one base printing in any order, and a foil that is another one', () => {
  const name = fc.oneof(
    fc.constantFrom('Normal', 'Foil', '1st Edition', 'Limited', 'Promo Foil', 'Cold Foil'),
    fc.string({ unit: 'grapheme' }),
  )
  const price = fc.option(fc.integer({ min: 1, max: 1_000 }), { nil: null })
  const rows = fc.uniqueArray(
    fc.record({ printing: name, market_price: price, low_price: price }),
    { minLength: 1, selector: ({ printing }) => printing },
  )
  fc.assert(
    fc.property(rows, (given) => {
      const base = basePrinting(given)
      if (base === undefined) throw new Error('no base printing')
      expect(given).toContain(base)
      const { market_price } = basePrinting(given.toReversed()) ?? base
      expect(market_price).toBe(base.market_price)
      const { base: first, foil } = simplifyPrintings(given)
      expect(first).toBe(given[0] as PrintingPrice)
      if (foil === undefined) return
      expect(foil).not.toBe(given[0] as PrintingPrice)
      expect(isFoil(foil.printing)).toBe(true)
    }),
  )
})
