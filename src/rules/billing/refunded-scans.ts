/**
 * Counts the scans of a pack to remove after a partial or full refund: the refunded share, rounded
 * in the customer's favor.
 *
 * @param gone_cents amount refunded, or in disputes that are open or lost
 */
export function countReversedScans(
  pack: { scans: number; amount_cents: number },
  gone_cents: number,
): number {
  if (gone_cents <= 0) return 0
  if (gone_cents >= pack.amount_cents) return pack.scans
  return Math.floor((pack.scans * gone_cents) / pack.amount_cents)
}
