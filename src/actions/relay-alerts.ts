import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Deps } from '#deps.ts'
import { KEPT_MS } from '#rules/delivery-schedule.ts'
import { hostOf } from '#rules/webhook-url.ts'

export type Relay = ReturnType<typeof openRelay>

/**
 * Copies alerts from the catalog, where publications leave them, to the ledger, from which they are
 * delivered. A process that starts looks at all that is there: the ledger passes over what it has.
 */
export function openRelay({ catalog, ledger, now }: Pick<Deps, 'catalog' | 'ledger' | 'now'>) {
  let place = 0
  let copiedVersion: number | undefined

  return {
    /**
     * Costs next to nothing where nothing was published since it was last called.
     *
     * @returns how many alerts the ledger has that it did not have before
     * @throws what the ledger or the catalog throws; the next call begins where this one came to
     */
    async run(): Promise<number> {
      // Asked first: what is published from here on has another version, for which we come again.
      const { version } = catalog.publication.current()
      if (version === copiedVersion) return 0
      let copied = 0
      for (;;) {
        const left = catalog.alertOutbox.after(place, BATCH)
        const last = left.at(-1)
        if (last === undefined) break
        // The ledger has forgotten messages of this age, and would take them for new ones.
        const oldest = now().getTime() - KEPT_MS
        const alerts = left.filter(({ created_at }) => created_at >= oldest)
        copied += await ledger.deliveries.relay(alerts, hostOf)
        place = last.place
        await nextTurn()
      }
      copiedVersion = version
      return copied
    },
  }
}

/** Copied in one transaction. */
const BATCH = 1_000
