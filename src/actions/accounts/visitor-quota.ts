import { type ClientNetworks, listNetworks } from '#rules/accounts/client-networks.ts'
import type { Quota } from '#rules/accounts/quota.ts'
import {
  createVisitorRules,
  type VisitorDay,
  type VisitorDraw,
  type VisitorMemory,
} from '#rules/accounts/visitor-day.ts'
import type { VisitorLimits, Volume } from '#rules/accounts/visitors.ts'
import { dayOf, nextMidnight } from '#rules/primitives/days.ts'
import type { VisitorUsageStore } from '#store/visitor-usage.ts'

/** Quota of visitors, by network and UTC day. */
export type VisitorQuota = {
  /** Returns the quota of one request from a client address. */
  open(address: string): VisitorRequest
}

/** Quota of a client, as one request uses it. Each function rejects like `VisitorUsageStore.update`. */
export type VisitorRequest = {
  /** Charges requests if each network of the client and the total have enough left. */
  charge(credits: number, now: Date): Promise<{ isAllowed: boolean; quota: Quota }>
  /** Refunds what `charge` took, by the quota that it returned. A charge of an earlier day is ignored. */
  refund(charged: Pick<Quota, 'daily_reset'>, now: Date): Promise<Quota>
  /** Counts the data of a response if each network may have it; false if not, and nothing is counted. */
  receive(volume: Volume, now: Date): Promise<boolean>
  get(now: Date): Promise<Quota>
}

export type VisitorQuotaOptions = {
  limits: Pick<VisitorLimits, 'perClient' | 'total'>
  usage: VisitorUsageStore
  /** Returns the name of a network in the store; by default its address. */
  nameOf?: (network: string) => string
  /** Bounds of the store; see `createVisitorRules`. */
  memory?: VisitorMemory
}

/** Creates the quota of visitors over the counts of one server or of all. */
export function createVisitorQuota({
  limits,
  usage,
  nameOf,
  memory,
}: VisitorQuotaOptions): VisitorQuota {
  const rules = createVisitorRules(limits, memory)

  return {
    open(address) {
      const networks = listNetworks(address)
      const client = nameOf === undefined ? networks : rename(networks, nameOf)
      let drawn: VisitorDraw | undefined

      function update<Result>(
        now: Date,
        change: (counts: VisitorDay) => Result,
        cards: readonly number[] = [],
      ): Promise<Result> {
        return usage.update(dayOf(now), { client, cards }, change)
      }

      function quotaOf(counts: VisitorDay, now: Date): Quota {
        return {
          daily_limit: limits.perClient.requests,
          daily_remaining: rules.remaining(counts, client),
          daily_reset: nextMidnight(now),
        }
      }

      return {
        async charge(credits, now) {
          const charged = await update(now, (counts) => ({
            drawn: rules.charge(counts, client, credits),
            quota: quotaOf(counts, now),
          }))
          drawn = charged.drawn
          return { isAllowed: drawn !== undefined, quota: charged.quota }
        },
        refund(charged, now) {
          const returned = charged.daily_reset === nextMidnight(now) ? drawn : undefined
          drawn = undefined
          return update(now, (counts) => {
            if (returned !== undefined) rules.refund(counts, client, returned)
            return quotaOf(counts, now)
          })
        },
        receive: (volume, now) =>
          update(now, (counts) => rules.receive(counts, client, volume), volume.cards),
        get: (now) => update(now, (counts) => quotaOf(counts, now)),
      }
    },
  }
}

function rename(
  [own, ...wider]: ClientNetworks,
  nameOf: (network: string) => string,
): ClientNetworks {
  const renamed = (network: ClientNetworks[number]) => ({ ...network, key: nameOf(network.key) })
  return [renamed(own), ...wider.map(renamed)]
}
