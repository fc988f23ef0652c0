import type { AlertRule } from '#rules/alerts/alert-condition.ts'

/** All webhooks and price alerts of people, from the ledger: synchronous, as a transaction of the catalog reads them. */
export type AlertRuleSource = {
  /**
   * Reads what the transaction will read, if the ledger cannot be read within it: before each publication.
   *
   * @param messageIds those that `findKnownMessages` will be given
   */
  load(messageIds: readonly string[]): Promise<void>
  /** Lists the rules of all of them, muted ones included. */
  list(): AlertRule[]
  /** Returns those of these message ids that the ledger has on disk. */
  findKnownMessages(ids: readonly string[]): ReadonlySet<string>
}
