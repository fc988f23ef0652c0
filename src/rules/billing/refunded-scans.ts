/**
 * How many scans of a pack are taken back when some of its payment went back: the same share, rounded
 * for the customer; all of them when all of it did.
 *
 * @param gone_cents refunded, or in disputes that are open or lost
 */
export function countReversedScans(
  pack: { scans: number; amount_cents: number },
  gone_cents: number,
): number {
  if (gone_cents <= 0) return 0
  if (gone_cents >= pack.amount_cents) return pack.scans
  return Math.floor((pack.scans * gone_cents) / pack.amount_cents)
}
