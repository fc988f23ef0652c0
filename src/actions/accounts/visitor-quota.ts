import type { Deps } from '#deps.ts'
import { listNetworks } from '#rules/accounts/client-networks.ts'
import { addToCounts, type DailyLimit, type DayCounts } from '#rules/accounts/rate-limit.ts'
import type { Quota } from '#rules/accounts/tiers.ts'
import {
  createVisitorRules,
  listCountNames,
  type VisitorMemory,
} from '#rules/accounts/visitor-day.ts'
import type { VisitorLimits, Volume } from '#rules/accounts/visitors.ts'
import { dayOf, nextMidnight } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { DailyCounts } from '#store/memory/daily-counts.ts'
import type { QuotaCharge } from './charge-quota.ts'

/** Quota of one visitor or account; see `QuotaCharger`. */
export type QuotaAccount = {
  charge(credits: number): Charge | Promise<Charge>
  /** Refunds what `charge` charged. Charges of earlier days are ignored. */
  refund(charged: Quota, credits: number): Quota | Promise<Quota>
  get(): Promise<Quota>
  /**
   * Counts the data of a response before it is sent.
   *
   * @throws ServiceError RATE_LIMIT_EXCEEDED if it exceeds the visitor's limits of today, UNAVAILABLE if shared
   * counts of visitors cannot be stored
   */
  receive(volume: Volume): void | Promise<void>
}

/** `refusal` overrides the default 429 error. */
type Charge = QuotaCharge & { refusal?: ServiceError }

export type VisitorQuotaOptions = Pick<Deps, 'now'> & {
  limits: Pick<VisitorLimits, 'perClient' | 'total'>
  counts: DailyCounts
  /** Returns the name of a network in the store; by default its address. */
  nameOf?: (network: string) => string
  /** Bounds of the store; see `createVisitorRules`. */
  memory?: VisitorMemory
}

/** Opens the quota of a visitor's request, with the counts of one server or of all servers. */
export function openVisitorQuota(
  { limits, counts, nameOf, memory, now }: VisitorQuotaOptions,
  address: string,
): QuotaAccount {
  const openDay = createVisitorRules(limits, memory)
  const client = listNetworks(address, nameOf)
  /** Credits charged for this request, and the limits that count them. */
  let charged: { credits: number; limits: readonly DailyLimit[] } = { credits: 0, limits: [] }

  /** Reads or changes the counts of today. */
  function update<Result>(
    change: (visitor: ReturnType<typeof openDay>, day: DayCounts) => Result,
    cards: readonly number[] = [],
  ): Promise<{ result: Result; quota: Quota }> {
    const time = now()
    const listNames = () => listCountNames(client, cards)
    return counts.update(dayOf(time), listNames, (day) => {
      const visitor = openDay(day, client)
      const result = change(visitor, day)
      const quota = {
        daily_limit: limits.perClient.requests,
        daily_remaining: visitor.remaining(),
        daily_reset: nextMidnight(time),
      }
      return { result, quota }
    })
  }

  return {
    async charge(credits) {
      const { result: limits, quota } = await update((visitor) => visitor.charge(credits))
      if (limits === undefined) {
        return { isAllowed: false, quota, refusal: limitReached('The daily limit for visitors') }
      }
      charged = { credits, limits }
      return { isAllowed: true, quota }
    },
    async refund({ daily_reset }) {
      const isToday = daily_reset === nextMidnight(now())
      const { quota } = await update((_visitor, day) => {
        if (isToday) addToCounts(day, charged.limits, -charged.credits)
      })
      return quota
    },
    get: async () => (await update(() => undefined)).quota,
    async receive(volume) {
      const { result: isAllowed } = await update((visitor) => visitor.receive(volume), volume.cards)
      if (!isAllowed) throw limitReached('The daily limit of cards and prices for visitors')
    },
  }
}

function limitReached(limit: string): ServiceError {
  return new ServiceError(
    'RATE_LIMIT_EXCEEDED',
    `${limit} is used up. Log in or register, or try again after midnight UTC.`,
  )
}
