import { VERDICT_STATUSES, type VerdictStatus } from '#rules/photos/verdict.ts'
import type { LedgerEngine, LedgerOperation } from './engine/operation.ts'
import type { ScanDayRow } from './schema/photos.ts'

/** Outcomes of the scans of one day. */
export type ScanDay = Omit<ScanDayRow, 'account_id'>

/** Outcome of a scan; `scans` is that of a photo without an identification. */
export type DayOutcome = VerdictStatus | 'refunded' | 'scans'

/** Counts of scans by account, day and outcome. The caller provides the transaction. */
export type ScanDays = {
  count(accountId: number, day: number, outcome: DayOutcome): LedgerOperation<void>
  /** Returns the number of photos of all accounts that were read on a day. */
  sum(day: number): LedgerOperation<number>
  /** Lists an account's days; days without scans are skipped. */
  list(accountId: number, firstDay: number): LedgerOperation<ScanDay[]>
  /** Deletes at most `limit` rows of days before a day. @returns their number */
  deleteBefore(day: number, limit: number): LedgerOperation<number>
}

export function openScanDays(engine: LedgerEngine): ScanDays {
  const adding = (columns: readonly string[]) =>
    engine.prepare<[number, number]>(
      `INSERT INTO scan_days AS known (account_id, day, ${columns.join(', ')})
       VALUES (?, ?, ${columns.map(() => 1).join(', ')})
       ON CONFLICT (account_id, day)
         DO UPDATE SET ${columns.map((name) => `${name} = known.${name} + 1`).join(', ')}`,
    )
  const counters = new Map<DayOutcome, ReturnType<typeof adding>>([
    ['refunded', adding(['refunded'])],
    ['scans', adding(['scans'])],
    ...VERDICT_STATUSES.map((name) => [name, adding(['scans', name])] as const),
  ])
  const days = engine.prepare<[number, number], ScanDay>(
    `SELECT day, scans, refunded, ${VERDICT_STATUSES.join(', ')}
       FROM scan_days WHERE account_id = ? AND day >= ? ORDER BY day`,
  )
  const countOn = engine.prepare<[number], { scans: number | null }>(
    'SELECT sum(scans) AS scans FROM scan_days WHERE day = ?',
  )
  const forget = engine.prepare<[number, number]>(
    `DELETE FROM scan_days WHERE (account_id, day) IN
       (SELECT account_id, day FROM scan_days WHERE day < ? LIMIT ?)`,
  )

  return {
    *count(accountId, day, outcome) {
      const counter = counters.get(outcome)
      if (counter !== undefined) yield* counter.run(accountId, day)
    },
    *sum(day) {
      return (yield* countOn.get(day))?.scans ?? 0
    },
    list: (accountId, firstDay) => days.all(accountId, firstDay),
    deleteBefore: (day, limit) => forget.run(day, limit),
  }
}
