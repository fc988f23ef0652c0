import { beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { updateSearch } from '#store/catalog/search/search-index.ts'
import { type CardSearchInput, openSearchStore } from '#store/catalog/search/search-store.ts'
import { type Db, inTransaction, openDatabase } from '#store/db.ts'
import {
  createSearchCatalog,
  putSearchCard,
  type TestCard,
  type TestSet,
} from '../../support/search-catalog.ts'

const PAGE = { sort: 'relevance', limit: 100, offset: 0 } as const

/** Opens a search whose results are compared without printings. */
function openSearch(db: Db) {
  const { find, invalidate } = openSearchStore(db)
  return {
    invalidate,
    find(input: CardSearchInput) {
      const { printings: _, ...found } = find(input)
      return found
    },
  }
}

/** Returns a result without corrected words. */
const all = (ids: number[], ignored: string[] = []) => ({ ids, total: ids.length, ignored })

describe('search', () => {
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
    { id: 10, set_id: 2, name: 'Lugia VSTAR', number: '139/195', prices: 661 },
    { id: 11, set_id: 2, name: 'Pokémon League', number: '195/195', prices: 10 },
    { id: 12, set_id: 2, name: "Farfetch'd", number: 'TG12/TG30' },
    { id: 13, set_id: 2, name: 'Latios ☆ δ', number: '106/107' },
    { id: 14, set_id: 2, name: 'Nidoran♀', number: '55', prices: 99_999 },
    { id: 17, set_id: 2, name: 'Mew', number: '005' },
    { id: 15, set_id: 2, name: 'テツノイワオex', number: '087' },
    { id: 16, set_id: 2, name: 'Pikachu & Zekrom GX', number: '004' },
    { id: 20, set_id: 3, name: 'Sanji', number: 'OP13-089' },
    { id: 21, set_id: 3, name: 'Sanji', number: 'OP13-089_p1' },
    { id: 22, set_id: 1, name: 'Nami', number: 'OP12-089' },
    { id: 23, set_id: 3, name: 'Enigma', number: 'WTR058' },
    { id: 30, set_id: 4, name: 'Charizard', number: '004/102', prices: 81_865 },
    { id: 31, set_id: 2, name: 'Charizard VMAX', number: '20', prices: 5_000 },
    { id: 32, set_id: 2, name: 'Dark Charizard', number: '4/82', prices: 90_000 },
    { id: 33, set_id: 5, name: 'Charizard', number: '21', prices: 300 },
    { id: 34, set_id: 2, name: 'Charizard Case', product_type: 'Sealed Products', prices: 1 },
  ]
  beforeAll(() => {
    search = openSearch(createSearchCatalog(SETS, CARDS))
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
  ])('finds cards by the name, however it is typed: %s', (q, ids) => {
    expect(found(q)).toEqual(all(ids))
  })

  test.each([
    ['SWSH12 139', [10]],
    ['139 SWSH12', [10]],
    ['swsh12-139', [10]],
    ['swsh 12 139', [10]],
    ['swsh12 lugia 139', [10]],
    ['silver tempest 139', [10]],
    ['139/195', [10]],
    ['lugia 139/195', [10]],
    ['139 195', [10]],
    ['SWSH12 TG12', [12]],
    ['tg 12', [12]],
    ['tg12', [12]],
    ['TG12/TG30', [12]],
    ['op13-089_p1', [21]],
    ['zekrom 4', [16]],
    ['zekrom 004', [16]],
    ['wtr058', [23]],
    ['wtr 58', [23]],
    ['WTR58', [23]],
    ['*107', [2]],
  ])('finds a card by the code of the set and the collector number: %s', (q, ids) => {
    expect(found(q)).toEqual(all(ids))
  })

  test.each([
    ['charizard base set', [30]],
    ['base set charizard', [30]],
    ['base charizard set', [30]],
    ['charizard bas', [30]],
    ['sv09 charizard', [33]],
    ['sv9 charizard', [33]],
    ['journey together', [33]],
  ])('finds cards by the name of the set as well: %s', (q, ids) => {
    expect(found(q)).toEqual(all(ids))
  })

  test.each([
    ['charzard', 'charizard', [30, 33, 31, 34, 32]],
    ['chraizard', 'charizard', [30, 33, 31, 34, 32]],
    ['charizzard vmax', 'charizard vmax', [31]],
    ['charzard base set', 'charizard base set', [30]],
    ['charzard 4/102', 'charizard 4/102', [30]],
    ['lugai vstar', 'lugia vstar', [10]],
    ['chari vmax', 'charizard vmax', [31]],
    ['silvr tempest lugia', 'silver tempest lugia', [10]],
  ])('corrects words that occur nowhere: %s', (q, corrected, ids) => {
    expect(found(q)).toEqual({ ...all(ids), corrected })
  })

  test.each([
    ['darkcharizard', [32]],
    ['charizardvmax', [31]],
    ['vmax charizard', [31]],
    ['char izard vmax', [31]],
    ['silvertempest lugia', [10]],
    ['silver tem pest lugia', [10]],
  ])('finds words that are joined, split or in another order: %s', (q, ids) => {
    expect(found(q)).toMatchObject(all(ids))
  })

  test.each([
    ['lugia 138', ['138'], [10]],
    ['lugia qxqxqx', ['qxqxqx'], [10]],
    ['qxqxqx lugia', ['qxqxqx'], [10]],
    ['lugia enterprise silver tempest', ['enterprise'], [10]],
    ['lugia card', ['card'], [10]],
    ['lugia 139/999', [], [10]],
  ])('ignores words that match no card together with the others: %s', (q, ignored, ids) => {
    expect(found(q)).toEqual(all(ids, ignored))
  })

  test('finds nothing if no word fits any card', () => {
    expect(found('qxqxqx wvwvwv')).toEqual(all([], ['qxqxqx', 'wvwvwv']))
  })

  test('finds nothing if a filter excludes everything, however similar another word is', () => {
    expect(search.find({ ...PAGE, q: 'lugia', rarity: 'Common' })).toEqual(all([]))
    expect(search.find({ ...PAGE, q: 'lugia', set_id: 4 })).toEqual(all([]))
  })

  test('respects filters for misspelled words', () => {
    const searchInput = { ...PAGE, q: 'charzard', game_id: 2 }
    expect(search.find({ ...searchInput, set_id: 4 }).ids).toEqual([30])
    expect(search.find({ ...searchInput, type: 'Sealed Products' }).ids).toEqual([34])
    expect(search.find({ ...searchInput, min_price: 80_000 }).ids).toEqual([30, 32])
    expect(search.find({ ...searchInput, max_price: 0 })).toMatchObject({ ids: [], total: 0 })
  })

  test('finds nothing for punctuation alone', () => {
    for (const q of ['', '  ', '--', '"', '***', '\u{e000}', '\u{f0000}', '\u{f0001}', '\ud800']) {
      expect(found(q)).toEqual(all([]))
    }
  })
})

