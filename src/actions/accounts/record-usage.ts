import type { Deps } from '#deps.ts'
import type { Quota } from '#rules/accounts/quota.ts'
import { dayOf } from '#rules/primitives/days.ts'
import type { KeyUsage } from '#store/ledger/usage.ts'
import type { ApiKeyPrincipal } from './authenticate-api-key.ts'

/**
 * Counts what keys are used for: in memory with each request, and from there into the ledger every
 * few seconds. A server that is killed loses its last seconds of these statistics; the quota itself
 * does not depend on them.
 */
export function createUsageCounter({ ledger, log, now }: Pick<Deps, 'ledger' | 'log' | 'now'>) {
  /** By group of endpoints, then by key. */
  const groups = new Map<string, Map<string, number>>()
  /** The end of the day that is counted, as quotas tell it. */
  let reset = ''
  let writing: Promise<void> = Promise.resolve()
  let unwritten: KeyUsage[] = []

  /** Sets aside what was counted, as of the day that it was counted on. */
  function gather(): void {
    if (reset === '') return
    const midnight = Date.parse(reset)
    const day = dayOf(new Date(midnight)) - 1
    const last_used_at = Math.min(now().getTime(), midnight - 1)
    for (const [endpoint_group, counts] of groups) {
      for (const [key_id, requests] of counts) {
        unwritten.push({ key_id, day, endpoint_group, requests, last_used_at })
      }
      counts.clear()
    }
  }

  async function write(): Promise<void> {
    gather()
    const counted = unwritten
    if (counted.length === 0) return
    unwritten = []
    try {
      await ledger.usage.add(counted)
    } catch (error) {
      // They are written with the next ones.
      unwritten = counted.concat(unwritten)
      log.warn('usage not written', { error })
    }
  }

  return {
    /** @returns what counts one admitted request to a group of endpoints */
    group(name: string) {
      const counts = groups.get(name) ?? new Map<string, number>()
      groups.set(name, counts)
      return ({ key_id }: ApiKeyPrincipal, { daily_reset }: Quota): void => {
        if (daily_reset !== reset) {
          gather()
          reset = daily_reset
        }
        counts.set(key_id, (counts.get(key_id) ?? 0) + 1)
      }
    },
    /** Writes down what was counted until now. */
    flush(): Promise<void> {
      writing = writing.then(write)
      return writing
    },
  }
}

export type UsageCounter = ReturnType<typeof createUsageCounter>
