// Compares the search with a full scan that applies the definitions of matches and order.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { basePrinting } from '#rules/catalog/base-printing.ts'
import { cleanName } from '#rules/catalog/names.ts'
import { changePercent } from '#rules/pricing/price-changes.ts'
import { readSearchPostings } from '#store/catalog/search/search-postings.ts'
import { type CardSearchInput, openSearchStore } from '#store/catalog/search/search-store.ts'
import { SEARCH_SORTS, type SearchSort } from '#store/catalog/search/sorts.ts'
import { anyText } from '../../support/properties.ts'
import { createSearchCatalog, listPrices, type TestCard } from '../../support/search-catalog.ts'

const WORDS = ['dark', 'darkness', 'dar', 'knight', 'knights', 'of', 'o', 'mew', 'mewtwo']
const NUMBERS = ['7', '12', '30', '007', '7/30', '7/120', '7/999', '12/3']
const RARITIES = ['Common', 'common', 'Rare', 'Ultra Rare', 'Promo']
const PRINTINGS = ['Normal', 'Holofoil', 'Reverse Holofoil']
const PRICES = [5, 5, 5, 10, 10, 25, 100, 2_500, null]
const GAMES: Record<number, string> = { 1: 'Alpha', 2: 'Beta' }
const SETS = [
  { id: 101, game_id: 1, name: 'Dark Age', abbreviation: 'AB', release_date: '2024-05-03' },
  { id: 102, game_id: 2, name: 'Mew', abbreviation: 'ABC', release_date: '2026-01-02' },
  { id: 103, game_id: 1, name: 'Dark Age Returns', abbreviation: 'CD', release_date: null },
  { id: 104, game_id: 2, name: 'Knight Promo', abbreviation: 'OF', release_date: '2024-05-03' },
]
/** Words of sets, games, rarities, printings and product types. */
const CONTEXT = [
  'age',
  'returns',
  'ab',
  'abc',
  'cd',
  'alpha',
  'beta',
  'common',
  'ultra',
  'promo',
  'normal',
  'holo',
  'holofoil',
  'reverse',
  'sealed',
  'products',
]

const SYNONYMS: Record<string, string> = { holo: 'holofoil' }

let seed = 7
const below = (most: number) => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
  return (seed >>> 16) % most
}
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T

type Card = TestCard & { title: string[]; addition: string[]; own: string; size: string }

const cards = Array.from({ length: 600 }, (_, at): Card => {
  const title = Array.from({ length: 1 + below(3) }, () => pick(WORDS))
  const addition = below(8) === 0 ? [pick(WORDS)] : []
  const [own, size] = [String(1 + below(30)), pick(['30', '120', ''])]
  const typed = title.map((word) => (below(2) === 0 ? word.toUpperCase() : word))
  return {
    id: 1_000 + ((at * 37) % 600),
    set_id: pick(SETS).id,
    title,
    addition,
    own,
    size,
    name: typed.join(pick([' ', '-', ', '])) + addition.map((word) => ` (${word})`).join(''),
    number: size === '' ? own : `${own.padStart(pick([1, 3]), '0')}/${size}`,
    ...(below(10) > 0 && { rarity: pick(RARITIES) }),
    product_type: below(8) === 0 ? 'Sealed Products' : 'Cards',
    prices: Object.fromEntries(
      PRINTINGS.filter(() => below(2) === 0).map((printing) => [printing, pick(PRICES)]),
    ),
    before: Object.fromEntries(PRINTINGS.map((printing) => [printing, pick(PRICES)])),
    missing: below(20) === 0,
  }
})

