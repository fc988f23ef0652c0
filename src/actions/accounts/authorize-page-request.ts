import type { Deps } from '#deps.ts'
import type { Quota, VisitorLimits } from '#rules/accounts/quota.ts'
import { clientNetwork } from '#rules/accounts/rate-limit.ts'
import { type Feature, highestTier, type Tier } from '#rules/accounts/tiers.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { QuotaCharge, QuotaCharger, QuotaOwner } from './charge-quota.ts'
import { createVisitorQuota } from './visitor-quota.ts'

/** Tier of a request from a page of the dashboard, and the quota that it consumes. */
export type PagePrincipal = { tier: Tier; quotaAccount: QuotaAccount }

/** Quota of one visitor or account; see `QuotaCharger`. */
export type QuotaAccount = {
  charge(credits: number): Charge | Promise<Charge>
  refund(charged: Quota, credits: number): Quota
  get(): Promise<Quota>
}

type Charge = QuotaCharge & {
  /** Overrides the default 429 error. */
  refusal?: ServiceError
}

export type PageRequest = {
  /** Account that is logged in. */
  session: QuotaOwner | undefined
  /** IP address of the client. */
  address: string
  method: 'GET' | 'POST'
  feature: Feature
}

/** @throws ServiceError API_KEY_REQUIRED or SESSION_REQUIRED if nobody is logged in */
export type PageAuthorizer = (request: PageRequest) => PagePrincipal

/**
 * Authorizes requests of the dashboard's pages, which need no API key. They consume the quota of the
 * account that is logged in. Visitors, and accounts whose quota is used up, can read the catalog with the
 * quota of visitors. The higher of both tiers counts, so that logging in never shows less.
 */
export function createPageAuthorizer(
  { config, now }: Pick<Deps, 'config' | 'now'>,
  charger: Pick<QuotaCharger, 'charge' | 'refund' | 'get'>,
): PageAuthorizer {
  const visitorLimits = config.visitors && createVisitorAccounts(config.visitors, now)

  return function authorize({ session, address, method, feature }: PageRequest): PagePrincipal {
    const isOpenToVisitors = method === 'GET' && VISITOR_FEATURES.has(feature)
    const visitors = isOpenToVisitors ? visitorLimits : undefined
    if (session === undefined) {
      if (!isOpenToVisitors) throw new ServiceError('API_KEY_REQUIRED', KEY_REQUIRED)
      if (visitors === undefined) throw new ServiceError('SESSION_REQUIRED', SESSION_REQUIRED)
      return { tier: visitors.tier, quotaAccount: visitors.accountOf(address) }
    }
    const own: QuotaAccount = {
      charge: (credits) => charger.charge(session, credits),
      refund: (charged, credits) => charger.refund(session, charged, credits),
      get: () => charger.get(session),
    }
    if (visitors === undefined) return { tier: session.tier, quotaAccount: own }
    const tier = highestTier([session.tier, visitors.tier])
    return { tier, quotaAccount: withFallback(own, visitors.accountOf(address)) }
  }
}

/** Features that visitors can use. */
const VISITOR_FEATURES: ReadonlySet<Feature> = new Set(['catalog', 'history'])

function createVisitorAccounts({ tier, ...limits }: VisitorLimits, now: () => Date) {
  const count = createVisitorQuota(limits)
  return {
    tier,
    accountOf(address: string): QuotaAccount {
      const place = clientNetwork(address)
      return {
        charge(credits) {
          const spent = count.consume(place, credits, now())
          return spent.isAllowed ? spent : { ...spent, refusal: visitorsExceeded() }
        },
        refund: (charged, credits) => count.refund(place, charged, credits, now()),
        get: async () => count.get(place, now()),
      }
    },
  }
}

/** Charges the second account when the first is used up; refunds go to the account that paid. */
function withFallback(first: QuotaAccount, second: QuotaAccount): QuotaAccount {
  let payer = first
  return {
    async charge(credits) {
      const spent = await first.charge(credits)
      if (spent.isAllowed) return spent
      const other = await second.charge(credits)
      if (!other.isAllowed) return spent
      payer = second
      return other
    },
    refund: (charged, credits) => payer.refund(charged, credits),
    get: () => payer.get(),
  }
}

const KEY_REQUIRED = 'Log in, or send your API key in the X-API-Key header.'
const SESSION_REQUIRED = 'Log in first: this server shows its catalog to accounts only.'

function visitorsExceeded(): ServiceError {
  return new ServiceError(
    'RATE_LIMIT_EXCEEDED',
    'The daily limit for visitors is used up. Log in or register, or try again after midnight UTC.',
  )
}
