import { describe, expect, test } from 'bun:test'
import { buildUnits } from '#rules/search/interpret-query.ts'
import { findRequestedPrinting, listPrintingWords } from '#rules/search/requested-printing.ts'
import { splitIntoWords } from '#rules/search/typed-words.ts'
import { createSearchCatalog, openTestLexicon } from '../../support/search-catalog.ts'

const PRINTINGS = [
  'Normal',
  'Foil',
  'Holofoil',
  'Reverse Holofoil',
  'Unlimited',
  '1st Edition',
  '1st Edition Holofoil',
  'Unlimited Holofoil',
]
const lexicon = openTestLexicon(
  createSearchCatalog(
    [{ id: 1, game_id: 1, name: 'Second Edition' }],
    [{ id: 1, set_id: 1, name: 'Mew' }],
  ),
)
const requestedPrintings = (q: string) =>
  listPrintingWords(buildUnits(splitIntoWords(q), lexicon), lexicon)
const chosen = (q: string, printings: readonly string[] = PRINTINGS) =>
  findRequestedPrinting(
    printings.map((printing) => ({ printing })),
    requestedPrintings(q),
  )?.printing

describe('the printing that a query names', () => {
  test.each([
    ['mew normal', 'Normal'],
    ['mew non foil', 'Normal'],
    ['foil mew', 'Foil'],
    ['mew holo', 'Holofoil'],
    ['mew holofoil', 'Holofoil'],
    ['mew reverse holo', 'Reverse Holofoil'],
    ['reverse mew', 'Reverse Holofoil'],
    ['mew 1st edition', '1st Edition'],
    ['mew first edition', '1st Edition'],
    ['1st edition holo mew', '1st Edition Holofoil'],
    ['mew unlimited', 'Unlimited'],
    ['unlimited holo mew', 'Unlimited Holofoil'],
  ])('fits most of its words, with the fewest others: %s', (q, printing) => {
    expect(chosen(q)).toBe(printing)
  })

  test('is the nearest that the card has', () => {
    expect(chosen('mew holo', ['Normal', 'Reverse Holofoil'])).toBe('Reverse Holofoil')
    expect(chosen('mew foil', ['Normal', 'Holofoil'])).toBe('Holofoil')
    expect(chosen('mew holo 1st edition', ['Normal', 'Holofoil'])).toBe('Holofoil')
  })

  test('is the one that represents the card best, whatever its length and place', () => {
    const editions = ['1st Edition Rainbow Foil', 'Unlimited Edition Rainbow Foil']
    expect(chosen('mew foil', editions)).toBe('Unlimited Edition Rainbow Foil')
    expect(chosen('mew foil', ['Staff Foil', 'Unlimited Edition Foil'])).toBe(
      'Unlimited Edition Foil',
    )
    expect(chosen('mew foil', ['Gold Cold Foil', 'Cold Foil'])).toBe('Cold Foil')
  })

  test('is undefined if no word names a printing, or the card lacks it', () => {
    expect(requestedPrintings('mew jungle')).toEqual([])
    expect(chosen('mew jungle')).toBeUndefined()
    expect(chosen('mew foil', ['Normal', 'Unlimited'])).toBeUndefined()
    expect(chosen('mew foil', [])).toBeUndefined()
  })

  test('is not named by "edition" alone, which names sets', () => {
    expect(chosen('mew edition')).toBeUndefined()
  })
})
