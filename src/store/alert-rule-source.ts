import type { AlertRule } from '#rules/alerts/alert-condition.ts'

/** All webhooks and price alerts of people, from the ledger: synchronous, as a transaction of the catalog reads them. */
export type AlertRuleSource = {
  /**
   * Reads what the transaction will read, if the ledger cannot be read within it: before each publication.
   *
   * @param messageIds those that `findKnownMessages` will be given
   */
  load(messageIds: readonly string[]): Promise<void>
  /** Lists the rules of all webhooks and price alerts, including muted ones. */
  list(): AlertRule[]
  /** Returns the message ids that the ledger has on disk. */
  findKnownMessages(ids: readonly string[]): ReadonlySet<string>
}
