// Matches small handwritten lists; match-real-products.slow.test.ts those of a real catalog.
import { describe, expect, test } from 'bun:test'
import type { ListedProduct } from '#rules/sync/cardmarket/files.ts'
import { matchCatalog } from '#rules/sync/cardmarket/match-products.ts'
import type { MatchableCard } from '#rules/sync/cardmarket/matchable.ts'
import { mergeMatches } from '#rules/sync/cardmarket/merge-matches.ts'

/** A set with unique names, so that its expansion is certain. */
const FILLER = [
  'Abra',
  'Bidoof',
  'Chansey',
  'Dratini',
  'Eevee',
  'Flaaffy',
  'Gloom',
  'Haunter',
  'Igglybuff',
  'Jynx',
]

type Rest = Partial<MatchableCard>

function card(id: number, name: string, rest: Rest = {}): MatchableCard {
  const printings = [{ printing: 'Normal', market_price: 100, low_price: null }]
  return {
    id,
    game_id: 3,
    set_id: 1,
    name,
    number: null,
    attacks: [],
    is_sealed: false,
    printings,
    ...rest,
  }
}

function product(id: number, name: string, rest: Partial<ListedProduct> = {}): ListedProduct {
  return { id, name, expansion_id: 9, is_sealed: false, added_on: null, ...rest }
}

/** Matches products and cards together with those of a certain set. @returns card by product */
function matched(products: readonly ListedProduct[], cards: readonly MatchableCard[]) {
  const result = matchCatalog({
    products: [...FILLER.map((name, at) => product(100 + at, name)), ...products],
    cards: [...FILLER.map((name, at) => card(100 + at, name, { number: `${at + 1}` })), ...cards],
    sets: [{ id: 1, name: 'Set', release_day: null }],
    known: new Map(),
  })
  return Object.fromEntries(
    products.map(({ id }) => [id, result.products.get(id)?.card_id ?? null]),
  )
}

describe('namesakes', () => {
  test('are distinguished by their attacks', () => {
    const cards = [
      card(1, 'Weedle', { attacks: ['Multiply'] }),
      card(2, 'Weedle', { attacks: ['Sting', 'Poison'] }),
    ]
    expect(
      matched([product(7, 'Weedle [Sting | Poison]'), product(8, 'Weedle [Multiply]')], cards),
    ).toEqual({ 7: 2, 8: 1 })
  })

  test('are distinguished by their numbers and colors', () => {
    const cards = [
      card(1, 'Pounce (Red)', { number: 'A1' }),
      card(2, 'Pounce (Blue)', { number: 'A2' }),
      card(3, 'Luffy', { number: 'OP01-003' }),
      card(4, 'Luffy', { number: 'OP01-024' }),
    ]
    const products = [
      product(8, 'Pounce (Blue)'),
      product(9, 'Pounce (Red)'),
      product(5, 'Luffy (OP01-024)'),
      product(6, 'Luffy (OP01-003)'),
    ]
    expect(matched(products, cards)).toEqual({ 8: 2, 9: 1, 5: 4, 6: 3 })
  })

  test('are distinguished by their versions, also if one of them is missing', () => {
    const cards = [1, 2, 3].map((id) => card(id, 'Mew', { number: `${40 + 20 * id}` }))
    const names = [3, 1, 2].map((version) => product(500 * version, `Mew (V.${version})`))
    expect(matched(names, cards)).toEqual({ 1500: 3, 500: 1, 1000: 2 })
    expect(matched(names.slice(0, 2), cards)).toEqual({ 1500: 3, 500: 1 })
  })

  test('stay unmatched if there are more cards than products', () => {
    const cards = [card(1, 'Mew', { number: '50' }), card(2, 'Mew', { number: '90' })]
    expect(matched([product(900, 'Mew')], cards)).toEqual({ 900: null })
  })

  test('are distinguished by their place among other products', () => {
    const cards = [card(1, 'Mew', { number: '11' }), card(2, 'Mew', { number: '90' })]
    expect(matched([product(110, 'Mew')], cards)).toEqual({ 110: 1 })
  })

  test('that are printings of one card are distinguished by their names', () => {
    const printings = ['Normal', 'Rainbow Foil'].map((printing) => ({
      printing,
      market_price: 1,
      low_price: 1,
    }))
    expect(
      matched(
        [product(8, 'Mew (Rainbow Foil)'), product(7, 'Mew (Normal)')],
        [card(1, 'Mew', { printings })],
      ),
    ).toEqual({ 8: 1, 7: 1 })
  })
})

test('a card whose name is longer is another card', () => {
  expect(matched([product(8, 'Delphox')], [card(1, 'Delphox BREAK')])).toEqual({ 8: null })
  expect(
    matched([product(8, 'Blacksmith Hamer of Kragg')], [card(1, 'Blacksmith Hammer of Kragg')]),
  ).toEqual({ 8: 1 })
})