const shown = cards
  .filter((card) => !card.missing)
  .map((card) => {
    const set = SETS.find(({ id }) => id === card.set_id) ?? SETS[0]
    const rows = listPrices(card)
    const isSealed = card.product_type === 'Sealed Products'
    const texts = [
      set?.name,
      set?.abbreviation,
      GAMES[set?.game_id ?? 0],
      card.rarity,
      ...rows.map(({ printing }) => printing),
      isSealed ? 'Sealed Products' : '',
    ]
    const context = texts.flatMap((text) => (text ?? '').toLowerCase().split(' '))
    const names = [...card.title, ...card.addition]
    // Hyphenated words are also found as one word.
    const joined = card.name.includes('-') ? [card.title.join('')] : []
    return {
      ...card,
      game_id: set?.game_id,
      release: set?.release_date ?? undefined,
      rows,
      base: basePrinting(rows),
      names,
      joined,
      inName: [...names, ...joined],
      context,
      all: [...names, ...joined, ...context],
      isPromo: card.rarity === 'Promo' || set?.name === 'Knight Promo',
      key: cleanName(card.name).toLowerCase(),
    }
  })
type Shown = (typeof shown)[number]

const isNumber = (word: string) => /^\d/.test(word)
const canonical = (number: string) => number.replace(/^0+(?=\d)/, '')
const isExact = (card: Shown, number: string) => {
  const [own = '', size] = canonical(number).split('/')
  return card.own === own && (size === undefined || card.size === size)
}
const isExactAlone = (card: Shown, number: string) =>
  number.includes('/') && card.own === canonical(number).split('/')[0] && card.size === ''
const isOwn = (card: Shown, number: string) => card.own === canonical(number).split('/')[0]

/** Lists how exactly a number matches, best first: as written, of cards without a total, with any total. */
function exactKinds(number: string) {
  const known = kindsByNumber.get(number)
  if (known !== undefined) return known
  const [exact, own] = [[isExact, isExactAlone], [isOwn]].map((kinds) =>
    kinds.filter((fits) => shown.some((card) => fits(card, number))),
  )
  const kinds = (exact?.length ? exact : own) ?? []
  kindsByNumber.set(number, kinds)
  return kinds
}
const kindsByNumber = new Map<string, ((card: Shown, number: string) => boolean)[]>()

function hasNumber(card: Shown, number: string, { isLast, isAlone }: Place): boolean {
  if (!isAlone && !number.includes('/') && card.size === canonical(number)) return true
  const kinds = exactKinds(number)
  if (kinds.some((fits) => fits(card, number))) return true
  return kinds.length === 0 && isLast && card.own.startsWith(canonical(number))
}

type Place = { isLast: boolean; isAlone: boolean; isOnly: boolean }

/** Returns true if a word belongs to the card's name, number or context. */
function has(card: Shown, word: string, place: Place): boolean {
  if (isNumber(word)) return hasNumber(card, word, place)
  if (card.all.includes(word) || card.context.includes(SYNONYMS[word] ?? word)) return true
  if (!place.isLast) return false
  const isLong = word.length >= (place.isOnly ? 4 : 2)
  return (isLong ? card.all : card.inName).some((one) => one.startsWith(word))
}

/** @param typed all words of the query: a number may be a total beside another number */
function hasAll(card: Shown, words: readonly string[], { isFinished = false, typed = words } = {}) {
  const isAlone = typed.filter(isNumber).length < 2
  const last = isFinished ? -1 : words.length - 1
  const isOnly = typed.length === 1
  return words.every((word, at) => has(card, word, { isLast: at === last, isAlone, isOnly }))
}

const runsOf = (words: readonly string[]) =>
  words
    .flatMap((_, from) => words.slice(from).map((_, more) => words.slice(from, from + more + 1)))
    .sort((a, b) => b.length - a.length)

const beginsWith = (names: readonly string[], run: readonly string[]) =>
  run.every((word, at) => names[at] === word)
const isSame = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && beginsWith(a, b)

/** Returns the words that name a set exactly, and the ids of the sets. */
function findSets(words: readonly string[]) {
  for (const run of runsOf(words)) {
    const named = SETS.filter(({ name, abbreviation }) =>
      [name.toLowerCase().replaceAll(' ', ''), abbreviation.toLowerCase()].includes(run.join('')),
    )
    if (named.length > 0) return { words: run, ids: named.map(({ id }) => id) }
  }
  return { words: [], ids: [] }
}

