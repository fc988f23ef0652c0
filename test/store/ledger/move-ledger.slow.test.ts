import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type Db, openDatabase } from '#store/db.ts'
import { clientOptions } from '#store/ledger/engine/postgres-client.ts'
import { LEDGER_MIGRATIONS } from '#store/ledger/migrations.ts'
import { compareTable } from '#store/ledger/move/compare-ledgers.ts'
import { moveToFile } from '#store/ledger/move/move-to-file.ts'
import { type MoveStep, moveToPostgres } from '#store/ledger/move/move-to-postgres.ts'
import { listMovedTables, type MovedTable } from '#store/ledger/move/moved-tables.ts'
import { openPostgresCopy } from '#store/ledger/move/postgres-copy.ts'
import { openSqliteCopy } from '#store/ledger/move/sqlite-copy.ts'
import { migrate, schemaVersionAfter } from '#store/migrate.ts'
import { fillLedger, INSTALLATION } from '../../support/ledger/fill-ledger.ts'
import { createDatabase } from '../../support/ledger/ledgers.ts'
import {
  HAS_POSTGRES,
  type PostgresServer,
  startPostgres,
} from '../../support/ledger/postgres-server.ts'

const SECRET = Buffer.alloc(16, 7)

function listTables(db: Db): string[] {
  const names = db.prepare<[], string>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY 1",
  )
  return names.pluck().all()
}

test('a move takes every table of a ledger in a file, the ones that others refer to first', () => {
  const db = openDatabase(':memory:')
  migrate(db, LEDGER_MIGRATIONS)
  const names = listMovedTables(db, new Set()).map(({ name }) => name)
  expect([...names, 'installation'].sort()).toEqual(listTables(db))
  expect(names.indexOf('alert_channels')).toBeLessThan(names.indexOf('alert_messages'))
  expect(names.indexOf('scan_purchases')).toBeLessThan(names.indexOf('billing_charges'))
  db.close()
})

/** Changes of a copy: the table, the statement, and the text of the error. */
const CHANGES: [name: string, table: string, change: string, words: RegExp][] = [
  [
    'a changed number',
    'usage_daily',
    'UPDATE usage_daily SET used = used + 1 WHERE account_id = 40',
    /usage_daily differs: the sum of used is 820 in ledger.db, 821 in the database/,
  ],
  [
    'a changed text',
    'checkouts',
    "UPDATE checkouts SET session = 'cs_x' WHERE session = 'cs_2'",
    /checkouts differs: values of session differ/,
  ],
  [
    'an empty text for a null',
    'audit_log',
    "UPDATE audit_log SET detail = '' WHERE detail IS NULL",
    /audit_log differs: values of detail differ/,
  ],
  [
    'a null for a zero',
    'message_attempts',
    'UPDATE message_attempts SET error = answer, status = NULL WHERE status = 0',
    /message_attempts differs: values of status differ/,
  ],
  [
    'a changed blob',
    'login_places',
    "UPDATE login_places SET place = place || 'x' WHERE account_id = 9",
    /login_places differs: values of place differ/,
  ],
  [
    'a lost row',
    'attempts',
    'DELETE FROM attempts WHERE whole_at = 3',
    /attempts differs: 20 rows in ledger.db, 19 in the database/,
  ],
  [
    'a doubled row',
    'message_attempts',
    `INSERT INTO message_attempts (message_id, at, latency_ms)
     SELECT message_id, at, latency_ms FROM message_attempts LIMIT 1`,
    /message_attempts differs: 20 rows in ledger.db, 21 in the database/,
  ],
  [
    'two exchanged numbers',
    'sessions',
    `UPDATE sessions SET last_seen_at = 1700000000003 - (last_seen_at - 1700000000000)
      WHERE last_seen_at IN (1700000000001, 1700000000002)`,
    /sessions differs: values of last_seen_at differ/,
  ],
]

