import { remainingScans } from '#rules/photos/scans.ts'
import { VERDICT_STATUSES, type VerdictStatus } from '#rules/photos/verdict.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { type Db, inTransaction } from '../db.ts'
import { type LimitedAction, openAttemptCounter } from './attempts.ts'
import { openAuditWriter } from './audit.ts'
import type { Identification } from './identifications.ts'
import type { AuditContext } from './keys.ts'
import { openScanLedger, type ScanAddition, type UnbalancedAccount } from './scan-ledger.ts'
import type { ScanDayRow, ScanHoldRow } from './schema.ts'

/** A scan reserved for one photo; its id becomes that of the identification. */
export type ScanHold = {
  id: string
  account_id: number
  taken_at: Date
  due_at: Date
  /** Limits of new trials in the client's network. */
  trialLimits?: readonly LimitedAction[]
}

/** Reason for returning a scan: the reader failed, or the image could not be decoded. */
export type ScanReturn = 'refunded' | 'rejected'

/** Outcomes of the scans of one day. */
export type ScanDay = Omit<ScanDayRow, 'account_id'>

/** Scans: reserved before a photo is read, and settled afterwards. */
export type ScanStore = {
  /**
   * Reserves one scan for a photo, and grants the trial first. An account that never had a trial gets
   * none while too many others in its network did.
   *
   * @returns false if none is left
   */
  reserve(hold: ScanHold): Promise<boolean>
  /** Returns milliseconds until an account's trial can be granted; undefined if it can be now. */
  getTrialWait(
    accountId: number,
    limits: readonly LimitedAction[],
    now: Date,
  ): Promise<number | undefined>
  /** Extends the time within which a reserved scan must be settled. */
  renew(id: string, due_at: Date): Promise<void>
  /** Stores an identification and uses up its scan; `charged` is false if it was refunded. */
  record(identification: Identification): Promise<{ charged: boolean; remaining: number }>
  /** Uses up the scan of a photo without an identification. */
  keep(id: string, accountId: number): Promise<{ charged: boolean; remaining: number }>
  /** Returns a reserved scan; a rejected photo leaves its account as before, its trial included. */
  release(id: string, reason: ScanReturn, now: Date): Promise<void>
  /** Refunds scans that were not settled in time, because their process was killed. @returns how many */
  refundOverdue(now: Date): Promise<number>
  /** Grants scans by the operator; each `ref` counts once. */
  grant(grant: { account_id: number; n: number; ref: string }, context: AuditContext): Promise<void>
  /** Counts the photos of all accounts that were sent on a day and read. */
  countByDay(day: number): Promise<number>
  /** Lists an account's scans by day and outcome; days without scans are left out. */
  listDays(accountId: number, firstDay: number): Promise<ScanDay[]>
  /** Lists additions to an account, newest first. */
  listAdditions(accountId: number, limit: number): Promise<ScanAddition[]>
  /** Lists accounts whose balance is not the sum of their entries; there must be none. */
  listUnbalanced(): Promise<UnbalancedAccount[]>
  /** Deletes days before a day, and settled reservations before a time, at most `limit` of each. @returns how many */
  deleteBefore(day: number, time: Date, limit: number): Promise<number>
}

