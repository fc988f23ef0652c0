import type { LimitedAction } from './attempts.ts'
import type { LedgerEngine, LedgerOperation } from './engine/operation.ts'
import type { ScanLedger } from './scan-ledger.ts'
import type { ScanHoldRow } from './schema/photos.ts'

/** A scan reserved for one photo; its id becomes the id of the identification. */
export type ScanHold = {
  id: string
  account_id: number
  taken_at: Date
  /** Milliseconds within which it must be settled or renewed. */
  holdMs: number
  /** Limits of new trials in the client's network. */
  trialLimits?: readonly LimitedAction[]
}

/** Reason for returning a scan: the reader failed, or the image could not be decoded. */
export type ScanReturn = 'refunded' | 'rejected'

type EndedHold = Pick<ScanHoldRow, 'account_id' | 'taken_at'>
type HoldId = Pick<ScanHoldRow, 'id'>

/** Reserved scans, and used ones that a page of several cards returns. The caller provides the transaction. */
export type ScanHolds = {
  /** Takes a scan out of the balance, which must have one. */
  add(hold: ScanHold): LedgerOperation<void>
  /** Ends a reservation. @returns undefined if it has ended before */
  end(id: string, state: ScanReturn | 'done'): LedgerOperation<EndedHold | undefined>
  /** Extends the time of a reservation to `holdMs` from now. */
  extend(hold: { id: string; holdMs: number; now: number }): LedgerOperation<unknown>
  /** Lists reservations whose time is over. */
  listOverdue(now: number): LedgerOperation<HoldId[]>
  /** Lets a page return a used scan within `creditMs`. */
  offerCredit(credit: { id: string; creditMs: number; now: number }): LedgerOperation<unknown>
  /** Returns true if a page would return a scan that the account can use, because no debt takes it. */
  hasCredit(accountId: number, now: number): LedgerOperation<boolean>
  /** Returns the newest such scan to its account. @returns the number of returned scans */
  returnCredit(accountId: number, now: number): LedgerOperation<number>
  /** Deletes ended reservations before a time. Returns the number of deleted rows. */
  deleteBefore(time: number, limit: number): LedgerOperation<number>
}

export function openScanHolds(engine: LedgerEngine, scanLedger: ScanLedger): ScanHolds {
  const add = engine.prepare<
    [Pick<ScanHold, 'id' | 'account_id' | 'holdMs'> & { taken_at: number }]
  >(
    `INSERT INTO scan_holds (id, account_id, state, taken_at, due_at)
     VALUES (@id, @account_id, 'held', @taken_at, clock(@taken_at) + @holdMs)`,
  )
  // Only a held scan can be settled, so it is returned at most once.
  const end = engine.prepare<[string, string], EndedHold>(
    `UPDATE scan_holds SET state = ? WHERE id = ? AND state = 'held'
      RETURNING account_id, taken_at`,
  )
  const extend = engine.prepare<[{ id: string; holdMs: number; now: number }]>(
    "UPDATE scan_holds SET due_at = clock(@now) + @holdMs WHERE id = @id AND state = 'held'",
  )
  const overdue = engine.prepare<[{ now: number }], HoldId>(
    "SELECT id FROM scan_holds WHERE state = 'held' AND due_at <= clock(@now)",
  )
  const offer = engine.prepare<[{ id: string; creditMs: number; now: number }]>(
    'UPDATE scan_holds SET credit_until = clock(@now) + @creditMs WHERE id = @id',
  )
  const newestCredit = `SELECT id FROM scan_holds WHERE account_id = @account_id AND credit_until > clock(@now)
    ORDER BY credit_until DESC LIMIT 1`
  const findCredit = engine.prepare<[{ account_id: number; now: number }], HoldId>(newestCredit)
  const takeCredit = engine.prepare<[{ account_id: number; now: number }], HoldId>(
    `UPDATE scan_holds SET credit_until = NULL WHERE id = (${newestCredit}) RETURNING id`,
  )
  const forget = engine.prepare<[number, number]>(
    `DELETE FROM scan_holds WHERE id IN
       (SELECT id FROM scan_holds WHERE taken_at < ? AND state <> 'held' LIMIT ?)`,
  )

  return {
    *add({ id, account_id, taken_at, holdMs }) {
      const at = taken_at.getTime()
      yield* add.run({ id, account_id, taken_at: at, holdMs })
      yield* scanLedger.enter({ account_id, kind: 'scan', n: -1, ref: id, at })
    },
    end: (id, state) => end.get(state, id),
    extend: (hold) => extend.run(hold),
    listOverdue: (now) => overdue.all({ now }),
    offerCredit: (credit) => offer.run(credit),
    *hasCredit(account_id, now) {
      if ((yield* findCredit.get({ account_id, now })) === undefined) return false
      const { debt } = yield* scanLedger.getAccount(account_id)
      return debt === 0
    },
    *returnCredit(account_id, now) {
      const credit = yield* takeCredit.get({ account_id, now })
      if (credit === undefined) return 0
      yield* scanLedger.add({ account_id, kind: 'refund', n: 1, ref: credit.id, at: now })
      return 1
    },
    deleteBefore: (time, limit) => forget.run(time, limit),
  }
}
