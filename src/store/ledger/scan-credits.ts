import type { LedgerEngine, LedgerOperation } from './engine/operation.ts'
import type { ScanLedger } from './scan-ledger.ts'
import type { ScanHoldRow } from './schema/photos.ts'

/** Used scans that a page of several cards returns. The caller provides the transaction. */
export type ScanCredits = {
  /** Lets a page return a scan within `creditMs`. */
  offer(credit: { id: string; creditMs: number; now: number }): LedgerOperation<void>
  /** Returns true if a page would return a scan that the account can use: one that no debt takes. */
  isUsable(accountId: number, now: number): LedgerOperation<boolean>
  /** Returns the newest such scan to its account. @returns the number of returned scans */
  giveBack(accountId: number, now: number): LedgerOperation<number>
}

export function openScanCredits(engine: LedgerEngine, scanLedger: ScanLedger): ScanCredits {
  type Credit = Pick<ScanHoldRow, 'id'>
  const offer = engine.prepare<[{ id: string; creditMs: number; now: number }]>(
    'UPDATE scan_holds SET credit_until = clock(@now) + @creditMs WHERE id = @id',
  )
  const newest = `SELECT id FROM scan_holds WHERE account_id = @account_id AND credit_until > clock(@now)
    ORDER BY credit_until DESC LIMIT 1`
  const find = engine.prepare<[{ account_id: number; now: number }], Credit>(newest)
  const take = engine.prepare<[{ account_id: number; now: number }], Credit>(
    `UPDATE scan_holds SET credit_until = NULL WHERE id = (${newest}) RETURNING id`,
  )

  return {
    *offer(credit) {
      yield* offer.run(credit)
    },
    *isUsable(account_id, now) {
      if ((yield* find.get({ account_id, now })) === undefined) return false
      const { debt } = yield* scanLedger.getAccount(account_id)
      return debt === 0
    },
    *giveBack(account_id, now) {
      const credit = yield* take.get({ account_id, now })
      if (credit === undefined) return 0
      yield* scanLedger.add({ account_id, kind: 'refund', n: 1, ref: credit.id, at: now })
      return 1
    },
  }
}
