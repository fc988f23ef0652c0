import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openChangeCounter } from '#store/change-counter.ts'
import { type Db, openDatabase } from '#store/db.ts'
import { createLedgerFile } from '../support/test-app.ts'

let file: Awaited<ReturnType<typeof createLedgerFile>>
let path: string
let db: Db

beforeEach(async () => {
  file = await createLedgerFile()
  path = join(file.folder, 'ledger.db')
  db = openDatabase(path)
})
afterEach(() => {
  db.close()
  file.close()
})

/** Locks that the machine knows of on a file. */
function locksOn(name: string): number {
  const { stdout } = Bun.spawnSync(['stat', '--format=%i', name])
  const inode = stdout.toString().trim()
  const held = Bun.spawnSync(['cat', '/proc/locks']).stdout.toString()
  return held.split('\n').filter((line) => line.includes(`:${inode} `)).length
}

describe('a change counter', () => {
  test('differs after every commit, here and on another connection', () => {
    const counter = openChangeCounter(db)
    const other = openDatabase(path)
    const seen = new Set([counter.read()])
    for (const at of [db, other, db, other]) {
      at.exec("UPDATE accounts SET tier = 'pro' WHERE id = 1")
      seen.add(counter.read())
    }
    expect(seen.size).toBe(5)
    expect(counter.read()).toBe(counter.read())
    other.close()
  })

  test.skipIf(process.platform !== 'linux')(
    'leaves SQLite its locks, without which another process cuts the index off',
    () => {
      db.exec("UPDATE accounts SET tier = 'pro' WHERE id = 1")
      expect(locksOn(`${path}-shm`)).toBeGreaterThan(0)
      const first = openChangeCounter(db)
      const second = openChangeCounter(db)
      first.read()
      first.close()
      second.read()
      expect(locksOn(`${path}-shm`)).toBeGreaterThan(0)
      second.close()
    },
  )
})
