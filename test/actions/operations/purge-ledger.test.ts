import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { openLedgerOn } from '#store/open-ledger.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { closeAfterEach } from '../../support/closers.ts'
import { purge } from '../../support/ledger/purge.ts'
import { fillAgedLedger } from '../../support/operations/aged-ledger.ts'
import { FROZEN_TIME } from '../../support/test-app.ts'

const closers = closeAfterEach()

/** An old ledger, and the statements that change it. */
function openAgedLedger(expired: number) {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-purge-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
  prepareFiles(folder)
  const statements = new Set<string>()
  const verbose = (sql: unknown) => void statements.add(String(sql))
  const db = new Database(join(folder, 'ledger.db'), { verbose })
  closers.push(() => db.close())
  const now = new Date(FROZEN_TIME)
  fillAgedLedger(db, { accounts: 50, entries: 500, expired, now })
  const ledger = openLedgerOn(db)
  statements.clear()
  return { db, statements, purge: () => purge(ledger, now) }
}

const CHANGES = /^(?:DELETE|UPDATE)/

test('the purge deletes a few hundred records at most between two turns of other requests', async () => {
  const expired = 1_000
  const { db, purge } = openAgedLedger(expired)
  const countChanges = db.prepare<[], number>('SELECT total_changes()').pluck()
  const before = countChanges.get() ?? 0
  let isOver = false
  const done = purge().finally(() => {
    isOver = true
  })
  let [last, most] = [before, 0]
  while (!isOver) {
    const changes = countChanges.get() ?? 0
    most = Math.max(most, changes - last)
    last = changes
    await nextTurn()
  }
  await done
  expect(most).toBeLessThanOrEqual(500)
  // Everything expired is gone: thirteen kinds of records, and a hidden scan session with its photo.
  expect((countChanges.get() ?? 0) - before).toBe(13 * expired + 3)
  expect(db.prepare('SELECT id FROM lists').pluck().all()).toEqual(['kept'])
})

test('each statement of the purge finds its records by an index', async () => {
  const { db, statements, purge } = openAgedLedger(3)
  await purge()
  const changes = [...statements].filter((sql) => CHANGES.test(sql))
  expect(changes.length).toBeGreaterThan(12)
  for (const sql of changes) {
    const plan = db.prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`).all()
    const scans = plan.filter(({ detail }) => detail.startsWith('SCAN'))
    expect({ sql, scans }).toEqual({ sql, scans: [] })
  }
})
