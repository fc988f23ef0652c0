import type { Deps } from '#deps.ts'
import type { Quota } from '#rules/accounts/quota.ts'
import {
  deeperHistory,
  type Feature,
  highestTier,
  historyDepth,
  type Tier,
} from '#rules/accounts/tiers.ts'
import {
  isVisitorFeature,
  PAGE_HISTORY_DAYS,
  type VisitorLimits,
  type Volume,
} from '#rules/accounts/visitors.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { QuotaCharge, QuotaCharger, QuotaOwner } from './charge-quota.ts'
import { createVisitorQuota } from './visitor-quota.ts'

/** Permissions of a request from a page of the dashboard, and the quota that it consumes. */
export type PagePrincipal = {
  kind: 'page'
  tier: Tier
  /** Days of history that the page may show; undefined: all. */
  historyDays: number | undefined
  quotaAccount: QuotaAccount
}

/** Quota of one visitor or account; see `QuotaCharger`. */
export type QuotaAccount = {
  charge(credits: number): Charge | Promise<Charge>
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

type Charge = QuotaCharge & {
  /** Overrides the default 429 error. */
  refusal?: ServiceError
}

export type PageRequest = {
  /** Account that is logged in. */
  session: QuotaOwner | undefined
  /** IP address of the client. */
  address: string
  method: string
  feature: Feature
}

/** @throws ServiceError API_KEY_REQUIRED or SESSION_REQUIRED if nobody is logged in */
export type PageAuthorizer = (request: PageRequest) => PagePrincipal

/**
 * Authorizes requests of the dashboard's pages, which need no API key. They consume the quota of the
 * account that is logged in. Visitors, and accounts whose quota is used up, can read the catalog with the
 * quota of visitors. The higher of both tiers counts, so that logging in never shows less. Histories
 * go back as far as the account's own tier, or else `PAGE_HISTORY_DAYS` at most: pages need no key, so
 * any program can ask like one.
 */
export function createPageAuthorizer(
  deps: Pick<Deps, 'config' | 'ledger' | 'secrets' | 'now'>,
  charger: Pick<QuotaCharger, 'charge' | 'refund' | 'get'>,
): PageAuthorizer {
  const findVisitors = createVisitorLookup(deps)

  return function authorize({ session, address, method, feature }: PageRequest): PagePrincipal {
    const isOpenToVisitors = method === 'GET' && isVisitorFeature(feature)
    const visitors = isOpenToVisitors ? findVisitors() : undefined
    if (session === undefined) {
      if (!isOpenToVisitors) throw new ServiceError('API_KEY_REQUIRED', KEY_REQUIRED)
      if (visitors === undefined) throw new ServiceError('SESSION_REQUIRED', SESSION_REQUIRED)
      const { tier, historyDays } = visitors
      return { kind: 'page', tier, historyDays, quotaAccount: visitors.accountOf(address) }
    }
    const own: QuotaAccount = {
      charge: (credits) => charger.charge(session, credits),
      refund: (charged, credits) => charger.refund(session, charged, credits),
      get: () => charger.get(session),
      // An account's quota limits what it receives.
      receive: () => {},
    }
    const ownDays = historyDepth(session.tier)
    if (visitors === undefined) {
      return { kind: 'page', tier: session.tier, historyDays: ownDays, quotaAccount: own }
    }
    const tier = highestTier([session.tier, visitors.tier])
    const historyDays = deeperHistory(ownDays, visitors.historyDays)
    const quotaAccount = withFallback(own, visitors.accountOf(address))
    return { kind: 'page', tier, historyDays, quotaAccount }
  }
}

/** Returns a function that finds the accounts of visitors, which the operator can turn on and off. */
function createVisitorLookup(deps: Pick<Deps, 'config' | 'ledger' | 'secrets' | 'now'>) {
  let known:
    | { limits: VisitorLimits; accounts: ReturnType<typeof createVisitorAccounts> }
    | undefined
  return () => {
    const limits = deps.config.visitors
    if (limits === undefined) return undefined
    if (known?.limits !== limits) known = { limits, accounts: createVisitorAccounts(limits, deps) }
    return known.accounts
  }
}

function createVisitorAccounts(
  { tier, ...limits }: VisitorLimits,
  { ledger, secrets, now }: Pick<Deps, 'ledger' | 'secrets' | 'now'>,
) {
  // A database and its backups must not tell which address saw which card.
  const hashOf = (network: string) =>
    Buffer.from(secrets.hash(`visitor ${network}`)).toString('base64url')
  const quota = createVisitorQuota({
    ...{ limits, usage: ledger.visitorUsage },
    ...(ledger.shared && { nameOf: hashOf }),
  })
  return {
    tier,
    historyDays: Math.min(historyDepth(tier) ?? PAGE_HISTORY_DAYS, PAGE_HISTORY_DAYS),
    accountOf(address: string): QuotaAccount {
      const request = quota.open(address)
      return {
        async charge(credits) {
          const charge = await request.charge(credits, now())
          return charge.isAllowed ? charge : { ...charge, refusal: visitorsExceeded() }
        },
        refund: (charged) => request.refund(charged, now()),
        get: () => request.get(now()),
        async receive(volume) {
          if (!(await request.receive(volume, now()))) throw volumeExceeded()
        },
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
    receive: (volume) => payer.receive(volume),
  }
}

const KEY_REQUIRED =
  'Log in, or send your API key in the X-API-Key header or as Authorization: Bearer.'
const SESSION_REQUIRED = 'Log in first: this server shows its catalog to accounts only.'

function visitorsExceeded(): ServiceError {
  return new ServiceError(
    'RATE_LIMIT_EXCEEDED',
    'The daily limit for visitors is used up. Log in or register, or try again after midnight UTC.',
  )
}

function volumeExceeded(): ServiceError {
  return new ServiceError(
    'RATE_LIMIT_EXCEEDED',
    'The daily limit of cards and prices for visitors is used up. Log in or register, or try again after midnight UTC.',
  )
}