describe('the index', () => {
  const SET: TestSet = { id: 1, game_id: 1, name: 'First', abbreviation: 'ONE' }

  test('is unchanged if its transaction fails', () => {
    const db = createSearchCatalog([SET], [{ id: 1, set_id: 1, name: 'Dark Knight' }])
    const fail = () =>
      inTransaction(db, () => {
        db.exec("UPDATE cards SET search_text = 'other' WHERE id = 1")
        updateSearch(db)
        throw new Error('too late')
      })
    expect(fail).toThrow('too late')
    expect(openSearchStore(db).find({ ...PAGE, q: 'dark' }).ids).toEqual([1])
    inTransaction(db, () => updateSearch(db))
    expect(openSearchStore(db).find({ ...PAGE, q: 'dark' }).ids).toEqual([1])
  })

  test('stays visible to other connections until the new one is committed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'search-'))
    const file = join(folder, 'catalog.db')
    writeFileSync(
      file,
      createSearchCatalog(
        [SET],
        [{ id: 1, set_id: 1, name: 'Dark Knight', prices: 1 }],
      ).serialize(),
    )
    const writer = openDatabase(file)
    const reader = openDatabase(file, { readonly: true })
    const search = openSearch(reader)
    const found = () => search.find({ q: 'dark', sort: 'price_asc', limit: 10, offset: 0 })
    expect(found()).toEqual(all([1]))
    inTransaction(writer, () => {
      putSearchCard(writer, { id: 2, set_id: 1, name: 'Dark Lord', prices: 2 })
      updateSearch(writer)
      writer.exec('UPDATE publication SET version = version + 1')
      expect(found()).toEqual(all([1]))
    })
    expect(found()).toEqual(all([1, 2]))
    reader.close()
    writer.close()
    rmSync(folder, { recursive: true })
  })

  test('of an empty catalog is empty', () => {
    const search = openSearch(createSearchCatalog([], []))
    for (const sort of ['relevance', 'price_asc', 'price_desc', 'name'] as const) {
      for (const filter of [{}, { max_price: 5 }, { type: 'Cards' as const }]) {
        expect(search.find({ ...PAGE, ...filter, sort, q: 'dark' })).toEqual(all([], ['dark']))
      }
    }
  })

  test('is complete if the ranks do not fit into one statement', () => {
    for (const count of [99, 100, 101, 250]) {
      const cards = Array.from({ length: count }, (_, at) => {
        return {
          id: at + 1,
          set_id: 1,
          name: `Dark ${at}`,
          prices: { Normal: at % 3 === 0 ? null : at % 7 },
        }
      })
      const search = openSearch(createSearchCatalog([SET], cards))
      const { ids, total } = search.find({ ...PAGE, limit: 300, sort: 'price_asc', q: 'dark' })
      expect(total).toBe(count)
      expect(new Set(ids).size).toBe(count)
    }
  })
})

test.each([
  ['pikachu sm black star promos', [1]],
  ['lugia silberne sturmwinde', [2]],
  ['pikachu swsh12', [3]],
  ['mickey 1', [4, 5]],
])('a set is found by a name of another source: %s', (q, ids) => {
  const { find } = openSearch(
    createSearchCatalog(
      [
        { id: 1, game_id: 1, name: 'SM Promos', abbreviation: 'SMP' },
        { id: 2, game_id: 1, name: 'SWSH12: Silver Tempest', abbreviation: 'SWSH12' },
        { id: 3, game_id: 2, name: 'The First Chapter', abbreviation: null },
      ],
      [
        { id: 1, set_id: 1, name: 'Pikachu', number: 'SM04' },
        { id: 2, set_id: 2, name: 'Lugia V', number: '138/195' },
        { id: 3, set_id: 2, name: 'Pikachu', number: '49/195' },
        { id: 4, set_id: 3, name: 'Mickey', number: '1' },
        { id: 5, set_id: 3, name: 'Mickey', number: '1P' },
        { id: 6, set_id: 3, name: 'Mickey', number: '115' },
      ],
      { 1: 'Pokemon', 2: 'Lorcana' },
    ),
  )
  expect(find({ ...PAGE, q })).toEqual(all(ids))
})
