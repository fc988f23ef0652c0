// Queries as collectors type them, with the cards that they expect, in order.
import { describe, expect, test } from 'bun:test'
import { type CardSearchInput, openSearchStore } from '#store/catalog/search/search-store.ts'
import { createSearchCatalog } from '../../support/search-catalog.ts'

const FOILS = { Normal: 100, 'Reverse Holofoil': 900, Holofoil: 500 }
const search = openSearchStore(
  createSearchCatalog(
    [
      { id: 1, game_id: 3, name: 'SWSH07: Evolving Skies', abbreviation: 'SWSH07' },
      { id: 2, game_id: 3, name: 'Jungle', abbreviation: 'JU' },
      { id: 3, game_id: 3, name: 'Celebrations', abbreviation: 'CLB' },
      { id: 4, game_id: 3, name: 'Celebrations: Classic Collection', abbreviation: 'CLC' },
      { id: 5, game_id: 3, name: 'SWSH: Promo Cards', abbreviation: 'SWSD' },
      { id: 6, game_id: 68, name: 'Romance Dawn', abbreviation: 'OP01' },
      { id: 7, game_id: 3, name: 'SV01: Scarlet & Violet Base Set', abbreviation: 'SV01' },
      { id: 8, game_id: 1, name: 'Modern Horizons 2', abbreviation: 'MH2' },
      { id: 9, game_id: 3, name: 'Fossil', abbreviation: 'FO' },
    ],
    [
      {
        id: 10,
        set_id: 1,
        name: 'Umbreon VMAX',
        number: '095/203',
        rarity: 'Ultra Rare',
        prices: { Holofoil: 4_000 },
      },
      {
        id: 11,
        set_id: 1,
        name: 'Umbreon VMAX (Alternate Art Secret)',
        number: '215/203',
        rarity: 'Secret Rare',
        prices: { Holofoil: 90_000 },
      },
      {
        id: 12,
        set_id: 1,
        name: 'Evolving Skies Booster Box',
        product_type: 'Sealed Products',
        prices: 60_000,
      },
      {
        id: 13,
        set_id: 1,
        name: 'Evolving Skies Elite Trainer Box',
        product_type: 'Sealed Products',
        prices: 9_000,
      },
      {
        id: 14,
        set_id: 5,
        name: 'Umbreon and the Evolving Skies',
        number: 'SWSH101',
        rarity: 'Promo',
        prices: 99_000,
      },
      {
        id: 20,
        set_id: 2,
        name: 'Pikachu',
        number: '60/64',
        rarity: 'Common',
        prices: { Unlimited: 300, '1st Edition': 2_000 },
      },
      { id: 21, set_id: 5, name: 'Pikachu (Jungle)', number: '001', rarity: 'Promo', prices: 700 },
      { id: 22, set_id: 3, name: 'Pikachu', number: '5/25', prices: { Holofoil: 400 } },
      { id: 23, set_id: 5, name: 'Pikachu (Jumbo)', number: '60', prices: 50_000 },
      { id: 24, set_id: 1, name: 'Code Card - Pikachu', number: '7', prices: 70_000 },
      { id: 25, set_id: 9, name: 'Flying Pikachu', number: '4/62', prices: FOILS },
      {
        id: 30,
        set_id: 4,
        name: 'Charizard',
        number: '4/102',
        rarity: 'Classic Collection',
        prices: { Holofoil: 11_000 },
      },
      {
        id: 31,
        set_id: 3,
        name: 'Charizard',
        number: '4',
        prices: { Normal: 200, 'Reverse Holofoil': 100 },
      },
      {
        id: 32,
        set_id: 7,
        name: 'Charizard',
        number: '40/102',
        prices: { Normal: 150, 'Reverse Holofoil': 800 },
      },
      { id: 33, set_id: 9, name: 'Charizard GX', number: '14/102', prices: 350 },
      {
        id: 40,
        set_id: 6,
        name: 'Nami',
        number: 'OP01-016',
        rarity: 'R',
        prices: { Normal: 50, Foil: 5_000 },
      },
      {
        id: 41,
        set_id: 6,
        name: 'Nami (Parallel)',
        number: 'OP01-016_p1',
        rarity: 'R',
        prices: { Foil: 9_000 },
      },
      { id: 42, set_id: 6, name: 'Sixteen', number: 'OP01-116', prices: 9_999 },
      {
        id: 50,
        set_id: 8,
        name: 'Ragavan, Nimble Pilferer',
        number: '138',
        rarity: 'Mythic',
        prices: { Normal: 4_500, Foil: 5_500 },
      },
      {
        id: 51,
        set_id: 8,
        name: 'Ragavan, Nimble Pilferer (Borderless)',
        number: '315',
        rarity: 'Mythic',
        prices: { Normal: 6_500 },
      },
      {
        id: 52,
        set_id: 8,
        name: 'Ragavan, Nimble Pilferer (Showcase)',
        number: '390',
        rarity: 'Mythic',
        prices: { Foil: 3_000 },
      },
      { id: 60, set_id: 7, name: 'Mewtwo', number: '1', prices: 10 },
      { id: 61, set_id: 7, name: 'Blue-Eyes Dragon', number: '*64', prices: 20 },
      { id: 62, set_id: 7, name: 'Tyranitar', number: 'TG05/TG30', prices: 30 },
    ],
    { 1: 'Magic', 3: 'Pokemon', 68: 'One Piece' },
  ),
)
const find = (q: string, more: Partial<CardSearchInput> = {}) =>
  search.find({ sort: 'relevance', limit: 20, offset: 0, ...more, q })
