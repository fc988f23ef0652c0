import { remainingScans } from '#rules/photos/scans.ts'
import { VERDICT_STATUSES, type VerdictStatus } from '#rules/photos/verdict.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { type Db, inTransaction } from '../db.ts'
import { openAuditWriter } from './audit.ts'
import type { Identification } from './identifications.ts'
import type { AuditContext } from './keys.ts'
import { openScanLedger, type ScanAddition, type UnbalancedAccount } from './scan-ledger.ts'

/** A scan that is taken for one photo; its id will be the identification's. */
export type ScanHold = { id: string; account_id: number; taken_at: Date; due_at: Date }

/** Why a scan comes back: the reader failed, or there was no picture to read. */
export type ScanReturn = 'refunded' | 'rejected'

/** What became of the scans that were taken on a day. */
export type ScanDay = { day: number; scans: number; refunded: number } & Record<
  VerdictStatus,
  number
>

/** Scans: what an account has, and what it used them for. */
export function openScanStore(db: Db) {
  const write = openAuditWriter(db)
  const book = openScanLedger(db)
  const addHold = db.prepare<[string, number, number, number]>(
    "INSERT INTO scan_holds VALUES (?, ?, 'held', ?, ?)",
  )
  // Only what is held can be settled: a scan comes back once at the most.
  const settle = db.prepare<[string, string], { account_id: number; taken_at: number }>(
    `UPDATE scan_holds SET state = ? WHERE id = ? AND state = 'held'
      RETURNING account_id, taken_at`,
  )
  const overdue = db
    .prepare<[number], string>("SELECT id FROM scan_holds WHERE state = 'held' AND due_at <= ?")
    .pluck()
  const addIdentification = db.prepare<[Identification]>(
    `INSERT INTO identifications (id, account_id, at, status, game, data)
     VALUES (@id, @account_id, @at, @status, @game, @data)`,
  )
  const count = openDayCounter(db)
  const days = db.prepare<[number, number], ScanDay>(
    `SELECT day, scans, refunded, ${VERDICT_STATUSES.join(', ')}
       FROM scan_days WHERE account_id = ? AND day >= ? ORDER BY day`,
  )
  const countOn = db
    .prepare<[number], number | null>('SELECT sum(scans) FROM scan_days WHERE day = ?')
    .pluck()
  const forgetDays = db.prepare<[number]>('DELETE FROM scan_days WHERE day < ?')
  const forgetHolds = db.prepare<[number]>(
    "DELETE FROM scan_holds WHERE taken_at < ? AND state <> 'held'",
  )

  function giveBack(id: string, why: ScanReturn, now: Date): void {
    const held = settle.get(why, id)
    if (held === undefined) return
    const { account_id, taken_at } = held
    const at = now.getTime()
    if (why === 'refunded') {
      book.add({ account_id, kind: 'refund', n: 1, ref: id, at })
      count(account_id, dayOf(new Date(taken_at)), 'refunded')
    } else {
      book.move({ account_id, kind: 'rejection', n: 1, ref: id, at })
      book.withdrawUnusedTrial(account_id, at)
    }
  }

  return {
    /**
     * Takes one scan for a photo; the first one of an account brings its trial along.
     *
     * @returns whether there was one
     */
    async reserve({ id, account_id, taken_at, due_at }: ScanHold): Promise<boolean> {
      return inTransaction(db, () => {
        const at = taken_at.getTime()
        const { balance, trial_at } = book.accountAt(account_id)
        if (trial_at === null) book.grantTrial(account_id, at)
        else if (balance === 0) return false
        addHold.run(id, account_id, at, due_at.getTime())
        book.move({ account_id, kind: 'scan', n: -1, ref: id, at })
        return true
      })
    },
    /**
     * Keeps what a photo turned out to be; the scan that was taken for it is used.
     *
     * @returns what the account has left, and whether it was charged: not for a photo that took so long
     *   that its scan was given back
     */
    async record(identification: Identification): Promise<{ charged: boolean; remaining: number }> {
      return inTransaction(db, () => {
        const { id, account_id, status } = identification
        addIdentification.run(identification)
        const held = settle.get('done', id)
        if (held !== undefined) count(account_id, dayOf(new Date(held.taken_at)), status)
        const remaining = remainingScans(book.accountAt(account_id))
        return { charged: held !== undefined, remaining }
      })
    },
    /**
     * Gives a scan back; one that is settled stays as it is. A rejected photo leaves its account as it
     * was before, a trial that came with it included.
     */
    async release(id: string, why: ScanReturn, now: Date): Promise<void> {
      inTransaction(db, () => giveBack(id, why, now))
    },
    /**
     * Gives back what nobody settled in time: whoever took it was killed.
     *
     * @returns how many
     */
    async refundOverdue(now: Date): Promise<number> {
      return inTransaction(db, () => {
        const ids = overdue.all(now.getTime())
        for (const id of ids) giveBack(id, 'refunded', now)
        return ids.length
      })
    },
    /** Scans that the operator gives; one `ref` counts once. */
    async grant(
      { account_id, n, ref }: { account_id: number; n: number; ref: string },
      { now, address }: AuditContext,
    ): Promise<void> {
      inTransaction(db, () => {
        book.add({ account_id, kind: 'grant', n, amount_cents: null, ref, at: now.getTime() })
        write({ at: now, event: 'scans_granted', account_id, address, detail: `+${n}` })
      })
    },
    /** How many photos were read that were sent on a day, of all accounts. */
    countByDay: async (day: number): Promise<number> => countOn.get(day) ?? 0,
    /** What became of scans from a day on; days without any are left out. */
    listDays: async (accountId: number, firstDay: number): Promise<ScanDay[]> =>
      days.all(accountId, firstDay),
    /** What an account was given, newest first. */
    listAdditions: async (accountId: number, limit: number): Promise<ScanAddition[]> =>
      book.listAdditions(accountId, limit),
    /** Accounts whose balance is not the sum of their entries: there must be none. */
    listUnbalanced: async (): Promise<UnbalancedAccount[]> => book.listUnbalanced(),
    /** Forgets old statistics and settled holds; the ledger itself is kept. */
    async deleteBefore(day: number, time: Date): Promise<void> {
      inTransaction(db, () => {
        forgetDays.run(day)
        forgetHolds.run(time.getTime())
      })
    },
  }
}

/** Counts one scan of a day under what became of it. */
function openDayCounter(db: Db) {
  const adding = (columns: readonly string[]) =>
    db.prepare<[number, number]>(
      `INSERT INTO scan_days (account_id, day, ${columns.join(', ')})
       VALUES (?, ?, ${columns.map(() => 1).join(', ')})
       ON CONFLICT DO UPDATE SET ${columns.map((name) => `${name} = ${name} + 1`).join(', ')}`,
    )
  const statements = new Map<string, ReturnType<typeof adding>>([
    ['refunded', adding(['refunded'])],
    ...VERDICT_STATUSES.map((name) => [name, adding(['scans', name])] as const),
  ])
  return (accountId: number, day: number, what: VerdictStatus | 'refunded'): void =>
    void statements.get(what)?.run(accountId, day)
}
