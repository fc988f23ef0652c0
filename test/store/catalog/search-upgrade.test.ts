import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CATALOG_MIGRATIONS } from '#store/catalog/migrations.ts'
import { openSearchStore } from '#store/catalog/search/search-store.ts'
import { openDatabase } from '#store/db.ts'
import { openMigrated } from '#store/files/installation.ts'
import { migrate } from '#store/migrate.ts'

const folder = mkdtempSync(join(tmpdir(), 'search-upgrade-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The last version whose index has the words of names, codes and numbers only. */
const OLDER = 11

/** Writes a catalog of the older version, with search texts and an index in its form. */
function writeOlderCatalog(): void {
  const db = openDatabase(join(folder, 'catalog.db'))
  migrate(db, CATALOG_MIGRATIONS.slice(0, OLDER))
  db.exec(`
    INSERT INTO games (id, name, slug, priority) VALUES (1, 'Wickerwild', 'wickerwild', 0);
    INSERT INTO sets (id, game_id, name, slug, abbreviation, last_synced_at)
      VALUES (1, 1, 'Lantern Season', 'lantern-season', 'WLS', '');
    INSERT INTO cards (id, game_id, set_id, name, clean_name, number, number_key, rarity,
        product_type, shipping_category_id, product_status_id, search_text, missing_since)
      VALUES
        (1, 1, 1, 'Cindle', 'Cindle', '1/20', '011', 'Common', 'Cards', 1, 1,
         '\ue000cindle\ue001 cindle 1 \ue00220 wls', NULL),
        (2, 1, 1, 'Cindlemane', 'Cindlemane', '2/20', '012', 'Rare', 'Cards', 1, 1,
         '\ue000cindlemane\ue001 cindlemane 2 \ue00220 wls', NULL),
        (3, 1, 1, 'Cindle Lost', 'Cindle Lost', '3/20', '013', 'Rare', 'Cards', 1, 1,
         '\ue000cindle\ue001lost\ue001 cindle lost 3 \ue00220 wls', '2026-01-01');
    INSERT INTO prices (card_id, printing_id, market_price, is_base_printing, changed_at)
      SELECT 2, id, 500, 1, 0 FROM printings WHERE name = 'Holofoil';
    INSERT INTO search_ranks (rank, card_id, market_price, name_rank) VALUES (1, 2, 500, 2), (2, 1, NULL, 1);
    INSERT INTO search_prices VALUES (500, 1, 1);
    INSERT INTO search_tags VALUES (1, 'game', '1', '\u{f0000}');
    INSERT INTO tag_search (rowid, words) VALUES (1, 'wickerwild');
    INSERT INTO card_search (rowid, words) SELECT rank, search_text || ' \u{f0000}'
      FROM search_ranks JOIN cards ON cards.id = card_id ORDER BY rank;
  `)
  db.close()
}

test('a catalog of an older version is searched by all words once it has been opened', () => {
  writeOlderCatalog()
  for (const opening of ['first', 'second']) {
    const db = openMigrated(folder, 'catalog.db', 0)
    const search = openSearchStore(db)
    const ids = (q: string) => search.find({ sort: 'relevance', limit: 9, offset: 0, q }).ids
    const found = [
      ...['cindle', 'lantern season', 'wickerwild common', 'wls 2', '1/20', 'holo', 'cindel'],
    ].map((q) => [q, ids(q)])
    expect([opening, ...found]).toEqual([
      opening,
      ['cindle', [1, 2]],
      ['lantern season', [2, 1]],
      ['wickerwild common', [1]],
      ['wls 2', [2]],
      ['1/20', [1]],
      ['holo', [2]],
      ['cindel', [1, 2]],
    ])
    db.close()
  }
})

test('a catalog without the orders by change and release gets them once it has been opened', () => {
  const older = openMigrated(folder, 'catalog.db', 0)
  older.exec(`UPDATE prices SET base_7d = 400; UPDATE sets SET release_date = '2026-01-01'`)
  older.exec(`DELETE FROM search_columns WHERE name IN ('set', 'rise', 'fall', 'release')`)
  older.close()
  const db = openMigrated(folder, 'catalog.db', 0)
  const search = openSearchStore(db)
  for (const sort of ['change_desc', 'change_asc', 'newest'] as const) {
    const { ids } = search.find({ q: 'cindle', sort, limit: 9, offset: 0 })
    expect([sort, ids]).toEqual([sort, sort === 'newest' ? [1, 2] : [2, 1]])
  }
  db.close()
})
