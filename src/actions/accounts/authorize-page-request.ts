import type { Deps } from '#deps.ts'
import {
  deeperHistory,
  type Feature,
  highestTier,
  historyDepth,
  type Tier,
} from '#rules/accounts/tiers.ts'
import { isVisitorFeature, PAGE_HISTORY_DAYS } from '#rules/accounts/visitors.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { QuotaCharger, QuotaOwner } from './charge-quota.ts'
import { openVisitorQuota, type QuotaAccount } from './visitor-quota.ts'

/** Permissions of a request from a page of the dashboard, and the quota that it consumes. */
export type PagePrincipal = {
  kind: 'page'
  tier: Tier
  /** Days of history that the page may show; undefined: all. */
  historyDays: number | undefined
  quotaAccount: QuotaAccount
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
 * Authorizes requests of the dashboard's pages, which need no API key. They consume the quota of the account that is
 * logged in. Visitors, and accounts whose quota is used up, can read the catalog with the quota of visitors. The
 * higher of both tiers counts, so that logging in never shows less. Histories go back as far as the account's own
 * tier, or at least `PAGE_HISTORY_DAYS`: pages need no key, so any program can send the same requests.
 */
export function createPageAuthorizer(
  deps: Pick<Deps, 'config' | 'ledger' | 'secrets' | 'now'>,
  charger: Pick<QuotaCharger, 'charge' | 'refund' | 'get'>,
): PageAuthorizer {
  const { ledger, secrets, now } = deps
  // A database and its backups must not reveal which addresses saw which cards.
  const hashOf = (network: string) =>
    Buffer.from(secrets.hash(`visitor ${network}`)).toString('base64url')
  const counted = { counts: ledger.dailyCounts, now, ...(ledger.shared && { nameOf: hashOf }) }

  return function authorize({ session, address, method, feature }: PageRequest): PagePrincipal {
    const isOpenToVisitors = method === 'GET' && isVisitorFeature(feature)
    // Read with each request, because the operator can turn visitors on and off.
    const limits = isOpenToVisitors ? deps.config.visitors : undefined
    const visitor: PagePrincipal | undefined = limits && {
      kind: 'page',
      tier: limits.tier,
      historyDays: Math.min(historyDepth(limits.tier) ?? PAGE_HISTORY_DAYS, PAGE_HISTORY_DAYS),
      quotaAccount: openVisitorQuota({ limits, ...counted }, address),
    }
    if (session === undefined) {
      if (!isOpenToVisitors) throw new ServiceError('API_KEY_REQUIRED', KEY_REQUIRED)
      if (visitor === undefined) throw new ServiceError('SESSION_REQUIRED', SESSION_REQUIRED)
      return visitor
    }
    const { tier } = session
    const historyDays = historyDepth(tier)
    const quotaAccount: QuotaAccount = {
      charge: (credits) => charger.charge(session, credits),
      refund: (charged, credits) => charger.refund(session, charged, credits),
      get: () => charger.get(session),
      // The quota of an account already limits the data that it receives.
      receive: () => {},
    }
    if (visitor === undefined) return { kind: 'page', tier, historyDays, quotaAccount }
    return {
      kind: 'page',
      tier: highestTier([tier, visitor.tier]),
      historyDays: deeperHistory(historyDays, visitor.historyDays),
      quotaAccount: withFallback(quotaAccount, visitor.quotaAccount),
    }
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
