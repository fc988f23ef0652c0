import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { readConfig } from '#config.ts'
import { openDatabase } from '#store/db.ts'
import { readFirstSets } from '../../src/jobs/tasks/picture-task.ts'
import { createLedgerFile, createTestLog, type LogLine } from '../support/test-app.ts'

const NOW = Date.parse('2026-11-27T20:00:00Z')

test('pictures of sets that people photograph and own are indexed first, for all accounts', async () => {
  const { folder, close } = await createLedgerFile()
  try {
    const db = openDatabase(join(folder, 'ledger.db'))
    const account = db.prepare<[], number>('SELECT min(id) FROM accounts').pluck().get()
    const data = {
      candidates: [
        { set: { id: 7 }, score: 0.8 },
        { set: { id: 5 }, score: 0.1 },
      ],
    }
    db.prepare(
      `INSERT INTO identifications (id, account_id, at, status, data) VALUES ('x', ?, ?, 'ambiguous', ?)`,
    ).run(account, NOW, JSON.stringify(data))
    db.prepare(
      `INSERT INTO lists (id, account_id, kind, name, created_at, updated_at) VALUES ('l', ?, 'owned', 'Box', ?, ?)`,
    ).run(account, NOW, NOW)
    db.prepare(
      `INSERT INTO list_items (list_id, id, ordinal, card_id, name, game, set_id, set_name, condition, quantity,
         created_at, updated_at) VALUES ('l', 'i', 1, 1, 'Heron', 'birds', 9, 'Waders', 'near_mint', 1, ?, ?)`,
    ).run(NOW, NOW)
    db.close()
    const config = readConfig({ DATA_DIR: folder })
    expect(await readFirstSets(config, createTestLog([]))).toEqual([7, 5, 9])
  } finally {
    close()
  }
})

test('a ledger that cannot be opened leaves the usual order, and is logged', async () => {
  const lines: LogLine[] = []
  const config = readConfig({ DATA_DIR: join(import.meta.path, 'nowhere') })
  expect(await readFirstSets(config, createTestLog(lines))).toEqual([])
  expect(lines).toMatchObject([{ level: 'warn' }])
})
