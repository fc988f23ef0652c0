import { highestTier, isTierAtLeast, type Tier } from '#rules/accounts/tiers.ts'
import type { Db } from '../db.ts'
import { openAuditWriter } from './audit.ts'
import type { AuditContext } from './keys.ts'
import { ALERTS_TIER, resumeDeliveries } from './muted-webhooks.ts'

/** Which tier an account has: the higher of what it was given and what it pays for. */
export function openTierWriter(db: Db) {
  const write = openAuditWriter(db)
  const wake = resumeDeliveries(db)
  const account = db.prepare<[number], { tier: Tier; granted_tier: Tier }>(
    'SELECT tier, granted_tier FROM accounts WHERE id = ?',
  )
  const paid = db
    .prepare<[number], Tier>('SELECT tier FROM subscriptions WHERE account_id = ?')
    .pluck()
  const put = db.prepare<[Tier, number]>('UPDATE accounts SET tier = ? WHERE id = ?')
  const grant = db.prepare<[Tier, number]>('UPDATE accounts SET granted_tier = ? WHERE id = ?')

  /** Within a transaction, whenever either of the two has changed. */
  function settle(account_id: number, { now, address }: AuditContext): void {
    const known = account.get(account_id)
    if (known === undefined) throw new Error(`there is no account ${account_id}`)
    const tier = highestTier([known.granted_tier, ...paid.all(account_id)])
    if (tier === known.tier) return
    put.run(tier, account_id)
    const tells = (of: Tier) => isTierAtLeast(of, ALERTS_TIER)
    if (tells(tier) && !tells(known.tier)) wake.ofAccount(account_id, now)
    const detail = `${known.tier} -> ${tier}`
    write({ at: now, event: 'tier_changed', account_id, address, detail })
  }

  return {
    settle,
    /** Gives an account a tier, whatever it pays for; within a transaction. */
    grant(account_id: number, tier: Tier, auditContext: AuditContext): void {
      grant.run(tier, account_id)
      settle(account_id, auditContext)
    },
  }
}
