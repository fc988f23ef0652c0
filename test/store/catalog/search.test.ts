import { beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import type { ProductType } from '#rules/catalog/catalog-records.ts'
import { cleanName, numberKey } from '#rules/catalog/names.ts'
import { buildSearchText } from '#rules/search/search-text.ts'
import { CATALOG_MIGRATIONS } from '#store/catalog/migrations.ts'
import { type CardSearchInput, openSearchStore, type SearchSort } from '#store/catalog/search.ts'
import { rebuildSearch } from '#store/catalog/search-index.ts'
import { type Db, inTransaction, openDatabase } from '#store/db.ts'
import { migrate } from '#store/migrate.ts'

type TestCard = {
  id: number
  set_id: number
  name: string
  number?: string
  rarity?: string
  product_type?: ProductType
  /** Market price of each printing in cents, that of the base printing last. */
  prices?: (number | null)[]
  missing?: boolean
}
type TestSet = { id: number; game_id: number; name: string; abbreviation: string | null }

function catalogOf(sets: TestSet[], cards: TestCard[]): Db {
  const db = openDatabase(':memory:')
  migrate(db, CATALOG_MIGRATIONS)
  inTransaction(db, () => {
    for (const id of new Set(sets.map(({ game_id }) => game_id))) {
      db.prepare("INSERT INTO games (id, name, slug, priority) VALUES (?, 'Game', ?, 0)").run(
        id,
        id,
      )
    }
    for (const { id, game_id, name, abbreviation } of sets) {
      db.prepare(
        `INSERT INTO sets (id, game_id, name, slug, abbreviation, last_synced_at)
         VALUES (?, ?, ?, ?, ?, '')`,
      ).run(id, game_id, name, id, abbreviation)
    }
    for (const card of cards) putCard(db, card)
    rebuildSearch(db)
  })
  return db
}

function putCard(db: Db, card: TestCard): void {
  const set = db
    .prepare<[number], TestSet>('SELECT game_id, abbreviation FROM sets WHERE id = ?')
    .get(card.set_id) as TestSet
  const { id, set_id, name, number = null, rarity = null, product_type = 'Cards' } = card
  db.prepare(
    `INSERT INTO cards (id, game_id, set_id, name, clean_name, number, number_key, rarity,
       product_type, shipping_category_id, product_status_id, search_text, missing_since)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 1, ?, ?)`,
  ).run(
    ...[id, set.game_id, set_id, name, cleanName(name), number, numberKey(number), rarity],
    ...[product_type, buildSearchText({ name, number, abbreviation: set.abbreviation })],
    card.missing ? '2026-01-01' : null,
  )
  const prices = card.prices ?? []
  for (const [at, price] of prices.entries()) {
    db.prepare(
      `INSERT INTO prices (card_id, printing_id, market_price, changed_at, is_base_printing)
       VALUES (?, ?, ?, 0, ?)`,
    ).run(id, at + 1, price, Number(at === prices.length - 1))
  }
}

const PAGE = { sort: 'relevance', limit: 100, offset: 0 } as const

describe('search', () => {
  let search: ReturnType<typeof openSearchStore>
  const SETS: TestSet[] = [
    { id: 1, game_id: 1, name: 'Alliances', abbreviation: 'ALL' },
    { id: 2, game_id: 2, name: 'SWSH12: Silver Tempest', abbreviation: 'SWSH12' },
    { id: 3, game_id: 3, name: 'Carrying on His Will', abbreviation: 'OP13' },
    { id: 4, game_id: 2, name: 'Base Set', abbreviation: 'BS' },
    { id: 5, game_id: 2, name: 'SV09: Journey Together', abbreviation: null },
  ]
  const CARDS: TestCard[] = [
    { id: 1, set_id: 1, name: 'U.S.S. Enterprise' },
    { id: 2, set_id: 1, name: "Lim-Dûl's Vault", number: '107' },
    { id: 3, set_id: 1, name: 'Fire // Ice' },
    { id: 4, set_id: 1, name: 'AND or NOT Near' },
    { id: 5, set_id: 1, name: 'Jötun Æther Ænigma' },
    { id: 10, set_id: 2, name: 'Lugia VSTAR', number: '139/195', prices: [661] },
    { id: 11, set_id: 2, name: 'Pokémon League', number: '195/195', prices: [10] },
    { id: 12, set_id: 2, name: "Farfetch'd", number: 'TG12/TG30' },
    { id: 13, set_id: 2, name: 'Latios ☆ δ', number: '106/107' },
    { id: 14, set_id: 2, name: 'Nidoran♀', number: '55', prices: [99_999] },
    { id: 17, set_id: 2, name: 'Mew', number: '005' },
    { id: 15, set_id: 2, name: 'テツノイワオex', number: '087' },
    { id: 16, set_id: 2, name: 'Pikachu & Zekrom GX', number: '004' },
    { id: 20, set_id: 3, name: 'Sanji', number: 'OP13-089' },
    { id: 21, set_id: 3, name: 'Sanji', number: 'OP13-089_p1' },
    { id: 22, set_id: 1, name: 'Nami', number: 'OP12-089' },
    { id: 23, set_id: 3, name: 'Enigma', number: 'WTR058' },
    { id: 30, set_id: 4, name: 'Charizard', number: '004/102', prices: [81_865] },
    { id: 31, set_id: 2, name: 'Charizard VMAX', number: '20', prices: [5_000] },
    { id: 32, set_id: 2, name: 'Dark Charizard', number: '4/82', prices: [90_000] },
    { id: 33, set_id: 5, name: 'Charizard', number: '21', prices: [300] },
    { id: 34, set_id: 2, name: 'Charizard Case', product_type: 'Sealed Products', prices: [1] },
  ]
  beforeAll(() => {
    search = openSearchStore(catalogOf(SETS, CARDS))
  })
  const found = (q: string) => search.find({ ...PAGE, q })

  test.each([
    ['uss enterprise', [1]],
    ['U.S.S. Enterprise', [1]],
    ['u s s enterprise', [1]],
    ['ENTERPRISE uss', [1]],
    ["Lim-Dûl's Vault", [2]],
    ['lim-dul’s vault', [2]],
    ['lim duls vault', [2]],
    ['limduls vault', [2]],
    ['lim dul vault', [2]],
    ['lim-d', [2]],
    ['fire ice', [3]],
    ['Fire//Ice', [3]],
    ['jotun aether aenigma', [5]],
    ['pokemon', [11]],
    ['POKÉMON', [11]],
    ['poke\u0301mon', [11]],
    ['farfetchd', [12]],
    ["farfetch'd", [12]],
    ['farfetch', [12]],
    ['latios star', [13]],
    ['latios delta', [13]],
    ['Latios ☆ δ', [13]],
    ['nidoran female', [14]],
    ['テツノ', [15]],
    ['テツノイワオ ex', [15]],
    ['ﾃﾂﾉｲﾜｵＥＸ', [15]],
    ['pikachu and zekrom', [16]],
    ['pikachu & zekrom gx', [16]],
  ])('by the name, however it is typed: %s', (q, ids) => {
    expect(found(q)).toEqual({ ids, total: ids.length })
  })

  test.each([
    ['SWSH12 139', [10]],
    ['139 SWSH12', [10]],
    ['swsh12 lugia 139', [10]],
    ['139/195', [10]],
    ['195/195', [11]],
    ['lugia 139/195', [10]],
    ['139 195', [10]],
    ['SWSH12 TG12', [12]],
    ['tg 12', [12]],
    ['TG12/TG30', [12]],
    ['OP13-089', [20, 21]],
    ['op13 89', [20, 21]],
    ['089 op13', [20, 21]],
    ['op13089', [20, 21]],
    ['op13-089_p1', [21]],
    ['zekrom 4', [16]],
    ['zekrom 004', [16]],
    ['wtr058', [23]],
    ['wtr 58', [23]],
    ['WTR58', [23]],
  ])('by the code of the set and the collector number: %s', (q, ids) => {
    expect(found(q)).toEqual({ ids, total: ids.length })
  })

  test('matches collector numbers, not set sizes', () => {
    expect(found('swsh12 195').ids).toEqual([11])
  })

  test('ranks exact names first, then prefixes, then the rest, each by price', () => {
    expect(found('charizard').ids).toEqual([30, 33, 31, 34, 32])
    expect(found('chariz').ids).toEqual([30, 31, 33, 34, 32])
  })

  test('ranks the exact number before longer ones', () => {
    expect(found('swsh12 5').ids).toEqual([17, 14])
  })

  test.each([
    ['charizard base set', [30]],
    ['base set charizard', [30]],
    ['charizard base s', [30]],
    ['sv09 charizard', [33]],
    ['journey together', [33]],
  ])('by the name of the set as well: %s', (q, ids) => {
    expect(found(q)).toEqual({ ids, total: ids.length })
  })

  test.each([
    ['charzard', 'charizard', [30, 33, 31, 34, 32]],
    ['chraizard', 'charizard', [30, 33, 31, 34, 32]],
    ['charizzard vmax', 'charizard vmax', [31]],
    ['darkcharizard', 'dark charizard', [32]],
    ['char izard vmax', 'charizard vmax', [31]],
    ['charzard base set', 'charizard base set', [30]],
    ['charzard 4/102', 'charizard 4/102', [30]],
    ['lugai vstar', 'lugia vstar', [10]],
    ['chari vmax', 'charizard vmax', [31]],
    ['swsh 12 139', 'swsh12 139', [10]],
  ])('misspelled terms, with the corrected spelling: %s', (q, corrected, ids) => {
    expect(found(q)).toEqual({ ids, total: ids.length, corrected })
  })

  test('finds no card with another number', () => {
    expect(found('lugia 138')).toEqual({ ids: [], total: 0 })
    expect(found('OP13-088')).toEqual({ ids: [], total: 0 })
  })

  test('finds nothing if a filter excludes everything, however similar another word is', () => {
    expect(search.find({ ...PAGE, q: 'lugia', rarity: 'Common' })).toEqual({ ids: [], total: 0 })
    expect(search.find({ ...PAGE, q: 'lugia', set_id: 4 })).toEqual({ ids: [], total: 0 })
  })

  test('respects filters for misspelled words', () => {
    const asked = { ...PAGE, q: 'charzard', game_id: 2 }
    expect(search.find({ ...asked, set_id: 4 }).ids).toEqual([30])
    expect(search.find({ ...asked, type: 'Sealed Products' }).ids).toEqual([34])
    expect(search.find({ ...asked, min_price: 80_000 }).ids).toEqual([30, 32])
    expect(search.find({ ...asked, max_price: 0 })).toEqual({ ids: [], total: 0 })
  })

  test('finds nothing for punctuation alone', () => {
    for (const q of ['', '  ', '--', '"', '***', '\u{e000}', '\u{f0000}', '\u{f0001}', '\ud800']) {
      expect(found(q)).toEqual({ ids: [], total: 0 })
    }
  })
})

describe('every query equals a full scan', () => {
  const WORDS = ['dark', 'darkness', 'dar', 'knight', 'knights', 'of', 'o', 'mew', 'mewtwo', '12']
  const CODES = ['AB1', 'AB12', 'CD', 'OF']
  const RARITIES = ['Common', 'common', 'Rare', 'Ultra Rare']
  const PRICES = [5, 5, 5, 10, 10, 25, 100, 2_500, null]
  const sets = CODES.map((abbreviation, at) => {
    return { id: 101 + at, game_id: (at % 2) + 1, name: '—', abbreviation }
  })
  let seed = 7
  const below = (most: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 16) % most
  }
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T
  const cards = Array.from({ length: 600 }, (_, at): TestCard & { words: string[] } => {
    const words = Array.from({ length: 1 + below(3) }, () => pick(WORDS))
    return {
      id: 1_000 + ((at * 37) % 600),
      set_id: pick(sets).id,
      words,
      name: words
        .map((word) => (below(2) === 0 ? word.toUpperCase() : word))
        .join(pick([' ', '-', ', '])),
      number: `${1 + below(30)}/${pick(['30', '120'])}`,
      ...(below(10) > 0 && { rarity: pick(RARITIES) }),
      product_type: below(8) === 0 ? 'Sealed Products' : 'Cards',
      prices: Array.from({ length: below(3) }, () => pick(PRICES)),
      missing: below(20) === 0,
    }
  })

  const plain = cards.map((card) => {
    const set = sets.find(({ id }) => id === card.set_id)
    const [own = '', total = ''] = (card.number ?? '').split('/')
    const words = [...card.words, set?.abbreviation?.toLowerCase() ?? '', own]
    // Hyphenated words are also found as one word.
    if (card.name.includes('-')) words.push(card.words.join(''))
    return {
      ...card,
      words,
      total,
      game_id: set?.game_id,
      price: card.prices?.at(-1) ?? undefined,
      typed: `${card.words.join(' ')} `,
      key: cleanName(card.name).toLowerCase(),
    }
  })

  /** Computes the expected result from the definitions. */
  function expected(ask: CardSearchInput): number[] {
    const q = ask.q.toLowerCase()
    const typed = q.split(' ')
    const numbers = typed.filter((word) => /^\d+$/.test(word)).length
    const fitting = plain.flatMap((card) => {
      const has = (word: string, isLast: boolean) =>
        [...card.words, ...(numbers > 1 && /^\d+$/.test(word) ? [card.total] : [])].some((one) =>
          isLast ? one.startsWith(word) : one === word,
        )
      const { id, price, key } = card
      const isIn =
        !card.missing &&
        typed.every((word, at) => has(word, at === typed.length - 1)) &&
        (ask.game_id === undefined || card.game_id === ask.game_id) &&
        (ask.set_id === undefined || card.set_id === ask.set_id) &&
        (ask.rarity === undefined || card.rarity?.toLowerCase() === ask.rarity.toLowerCase()) &&
        (ask.type === undefined || card.product_type === ask.type) &&
        (ask.min_price === undefined || (price !== undefined && price >= ask.min_price)) &&
        (ask.max_price === undefined || (price !== undefined && price <= ask.max_price))
      if (!isIn) return []
      const tiers = [
        card.typed === `${q} `,
        card.typed.startsWith(`${q} `),
        card.typed.startsWith(q) && !/\d$/.test(q),
        typed.every((word) => has(word, false)),
        true,
      ]
      return [{ id, price, key, tier: tiers.indexOf(true) }]
    })
    type Fitting = (typeof fitting)[number]
    const unknownLast = (a: Fitting, b: Fitting) =>
      Number(a.price === undefined) - Number(b.price === undefined)
    const rising = (a: Fitting, b: Fitting) => unknownLast(a, b) || (a.price ?? 0) - (b.price ?? 0)
    const falling = (a: Fitting, b: Fitting) => unknownLast(a, b) || (b.price ?? 0) - (a.price ?? 0)
    const orders: Record<SearchSort, (a: Fitting, b: Fitting) => number> = {
      price_asc: rising,
      price_desc: falling,
      relevance: (a, b) => a.tier - b.tier || falling(a, b),
      name: (a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)),
    }
    return fitting.sort((a, b) => orders[ask.sort](a, b) || a.id - b.id).map(({ id }) => id)
  }

  const search = openSearchStore(catalogOf(sets, cards))
  const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
  const asks = fc.record({
    q: fc
      .tuple(
        fc.array(fc.constantFrom(...WORDS, ...CODES, '7', '30'), { minLength: 1, maxLength: 3 }),
        fc.nat({ max: 3 }),
      )
      .map(([words, cut]) => {
        const last = words.at(-1) ?? ''
        return [...words.slice(0, -1), last.slice(0, Math.max(1, last.length - cut))].join(' ')
      }),
    game_id: maybe(fc.constantFrom(1, 2)),
    set_id: maybe(fc.constantFrom(...sets.map(({ id }) => id))),
    rarity: maybe(fc.constantFrom(...RARITIES, 'COMMON', 'none such')),
    type: maybe(fc.constantFrom('Cards' as const, 'Sealed Products' as const)),
    min_price: maybe(fc.constantFrom(0, 5, 6, 10, 100, 2_500, 2_501)),
    max_price: maybe(fc.constantFrom(0, 4, 5, 10, 99, 2_500, 10_000_000)),
    sort: fc.constantFrom<SearchSort>('relevance', 'price_asc', 'price_desc', 'name'),
    limit: fc.constantFrom(1, 2, 3, 7, 50, 100),
    page: fc.constantFrom(0, 0, 1, 2, 5, 40, 1_000_000_000),
  })
  const asked = ({ page, ...ask }: Omit<CardSearchInput, 'offset'> & { page: number }) => ({
    ...ask,
    offset: page * ask.limit,
  })

  test('with every sort, filter and page', () => {
    fc.assert(
      fc.property(asks, (drawn) => {
        const ask = asked(drawn)
        const ids = expected(ask)
        if (expected({ q: ask.q, sort: 'name', limit: 1, offset: 0 }).length === 0) return
        expect(search.find(ask)).toEqual({
          ids: ids.slice(ask.offset, ask.offset + ask.limit),
          total: ids.length,
        })
      }),
      { numRuns: 1_000, seed: 1 },
    )
  })

  test.each(['relevance', 'price_asc', 'price_desc', 'name'] as const)(
    'sorted by %s, all pages together contain each match once',
    (sort) => {
      for (const limit of [1, 3, 10, 100]) {
        const ask = { q: 'dar', sort, limit }
        const ids = expected({ ...ask, offset: 0 })
        const pages = Array.from({ length: Math.ceil(ids.length / limit) }, (_, page) =>
          search.find({ ...ask, offset: page * limit }),
        )
        expect(pages.flatMap((page) => page.ids)).toEqual(ids)
        expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([ids.length]))
      }
    },
  )

  test('no input is interpreted as syntax', () => {
    const knights = search.find({ ...PAGE, q: 'dark knight' })
    expect(knights.total).toBeGreaterThan(0)
    for (let code = 0x20; code < 0x7f; code++) {
      const sign = String.fromCharCode(code)
      for (const q of [`${sign}dark knight`, `dark ${sign} knight`, `dark ${sign}knight${sign}`]) {
        if (/[a-z0-9]/i.test(sign)) search.find({ ...PAGE, q })
        else expect([q, search.find({ ...PAGE, q })]).toEqual([q, knights])
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
      expect(() => search.find({ ...PAGE, q })).not.toThrow()
    }
    expect(search.find({ ...PAGE, q: 'dark NOT mew', sort: 'name' }).total).toBe(0)
  })

  test('any text is answered without an error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (q) => {
        const { ids, total } = search.find({ ...PAGE, q })
        expect(ids.length).toBe(Math.min(total, PAGE.limit))
      }),
      { numRuns: 500, seed: 2 },
    )
  })
})

