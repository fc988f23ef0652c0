import { beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { ProductType } from '#rules/intake.ts'
import { cleanName, numberKey } from '#rules/names.ts'
import { searchText } from '#rules/search-text.ts'
import { CATALOG_MIGRATIONS } from '#store/catalog/migrations.ts'
import { openSearch, type SearchAsk, type SearchSort } from '#store/catalog/search.ts'
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
  /** Of each printing, in cents. */
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
    .get(card.set_id)!
  const { id, set_id, name, number = null, rarity = null, product_type = 'Cards' } = card
  db.prepare(
    `INSERT INTO cards (id, game_id, set_id, name, clean_name, number, number_key, rarity,
       product_type, shipping_category_id, product_status_id, search_text, missing_since)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 1, ?, ?)`,
  ).run(
    ...[id, set.game_id, set_id, name, cleanName(name), number, numberKey(number), rarity],
    ...[product_type, searchText({ name, number, abbreviation: set.abbreviation })],
    card.missing ? '2026-01-01' : null,
  )
  for (const [printing, price] of (card.prices ?? []).entries()) {
    db.prepare(
      'INSERT INTO prices (card_id, printing_id, market_price, changed_at) VALUES (?, ?, ?, 0)',
    ).run(id, printing + 1, price)
  }
}

const PAGE = { sort: 'relevance', limit: 100, offset: 0 } as const

describe('a collector finds', () => {
  let search: ReturnType<typeof openSearch>
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
    search = openSearch(catalogOf(SETS, CARDS))
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

  test('by a number that it has, not by how many cards its set has', () => {
    expect(found('swsh12 195').ids).toEqual([11])
  })

  test('the name itself first, then what begins with it, then the rest, each from the dearest', () => {
    expect(found('charizard').ids).toEqual([30, 33, 31, 34, 32])
    expect(found('chariz').ids).toEqual([30, 31, 33, 34, 32])
  })

  test('the number that was typed before the numbers that begin with it', () => {
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
  ])('what is misspelt, and is told what was searched for: %s', (q, corrected, ids) => {
    expect(found(q)).toEqual({ ids, total: ids.length, corrected })
  })

  test('no card by another number than the one that was typed', () => {
    expect(found('lugia 138')).toEqual({ ids: [], total: 0 })
    expect(found('OP13-088')).toEqual({ ids: [], total: 0 })
  })

  test('nothing where a filter leaves nothing, however near another word is', () => {
    expect(search.find({ ...PAGE, q: 'lugia', rarity: 'Common' })).toEqual({ ids: [], total: 0 })
    expect(search.find({ ...PAGE, q: 'lugia', set_id: 4 })).toEqual({ ids: [], total: 0 })
  })

  test('within the filters when it is misspelt', () => {
    const asked = { ...PAGE, q: 'charzard', game_id: 2 }
    expect(search.find({ ...asked, set_id: 4 }).ids).toEqual([30])
    expect(search.find({ ...asked, type: 'Sealed Products' }).ids).toEqual([34])
    expect(search.find({ ...asked, min_price: 80_000 }).ids).toEqual([30, 32])
    expect(search.find({ ...asked, max_price: 0 })).toEqual({ ids: [], total: 0 })
  })

  test('nothing by signs alone', () => {
    for (const q of ['', '  ', '--', '"', '***', '\u{e000}', '\u{f0000}', '\u{f0001}', '\ud800']) {
      expect(found(q)).toEqual({ ids: [], total: 0 })
    }
  })
})