const ids = (q: string, more?: Partial<CardSearchInput>) => find(q, more).ids

describe('a query', () => {
  test.each([
    // A card whose name has all words does not hide those whose set has two of them.
    ['umbreon evolving skies', [11, 10, 14]],
    ['evolving skies umbreon vmax', [10, 11]],
    ['evolving skies booster box', [12]],
    ['booster box swsh07', [12]],
    ['pikachu jungle', [20, 21]],
    ['jungle pikachu', [20, 21]],
    ['charizard celebrations', [31, 30]],
    ['celebrations charizard classic', [30]],
    ['classic collection charizard', [30]],
    ['ultra rare umbreon', [10]],
    ['pokemon sealed', [12, 13]],
    ['one piece nami', [40, 41]],
    ['magic mythic ragavan', [51, 50, 52]],
  ])('finds words of names, sets, rarities, types and games in any order: %s', (q, expected) => {
    expect(ids(q)).toEqual(expected)
    expect(find(q).ignored).toEqual([])
  })

  test('finds the words of a set in any order', () => {
    const inOrder = find('evolving skies umbreon vmax 095')
    for (const q of ['skies umbreon evolving vmax 095', 'vmax 95 umbreon skies evolving']) {
      expect(find(q)).toMatchObject({ ids: inOrder.ids, total: inOrder.total })
    }
  })

  test.each([
    ['charizard svi', [32]],
    ['sv01 charizard', [32]],
    ['sv1 charizard', [32]],
    ['evs umbreon', [11, 10]],
  ])('finds a set by the codes of apps and of the catalog: %s', (q, expected) => {
    expect(ids(q).toSorted()).toEqual(expected.toSorted())
  })
})

describe('an exact collector number', () => {
  test.each([
    // An exact total, then cards that list none.
    ['charizard 4/102', [30, 31]],
    ['4/102', [30, 31]],
    ['charizard 004', [30, 31]],
    ['charizard 4', [30, 31]],
    ['OP01-016', [40, 41]],
    ['op01016', [40, 41]],
    ['op01 016', [40, 41]],
    ['op1-16 nami', [40, 41]],
    ['TG05', [62]],
    ['tg5', [62]],
    ['tg05/tg30', [62]],
    ['*64', [61]],
    ['64 dragon', [61]],
    ['mh2 138', [50]],
    ['modern horizons 2 138', [50]],
    ['swsh07 215', [11]],
    ['swsh07-215', [11]],
    ['215/203', [11]],
  ])('is first: %s', (q, expected) => {
    expect(ids(q).slice(0, expected.length)).toEqual(expected)
  })

  test('precedes exact names', () => {
    // "Pikachu (Jumbo)" has the number 60, and so has a card named exactly "Pikachu".
    expect(ids('pikachu 60')).toEqual([20, 23])
    expect(ids('pikachu 7')).toEqual([24])
  })

  test('keeps the other words: a number alone never replaces them', () => {
    expect(find('pikachu 138')).toMatchObject({ ignored: ['138'] })
    expect(ids('pikachu 138')).toEqual(ids('pikachu'))
  })
})

