// A data folder that is synced from an invented upstream, and people with alerts.
import { createAlertRelay } from '#actions/alerts/relay-alerts.ts'
import type { Tier } from '#rules/accounts/tiers.ts'
import type { AlertCondition } from '#rules/alerts/alert-condition.ts'
import type { WebhookChanges } from '#store/ledger/alerts/price-rules.ts'
import { openLedger } from '#store/open-ledger.ts'
import { createSyncWorld, smallUpstream, type Upstream } from '../sync/upstream-fixture.ts'

export type AlertWorld = Awaited<ReturnType<typeof createAlertWorld>>

export type NewWebhook = {
  card_id: number
  /** Null for the most expensive printing. */
  printing?: string | null
  condition: AlertCondition
  /** US cents. */
  threshold: number
  account_id?: number
}

/** The seven fields of an alert, and its owner. */
export type ReceivedAlert = {
  webhook_id: string
  id: string
  event: string
  card_id: number
  card_name: string
  condition: AlertCondition
  threshold: number
  current_price: number
  timestamp: string
}

/** Creates a synced data folder with a ledger, and an account on Pro. */
export async function createAlertWorld(upstream: Upstream = smallUpstream()) {
  const world = createSyncWorld(upstream)
  const ledger = openLedger(world.dataDir)
  const auditContext = () => ({ now: world.deps.now(), address: undefined })
  const startRelay = () => createAlertRelay({ catalog: world.catalog, ledger, now: world.deps.now })
  let relay = startRelay()
  let people = 0

  async function newAccount(tier: Tier = 'pro'): Promise<number> {
    const email = `${people++}@watches.example`
    const account = await ledger.accounts.create(
      { email, password_hash: 'none', tier },
      auditContext(),
    )
    if (account === undefined) throw new Error('the address is taken')
    return account.id
  }
  const owner = await newAccount()

  return {
    ...world,
    ledger,
    owner,
    newAccount,
    async setTier(account_id: number, tier: Tier): Promise<void> {
      const account = await ledger.accounts.getById(account_id)
      if (account === undefined) throw new Error('nobody has this account')
      await ledger.accounts.updateTier(account.email, tier, auditContext())
    },
    /** @returns its id */
    async addWebhook(wanted: NewWebhook): Promise<string> {
      const { printing = null, account_id = owner, ...rest } = wanted
      const id = crypto.randomUUID()
      const url = 'https://shop.example/alerts'
      const watch = { id, account_id, url, printing, ...rest, secret: new Uint8Array(8) }
      await ledger.webhooks.create(watch, Number.POSITIVE_INFINITY, auditContext())
      return id
    },
    async change(id: string, wanted: WebhookChanges, account_id = owner): Promise<void> {
      await ledger.webhooks.update({ id, account_id }, wanted, auditContext())
    },
    async remove(id: string, account_id = owner): Promise<void> {
      await ledger.webhooks.delete({ id, account_id }, auditContext())
    },
    /** Relays alerts to the ledger, like the server does each second. */
    relay: () => relay.run(),
    /** Restarts the relay, like a killed server. */
    restartRelay(): void {
      relay = startRelay()
    },
    /** Lists the alerts of a webhook in the ledger, oldest first. */
    async alerts(id: string): Promise<ReceivedAlert[]> {
      const { rows } = await ledger.messages.list(id, { limit: 1_000, offset: 0 })
      return rows
        .map(({ id, channel_id: webhook_id, body }) => ({ ...JSON.parse(body), id, webhook_id }))
        .reverse()
    },
    /** Lists the prices in a webhook's alerts, in dollars. */
    async prices(id: string): Promise<number[]> {
      return (await this.alerts(id)).map(({ current_price }) => current_price)
    },
    /** Publishes prices of a printing day by day, and relays the alerts of each day. */
    async pricesOf(card_id: number, printing: string, days: readonly (number | null)[]) {
      for (const price of days) {
        upstream.setPrice(card_id, printing, price)
        await world.day()
        await relay.run()
      }
    },
    close(): void {
      ledger.close()
      world.close()
    },
  }
}
