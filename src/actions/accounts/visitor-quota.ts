import type { Deps } from '#deps.ts'
import { listNetworks } from '#rules/accounts/client-networks.ts'
import type { Quota } from '#rules/accounts/tiers.ts'
import {
  createVisitorRules,
  listCountNames,
  type VisitorDraw,
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
  /** Refunds what `charge` took. A charge of an earlier day is ignored. */
  refund(charged: Quota, credits: number): Quota | Promise<Quota>
  get(): Promise<Quota>
  /**
   * Counts the data of a response before it is sent.
   *
   * @throws ServiceError RATE_LIMIT_EXCEEDED if visitors may not have it any more today, UNAVAILABLE if
   *   shared counts of visitors cannot be stored
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

/** Opens the quota of a request of a visitor, over the counts of one server or of all. */
export function openVisitorQuota(
  { limits, counts, nameOf, memory, now }: VisitorQuotaOptions,
  address: string,
): QuotaAccount {
  const openDay = createVisitorRules(limits, memory)
  const client = listNetworks(address, nameOf)
  let drawn: VisitorDraw | undefined

  /** Changes the counts of today. */
  function update<Result>(
    change: (visitor: ReturnType<typeof openDay>) => Result,
    cards: readonly number[] = [],
  ): Promise<Result> {
    const listNames = () => listCountNames(client, cards)
    return counts.update(dayOf(now()), listNames, (day) => change(openDay(day, client)))
  }

  const quotaOf = (daily_remaining: number, daily_reset: string): Quota => ({
    daily_limit: limits.perClient.requests,
    daily_remaining,
    daily_reset,
  })

  return {
    async charge(credits) {
      const reset = nextMidnight(now())
      const charged = await update((visitor) => ({
        drawn: visitor.charge(credits),
        left: visitor.remaining(),
      }))
      drawn = charged.drawn
      const quota = quotaOf(charged.left, reset)
      if (drawn !== undefined) return { isAllowed: true, quota }
      return { isAllowed: false, quota, refusal: limitReached('The daily limit for visitors') }
    },
    async refund({ daily_reset }) {
      const reset = nextMidnight(now())
      const returned = daily_reset === reset ? drawn : undefined
      drawn = undefined
      const left = await update((visitor) => {
        if (returned !== undefined) visitor.refund(returned)
        return visitor.remaining()
      })
      return quotaOf(left, reset)
    },
    async get() {
      const reset = nextMidnight(now())
      return quotaOf(await update((visitor) => visitor.remaining()), reset)
    },
    async receive(volume) {
      const isAllowed = await update((visitor) => visitor.receive(volume), volume.cards)
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
