// Queries as collectors type them, with the expected cards in order.
import { describe, expect, test } from 'bun:test'
import { type CardSearchInput, openSearchStore } from '#store/catalog/search/search-store.ts'
import { createSearchCatalog, type TestCard } from '../../support/search-catalog.ts'

/** Cards: id, set, name, number, prices in cents, and rarity. */
const CARDS: [number, number, string, string, TestCard['prices'], string?][] = [
  [10, 1, 'Umbreon VMAX', '095/203', { Holofoil: 4_000 }, 'Ultra Rare'],
  [11, 1, 'Umbreon VMAX (Alternate Art Secret)', '215/203', { Holofoil: 90_000 }, 'Secret Rare'],
  [14, 5, 'Umbreon and the Evolving Skies', 'SWSH101', 99_000, 'Promo'],
  [20, 2, 'Pikachu', '60/64', { Unlimited: 300, '1st Edition': 2_000 }, 'Common'],
  [21, 5, 'Pikachu (Jungle)', '001', 700, 'Promo'],
  [22, 3, 'Pikachu', '5/25', { Holofoil: 400 }],
  [23, 5, 'Pikachu (Jumbo)', '60', 50_000],
  [24, 1, 'Code Card - Pikachu', '7', 70_000],
  [25, 9, 'Flying Pikachu', '4/62', { Normal: 100, 'Reverse Holofoil': 900, Holofoil: 500 }],
  [30, 4, 'Charizard', '4/102', { Holofoil: 11_000 }, 'Classic Collection'],
  [31, 3, 'Charizard', '4', { Normal: 200, 'Reverse Holofoil': 100 }],
  [32, 7, 'Charizard', '40/102', { Normal: 150, 'Reverse Holofoil': 800 }],
  [33, 9, 'Charizard GX', '14/102', 350],
  [40, 6, 'Nami', 'OP01-016', { Normal: 50, Foil: 5_000 }, 'R'],
  [41, 6, 'Nami (Parallel)', 'OP01-016_p1', { Foil: 9_000 }, 'R'],
  [42, 6, 'Sixteen', 'OP01-116', 9_999],
  [50, 8, 'Ragavan, Nimble Pilferer', '138', { Normal: 4_500, Foil: 5_500 }, 'Mythic'],
  [51, 8, 'Ragavan, Nimble Pilferer (Borderless)', '315', { Normal: 6_500 }, 'Mythic'],
  [52, 8, 'Ragavan, Nimble Pilferer (Showcase)', '390', { Foil: 3_000 }, 'Mythic'],
  [60, 7, 'Mewtwo', '1', 10],
  [61, 7, 'Blue-Eyes Dragon', '*64', 20],
  [62, 7, 'Tyranitar', 'TG05/TG30', 30],
]
const BOX = { set_id: 1, product_type: 'Sealed Products' } as const
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
      { ...BOX, id: 12, name: 'Evolving Skies Booster Box', prices: 60_000 },
      { ...BOX, id: 13, name: 'Evolving Skies Elite Trainer Box', prices: 9_000 },
      ...CARDS.map(([id, set_id, name, number, prices, rarity]): TestCard => {
        return { id, set_id, name, number, ...(prices && { prices }), ...(rarity && { rarity }) }
      }),
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
    // An exact total, then cards without a total.
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
    // "Pikachu (Jumbo)" has the number 60, and so does a card named exactly "Pikachu".
    expect(ids('pikachu 60')).toEqual([20, 23])
    expect(ids('pikachu 7')).toEqual([24])
  })

  test('keeps the other words: a number alone never replaces them', () => {
    expect(find('pikachu 138')).toMatchObject({ ignored: ['138'] })
    expect(ids('pikachu 138')).toEqual(ids('pikachu'))
  })
})

describe('words that fit nothing', () => {
  test('are corrected only if they occur nowhere', () => {
    expect(find('umbeon vmax')).toMatchObject({ corrected: 'umbreon vmax' })
    expect(find('evolvin skys umbreon').ids).toEqual([11, 10, 14])
    // "Nami" and "Mewtwo" exist, however similar other words are.
    for (const q of ['nami mewtwo', 'mewtwo fossil', 'flying nami']) {
      expect([q, find(q).corrected]).toEqual([q, undefined])
    }
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
})
