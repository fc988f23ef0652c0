import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CATALOG_MIGRATIONS } from '#store/catalog/migrations.ts'
import { openSetKeys, rebuildSetKeys } from '#store/catalog/set-keys.ts'
import { openSetStore } from '#store/catalog/sets.ts'
import { type Db, openDatabase } from '#store/db.ts'
import { migrate } from '#store/migrate.ts'

const folder = mkdtempSync(join(tmpdir(), 'set-keys-'))
afterAll(() => rmSync(folder, { recursive: true }))

const SETS = `
  INSERT INTO games (id, name, slug, priority) VALUES (1, 'Pokemon', 'pokemon', 0), (2, 'Wickerwild', 'wickerwild', 0);
  INSERT INTO sets (id, game_id, name, slug, abbreviation, release_date, last_synced_at) VALUES
    (1, 1, 'SWSH12: Silver Tempest', 'swsh12-silver-tempest', 'SWSH12', '2022-11-11', ''),
    (2, 2, 'Silver Tempest', 'silver-tempest', 'STM', '2023-01-01', ''),
    (3, 2, 'Tempest', 'tempest', 'TMP', '2021-01-01', '')`

function openFilled(): Db {
  const db = openDatabase(':memory:')
  migrate(db, CATALOG_MIGRATIONS)
  db.exec(SETS)
  rebuildSetKeys(db)
  return db
}

test.each([
  ['tempest', [3], [3]],
  ['Silver Tempest', [2], [2]],
  ['swsh-12', [1], []],
  ['sit', [1], []],
  ['SWSH12: Silver Tempest', [1], []],
  ['no such set', [], []],
  [' ', [], []],
])('the label %j finds %j, and %j in one game', (label, everywhere, inOne) => {
  const sets = openSetStore(openFilled(), (url) => url)
  expect(sets.findIds(label)).toEqual(everywhere)
  expect(sets.findIds(label, 2)).toEqual(inOne)
})

test.each([
  ['Sword & Shield: Silver Tempest', [1]],
  ['Silver Tempest (SWSH12)', [1]],
  ['SWSH12 Silver Tempest', [1]],
  ['[SIT] Silver Tempest', [1]],
  ['Silberne Sturmwinde', [1]],
  ['The Tempest', [3]],
  ['Tempest (TMP)', [3]],
  ['Tempest (STM)', []],
  ['SWSH11: Silver Tempest', []],
  ['Scarlet & Violet: Silver Tempest', [2]],
  ['Silver', []],
])('the form %j of a name finds %j', (label, found) => {
  const sets = openSetStore(openFilled(), (url) => url)
  expect(sets.findIds(label)).toEqual(found)
})

test('tiers list each set once, the most specific ones first', () => {
  const sets = openSetStore(openFilled(), (url) => url)
  expect(sets.findTiers('Silver Tempest')).toEqual([[2], [1]])
  expect(sets.findTiers('Silver Tempest!')).toEqual([[2], [1]])
})

test('the name without its series counts after whole names, in each game', () => {
  const sets = openSetStore(openFilled(), (url) => url)
  expect(sets.findIds('Silver Tempest', 1)).toEqual([1])
})

test('a query ranks names, then beginnings of names, then words', () => {
  const ranks = (q: string) => [...openSetKeys(openFilled()).rank(q)].sort(([a], [b]) => a - b)
  expect(ranks('silver tempest')).toEqual([
    [1, 0],
    [2, 0],
  ])
  expect(ranks('tempest')).toEqual([
    [1, 2],
    [2, 2],
    [3, 0],
  ])
  expect(ranks('silv')).toEqual([
    [1, 1],
    [2, 1],
  ])
  expect(ranks('tem wick')).toEqual([
    [2, 2],
    [3, 2],
  ])
  expect(ranks('lver')).toEqual([])
  expect(ranks('%')).toEqual([])
})

test('of two sets whose names differ in marks, a label means the one that is spelled like it', () => {
  const db = openFilled()
  db.exec(`
    INSERT INTO sets (id, game_id, name, slug, abbreviation, last_synced_at) VALUES
      (4, 1, 'Hidden Fates: Shiny Vault', 'hidden-fates-shiny-vault', 'HIF:SV', ''),
      (5, 1, 'Hidden Fates Shiny Vault', 'hidden-fates-shiny-vault-2', 'Hidden Fates Shiny Vault', '')`)
  rebuildSetKeys(db)
  const sets = openSetStore(db, (url) => url)
  expect(sets.findTiers('Hidden Fates: Shiny Vault')).toEqual([[4], [5]])
  expect(sets.findTiers('Hidden Fates Shiny Vault ')).toEqual([[5], [4]])
  expect(sets.findIds('Hidden Fates Shiny Vault')).toEqual([5])
  expect(new Set(sets.findTiers('hidden fates, shiny vault').flat())).toEqual(new Set([4, 5]))
})

test('a number alone names a set of Lorcana, but not in a search', () => {
  const db = openFilled()
  db.exec(`
    INSERT INTO games (id, name, slug, priority) VALUES (3, 'Lorcana', 'lorcana', 0);
    INSERT INTO sets (id, game_id, name, slug, last_synced_at) VALUES
      (4, 3, 'The First Chapter', 'the-first-chapter', '')`)
  rebuildSetKeys(db)
  const sets = openSetStore(db, (url) => url)
  expect([sets.findIds('1'), sets.findIds('001')]).toEqual([[4], [4]])
  // The code `1TFC` begins with it.
  expect(openSetKeys(db).rank('1')).toEqual(new Map([[4, 2]]))
})

test.each([
  ['SM Black Star Promos', 4],
  ['McDonald’s Collection 2019', 5],
  ['Expedition Base Set', 6],
  ['Ruby & Sapphire', 7],
  ['151', 8],
])('a search finds a set by %j, as other sources name it', (query, id) => {
  const db = openFilled()
  db.exec(`
    INSERT INTO sets (id, game_id, name, slug, last_synced_at) VALUES
      (4, 1, 'SM Promos', 'a', ''), (5, 1, 'McDonald''s Promos 2019', 'b', ''), (6, 1, 'Expedition', 'c', ''),
      (7, 1, 'Ruby and Sapphire', 'd', ''), (8, 1, 'SV: Scarlet & Violet 151', 'e', '')`)
  rebuildSetKeys(db)
  expect([...openSetKeys(db).rank(query).keys()]).toEqual([id])
})

test('a renamed set is found by its new name only', () => {
  const db = openFilled()
  db.exec("UPDATE sets SET name = 'Calm', slug = 'calm' WHERE id = 3")
  rebuildSetKeys(db)
  const sets = openSetStore(db, (url) => url)
  expect([sets.findIds('tempest'), sets.findIds('calm')]).toEqual([[], [3]])
})
