import { highestTier, isTierAtLeast, type Tier } from '#rules/accounts/tiers.ts'
import { ALERTS_TIER, resumeMessages } from './alerts/channels.ts'
import { type AuditContext, openAuditWriter } from './audit.ts'
import type { LedgerEngine, LedgerOperation } from './engine/operation.ts'
import type { AccountRow } from './schema/accounts.ts'
import type { SubscriptionRow } from './schema/billing.ts'

/** Sets tiers to the higher of the granted and the paid one, in the caller's transaction. */
export type TierWriter = {
  /** Recomputes a tier after the granted or a paid one has changed. */
  settle(account_id: number, context: AuditContext): LedgerOperation<void>
  /** Grants an account a tier, regardless of its payments. */
  grant(account_id: number, tier: Tier, context: AuditContext): LedgerOperation<void>
}

export function openTierWriter(engine: LedgerEngine): TierWriter {
  const write = openAuditWriter(engine)
  const resume = resumeMessages(engine)
  const account = engine.prepare<[number], Pick<AccountRow, 'tier' | 'granted_tier'>>(
    'SELECT tier, granted_tier FROM accounts WHERE id = ?',
  )
  const paid = engine.prepare<[number], Pick<SubscriptionRow, 'tier'>>(
    'SELECT tier FROM subscriptions WHERE account_id = ?',
  )
  const put = engine.prepare<[Tier, number]>('UPDATE accounts SET tier = ? WHERE id = ?')
  const grant = engine.prepare<[Tier, number]>('UPDATE accounts SET granted_tier = ? WHERE id = ?')

  function* settle(account_id: number, { now, address }: AuditContext): LedgerOperation<void> {
    const known = yield* account.get(account_id)
    if (known === undefined) throw new Error(`account ${account_id} not found`)
    const paidTiers = yield* paid.all(account_id)
    const tier = highestTier([known.granted_tier, ...paidTiers.map((one) => one.tier)])
    if (tier === known.tier) return
    yield* put.run(tier, account_id)
    const hasAlerts = (of: Tier) => isTierAtLeast(of, ALERTS_TIER)
    if (hasAlerts(tier) && !hasAlerts(known.tier)) yield* resume.ofAccount(account_id, now)
    const detail = `${known.tier} -> ${tier}`
    yield* write({ at: now, event: 'tier_changed', account_id, address, detail })
  }

  return {
    settle,
    *grant(account_id, tier, auditContext) {
      yield* grant.run(tier, account_id)
      yield* settle(account_id, auditContext)
    },
  }
}
