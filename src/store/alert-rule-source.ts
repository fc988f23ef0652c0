import type { AlertRule } from '#rules/alerts/alert-condition.ts'

/**
 * All webhooks and people's price alerts in the ledger, read synchronously, as a transaction of the catalog requires.
 */
export type AlertRuleSource = {
  /**
   * Preloads the data that the transaction will read, if the ledger cannot be read within it. Called before each
   * publication.
   *
   * @param messageIds the ids that `findKnownMessages` will get
   */
  load(messageIds: readonly string[]): Promise<void>
  /** Lists the rules of all webhooks and price alerts, including muted ones. */
  list(): AlertRule[]
  /** Returns the message ids that are already on the ledger's disk. */
  findKnownMessages(ids: readonly string[]): ReadonlySet<string>
}
