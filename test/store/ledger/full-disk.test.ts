// Fills the disk during every action on scans: SQLite may use a limited number of pages, and returns SQLITE_FULL to
// the statement that needs another one.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { SCAN_HOLD_MS } from '#rules/photos/scans.ts'
import { type Db, openDatabase } from '#store/db.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import { openLedgerOn } from '#store/open-ledger.ts'
import { closeAfterEach } from '../../support/closers.ts'
import { recordScan } from '../../support/photos/record-scan.ts'
import { createLedgerFile, FROZEN_TIME } from '../../support/test-app.ts'

const NOW = new Date(FROZEN_TIME)
/** Enough repetitions of any action to fill the available pages. */
const TIMES = 250
/** Numbers of remaining pages, so that the disk is full at different statements of an action. */
const ROOMS = [0, 1, 4, 5]
/** Maximum and default of SQLite. */
const PAGES_MAX = 4_294_967_294
/** Long, so that the audit log needs as many pages as the ledger. */
const ADDRESS = '2001:db8:85a3:8d3:1319:8a2e:370:7348'
/** The response to a photo has a few KiB. */
const ANSWER = JSON.stringify({ candidates: 'x'.repeat(3_000) })

const closers = closeAfterEach()

type World = { db: Db; reader: Db; ledger: Ledger; account: number }

async function openWorld(): Promise<World> {
  const { folder, accounts, close } = await createLedgerFile()
  const path = join(folder, 'ledger.db')
  const db = openDatabase(path)
  const reader = openDatabase(path, { readonly: true })
  closers.push(close, db.close.bind(db), reader.close.bind(reader))
  const world = { db, reader, ledger: openLedgerOn(db), account: accounts.pro }
  await grant(world, 1_000)
  return world
}

const grant = ({ ledger, account }: World, n: number) => {
  const given = { account_id: account, n, ref: crypto.randomUUID() }
  return ledger.scans.grant(given, { now: NOW, address: ADDRESS })
}

async function sell({ ledger, account: account_id }: World): Promise<void> {
  const ref = crypto.randomUUID()
  const purchase = { ref, account_id, item: 'scans_1000', amount_cents: 1_500 } as const
  const event = {
    id: ref,
    provider: 'stripe',
    type: 'paid',
    account_id,
    outcome: 'applied',
  } as const
  await ledger.billing.record({ ...event, detail: ADDRESS }, [{ kind: 'purchase', purchase }], NOW)
}

async function take({ ledger, account }: World, holdMs = SCAN_HOLD_MS): Promise<string> {
  const id = crypto.randomUUID()
  expect(await ledger.scans.reserve({ id, account_id: account, taken_at: NOW, holdMs })).toBe(true)
  return id
}

const record = ({ ledger, account }: World, id: string) => {
  const answer = { id, account_id: account, at: NOW.getTime(), game: null, data: ANSWER }
  return recordScan(ledger.scans, { ...answer, status: 'matched' })
}

const give = ({ ledger }: World, id: string, why: 'refunded' | 'rejected') =>
  ledger.scans.release(id, why, NOW)

type Attempt = () => Promise<unknown>

/** Each action is repeated until the disk is full; its preconditions are created first. */
const OPERATIONS: Record<string, (world: World) => Promise<Attempt[]>> = {
  'giving scans': async (world) => times(() => () => grant(world, 5)),
  'selling scans': async (world) => times(() => () => sell(world)),
  'taking a scan': async (world) => times(() => () => take(world)),
  'keeping an answer': async (world) => (await taken(world)).map((id) => () => record(world, id)),
  'giving a scan back': async (world) =>
    (await taken(world)).map((id) => () => give(world, id, 'refunded')),
  'rejecting a photo': async (world) =>
    (await taken(world)).map((id) => () => give(world, id, 'rejected')),
  'giving back what is overdue': async (world) => {
    await taken(world, 0)
    return [() => world.ledger.scans.refundOverdue(NOW)]
  },
}

const times = <T>(make: () => T): T[] => Array.from({ length: TIMES }, make)

const taken = (world: World, holdMs?: number) => Promise.all(times(() => take(world, holdMs)))

/** Returns all rows of all tables. */
function contents(of: Db): string {
  const tables = of
    .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table'")
    .pluck()
  return JSON.stringify(
    tables.all().map((table) => [table, of.prepare(`SELECT * FROM "${table}"`).raw().all()]),
  )
}

/**
 * Runs actions until the disk is full. Returns the failed one and the contents before it, which `reader` keeps open.
 */
async function untilFull(reader: Db, attempts: readonly Attempt[]) {
  const look = reader.prepare('SELECT count(*) FROM sqlite_schema')
  for (const attempt of attempts) {
    reader.exec('BEGIN')
    look.get()
    const code = await attempt().then(
      () => undefined,
      (error) => error.code,
    )
    const before = code === undefined ? '' : contents(reader)
    reader.exec('COMMIT')
    if (code === undefined) continue
    expect(code).toBe('SQLITE_FULL')
    return { attempt, before }
  }
  throw new Error('the disk was never full')
}

test.each(Object.entries(OPERATIONS))(
  '%s on a full disk writes nothing partially, and works again once there is space',
  async (_, prepare) => {
    for (const room of ROOMS) {
      const world = await openWorld()
      const { db, reader, ledger, account } = world
      const attempts = await prepare(world)
      db.pragma(`max_page_count = ${Number(db.pragma('page_count', { simple: true })) + room}`)
      const { attempt, before } = await untilFull(reader, attempts)
      expect(contents(db)).toBe(before)
      await expect(attempt()).rejects.toMatchObject({ code: 'SQLITE_FULL' })
      expect(db.inTransaction).toBe(false)

      // Reads still work on every connection.
      expect((await ledger.accounts.getScans(account))?.balance).toBeGreaterThan(0)
      expect(contents(reader)).toBe(before)
      expect(await openLedgerOn(reader).scans.listUnbalanced()).toEqual([])

      db.pragma(`max_page_count = ${PAGES_MAX}`)
      await attempt()
      expect(contents(reader)).not.toBe(before)
      expect(await ledger.scans.listUnbalanced()).toEqual([])
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    }
  },
)
