import type { Identification } from '#store/ledger/identifications.ts'
import type { ScanStore } from '#store/ledger/scans.ts'

/** Stores the identification of a photo of one card, which uses its scan; `charged` is false if it was refunded. */
export async function recordScan(
  scans: Pick<ScanStore, 'record'>,
  identification: Identification,
): Promise<{ charged: boolean; remaining: number }> {
  const { account_id, at } = identification
  const photo = { account_id, charged: [identification], free: [], now: new Date(at) }
  const { charged, remaining } = await scans.record(photo)
  return { charged: charged === 1, remaining }
}
