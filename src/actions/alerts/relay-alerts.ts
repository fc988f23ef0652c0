import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '#deps.ts'
import { addPrinting } from '#rules/alerts/alert-message.ts'
import { formatChannelMessage } from '#rules/alerts/channel-message.ts'
import { isPriceAlertId } from '#rules/alerts/price-alert-id.ts'
import { DELIVERY_RETENTION_MS } from '#rules/alerts/retry-schedule.ts'
import { hostOf } from '#rules/primitives/webhook-url.ts'
import type { OutboxAlert } from '#store/catalog/alert-outbox.ts'
import type { BodyFormats, NewNotification } from '#store/ledger/alerts/notifications.ts'

export type AlertRelay = {
  /**
   * Returns immediately if nothing was published since the last call.
   *
   * @returns the number of alerts that are new to the ledger
   * @throws errors of the catalog or ledger; the next call starts again
   */
  run(): Promise<number>
}

/**
 * Copies alerts from the catalog's outbox, which publications fill, to the ledger, which delivers them.
 * Each run reads the whole outbox, and the ledger skips alerts that it knows: either file may have been
 * restored from a backup.
 */
export function createAlertRelay({
  catalog,
  ledger,
  now,
}: Pick<Deps, 'catalog' | 'ledger' | 'now'>): AlertRelay {
  let copiedVersion: number | undefined

  return {
    async run() {
      // Read first: a later publication has another version, and causes another run.
      const { version } = catalog.publication.getCurrent()
      if (version === copiedVersion) return 0
      let copied = 0
      let cursor = 0
      for (;;) {
        const batch = catalog.alertOutbox.listAfter(cursor, BATCH_ALERTS)
        const last = batch.at(-1)
        if (last === undefined) break
        // The ledger has deleted deliveries of this age, and would treat them as new.
        const oldest = now().getTime() - DELIVERY_RETENTION_MS
        const alerts = batch.filter(({ created_at }) => created_at >= oldest)
        const [ofPeople, ofWebhooks] = partition(alerts)
        copied += await ledger.deliveries.relay(ofWebhooks, hostOf, now())
        copied += await ledger.notifications.relay(ofPeople, BODY_FORMATS, now())
        cursor = last.place
        await nextTurn()
      }
      copiedVersion = version
      return copied
    },
  }
}

/** Bodies of notifications and of messages for channels. */
export const BODY_FORMATS: BodyFormats = { addPrinting, toMessage: formatChannelMessage }

/** Separates alerts of people from alerts of webhooks. */
function partition(
  alerts: readonly OutboxAlert[],
): [ofPeople: NewNotification[], ofWebhooks: OutboxAlert[]] {
  const ofPeople: NewNotification[] = []
  const ofWebhooks: OutboxAlert[] = []
  for (const alert of alerts) {
    const { id, webhook_id: alert_id, body, created_at } = alert
    if (isPriceAlertId(alert_id)) ofPeople.push({ id, alert_id, body, created_at })
    else ofWebhooks.push(alert)
  }
  return [ofPeople, ofWebhooks]
}

/** Alerts per transaction, which blocks the server for some 15 ms. */
const BATCH_ALERTS = 250
