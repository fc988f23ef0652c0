import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { LimitedAction } from '#store/ledger/attempts.ts'

type DamageDeps = Pick<Deps, 'ledger' | 'now'>

/** Damaged photos per payer and day that are free of charge, if the damage is only noticed during decoding. */
export const DAMAGED_FREE = 5

const DAY_MS = 24 * 3_600_000

/** Returns the limit of damaged photos for an account or a wallet. */
function damagedPhotos(payer: string): LimitedAction {
  return { name: `damaged photos of ${payer}`, limit: { limit: DAMAGED_FREE, windowMs: DAY_MS } }
}

/** Counts a damaged photo. @returns true if its payer has sent too many */
export async function countDamagedPhoto(
  { ledger, now }: DamageDeps,
  payer: string,
): Promise<boolean> {
  return (await ledger.attempts.consume([damagedPhotos(payer)], now())) !== undefined
}

/**
 * Rejects a photo if its payer has no account and has sent too many damaged photos, which cost such a payer nothing.
 *
 * @throws ServiceError TOO_MANY_ATTEMPTS
 */
export async function assertFewDamaged({ ledger, now }: DamageDeps, payer: string): Promise<void> {
  const spent = await ledger.attempts.countSpent([damagedPhotos(payer)], now())
  if (spent < DAMAGED_FREE) return
  throw new ServiceError(
    'TOO_MANY_ATTEMPTS',
    'You have sent too many damaged photos. Nothing was charged. Check your photos, and try again later.',
    { retryAfter: DAY_MS / DAMAGED_FREE / 1_000 },
  )
}
