import type { Deps } from '#deps.ts'
import type { Quota } from '#rules/accounts/quota.ts'
import { placeOf } from '#rules/accounts/rate-limit.ts'
import { type Feature, highestTier, type Tier } from '#rules/accounts/tiers.ts'
import { openVisitorCount, type VisitorTerms } from '#rules/accounts/visitor-quota.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { openSpending, Spender, Spending } from './charge-quota.ts'

/** Who asks through one of our own pages, and what pays for it. */
export type PageCaller = { tier: Tier; purse: Purse }

/** What one caller's requests are charged to, as of `openSpending`. */
export type Purse = {
  /** What is not admitted may say why in its own words. */
  spend(credits: number): Charge | Promise<Charge>
  refund(charged: Quota, credits: number): Quota
  look(): Promise<Quota>
}

type Charge = Spending & { refusal?: ServiceError }

export type PageAsk = {
  /** Whoever is logged in. */
  session: Spender | undefined
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
export function openPageAdmission(
  { config, now }: Pick<Deps, 'config' | 'now'>,
  spending: Pick<ReturnType<typeof openSpending>, 'spend' | 'refund' | 'look'>,
) {
  const everyone = config.visitors && openVisitors(config.visitors, now)

  function accountPurse(account: Spender): Purse {
    return {
      spend: (credits) => spending.spend(account, credits),
      refund: (charged, credits) => spending.refund(account, charged, credits),
      look: () => spending.look(account),
    }
  }

  /** @throws ServiceError API_KEY_REQUIRED or SESSION_REQUIRED, where nobody is logged in */
  return function admit({ session, address, method, feature }: PageAsk): PageCaller {
    const isShown = method === 'GET' && SHOWN.has(feature)
    const visitors = isShown ? everyone : undefined
    if (session === undefined) {
      if (!isShown) throw keyRequired()
      if (visitors === undefined) throw sessionRequired()
      return { tier: visitors.tier, purse: visitors.purseOf(address) }
    }
    const own = accountPurse(session)
    if (visitors === undefined) return { tier: session.tier, purse: own }
    const tier = highestTier([session.tier, visitors.tier])
    return { tier, purse: firstOf(own, visitors.purseOf(address)) }
  }
}

export type PageAdmission = ReturnType<typeof openPageAdmission>

/** What visitors may be shown: what a catalog is there for. */
const SHOWN: ReadonlySet<Feature> = new Set(['catalog', 'history'])

function openVisitors({ tier, ...limits }: VisitorTerms, now: () => Date) {
  const count = openVisitorCount(limits)
  return {
    tier,
    purseOf(address: string): Purse {
      const place = placeOf(address)
      return {
        spend(credits) {
          const spent = count.spend(place, credits, now())
          return spent.admitted ? spent : { ...spent, refusal: visitorsExceeded() }
        },
        refund: (charged, credits) => count.refund(place, charged, credits, now()),
        look: async () => count.look(place, now()),
      }
    },
  }
}

/** Pays with the first; where that is used up with the second, and then it is the second's to give back. */
function firstOf(first: Purse, second: Purse): Purse {
  let payer = first
  return {
    async spend(credits) {
      const spent = await first.spend(credits)
      if (spent.admitted) return spent
      const other = await second.spend(credits)
      if (!other.admitted) return spent
      payer = second
      return other
    },
    refund: (charged, credits) => payer.refund(charged, credits),
    look: () => payer.look(),
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
