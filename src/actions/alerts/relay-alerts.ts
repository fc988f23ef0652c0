import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '#deps.ts'
import { DELIVERY_RETENTION_MS } from '#rules/alerts/retry-schedule.ts'
import { hostOf } from '#rules/primitives/webhook-url.ts'

export type AlertRelay = ReturnType<typeof createAlertRelay>

/**
 * Copies alerts from the catalog, where publications leave them, to the ledger, from which they are
 * delivered. It looks at all that is there each time that something was published: what the ledger had
 * before, the publication has removed, or the ledger passes over it. Either file may have been restored
 * from a backup meanwhile.
 */
export function createAlertRelay({
  catalog,
  ledger,
  now,
}: Pick<Deps, 'catalog' | 'ledger' | 'now'>) {
  let copiedVersion: number | undefined

  return {
    /**
     * Costs next to nothing where nothing was published since it was last called.
     *
     * @returns how many alerts the ledger has that it did not have before
     * @throws what the ledger or the catalog throws; the next call begins anew
     */
    async run(): Promise<number> {
      // Asked first: what is published from here on has another version, for which we come again.
      const { version } = catalog.publication.getCurrent()
      if (version === copiedVersion) return 0
      let copied = 0
      let place = 0
      for (;;) {
        const left = catalog.alertOutbox.listAfter(place, BATCH)
        const last = left.at(-1)
        if (last === undefined) break
        // The ledger has forgotten messages of this age, and would take them for new ones.
        const oldest = now().getTime() - DELIVERY_RETENTION_MS
        const alerts = left.filter(({ created_at }) => created_at >= oldest)
        copied += await ledger.deliveries.relay(alerts, hostOf, now())
        place = last.place
        await nextTurn()
      }
      copiedVersion = version
      return copied
    },
  }
}

/** Copied in one transaction, some 15 ms long, in which the server answers nobody. */
const BATCH = 250
