import { describe, expect, test } from 'bun:test'
import { splitIntoWords } from '#rules/search/typed-words.ts'
import { listExactNumbers, matchWord } from '#rules/search/word-matches.ts'
import { ALL_RANKS } from '#store/catalog/search/search-hits.ts'
import {
  createSearchCatalog,
  openStoredHits,
  openTestLexicon,
} from '../../support/search-catalog.ts'

const db = createSearchCatalog(
  [
    { id: 1, game_id: 1, name: 'SV03: Obsidian Flames', abbreviation: 'SV03' },
    { id: 2, game_id: 1, name: 'Carrying on His Will', abbreviation: 'OP13' },
    { id: 3, game_id: 2, name: 'Promo Cards', abbreviation: null },
  ],
  [
    { id: 1, set_id: 1, name: 'Umbreon', number: '4/102', rarity: 'Ultra Rare' },
    { id: 2, set_id: 1, name: "Farfetch'd", number: '40/102', prices: { Holofoil: 1 } },
    { id: 3, set_id: 2, name: 'Sanji', number: 'OP13-089' },
    { id: 4, set_id: 2, name: 'Blue-Eyes', number: 'TG05/TG30' },
    { id: 5, set_id: 3, name: 'Display', product_type: 'Sealed Products' },
    { id: 6, set_id: 3, name: 'Mew', number: '5' },
  ],
  { 1: 'Pokemon', 2: 'Magic' },
)
const lexicon = openTestLexicon(db)
const hits = openStoredHits(db)

function found(text: string, { isUnfinished = false, mayBeTotal = false } = {}): number[] {
  const [word] = splitIntoWords(text)
  if (word === undefined) throw new Error(`"${text}" has no word`)
  const match = matchWord(word, { isUnfinished, isAlone: false, mayBeTotal }, lexicon)
  return hits.listByPriceDesc(match, ALL_RANKS, { limit: 9, offset: 0 }).sort()
}

describe('a word is', () => {
  test.each([
    ['of the name', 'umbreon', [1]],
    ['of the name, in any form', "farfetch'd", [2]],
    ['of the name, in any form', 'farfetchd', [2]],
    ['of the name, joined', 'blueeyes', [4]],
    ['of the name, with a hyphen', 'blue-eyes', [4]],
    ['of the set', 'obsidian', [1, 2]],
    ['a code of the set', 'sv03', [1, 2]],
    ['a code of the set', 'sv3', [1, 2]],
    ['the rarity', 'ultra', [1]],
    ['the printing', 'holofoil', [2]],
    ['the product type', 'sealed', [5]],
    ['the game', 'magic', [5, 6]],
    ['the number', '4', [1]],
    ['the number', '004', [1]],
    ['the number', '4/102', [1]],
    ['a part of the number', '89', [3]],
    ['the code of the number', 'tg', [4]],
    ['the whole number', 'op13-089', [3]],
    ['the whole number', 'op13089', [3]],
    ['nothing', 'charizard', []],
    ['not the number of cards in the set', '102', []],
  ])('%s: %s', (_kind, text, ids) => {
    expect(found(text)).toEqual(ids)
  })

  test('may be unfinished', () => {
    expect(found('umbr', { isUnfinished: true })).toEqual([1])
    expect(found('obsid', { isUnfinished: true })).toEqual([1, 2])
    expect(found('blueey', { isUnfinished: true })).toEqual([4])
    expect(found('umbr')).toEqual([])
    expect(found('o', { isUnfinished: true })).toEqual([])
  })

  test('an unfinished number only if no card has that number', () => {
    expect(found('4', { isUnfinished: true })).toEqual([1])
    expect(found('40', { isUnfinished: true })).toEqual([2])
    expect(found('op13-08', { isUnfinished: true })).toEqual([3])
  })

  test('the number of cards in the set beside another number', () => {
    expect(found('102', { mayBeTotal: true })).toEqual([1, 2])
  })
})

describe('the exact numbers of a word', () => {
  const exact = (text: string) =>
    splitIntoWords(text)
      .flatMap((word) => listExactNumbers(word, lexicon))
      .map((match) => hits.listByPriceDesc(match, ALL_RANKS, { limit: 9, offset: 0 }))

  test.each([
    ['4', [[1]]],
    ['4/102', [[1]]],
    // A total that fits no card is ignored.
    ['4/999', [[1]]],
    // No card lists 5/102, but one lists its number without a total.
    ['5/102', [[6]]],
    ['op13-089', [[3]]],
    ['tg05', [[4]]],
    ['sv03-4', [[1]]],
    ['89', []],
    ['102', []],
    ['77', []],
    ['umbreon', []],
    ['tg', []],
  ])('are those of cards: %s', (text, ids) => {
    expect(exact(text)).toEqual(ids)
  })
})
