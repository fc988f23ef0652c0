import { highestTier, isTierAtLeast, type Tier } from '#rules/accounts/tiers.ts'
import type { Db } from '../db.ts'
import { openAuditWriter } from './audit.ts'
import type { AuditContext } from './keys.ts'
import { ALERTS_TIER, resumeDeliveries } from './muted-webhooks.ts'
import type { AccountRow } from './schema.ts'

/** Sets tiers to the higher of the granted and the paid one, in the caller's transaction. */
export type TierWriter = {
  /** Recomputes a tier after the granted or a paid one has changed. */
  settle(account_id: number, context: AuditContext): void
  /** Grants an account a tier, whatever it pays for. */
  grant(account_id: number, tier: Tier, context: AuditContext): void
}

export function openTierWriter(db: Db): TierWriter {
  const write = openAuditWriter(db)
  const resume = resumeDeliveries(db)
  const account = db.prepare<[number], Pick<AccountRow, 'tier' | 'granted_tier'>>(
    'SELECT tier, granted_tier FROM accounts WHERE id = ?',
  )
  const paid = db
    .prepare<[number], Tier>('SELECT tier FROM subscriptions WHERE account_id = ?')
    .pluck()
  const put = db.prepare<[Tier, number]>('UPDATE accounts SET tier = ? WHERE id = ?')
  const grant = db.prepare<[Tier, number]>('UPDATE accounts SET granted_tier = ? WHERE id = ?')

  function settle(account_id: number, { now, address }: AuditContext): void {
    const known = account.get(account_id)
    if (known === undefined) throw new Error(`account ${account_id} not found`)
    const tier = highestTier([known.granted_tier, ...paid.all(account_id)])
    if (tier === known.tier) return
    put.run(tier, account_id)
    const tells = (of: Tier) => isTierAtLeast(of, ALERTS_TIER)
    if (tells(tier) && !tells(known.tier)) resume.ofAccount(account_id, now)
    const detail = `${known.tier} -> ${tier}`
    write({ at: now, event: 'tier_changed', account_id, address, detail })
  }

  return {
    settle,
    grant(account_id, tier, auditContext) {
      grant.run(tier, account_id)
      settle(account_id, auditContext)
    },
  }
}
