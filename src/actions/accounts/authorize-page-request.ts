import type { Deps } from '#deps.ts'
import type { Quota, VisitorLimits } from '#rules/accounts/quota.ts'
import { clientNetwork } from '#rules/accounts/rate-limit.ts'
import { type Feature, highestTier, type Tier } from '#rules/accounts/tiers.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { createQuotaCharger, QuotaCharge, QuotaOwner } from './charge-quota.ts'
import { createVisitorQuota } from './visitor-quota.ts'

/** Who asks through one of our own pages, and what pays for it. */
export type PagePrincipal = { tier: Tier; quotaAccount: QuotaAccount }

/** What one caller's requests are charged to, as of `openSpending`. */
export type QuotaAccount = {
  /** What is not admitted may say why in its own words. */
  charge(credits: number): Charge | Promise<Charge>
  refund(charged: Quota, credits: number): Quota
  get(): Promise<Quota>
}

type Charge = QuotaCharge & { refusal?: ServiceError }

export type PageRequest = {
  /** Whoever is logged in. */
  session: QuotaOwner | undefined
  /** Where the request comes from. */
  address: string
  method: 'GET' | 'POST'
  feature: Feature
}

/**
 * Lets our own pages use what needs a key. Whoever is logged in pays with the account's quota; whoever is
 * not, and whose quota is used up, with what visitors are allowed, for what the catalog shows. Signing in
 * never shows less: there the higher of both tiers counts.
 */
export function createPageAuthorizer(
  { config, now }: Pick<Deps, 'config' | 'now'>,
  spending: Pick<ReturnType<typeof createQuotaCharger>, 'charge' | 'refund' | 'get'>,
) {
  const everyone = config.visitors && createVisitorAccounts(config.visitors, now)

  function accountPurse(account: QuotaOwner): QuotaAccount {
    return {
      charge: (credits) => spending.charge(account, credits),
      refund: (charged, credits) => spending.refund(account, charged, credits),
      get: () => spending.get(account),
    }
  }

  /** @throws ServiceError API_KEY_REQUIRED or SESSION_REQUIRED, where nobody is logged in */
  return function admit({ session, address, method, feature }: PageRequest): PagePrincipal {
    const isShown = method === 'GET' && SHOWN.has(feature)
    const visitors = isShown ? everyone : undefined
    if (session === undefined) {
      if (!isShown) throw keyRequired()
      if (visitors === undefined) throw sessionRequired()
      return { tier: visitors.tier, quotaAccount: visitors.purseOf(address) }
    }
    const own = accountPurse(session)
    if (visitors === undefined) return { tier: session.tier, quotaAccount: own }
    const tier = highestTier([session.tier, visitors.tier])
    return { tier, quotaAccount: firstOf(own, visitors.purseOf(address)) }
  }
}

export type PageAuthorizer = ReturnType<typeof createPageAuthorizer>

/** What visitors may be shown: what a catalog is there for. */
const SHOWN: ReadonlySet<Feature> = new Set(['catalog', 'history'])

function createVisitorAccounts({ tier, ...limits }: VisitorLimits, now: () => Date) {
  const count = createVisitorQuota(limits)
  return {
    tier,
    purseOf(address: string): QuotaAccount {
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

/** Pays with the first; where that is used up with the second, and then it is the second's to give back. */
function firstOf(first: QuotaAccount, second: QuotaAccount): QuotaAccount {
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

function keyRequired(): ServiceError {
  return new ServiceError(
    'API_KEY_REQUIRED',
    'Log in, or send your API key in the X-API-Key header.',
  )
}

function sessionRequired(): ServiceError {
  return new ServiceError(
    'SESSION_REQUIRED',
    'Log in first: this service shows its catalog to accounts alone.',
  )
}

function visitorsExceeded(): ServiceError {
  return new ServiceError(
    'RATE_LIMIT_EXCEEDED',
    'What visitors may ask for today is used up. Register or log in, or come again after midnight UTC.',
  )
}