/** Returns a card's rank for each sort rule, the lowest first. */
function rank(words: readonly string[]): (card: Shown) => number[] {
  const set = findSets(words)
  const numbers = words.filter((word) => isNumber(word) && !set.words.includes(word))
  const others = words.filter((word) => !set.words.includes(word))
  const runs = runsOf(words)
  const isBegun = (run: readonly string[]) => shown.some(({ names }) => beginsWith(names, run))
  const longest = runs.find(isBegun)?.length
  const isAnyNumber = numbers.some((number) => exactKinds(number).length > 0)
  const longestRuns = runs.filter((run) => run.length === longest && isBegun(run))

  function nameTier(card: Shown): number {
    const isTitled = card.addition.length > 0
    for (let length = words.length; length > 0; length--) {
      const exact = runs.filter((run) => run.length === length)
      const isAnyOrder = [words, others].some(
        (core) =>
          core.length === length &&
          core.length === card.title.length &&
          core.every((word) => card.title.includes(word)),
      )
      const isSpelled = exact.some((run) => isSame(card.title, run))
      if (isSpelled && !isTitled) return -3 * length
      if (isAnyOrder && !isTitled) return -3 * length + 1
      if (isSpelled) return -3 * length + 2
    }
    if (longestRuns.some((run) => beginsWith(card.names, run))) return 1
    if (hasAll(card, words, { isFinished: true })) return 2
    const last = words.at(-1) ?? ''
    const isTyping = runs.some(
      (run) =>
        run.at(-1) === last &&
        !isNumber(last) &&
        [card.names, card.addition.length > 0 ? [] : card.joined].some(
          (names) => beginsWith(names, run.slice(0, -1)) && names[run.length - 1]?.startsWith(last),
        ),
    )
    return isTyping ? 3 : 4
  }

  return (card) => {
    const kinds = numbers.map((number) =>
      exactKinds(number).findIndex((fits) => fits(card, number)),
    )
    const number = Math.min(9, ...kinds.filter((kind) => kind >= 0))
    const [name, inSet] = [nameTier(card), set.ids.includes(card.set_id) ? 0 : 1]
    // A set with a number identifies the card, whatever else its code may mean.
    const order = isAnyNumber ? [number, inSet, name] : [name, inSet]
    return [...order, card.isPromo ? 1 : 0]
  }
}

/** Returns the price of the requested printing, or of the base printing. */
function requestedPrice(card: Shown, words: readonly string[]): number | undefined {
  const standardWords = words.map((word) => SYNONYMS[word] ?? word)
  const fits = card.rows.map(({ printing, market_price }) => {
    const own = printing.toLowerCase().split(' ')
    return { market_price, own, fits: standardWords.filter((word) => own.includes(word)).length }
  })
  fits.sort((a, b) => b.fits - a.fits || a.own.length - b.own.length)
  const [best] = fits
  return (best === undefined || best.fits === 0 ? card.base : best)?.market_price ?? undefined
}

const wordsOf = (q: string) => [...new Set(q.toLowerCase().split(' '))]

