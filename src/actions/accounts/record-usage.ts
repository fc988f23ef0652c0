import type { Deps } from '#deps.ts'
import type { Quota } from '#rules/accounts/tiers.ts'
import { dayOf } from '#rules/primitives/days.ts'
import type { KeyUsage } from '#store/ledger/usage.ts'
import type { ApiKeyPrincipal } from './authenticate-api-key.ts'

/** Counts requests by API key and group of endpoints. */
export type UsageCounter = {
  /** @returns a function that counts one request to this group of endpoints */
  group(name: string): (principal: ApiKeyPrincipal, quota: Quota) => void
  /** Writes the counts to the ledger. */
  flush(): Promise<void>
}

/** Counts in memory. A killed server loses the counts since the last flush; quotas do not depend on them. */
export function createUsageCounter({
  ledger,
  log,
  now,
}: Pick<Deps, 'ledger' | 'log' | 'now'>): UsageCounter {
  /** By group of endpoints, then by API key. */
  const groups = new Map<string, Map<string, { requests: number }>>()
  /** End of the current day, as `daily_reset` of quotas. */
  let reset = ''
  let writing: Promise<void> = Promise.resolve()
  let unwritten: KeyUsage[] = []

  /** Moves the counts to `unwritten`, with the day on which they were counted. */
  function collectCounts(): void {
    if (reset === '') return
    const midnight = Date.parse(reset)
    const day = dayOf(new Date(midnight)) - 1
    const last_used_at = Math.min(now().getTime(), midnight - 1)
    for (const [endpoint_group, counts] of groups) {
      for (const [key_id, { requests }] of counts) {
        unwritten.push({ key_id, day, endpoint_group, requests, last_used_at })
      }
      counts.clear()
    }
  }

  async function writeCounts(): Promise<void> {
    collectCounts()
    const batch = unwritten
    if (batch.length === 0) return
    unwritten = []
    try {
      await ledger.usage.add(batch)
    } catch (error) {
      // Written with the next batch.
      unwritten = batch.concat(unwritten)
      log.warn('failed to write usage', { error })
    }
  }

  return {
    group(name) {
      const counts = groups.get(name) ?? new Map<string, { requests: number }>()
      groups.set(name, counts)
      return ({ key_id }, { daily_reset }) => {
        if (daily_reset !== reset) {
          collectCounts()
          reset = daily_reset
        }
        const count = counts.get(key_id)
        if (count === undefined) counts.set(key_id, { requests: 1 })
        else count.requests++
      }
    },
    flush() {
      writing = writing.then(writeCounts)
      return writing
    },
  }
}