describe('the index', () => {
  const SET: TestSet = { id: 1, game_id: 1, name: 'First', abbreviation: 'ONE' }

  test('is rebuilt after prices, names and rarities have changed', () => {
    const db = catalogOf(
      [SET],
      [
        { id: 1, set_id: 1, name: 'Dark Knight', rarity: 'Rare', prices: [100] },
        { id: 2, set_id: 1, name: 'Dark Lord', rarity: 'Rare', prices: [200] },
        { id: 3, set_id: 1, name: 'Dark Elf', rarity: 'Common' },
      ],
    )
    const search = openSearchStore(db)
    const ask = { q: 'dark', sort: 'price_asc', limit: 10, offset: 0 } as const
    expect(search.find(ask).ids).toEqual([1, 2, 3])
    inTransaction(db, () => {
      db.exec('UPDATE prices SET market_price = 300 WHERE card_id = 1')
      db.exec("UPDATE cards SET missing_since = '2026-01-01' WHERE id = 2")
      db.exec("UPDATE cards SET rarity = 'Mythic' WHERE id = 3")
      putCard(db, { id: 4, set_id: 1, name: 'Dark Orb', rarity: 'Rare', prices: [9_999, 250] })
      rebuildSearch(db)
    })
    search.invalidate()
    expect(search.find(ask)).toEqual({ ids: [4, 1, 3], total: 3 })
    expect(search.find({ ...ask, rarity: 'mythic' }).ids).toEqual([3])
    expect(search.find({ ...ask, rarity: 'common' }).ids).toEqual([])
    expect(search.find({ ...ask, q: 'dark obr' }).corrected).toBe('dark orb')
  })

  test('is unchanged if its transaction fails', () => {
    const db = catalogOf([SET], [{ id: 1, set_id: 1, name: 'Dark Knight' }])
    const fail = () =>
      inTransaction(db, () => {
        db.exec("UPDATE cards SET search_text = 'other' WHERE id = 1")
        rebuildSearch(db)
        throw new Error('too late')
      })
    expect(fail).toThrow('too late')
    expect(openSearchStore(db).find({ ...PAGE, q: 'dark' }).ids).toEqual([1])
    inTransaction(db, () => rebuildSearch(db))
    expect(openSearchStore(db).find({ ...PAGE, q: 'dark' }).ids).toEqual([1])
  })

  test('stays visible to other connections until the new one is committed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'search-'))
    const file = join(folder, 'catalog.db')
    writeFileSync(
      file,
      catalogOf([SET], [{ id: 1, set_id: 1, name: 'Dark Knight', prices: [1] }]).serialize(),
    )
    const writer = openDatabase(file)
    const reader = openDatabase(file, { readonly: true })
    const search = openSearchStore(reader)
    const found = () => search.find({ q: 'dark', sort: 'price_asc', limit: 10, offset: 0 })
    expect(found()).toEqual({ ids: [1], total: 1 })
    inTransaction(writer, () => {
      putCard(writer, { id: 2, set_id: 1, name: 'Dark Lord', prices: [2] })
      rebuildSearch(writer)
      expect(found()).toEqual({ ids: [1], total: 1 })
    })
    expect(found()).toEqual({ ids: [1, 2], total: 2 })
    reader.close()
    writer.close()
    rmSync(folder, { recursive: true })
  })

  test('of an empty catalog is empty', () => {
    const search = openSearchStore(catalogOf([], []))
    for (const sort of ['relevance', 'price_asc', 'price_desc', 'name'] as const) {
      expect(search.find({ ...PAGE, sort, q: 'dark' })).toEqual({ ids: [], total: 0 })
      expect(search.find({ ...PAGE, sort, q: 'dark', max_price: 5 })).toEqual({ ids: [], total: 0 })
      expect(search.find({ ...PAGE, sort, q: 'dark', type: 'Cards' })).toEqual({
        ids: [],
        total: 0,
      })
    }
  })

  test('is complete if the ranks do not fit into one statement', () => {
    for (const count of [99, 100, 101, 250]) {
      const cards = Array.from({ length: count }, (_, at) => {
        return { id: at + 1, set_id: 1, name: `Dark ${at}`, prices: [at % 3 === 0 ? null : at % 7] }
      })
      const search = openSearchStore(catalogOf([SET], cards))
      const { ids, total } = search.find({ ...PAGE, limit: 300, sort: 'price_asc', q: 'dark' })
      expect(total).toBe(count)
      expect(new Set(ids).size).toBe(count)
    }
  })
})