/** Computes the expected result from the definitions. */
function expected(searchInput: CardSearchInput): number[] {
  const words = wordsOf(searchInput.q)
  const rankOf = rank(words)
  const isIn = ({ min_price = 0, max_price = Infinity }: CardSearchInput, price?: number) =>
    price !== undefined && price >= min_price && price <= max_price
  const isPriced = searchInput.min_price !== undefined || searchInput.max_price !== undefined
  const fitting = shown.flatMap((card) => {
    const { id, key, release } = card
    const printed = card.rows.find(({ printing }) => printing === searchInput.printing)
    const price =
      searchInput.printing === undefined
        ? requestedPrice(card, words)
        : (printed?.market_price ?? undefined)
    const counted = searchInput.printing === undefined ? card.base : printed
    const before = card.before?.[counted?.printing ?? ''] ?? null
    const change = changePercent(counted?.market_price ?? null, before) ?? undefined
    const fits =
      hasAll(card, words) &&
      (searchInput.printing === undefined || printed !== undefined) &&
      (searchInput.game_id === undefined || card.game_id === searchInput.game_id) &&
      (searchInput.set_id === undefined || card.set_id === searchInput.set_id) &&
      (searchInput.rarity === undefined ||
        card.rarity?.toLowerCase() === searchInput.rarity.toLowerCase()) &&
      (searchInput.type === undefined || card.product_type === searchInput.type) &&
      (!isPriced || isIn(searchInput, price))
    const date = release === undefined ? undefined : Date.parse(release)
    return fits ? [{ id, key, price, change, date, ranks: rankOf(card) }] : []
  })
  type Fitting = (typeof fitting)[number]
  const byNumber = (a: number | undefined, b: number | undefined, direction: number) =>
    a === undefined || b === undefined
      ? Number(a === undefined) - Number(b === undefined)
      : (a - b) * direction
  const byRanks = (a: Fitting, b: Fitting) =>
    a.ranks.map((rank, at) => rank - (b.ranks[at] ?? 0)).find((by) => by !== 0) ?? 0
  const orders: Record<SearchSort, (a: Fitting, b: Fitting) => number> = {
    price_asc: (a, b) => byNumber(a.price, b.price, 1),
    price_desc: (a, b) => byNumber(a.price, b.price, -1),
    relevance: (a, b) => byRanks(a, b) || byNumber(a.price, b.price, -1),
    name: (a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)),
    change_asc: (a, b) => byNumber(a.change, b.change, 1),
    change_desc: (a, b) => byNumber(a.change, b.change, -1),
    newest: (a, b) => byNumber(a.date, b.date, -1),
  }
  return fitting.sort((a, b) => orders[searchInput.sort](a, b) || a.id - b.id).map(({ id }) => id)
}

const db = createSearchCatalog(SETS, cards, GAMES)
const stored = openSearchStore(db)
const inMemory = openSearchStore(db)
inMemory.useInMemory(readSearchPostings(db))

/** Searches the stored index and the one in memory, which must return the same. */
function find(input: CardSearchInput) {
  const { printings, ...found } = stored.find(input)
  expect(inMemory.find(input)).toEqual({ printings, ...found })
  return found
}

const PAGE = { sort: 'relevance', limit: 100, offset: 0 } as const
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const typedWord = fc.oneof(
  { arbitrary: fc.constantFrom(...WORDS), weight: 4 },
  { arbitrary: fc.constantFrom(...CONTEXT), weight: 3 },
  { arbitrary: fc.constantFrom(...NUMBERS), weight: 1 },
)
const inputs = fc.record({
  q: fc
    .tuple(fc.array(typedWord, { minLength: 1, maxLength: 4 }), fc.nat({ max: 3 }))
    .map(([words, cut]) => {
      const last = words.at(-1) ?? ''
      return [...words.slice(0, -1), last.slice(0, Math.max(1, last.length - cut))].join(' ')
    })
    .filter((q) => !q.endsWith('/')),
  game_id: maybe(fc.constantFrom(1, 2)),
  set_id: maybe(fc.constantFrom(...SETS.map(({ id }) => id))),
  rarity: maybe(fc.constantFrom(...RARITIES, 'COMMON', 'none such')),
  type: maybe(fc.constantFrom('Cards' as const, 'Sealed Products' as const)),
  min_price: maybe(fc.constantFrom(0, 5, 6, 10, 100, 2_500, 2_501)),
  max_price: maybe(fc.constantFrom(0, 4, 5, 10, 99, 2_500, 10_000_000)),
  printing: maybe(fc.constantFrom(...PRINTINGS, 'normal')),
  sort: fc.constantFrom(...SEARCH_SORTS),
  limit: fc.constantFrom(1, 2, 3, 7, 50, 100),
  page: fc.constantFrom(0, 0, 1, 2, 5, 40, 1_000_000_000),
})
const inPages = ({ page, ...searchInput }: Omit<CardSearchInput, 'offset'> & { page: number }) => ({
  ...searchInput,
  offset: page * searchInput.limit,
})