test('sealed products are matched by the words of their names', () => {
  const cards = [
    card(1, 'Set Booster Pack', { is_sealed: true }),
    card(2, 'Set Booster Box', { is_sealed: true }),
  ]
  const sealed = (id: number, name: string) => product(id, name, { is_sealed: true })
  expect(
    matched([sealed(8, 'Set Booster'), sealed(9, 'Set Booster Box'), sealed(7, 'Set Tin')], cards),
  ).toEqual({ 8: 1, 9: 2, 7: null })
})

describe('near-duplicate sets', () => {
  const sets = [1, 2].map((id) => ({
    id,
    name: ['Base Set', 'Base Set Shadowless'][id - 1] ?? '',
    release_day: null,
  }))
  const cards = sets.flatMap(({ id }) =>
    FILLER.map((name, at) => card(id * 100 + at, name, { set_id: id })),
  )
  const products = [8, 9].flatMap((expansion_id) =>
    FILLER.map((name, at) => product(expansion_id * 100 + at, name, { expansion_id })),
  )

  test('stay unmatched', () => {
    expect(matchCatalog({ products, cards, sets, known: new Map() }).expansions.size).toBe(0)
  })

  test('are distinguished by the names that only one of them has', () => {
    const name = (at: number) => `Card ${at}`
    /** Creates sets of sixty cards, the last of which are unique; each side lacks some. */
    const build = (own: number) => {
      const named = (set: number) =>
        Array.from({ length: 60 }, (_, at) => name(at < 60 - own ? at : set * 100 + at))
      return {
        cards: [1, 2].flatMap((set_id) =>
          named(set_id)
            .filter((_, at) => at % 17 !== set_id)
            .map((one, at) => card(set_id * 1_000 + at, one, { set_id })),
        ),
        products: [1, 2].flatMap((set) =>
          named(set)
            .filter((_, at) => at % 9 !== set)
            .map((one, at) => product(set * 1_000 + at, one, { expansion_id: 7 + set })),
        ),
      }
    }
    const matchSets = (own: number, some = sets) =>
      [...matchCatalog({ ...build(own), sets: some, known: new Map() }).expansions].map(
        ([id, { set_id }]) => [id, set_id],
      )
    for (const own of [5, 6, 7]) {
      expect(matchSets(own).toSorted()).toEqual([
        [8, 1],
        [9, 2],
      ])
    }
    expect(matchSets(0)).toEqual([])
    // The catalog lacks one of the sets: its expansion must not be matched with the other.
    expect(matchSets(5, sets.slice(0, 1))).not.toContainEqual([9, 1])
  })

  test('are distinguished by their sealed products', () => {
    const booster = product(1, 'Base Set Shadowless Booster', { expansion_id: 8, is_sealed: true })
    const { expansions } = matchCatalog({
      products: [...products, booster],
      cards,
      sets,
      known: new Map(),
    })
    expect([...expansions].map(([id, { set_id }]) => [id, set_id]).toSorted()).toEqual([
      [8, 2],
      [9, 1],
    ])
  })
})

describe('a stored match', () => {
  const weedle = card(1, 'Weedle')
  const cards = new Map([
    [1, weedle],
    [2, card(2, 'Weedle')],
  ])
  const stored = {
    id: 8,
    name: 'Weedle',
    expansion_id: 9,
    card_id: 1,
    printing: null,
    method: 'name',
    confidence: 0.9,
    card_name: 'Weedle',
    card_set_id: 1,
  } as const
  const found = new Map([
    [8, { card_id: 2, printing: null, method: 'name', confidence: 0.9 } as const],
  ])
  const merge = (
    product: ListedProduct,
    before: Omit<typeof stored, 'method'> & { method: 'name' | 'operator' },
    known = cards,
  ) => mergeMatches([product], new Map([[8, before]]), found, known).get(8)?.card_id

  test.each([
    ['stays', product(8, 'Weedle'), stored, 1],
    ['is replaced if the product has another name', product(8, 'Kakuna'), stored, 2],
    [
      'is replaced if the product has another expansion',
      product(8, 'Weedle', { expansion_id: 5 }),
      stored,
      2,
    ],
    [
      'is replaced if the card had another name',
      product(8, 'Weedle'),
      { ...stored, card_name: 'Kakuna' },
      2,
    ],
    ['of an operator stays', product(8, 'Kakuna'), { ...stored, method: 'operator' as const }, 1],
  ] as const)('%s', (_, listed, before, card_id) => {
    expect(merge(listed, before as never)).toBe(card_id)
  })
})
