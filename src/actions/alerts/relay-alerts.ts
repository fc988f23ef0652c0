import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '#deps.ts'
import { messageId } from '#rules/alerts/alert-message.ts'
import { DIGEST_ALERTS_MAX } from '#rules/alerts/channel-message.ts'
import { DELIVERY_RETENTION_MS } from '#rules/operations/retention.ts'

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
 * Copies alerts from the catalog's outbox, which publications fill, to the ledger, which delivers them. Each run
 * reads the whole outbox, and the ledger skips known alerts: either file may have been restored from a backup.
 */
export function createAlertRelay({
  catalog,
  ledger,
  now,
}: Pick<Deps, 'catalog' | 'ledger' | 'now'>): AlertRelay {
  let copiedVersion: number | undefined

  return {
    async run() {
      // Read first: a later publication changes the version, and causes another run.
      const { version } = catalog.publication.getCurrent()
      if (version === copiedVersion) return 0
      let copied = 0
      let cursor = 0
      for (;;) {
        const batch = catalog.alerts.outbox.listAfter(cursor, BATCH_ALERTS)
        const last = batch.at(-1)
        if (last === undefined) break
        // The ledger has deleted messages of this age, and would treat them as new.
        const oldest = now().getTime() - DELIVERY_RETENTION_MS
        const alerts = batch.filter(({ created_at }) => created_at >= oldest)
        copied += await ledger.relayedAlerts.relay(alerts, now())
        cursor = last.place
        await nextTurn()
      }
      copiedVersion = version
      return copied
    },
  }
}

/** Alerts per transaction, which blocks the server for some 15 ms. */
const BATCH_ALERTS = 250

/**
 * Creates the daily digests that are due. Each digest is created in one transaction, so that a killed process neither
 * loses nor repeats it.
 *
 * @returns how many
 */
export async function makeDigests({ ledger, now }: Pick<Deps, 'ledger' | 'now'>): Promise<number> {
  for (let made = 0; ; made++) {
    const id = messageId(Bun.randomUUIDv7())
    const digest = { id, listMax: DIGEST_ALERTS_MAX, now: now() }
    if (!(await ledger.relayedAlerts.createDigest(digest))) return made
  }
}