describe.skipIf(!HAS_POSTGRES)('moving the ledger', () => {
  let server: PostgresServer
  let count = 0
  let copied: ReturnType<typeof openCopied> | undefined
  const folders: string[] = []

  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(async () => {
    await (await copied)?.close()
    await server?.close()
  })
  afterEach(() => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  })

  /** Creates a folder with a generated ledger, and an empty database. */
  async function openWorld(size = { accounts: 40, entries: 60 }) {
    const dataDir = newFolder()
    const db = openDatabase(join(dataDir, 'ledger.db'))
    migrate(db, LEDGER_MIGRATIONS)
    fillLedger(db, size)
    db.close()
    const url = await createDatabase(server, `move_${count++}`)
    return {
      dataDir,
      url,
      to: (options: Partial<Options> = {}) => {
        const steps: MoveStep[] = []
        const report = options.report ?? ((step: MoveStep) => void steps.push(step))
        const move = { dataDir, url, restart: false, ...options, report }
        return moveToPostgres(move, SECRET).then(() => steps)
      },
      from: (options: Partial<Options> = {}) => {
        const steps: MoveStep[] = []
        const report = options.report ?? ((step: MoveStep) => void steps.push(step))
        const move = { dataDir, url, restart: false, ...options, report }
        return moveToFile(move).then(() => steps)
      },
    }
  }
  type Options = {
    dataDir: string
    url: string
    restart: boolean
    report: (step: MoveStep) => void
  }

  function newFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'cardstock-move-'))
    folders.push(folder)
    return folder
  }

  async function sql<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
    const client = new pg.Client(url)
    await client.connect()
    try {
      return (await client.query<Row>(text)).rows
    } finally {
      await client.end()
    }
  }

  /** Creates a comparison of a file's tables with their copy, in which the copy can be changed. */
  async function openCopied() {
    const { dataDir, url, to } = await openWorld()
    await to({ report: stopBeforeComparison }).catch(() => undefined)
    const db = openDatabase(join(dataDir, 'ledger.db'), { readonly: true })
    const client = new pg.Client(clientOptions({ url }))
    await client.connect()
    const target = openPostgresCopy(client)
    const tables = listMovedTables(db, await target.listRowidTables())
    return {
      execute: (text: string) => client.query(text),
      compare(name: string) {
        const [table] = tables.filter((one) => one.name === name) as [MovedTable]
        return compareTable(openSqliteCopy(db, 'ledger.db'), target, table)
      },
      async close() {
        db.close()
        await client.end()
      },
    }
  }

  /** Every row of a file, with its rowid if PostgreSQL has one, too. */
  function dump(path: string) {
    const db = openDatabase(path, { readonly: true })
    const ordered = ['checkouts', 'alert_messages', 'message_attempts', 'keys', 'price_rules']
    const tables = listTables(db).map((table) => {
      const columns = ordered.includes(table) ? 'rowid, *' : '*'
      return [table, db.prepare(`SELECT ${columns} FROM ${table} ORDER BY 1, 2`).all()] as const
    })
    const sequences = db.prepare('SELECT * FROM sqlite_sequence ORDER BY name').all()
    db.close()
    return { ...Object.fromEntries(tables), sequences }
  }

  /** Stops a move when a table has this many rows in the target. */
  const stopAt = (table: string, rows: number) => (step: MoveStep) => {
    if (step.step === 'copying' && step.table === table && step.rows >= rows) {
      throw new Error('stopped')
    }
  }

  test('to PostgreSQL and back leaves every row, order and counter of every table unchanged', async () => {
    const { dataDir, url, to, from } = await openWorld()
    const before = dump(join(dataDir, 'ledger.db'))
    expect(Object.values(before).filter((rows) => rows.length > 0).length).toBeGreaterThan(27)
    const steps = await to()
    const compared = steps.filter(({ step }) => step === 'compared')
    expect(compared).toContainEqual({
      step: 'compared',
      table: 'scan_ledger',
      rows: 60,
      sums: expect.objectContaining({ n: '720', amount_cents: '14985' }),
    })
    // Notes of the servers, and visitor counts that matter only for a day.
    const own = ['installation', 'schema_steps', 'stored_transactions']
    own.push('catalog_holders', 'catalog_versions', 'schema_additions')
    own.push('server_reports', 'sync_requests', 'import_turns')
    own.push('daily_counts')
    const found = await sql<{ name: string }>(
      url,
      'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1',
    )
    expect([...compared.map(({ table }) => table), ...own].sort()).toEqual(
      found.map(({ name }) => name),
    )
    expect(existsSync(join(dataDir, 'ledger.db'))).toBe(false)
    expect(dump(join(dataDir, 'ledger-moved.db'))).toEqual(before)
    const installation = await sql(url, 'SELECT id, secret_hash, moved_at FROM installation')
    expect(installation).toEqual([{ id: INSTALLATION, secret_hash: SECRET, moved_at: null }])

    await from()
    expect(dump(join(dataDir, 'ledger.db'))).toEqual(before)
    expect(existsSync(join(dataDir, 'ledger-moving.db'))).toBe(false)
    expect(await sql(url, 'SELECT moved_at > 0 AS moved FROM installation')).toEqual([
      { moved: true },
    ])
  })

  test('lets PostgreSQL count on behind the highest number, also of a row that is gone', async () => {
    const { dataDir, url, to, from } = await openWorld()
    await to()
    const [session] = await sql<{ id: string }>(
      url,
      "INSERT INTO sessions (account_id, token_hash, created_at, last_seen_at) VALUES (1, 'new', 1, 1) RETURNING id",
    )
    expect(session?.id).toBe('61')
    const [key] = await sql<{ is_last: boolean }>(
      url,
      `INSERT INTO keys (id, account_id, name, key_hash, key_prefix, last4, created_at)
       VALUES ('new', 1, '', 'new', '', '', 1) RETURNING rowid = (SELECT max(rowid) + 1 FROM keys) AS is_last`,
    )
    expect(key?.is_last).toBe(true)
    await expect(sql(url, 'DELETE FROM scan_ledger')).rejects.toThrow('is only added to')
    await sql(url, 'DELETE FROM sessions WHERE id = 61')
    await from()
    const db = openDatabase(join(dataDir, 'ledger.db'))
    const added = db.prepare(
      "INSERT INTO sessions (account_id, token_hash, created_at, last_seen_at) VALUES (1, x'01', 1, 1)",
    )
    expect(added.run().lastInsertRowid).toBe(62)
    expect(() => db.exec('DELETE FROM scan_ledger')).toThrow('is only added to')
    db.close()
  })

  test('continues where it was stopped, in both directions', async () => {
    const { dataDir, url, to, from } = await openWorld({ accounts: 40, entries: 12_000 })
    const before = dump(join(dataDir, 'ledger.db'))
    await expect(to({ report: stopAt('scan_ledger', 10_000) })).rejects.toThrow('stopped')
    await expect(from({ dataDir: newFolder() })).rejects.toThrow('unfinished copy of the file')
    expect(await to()).toContainEqual(
      expect.objectContaining({ table: 'scan_ledger', rows: 12_000, kept: 10_000 }),
    )
    await expect(from({ report: stopAt('login_places', 1) })).rejects.toThrow('stopped')
    const steps = await from()
    expect(steps).toContainEqual(
      expect.objectContaining({ table: 'login_places', rows: 20, kept: 20 }),
    )
    expect(dump(join(dataDir, 'ledger.db'))).toEqual(before)
    expect(await sql(url, 'SELECT moved_at > 0 AS moved FROM installation')).toEqual([
      { moved: true },
    ])
  })

  /** Stops a move after everything is copied and before the comparison. */
  const stopBeforeComparison = (step: MoveStep) => {
    if (step.step === 'compared') throw new Error('stopped')
  }

  test('continues after it was stopped between the renaming of the file and the end', async () => {
    const { dataDir, url, to } = await openWorld()
    await expect(to({ report: stopBeforeComparison })).rejects.toThrow('stopped')
    renameSync(join(dataDir, 'ledger.db'), join(dataDir, 'ledger-moved.db'))
    await to()
    expect(await sql(url, 'SELECT moved_at FROM installation')).toEqual([{ moved_at: null }])
    await expect(to()).rejects.toThrow('already is the ledger of this installation')
  })

  test.each(CHANGES)('finds %s in the copy', async (_name, table, change, words) => {
    copied ??= openCopied()
    const { execute, compare } = await copied
    await execute(`CREATE TEMPORARY TABLE saved AS SELECT * FROM ${table}; ${change}`)
    await expect(compare(table)).rejects.toThrow(words)
    await execute(
      `TRUNCATE ${table} CASCADE; INSERT INTO ${table} SELECT * FROM saved; DROP TABLE saved`,
    )
    expect((await compare(table)).table).toBe(table)
  })

  test('fails if the copy differs', async () => {
    const { dataDir, url, to } = await openWorld()
    await expect(to({ report: stopBeforeComparison })).rejects.toThrow('stopped')
    await sql(url, 'UPDATE accounts SET scan_debt = 8 WHERE id = 40')
    await expect(to()).rejects.toThrow(/accounts differs: .* run the same command with --restart/)
    expect(existsSync(join(dataDir, 'ledger.db'))).toBe(true)
    await to({ restart: true })
    expect(existsSync(join(dataDir, 'ledger.db'))).toBe(false)
  })

  test('refuses a file that is missing, older, newer or foreign, and leaves the database empty', async () => {
    const { dataDir, url, to } = await openWorld()
    const path = join(dataDir, 'ledger.db')
    const change = (text: string) => {
      const db = openDatabase(path)
      db.exec(text)
      db.close()
    }
    await expect(to({ dataDir: newFolder() })).rejects.toThrow('there is no ledger to move')
    const version = schemaVersionAfter(LEDGER_MIGRATIONS)
    change(`PRAGMA user_version = ${version - 1}`)
    await expect(to()).rejects.toThrow('the schema of an older version. Start this version once')
    change(`PRAGMA user_version = ${version + 1}`)
    await expect(to()).rejects.toThrow('Start the newer version of Cardstock')
    change('PRAGMA user_version = 27')
    await expect(to()).rejects.toThrow('was written by an unreleased version of Cardstock')
    change(`PRAGMA user_version = ${version}; DELETE FROM installation`)
    await expect(to()).rejects.toThrow('was never used by a server')
    expect(await sql(url, "SELECT to_regclass('accounts') AS found")).toEqual([{ found: null }])
  })

  test('refuses a database with another ledger, and replaces an outdated copy only with restart', async () => {
    const first = await openWorld()
    await first.to()
    const second = await openWorld()
    const db = openDatabase(join(second.dataDir, 'ledger.db'))
    db.exec("UPDATE installation SET id = 'second'")
    db.close()
    await expect(second.to({ url: first.url })).rejects.toThrow('ledger of another installation')
    await expect(second.to({ url: first.url, restart: true })).rejects.toThrow('Specify an empty')
    await first.from()
    await expect(first.to()).rejects.toThrow('an older copy of this ledger')
    await first.to({ restart: true })
    await expect(second.from({ url: first.url })).rejects.toThrow('ledger.db already exists')
    await sql(second.url, 'CREATE TABLE accounts (id int)')
    await expect(second.from({ dataDir: newFolder(), url: second.url })).rejects.toThrow(
      'no ledger',
    )
  })

  test('refuses a database while other programs are connected, and does not mark it', async () => {
    const { url, to, from } = await openWorld()
    await to()
    const other = new pg.Client(url)
    await other.connect()
    await expect(from()).rejects.toThrow(/Other programs are connected .* Stop every server/)
    expect((await other.query('SELECT moved_at FROM installation')).rows[0].moved_at).toBeNull()
    await other.end()
  })

  test('explains a row that PostgreSQL does not accept', async () => {
    const { dataDir, to } = await openWorld()
    const db = openDatabase(join(dataDir, 'ledger.db'))
    db.exec("UPDATE accounts SET email = 'É@example.com' WHERE id = 1")
    db.exec("UPDATE accounts SET email = 'é@example.com' WHERE id = 2")
    db.close()
    await expect(to()).rejects.toThrow(/does not accept a row of accounts: duplicate key .*Correct/)
  })

  test('reports that a database does not respond, without its password', async () => {
    const { to, url } = await openWorld()
    const wrong = url.replace('ledger@', 'ledger:hidden@').replace(/:\d+\//, ':1/')
    const error = await to({ url: wrong }).catch((thrown: Error) => thrown.message)
    expect(error).toMatch(/database cannot be used: connection refused/)
    expect(error).not.toContain('hidden')
  })
})