describe('every query equals a full scan', () => {
  test('in any order of words', () => {
    fc.assert(
      fc.property(inputs, ({ q }) => {
        const ids = expected({ ...PAGE, q })
        if (ids.length === 0) return
        expect([q, find({ ...PAGE, limit: 600, q })]).toEqual([
          q,
          { ids, total: ids.length, ignored: [] },
        ])
      }),
      { numRuns: 300, seed: 3 },
    )
  })

  test('with every sort, filter and page', () => {
    fc.assert(
      fc.property(inputs, (drawn) => {
        const searchInput = inPages(drawn)
        const ids = expected(searchInput)
        if (!shown.some((card) => hasAll(card, wordsOf(searchInput.q)))) return
        expect(find(searchInput)).toEqual({
          ids: ids.slice(searchInput.offset, searchInput.offset + searchInput.limit),
          total: ids.length,
          ignored: [],
        })
      }),
      { numRuns: 400, seed: 1 },
    )
  })

  test('without ignored words, because no card has any of them together with the others', () => {
    fc.assert(
      fc.property(inputs, ({ q }) => {
        const words = wordsOf(q)
        if (shown.some((card) => hasAll(card, words))) return
        const { ids, ignored, corrected } = find({ ...PAGE, q })
        if (corrected !== undefined) return
        expect([q, ignored]).not.toEqual([q, []])
        const kept = words.filter((word) => !ignored.includes(word))
        const found = shown.filter(({ id }) => ids.includes(id))
        expect(found.filter((card) => !hasAll(card, kept, { typed: words }))).toEqual([])
        if (ignored.length > 1) return
        expect(shown.filter((card) => hasAll(card, words, { isFinished: true }))).toEqual([])
      }),
      { numRuns: 300, seed: 2 },
    )
  })

  test.each(['relevance', 'price_asc', 'price_desc', 'name'] as const)(
    'sorted by %s, all pages together contain each match once',
    (sort) => {
      for (const limit of [1, 3, 10, 100]) {
        const searchInput = { q: 'dar', sort, limit }
        const ids = expected({ ...searchInput, offset: 0 })
        const pages = Array.from({ length: Math.ceil(ids.length / limit) }, (_, page) =>
          find({ ...searchInput, offset: page * limit }),
        )
        expect(pages.flatMap((page) => page.ids)).toEqual(ids)
        expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([ids.length]))
      }
    },
  )
})

describe('every text', () => {
  test('no input is interpreted as syntax', () => {
    const knights = find({ ...PAGE, q: 'dark knight' })
    expect(knights.total).toBeGreaterThan(0)
    for (let code = 0x20; code < 0x7f; code++) {
      const sign = String.fromCharCode(code)
      for (const q of [`${sign}dark knight`, `dark ${sign} knight`, `dark ${sign}knight${sign}`]) {
        if (/[a-z0-9]/i.test(sign)) find({ ...PAGE, q })
        else expect([q, find({ ...PAGE, q })]).toEqual([q, knights])
      }
    }
    for (const q of [
      '"dark knight',
      'dark* "knight"*',
      '^dark knight',
      'words:dark knight',
      '{words}: dark + knight',
      'NEAR(dark knight, 2)',
      'dark NOT mew',
      'dark OR',
      'AND',
      '- dark',
      "dark'; DROP TABLE cards; --",
      '\u0000dark',
      'a b c d e f g h i j k l m n o p q r s t u v w x y z '.repeat(20),
      'dark-'.repeat(500),
      'd'.repeat(5_000),
    ]) {
      expect(() => find({ ...PAGE, q })).not.toThrow()
    }
    expect(find({ ...PAGE, q: 'dark NOT mew' })).toEqual({
      ...find({ ...PAGE, q: 'dark mew' }),
      ignored: ['not'],
    })
  })

  test('any text is answered without an error', () => {
    fc.assert(
      fc.property(anyText(60), (q) => {
        const { ids, total } = find({ ...PAGE, q })
        expect(ids.length).toBe(Math.min(total, PAGE.limit))
      }),
      { numRuns: 500, seed: 2 },
    )
  })
})
