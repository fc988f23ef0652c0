// Batches in which the rows of a ledger move to another database.

import { expect, test } from 'bun:test'
import { openDatabase } from '#store/db.ts'
import { LEDGER_MIGRATIONS } from '#store/ledger/migrations.ts'
import { listMovedTables } from '#store/ledger/move/moved-tables.ts'
import { openSqliteCopy } from '#store/ledger/move/sqlite-copy.ts'
import { migrate } from '#store/migrate.ts'

const PART_BYTES = 64 * 1024

/** Opens a ledger whose table of drafts has parts of this size, and returns its batches. */
async function readParts(parts: number, bytes: number) {
  const db = openDatabase(':memory:')
  migrate(db, LEDGER_MIGRATIONS)
  db.exec(`PRAGMA foreign_keys = OFF;
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${parts - 1})
    INSERT INTO import_rows SELECT 'col', 'imp', 'certain', i, zeroblob(${bytes}) FROM n`)
  const table = listMovedTables(db, new Set()).find(({ name }) => name === 'import_rows')
  if (table === undefined) throw new Error('drafts are not moved')
  const part = table.columns.findIndex(({ name }) => name === 'part')
  const batches = await Array.fromAsync(openSqliteCopy(db, 'ledger.db').readRows(table))
  db.close()
  return batches.map((rows) => rows.map((row) => row[part]))
}

test('a batch of long rows has some megabytes, and no row is left out', async () => {
  const batches = await readParts(700, PART_BYTES)
  expect(batches.flat()).toEqual(Array.from({ length: 700 }, (_, part) => part))
  const longest = Math.max(...batches.map((parts) => parts.length))
  expect(longest * PART_BYTES).toBeLessThan(16 * 1024 * 1024)
})

test('a batch of short rows has 5,000 of them', async () => {
  const batches = await readParts(12_000, 20)
  expect(batches.map((parts) => parts.length)).toEqual([5_000, 5_000, 2_000])
})
