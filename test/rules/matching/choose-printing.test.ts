import { describe, expect, test } from 'bun:test'
import { choosePrinting } from '#rules/matching/choose-printing.ts'

/** Chooses among these printings, the most expensive last; "?" marks one that does not match. */
function chosen(wanted: string | null, names: string[]): string | undefined {
  const printings = names.map((printing, place) => ({
    printing,
    market_price: place,
    low_price: 1,
  }))
  const { printing, isFound } = choosePrinting(wanted, printings)
  return printing && `${printing.printing}${isFound ? '' : '?'}`
}

describe("of a card's printings", () => {
  test.each([
    [null, 'Normal'],
    ['Normal', 'Normal'],
    ['reverse holofoil', 'Reverse Holofoil'],
    ['Reverse Holo', 'Reverse Holofoil'],
    ['foil', 'Reverse Holofoil'],
    ['Yes', 'Reverse Holofoil'],
    ['true', 'Reverse Holofoil'],
    ['no', 'Normal'],
    ['FALSE', 'Normal'],
    ['etched', 'Reverse Holofoil?'],
    ['Rainbow Foil', 'Reverse Holofoil?'],
    ['1st Edition', 'Normal?'],
  ])('%p means %p', (wanted, name) => {
    expect(chosen(wanted, ['Normal', 'Reverse Holofoil'])).toBe(name)
  })

  test('a name takes precedence over other meanings', () => {
    expect(chosen('Foil', ['Normal', 'Foil', 'Cold Foil'])).toBe('Foil')
    expect(chosen('Holo', ['Holofoil', 'Reverse Holofoil'])).toBe('Holofoil')
    expect(chosen('normal', ['Unlimited', '1st Edition'])).toBe('Unlimited')
  })

  test('an edition may be named without its finish', () => {
    const printings = ['Unlimited Holofoil', '1st Edition Holofoil']
    expect(chosen('1st Edition', printings)).toBe('1st Edition Holofoil')
    expect(chosen('First Edition', printings)).toBe('1st Edition Holofoil')
    expect(chosen('1st Edition Foil', ['1st Edition Normal', '1st Edition Cold Foil'])).toBe(
      '1st Edition Cold Foil',
    )
  })

  test('the nearest printing is chosen if the card lacks it', () => {
    expect(chosen('Normal', ['Foil', 'Cold Foil'])).toBe('Foil?')
    expect(chosen('foil', ['Normal'])).toBe('Normal?')
    expect(chosen(null, ['Foil'])).toBe('Foil')
    expect(chosen(null, ['Foil', 'Cold Foil'])).toBe('Foil')
    expect(chosen('foil', ['Foil'])).toBe('Foil')
    expect(chosen('yes', ['Foil', 'Cold Foil'])).toBe('Cold Foil')
    expect(chosen('foil', [])).toBeUndefined()
  })
})
