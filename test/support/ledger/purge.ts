import { purgeLedger } from '#actions/operations/purge-ledger.ts'
import type { Ledger } from '#store/ledger/ledger.ts'

/** Deletes what a ledger no longer keeps at a given time. */
export function purge(ledger: Ledger, now: Date): Promise<void> {
  return purgeLedger({ ledger, now: () => now })
}
