import { REGISTRATION_MODES } from '#rules/accounts/invitations.ts'
import { TIERS } from '#rules/accounts/tiers.ts'
import type { VisitorLimits } from '#rules/accounts/visitors.ts'
import {
  SERVICE_MODES,
  type ServiceMode,
  type StoredSettings,
} from '#rules/operations/service-settings.ts'
import { type BillingSettings, readBilling } from './payments.ts'
import { type Environment, MANY, type SettingReader } from './setting-reader.ts'

/** Settings that the setup stores, or that follow from them, as set in the environment; undefined if not set. */
export type ServiceEnvironment = ReturnType<typeof readServiceEnvironment>

export function readServiceEnvironment(env: Environment, read: SettingReader) {
  const choice = <const Words extends readonly [string, ...string[]]>(
    name: string,
    words: Words,
  ) => (env[name] ? read.choice(name, words, words[0]) : undefined)
  const billing = readBilling(env, read)
  const isBillingSet =
    billing.provider === 'stripe' || /^(manual|off)$/.test(env.BILLING_PROVIDER ?? '')
  return {
    mode: choice('SERVICE_MODE', SERVICE_MODES),
    upstreamUrl: read.url('UPSTREAM_URL', ['https:', 'http:', 'file:']),
    exchangeRatesUrl: read.url('EXCHANGE_RATES_URL', ['https:', 'file:']),
    indexPictures: env.INDEX_PICTURES ? read.flag('INDEX_PICTURES', true) : undefined,
    registration: choice('REGISTRATION', REGISTRATION_MODES),
    visitorTier: choice('VISITOR_TIER', ['off', ...TIERS]),
    visitorLimits: readVisitorLimits(read),
    billing,
    isBillingSet,
    /** True if the catalog comes from a bucket: this server neither syncs nor indexes. */
    isReplica: Boolean(env.CATALOG_FROM),
  }
}

function readVisitorLimits(read: SettingReader): Omit<VisitorLimits, 'tier'> {
  const perClient = {
    requests: read.integer('VISITOR_DAILY_REQUESTS', 500, 1, MANY),
    cards: read.integer('VISITOR_DAILY_CARDS', 3_000, 1, MANY),
    records: read.integer('VISITOR_DAILY_RECORDS', 30_000, 1, MANY),
  }
  return { perClient, total: read.integer('VISITOR_DAILY_REQUESTS_ALL', 20_000, 1, MANY) }
}

/** Daily rates of the last 90 days, so that short histories can be converted as well. */
const ECB_RATES_URL = 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml'

/** Returns the settings in effect: the environment takes precedence over the stored choices. */
export function resolveService(own: ServiceEnvironment, stored: StoredSettings) {
  const chosen = own.mode ?? stored.mode
  const mode: ServiceMode = chosen ?? 'community'
  const isPrivate = mode === 'private'
  const tier = own.visitorTier ?? (isPrivate ? 'off' : 'pro')
  // Until a mode is chosen, billing works as specified.
  const isFree = chosen === 'private' || chosen === 'community'
  const fetchesRates = stored.exchangeRates === true && !own.isReplica
  const billing: BillingSettings = isFree && !own.isBillingSet ? { provider: 'off' } : own.billing
  return {
    /** Use of the server, which other settings default to. */
    mode,
    /** False if accounts have all features and no quotas. */
    hasLimits: !isPrivate,
    /** Root of the mirror to sync from; undefined disables syncing. */
    upstreamUrl: own.upstreamUrl ?? (own.isReplica ? undefined : (stored.mirror ?? undefined)),
    /** True if the sample is removed after the first sync that publishes. */
    removesSample: stored.removesSample ?? false,
    /** True if card pictures are fetched and indexed, so that photos match them. */
    indexPictures: !own.isReplica && (own.indexPictures ?? stored.indexPictures ?? true),
    /** File of reference rates; undefined if none is fetched. */
    exchangeRatesUrl: own.exchangeRatesUrl ?? (fetchesRates ? ECB_RATES_URL : undefined),
    /** Condition of creating an account. */
    registration: own.registration ?? (isPrivate ? 'closed' : 'open'),
    /** Limits of dashboard visitors without an account; undefined if they see only what needs no key. */
    visitors: tier === 'off' ? undefined : { tier, ...own.visitorLimits },
    billing,
  }
}