describe('among equals', () => {
  test('exact names come first, then titles with an addition, then longer names', () => {
    expect(ids('pikachu')).toEqual([22, 20, 21, 23, 25, 24])
    expect(ids('charizard')).toEqual([30, 31, 32, 33])
  })

  test('a set that is named exactly precedes sets of longer names', () => {
    expect(ids('charizard celebrations')).toEqual([31, 30])
    expect(ids('celebrations').indexOf(22)).toBeLessThan(ids('celebrations').indexOf(30))
  })

  test('promos come behind ordinary cards, jumbo and code cards last, then the price decides', () => {
    expect(ids('umbreon').at(-1)).toBe(14)
    expect(ids('pikachu').at(-1)).toBe(24)
    expect(ids('pikachu promo')).toEqual([21, 23])
  })
})

describe('words that fit nothing', () => {
  test.each([
    ['charizard psa 10', ['psa', '10'], 30],
    ['charizard price', ['price'], 30],
    ['umbreon vmax wvwvwv', ['wvwvwv'], 10],
    ['nami jungle', ['jungle'], 40],
  ])('are ignored and listed: %s', (q, ignored, first) => {
    const found = find(q)
    expect(found.ignored.toSorted()).toEqual(ignored.toSorted())
    expect(found.ids[0]).toBe(first)
    expect(found.corrected).toBeUndefined()
  })

  test('are corrected only if they occur nowhere', () => {
    expect(find('umbeon vmax')).toMatchObject({ corrected: 'umbreon vmax' })
    expect(find('evolvin skys umbreon').ids).toEqual([11, 10, 14])
    // "Nami" and "Mewtwo" exist, however near other words are.
    for (const q of ['nami mewtwo', 'mewtwo fossil', 'flying nami']) {
      expect([q, find(q).corrected]).toEqual([q, undefined])
    }
  })
})

describe('joined and split words', () => {
  test.each([
    ['charizardgx', [33]],
    ['blueeyes', [61]],
    ['blue eyes dragon', [61]],
    ['blueeyes dragon', [61]],
    ['mew two', [60]],
    ['evolvingskies umbreon vmax', [10, 11]],
  ])('are found: %s', (q, expected) => {
    expect(ids(q)).toEqual(expected)
  })
})

describe('words of printings', () => {
  test.each([
    ['nami foil', [40, 41]],
    ['ragavan foil', [50, 52]],
    ['ragavan borderless', [51]],
    ['ragavan showcase', [52]],
    ['pikachu 1st edition', [20]],
    ['pikachu first edition', [20]],
    ['pikachu unlimited', [20]],
    ['charizard reverse holo', [31, 32]],
    ['reverse charizard', [31, 32]],
    ['umbreon alt art', [11]],
    ['alternate art umbreon vmax', [11]],
    ['pikachu promo', [21, 23]],
  ])('find the cards that have them: %s', (q, expected) => {
    expect(ids(q).toSorted()).toEqual(expected.toSorted())
  })

  test('sort by the price of that printing', () => {
    expect(ids('charizard', { sort: 'price_desc' })).toEqual([30, 33, 31, 32])
    expect(ids('charizard reverse holo', { sort: 'price_desc' })).toEqual([32, 31])
    expect(ids('charizard reverse holo', { sort: 'price_asc' })).toEqual([31, 32])
    expect(ids('nami foil', { sort: 'price_asc' })).toEqual([40, 41])
  })

  test('filter by the price of that printing', () => {
    expect(find('charizard reverse holo', { min_price: 500 })).toMatchObject({
      ids: [32],
      total: 1,
    })
    expect(ids('charizard', { min_price: 180, max_price: 250 })).toEqual([31])
    expect(ids('charizard reverse holo', { min_price: 180, max_price: 250 })).toEqual([])
    expect(ids('pikachu 1st edition', { max_price: 1_999 })).toEqual([])
    expect(ids('pikachu 1st edition', { min_price: 2_000, max_price: 2_000 })).toEqual([20])
  })

  test('cut pages of the result, whose total stays', () => {
    const page = (offset: number) =>
      find('charizard reverse holo', { sort: 'price_desc', limit: 1, offset })
    expect([0, 1, 2].map((offset) => page(offset).ids)).toEqual([[32], [31], []])
    expect([0, 1, 2].map((offset) => page(offset).total)).toEqual([2, 2, 2])
  })
})
