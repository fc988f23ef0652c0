import type { Deps } from '#deps.ts'
import { clientNetwork } from '#rules/accounts/rate-limit.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import type { LimitedAction } from '#store/ledger/attempts.ts'

/**
 * Cards per day that are read without a scan, by payer and by client network: cards of a page that were not
 * identified, photos whose client left, and photos that their scan session did not store. Each takes as much of the
 * reader as one that uses a scan.
 */
export const FREE_CARDS = 100

/**
 * Returns the limits of free cards; none on a private server.
 *
 * @param payer an account, or a wallet without one
 */
export function freeCardLimits(
  { config }: Pick<Deps, 'config'>,
  { payer, address }: { payer: string; address: string },
): LimitedAction[] {
  if (!config.hasLimits) return []
  const limit = { limit: FREE_CARDS, windowMs: MS_PER_DAY }
  return [
    { name: `free cards of ${payer}`, limit },
    { name: `free cards from ${clientNetwork(address)}`, limit },
  ]
}

/** Returns true if a card may be read for free now. */
export async function hasFreeCard(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  limits: readonly LimitedAction[],
): Promise<boolean> {
  const spent = limits.map((limit) => ledger.attempts.countSpent([limit], now()))
  return Math.max(...(await Promise.all(spent))) < FREE_CARDS
}

/** Counts a card that was read without a scan. @returns false if it must use one, because too many did not */
export async function countFreeCard(
  { ledger, now }: Pick<Deps, 'ledger' | 'now'>,
  limits: readonly LimitedAction[],
): Promise<boolean> {
  return (await ledger.attempts.consume(limits, now())) === undefined
}
