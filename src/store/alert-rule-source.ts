import type { AlertRule } from '#rules/alerts/alert-condition.ts'

/**
 * All webhooks as a publication evaluates them. The ledger provides it to the catalog, and unlike other
 * stores of the ledger it answers synchronously: it is called within a transaction of the catalog.
 */
export type AlertRuleSource = {
  /** Lists every webhook, muted ones included, in file order. */
  list(): AlertRule[]
  /** Returns those of these message ids that the ledger has on disk. */
  findKnownMessages(ids: readonly string[]): ReadonlySet<string>
}