export function openScanStore(db: Db): ScanStore {
  const write = openAuditWriter(db)
  const scanLedger = openScanLedger(db)
  const attempts = openAttemptCounter(db)
  const addHold = db.prepare<[string, number, number, number]>(
    "INSERT INTO scan_holds VALUES (?, ?, 'held', ?, ?)",
  )
  // Only a held scan can be settled, so it is returned at most once.
  const settle = db.prepare<[string, string], Pick<ScanHoldRow, 'account_id' | 'taken_at'>>(
    `UPDATE scan_holds SET state = ? WHERE id = ? AND state = 'held'
      RETURNING account_id, taken_at`,
  )
  const extend = db.prepare<[number, string]>(
    "UPDATE scan_holds SET due_at = ? WHERE id = ? AND state = 'held'",
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
  const forgetDays = db.prepare<[number, number]>(
    `DELETE FROM scan_days WHERE (account_id, day) IN
       (SELECT account_id, day FROM scan_days WHERE day < ? LIMIT ?)`,
  )
  const forgetHolds = db.prepare<[number, number]>(
    `DELETE FROM scan_holds WHERE rowid IN
       (SELECT rowid FROM scan_holds WHERE taken_at < ? AND state <> 'held' LIMIT ?)`,
  )

  /** Grants the trial, which counts in the network unless it was granted and withdrawn before. */
  function startTrial(accountId: number, limits: readonly LimitedAction[], now: Date): void {
    const isAllowed =
      scanLedger.hasHadTrial(accountId) || attempts.consumeAll(limits, now) === undefined
    if (isAllowed) scanLedger.grantTrial(accountId, now.getTime())
  }

  function returnScan(id: string, why: ScanReturn, now: Date): void {
    const held = settle.get(why, id)
    if (held === undefined) return
    const { account_id, taken_at } = held
    const at = now.getTime()
    if (why === 'refunded') {
      scanLedger.add({ account_id, kind: 'refund', n: 1, ref: id, at })
      count(account_id, dayOf(new Date(taken_at)), 'refunded')
    } else {
      scanLedger.enter({ account_id, kind: 'rejection', n: 1, ref: id, at })
      scanLedger.withdrawUnusedTrial(account_id, at)
    }
  }

  return {
    reserve: async ({ id, account_id, taken_at, due_at, trialLimits = [] }) =>
      inTransaction(db, () => {
        const at = taken_at.getTime()
        const { trial_at } = scanLedger.getAccount(account_id)
        if (trial_at === null) startTrial(account_id, trialLimits, taken_at)
        if (scanLedger.getAccount(account_id).balance === 0) return false
        addHold.run(id, account_id, at, due_at.getTime())
        scanLedger.enter({ account_id, kind: 'scan', n: -1, ref: id, at })
        return true
      }),
    getTrialWait: async (accountId, limits, now) =>
      scanLedger.hasHadTrial(accountId) ? undefined : attempts.findWait(limits, now),
    renew: async (id, due_at) => void extend.run(due_at.getTime(), id),
    record: async (identification) =>
      inTransaction(db, () => {
        const { id, account_id, status } = identification
        addIdentification.run(identification)
        const held = settle.get('done', id)
        if (held !== undefined) count(account_id, dayOf(new Date(held.taken_at)), status)
        const remaining = remainingScans(scanLedger.getAccount(account_id))
        return { charged: held !== undefined, remaining }
      }),
    keep: async (id, account_id) =>
      inTransaction(db, () => {
        const held = settle.get('done', id)
        if (held !== undefined) count(account_id, dayOf(new Date(held.taken_at)), 'scans')
        const remaining = remainingScans(scanLedger.getAccount(account_id))
        return { charged: held !== undefined, remaining }
      }),
    release: async (id, why, now) => void inTransaction(db, () => returnScan(id, why, now)),
    refundOverdue: async (now) => {
      // Locks the file only if there is something to do: this runs every few seconds.
      if (overdue.get(now.getTime()) === undefined) return 0
      return inTransaction(db, () => {
        const ids = overdue.all(now.getTime())
        for (const id of ids) returnScan(id, 'refunded', now)
        return ids.length
      })
    },
    grant: async ({ account_id, n, ref }, { now, address }) =>
      inTransaction(db, () => {
        scanLedger.add({ account_id, kind: 'grant', n, amount_cents: null, ref, at: now.getTime() })
        write({ at: now, event: 'scans_granted', account_id, address, detail: `+${n}` })
      }),
    countByDay: async (day) => countOn.get(day) ?? 0,
    listDays: async (accountId, firstDay) => days.all(accountId, firstDay),
    listAdditions: async (accountId, limit) => scanLedger.listAdditions(accountId, limit),
    listUnbalanced: async () => scanLedger.listUnbalanced(),
    deleteBefore: async (day, time, limit) =>
      forgetDays.run(day, limit).changes + forgetHolds.run(time.getTime(), limit).changes,
  }
}

/** Prepares the counters of scans by day and outcome. */
function openDayCounter(db: Db) {
  const adding = (columns: readonly string[]) =>
    db.prepare<[number, number]>(
      `INSERT INTO scan_days (account_id, day, ${columns.join(', ')})
       VALUES (?, ?, ${columns.map(() => 1).join(', ')})
       ON CONFLICT DO UPDATE SET ${columns.map((name) => `${name} = ${name} + 1`).join(', ')}`,
    )
  const statements = new Map<string, ReturnType<typeof adding>>([
    ['refunded', adding(['refunded'])],
    ['scans', adding(['scans'])],
    ...VERDICT_STATUSES.map((name) => [name, adding(['scans', name])] as const),
  ])
  return (accountId: number, day: number, what: VerdictStatus | 'refunded' | 'scans'): void =>
    void statements.get(what)?.run(accountId, day)
}
