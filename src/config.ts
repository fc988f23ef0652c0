import { join, resolve } from 'node:path'
import type { VisitorLimits } from '#rules/accounts/quota.ts'
import type { AttemptLimits } from '#rules/accounts/rate-limit.ts'
import { ACCESS_POLICIES, type AccessPolicy, TIERS } from '#rules/accounts/tiers.ts'
import { BILLABLE_ITEMS, type BillableItem } from '#rules/billing/plans.ts'
import type { RetentionOptions } from '#rules/operations/backup-retention.ts'
import { WEBHOOK_NETWORKS, type WebhookNetwork } from '#rules/primitives/public-address.ts'
import { APP_SECRET_LENGTH_MIN } from '#rules/primitives/secret-box.ts'
import { DEFAULT_NETWORK, NETWORKS } from '#rules/x402/payment-networks.ts'

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

export type Config = {
  host: string
  port: number
  /** The address that clients use, without a slash at its end. */
  publicUrl: string
  /** Both database files and everything else that this service keeps. */
  dataDir: string
  /** Root of the mirror to sync from; undefined: the jobs that need it stay off. */
  upstreamUrl: string | undefined
  syncOnStart: boolean
  accessPolicy: AccessPolicy
  /** How many proxies of the operator's own stand before the service and name the client. */
  trustedProxies: number
  /** Other origins whose pages may use the account endpoints with a session. */
  corsOrigins: readonly string[]
  attemptLimits: AttemptLimits
  /** What our own pages show to whoever is not logged in; undefined: nothing of what needs a key. */
  visitors: VisitorLimits | undefined
  /** Whether the cards' pictures are fetched and indexed, so that photos find them. */
  indexPictures: boolean
  /** Of the disk, for the pictures that pages show; 0: none are kept. */
  pictureCacheMaxBytes: number
  /** Whether files of the whole catalog are made whenever it changes. */
  buildBulkFiles: boolean
  /** Threads that read photos; 0: none are read. */
  identifyWorkers: number
  /** Countries (ISO 3166, two capital letters) in which no photos are read. */
  blockedCountries: readonly string[]
  /** The header in which the operator's proxy tells a client's country, in small letters. */
  countryHeader: string
  billing: BillingSettings
  /** How photos are paid one by one; undefined: they are not. */
  x402: X402Settings | undefined
  /** Where price alerts may be sent. */
  webhookNetwork: WebhookNetwork
  /** What the secrets of watches are encrypted with; undefined: one that is made in the data folder. */
  appSecret: string | undefined
  /** What scheduled backups are kept, and where; undefined: none are made. */
  backups: BackupSettings | undefined
  logLevel: LogLevel
  production: boolean
}

export type BackupSettings = {
  dir: string
  /** All of so many hours, and the last one of each of so many days. */
  retention: RetentionOptions
}

/** Who takes the money for subscriptions and scans. */
export type BillingSettings =
  | {
      provider: 'stripe'
      secretKey: string
      /** Of the endpoint for events; several while one replaces another. */
      webhookSecrets: readonly string[]
      apiUrl: string
      /** Price ids of Stripe; what has none is priced by us. */
      prices: Partial<Record<BillableItem, string>>
    }
  | {
      /** The operator, by whatever means are agreed upon. */
      provider: 'manual'
      /** How to reach the operator, as people read it. */
      contact: string | undefined
      /** Whether checkouts complete themselves, to try things out. */
      autopay: boolean
    }
  | { provider: 'off' }

/** Addresses are 0x and 40 hexadecimal digits, in whichever case. */
export type X402Settings = {
  payTo: string
  facilitatorUrl: string
  /** By its CAIP-2 name, `eip155:` and the number of the chain. */
  network: string
  asset: string
  assetName: string
  assetVersion: string
  /** A node of the network, which is asked what became of a payment. */
  rpcUrl: string
}

/** Names of the settings and what they mean: `.env.example` says the same to people. */
export type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads every setting. All faults are reported at once, each in words that say what to do.
 *
 * @throws Error whose message lists the faults, one a line
 */
export function readConfig(env: Environment = process.env): Config {
  const faults: string[] = []
  const fault = (text: string) => void faults.push(text)

  const port = wholeNumber(env, 'PORT', 3000, 0, 65_535, fault)
  const config: Config = {
    host: env.HOST || '127.0.0.1',
    port,
    publicUrl: address(env, 'PUBLIC_URL', ['http:', 'https:'], fault) ?? `http://localhost:${port}`,
    dataDir: resolveDataDir(env),
    upstreamUrl: address(env, 'UPSTREAM_URL', ['https:', 'http:', 'file:'], fault),
    syncOnStart: flag(env, 'SYNC_ON_START', fault),
    accessPolicy: oneOf(env, 'ACCESS_POLICY', ACCESS_POLICIES, 'five-tier', fault),
    trustedProxies: wholeNumber(env, 'TRUST_PROXY', 0, 0, 10, fault),
    corsOrigins: origins(env, 'CORS_ORIGINS', fault),
    attemptLimits: {
      loginEmailIp: wholeNumber(env, 'LOGIN_FAILURES_PER_EMAIL_AND_IP', 10, 0, MANY, fault),
      loginEmail: wholeNumber(env, 'LOGIN_FAILURES_PER_EMAIL', 30, 0, MANY, fault),
      loginIp: wholeNumber(env, 'LOGIN_FAILURES_PER_IP', 100, 0, MANY, fault),
      registerIp: wholeNumber(env, 'REGISTRATIONS_PER_IP', 200, 0, MANY, fault),
    },
    visitors: visitors(env, fault),
    indexPictures: flagUnlessOff(env, 'INDEX_PICTURES', fault),
    pictureCacheMaxBytes: wholeNumber(env, 'PICTURE_CACHE_MB', 2_000, 0, MANY, fault) * 1e6,
    buildBulkFiles: flagUnlessOff(env, 'BULK_FILES', fault),
    identifyWorkers: wholeNumber(env, 'IDENTIFY_WORKERS', 1, 0, 16, fault),
    blockedCountries: countries(env, 'IDENTIFY_BLOCKED_COUNTRIES', fault),
    countryHeader: headerName(env, 'IDENTIFY_COUNTRY_HEADER', 'cf-ipcountry', fault),
    billing: billing(env, fault),
    x402: x402(env, fault),
    webhookNetwork: oneOf(
      env,
      'WEBHOOK_NETWORK',
      WEBHOOK_NETWORKS,
      env.NODE_ENV === 'production' ? 'public' : 'loopback-ok',
      fault,
    ),
    appSecret: secret(env, 'APP_SECRET', fault),
    backups: backups(env, fault),
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, 'info', fault),
    production: env.NODE_ENV === 'production',
  }
  if (config.blockedCountries.length > 0 && config.trustedProxies === 0) {
    fault(
      'IDENTIFY_BLOCKED_COUNTRIES needs TRUST_PROXY: only a proxy of your own can tell the country.',
    )
  }
  if (config.production && config.billing.provider === 'manual' && config.billing.autopay) {
    fault('BILLING_DEV_AUTOPAY gives away what is for sale: it cannot be on in production.')
  }
  if (faults.length > 0) throw new Error(`The settings are not right:\n- ${faults.join('\n- ')}`)
  return config
}

/** Also where no other setting matters. */
export function resolveDataDir(env: Environment): string {
  return resolve(env.DATA_DIR || './data/run')
}

const MANY = 1_000_000

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

type Report = (fault: string) => void

function wholeNumber(
  env: Environment,
  name: string,
  otherwise: number,
  min: number,
  max: number,
  fault: Report,
): number {
  const text = env[name]
  if (text === undefined || text === '') return otherwise
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  fault(`${name} is "${text}": give a whole number from ${min} to ${max}.`)
  return otherwise
}

function flag(env: Environment, name: string, fault: Report): boolean {
  const text = env[name] ?? ''
  if (['', '0', 'false', 'off', 'no'].includes(text.toLowerCase())) return false
  if (['1', 'true', 'on', 'yes'].includes(text.toLowerCase())) return true
  fault(`${name} is "${text}": give on or off.`)
  return false
}

function flagUnlessOff(env: Environment, name: string, fault: Report): boolean {
  return flag({ ...env, [name]: env[name] || 'on' }, name, fault)
}

function oneOf<const Words extends readonly string[]>(
  env: Environment,
  name: string,
  words: Words,
  otherwise: Words[number],
  fault: Report,
): Words[number] {
  const text = env[name]
  if (text === undefined || text === '') return otherwise
  const found = words.find((word) => word === text)
  if (found === undefined) fault(`${name} is "${text}": give one of ${words.join(', ')}.`)
  return found ?? otherwise
}

function address(
  env: Environment,
  name: string,
  protocols: readonly string[],
  fault: Report,
): string | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && protocols.includes(url.protocol)) return text.replace(/\/+$/, '')
  const kinds = protocols.map((protocol) => `${protocol}//…`).join(' or ')
  fault(`${name} is "${text}": give an address such as ${kinds}.`)
  return undefined
}

function origins(env: Environment, name: string, fault: Report): string[] {
  const listed = (env[name] ?? '').split(',').map((origin) => origin.trim())
  return listed.filter(Boolean).filter((origin) => {
    const isOrigin = URL.canParse(origin) && new URL(origin).origin === origin
    if (!isOrigin) fault(`${name} has "${origin}": give origins such as https://shop.example.`)
    return isOrigin
  })
}

function countries(env: Environment, name: string, fault: Report): string[] {
  const listed = (env[name] ?? '').split(',').map((code) => code.trim().toUpperCase())
  return listed.filter(Boolean).filter((code) => {
    const isCode = /^[A-Z]{2}$/.test(code)
    if (!isCode) fault(`${name} has "${code}": give codes of two letters such as FR,DE.`)
    return isCode
  })
}

function headerName(env: Environment, name: string, otherwise: string, fault: Report): string {
  const text = env[name]
  if (text === undefined || text === '') return otherwise
  if (/^[a-z0-9-]+$/i.test(text)) return text.toLowerCase()
  fault(`${name} is "${text}": give the name of a header, such as CF-IPCountry.`)
  return otherwise
}

function visitors(env: Environment, fault: Report): VisitorLimits | undefined {
  const tier = oneOf(env, 'VISITOR_TIER', ['off', ...TIERS], 'pro', fault)
  const each = wholeNumber(env, 'VISITOR_DAILY_REQUESTS', 500, 1, MANY, fault)
  const all = wholeNumber(env, 'VISITOR_DAILY_REQUESTS_ALL', 20_000, 1, MANY, fault)
  return tier === 'off' ? undefined : { tier, perClient: each, total: all }
}

const STRIPE_API_URL = 'https://api.stripe.com'

function billing(env: Environment, fault: Report): BillingSettings {
  const provider = oneOf(
    env,
    'BILLING_PROVIDER',
    ['auto', 'stripe', 'manual', 'off'],
    'auto',
    fault,
  )
  const secretKey = env.STRIPE_SECRET_KEY ?? ''
  const webhookSecrets = (env.STRIPE_WEBHOOK_SECRET ?? '')
    .split(',')
    .map((secret) => secret.trim())
    .filter(Boolean)
  const apiUrl = address(env, 'STRIPE_API_URL', ['https:', 'http:'], fault) ?? STRIPE_API_URL
  const autopay = flag(env, 'BILLING_DEV_AUTOPAY', fault)
  const priced = BILLABLE_ITEMS.map(
    (item) => [item, env[`STRIPE_PRICE_${item.toUpperCase()}`]] as const,
  )
  if (provider === 'off') return { provider }
  const isSet = secretKey !== '' || webhookSecrets.length > 0
  if (provider === 'manual' || (provider === 'auto' && !isSet)) {
    return { provider: 'manual', contact: env.BILLING_CONTACT || undefined, autopay }
  }
  if (secretKey === '') fault('STRIPE_SECRET_KEY is missing: Stripe shows it under API keys.')
  if (webhookSecrets.length === 0) {
    fault('STRIPE_WEBHOOK_SECRET is missing: Stripe shows it with the endpoint for events.')
  }
  const prices = Object.fromEntries(priced.filter(([, price]) => price))
  return { provider: 'stripe', secretKey, webhookSecrets, apiUrl, prices }
}

function x402(env: Environment, fault: Report): X402Settings | undefined {
  const payTo = evmAddress(env, 'X402_PAY_TO', fault)
  const given = evmAddress(env, 'X402_ASSET', fault)
  const facilitatorUrl = address(env, 'X402_FACILITATOR_URL', ['https:', 'http:'], fault)
  if (payTo === undefined && facilitatorUrl === undefined) return undefined
  if (payTo === undefined) fault('X402_PAY_TO is missing: give the address that is to be paid.')
  if (facilitatorUrl === undefined) {
    fault('X402_FACILITATOR_URL is missing: give the facilitator that settles payments.')
  }
  const network = env.X402_NETWORK || DEFAULT_NETWORK
  if (!/^eip155:[1-9]\d{0,15}$/.test(network)) {
    fault(`X402_NETWORK is "${network}": give eip155: and the number of a chain.`)
  }
  const known = NETWORKS[network]
  const isKnown = given === undefined || given.toLowerCase() === known?.asset.toLowerCase()
  const asset = given ?? known?.asset
  const assetName = env.X402_ASSET_NAME || (isKnown ? known?.asset_name : undefined)
  const assetVersion = env.X402_ASSET_VERSION || (isKnown ? known?.asset_version : undefined)
  const rpcUrl = address(env, 'X402_RPC_URL', ['https:', 'http:'], fault) ?? known?.rpc_url
  const needed = {
    X402_ASSET: asset,
    X402_ASSET_NAME: assetName,
    X402_ASSET_VERSION: assetVersion,
    X402_RPC_URL: rpcUrl,
  }
  for (const [name, value] of Object.entries(needed)) {
    if (value === undefined) fault(`${name} is missing: network and asset are none that are known.`)
  }
  if (!payTo || !facilitatorUrl || !asset || !assetName || !assetVersion || !rpcUrl)
    return undefined
  return { payTo, facilitatorUrl, network, asset, assetName, assetVersion, rpcUrl }
}

function backups(env: Environment, fault: Report): BackupSettings | undefined {
  const hours = wholeNumber(env, 'BACKUP_KEEP_HOURS', 24, 1, 8_784, fault)
  const days = wholeNumber(env, 'BACKUP_KEEP_DAYS', 14, 0, 3_660, fault)
  const dir = env.BACKUP_DIR || join(resolveDataDir(env), 'backups')
  return dir === 'off' ? undefined : { dir: resolve(dir), retention: { hours, days } }
}

function secret(env: Environment, name: string, fault: Report): string | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  if (text.length >= APP_SECRET_LENGTH_MIN) return text
  fault(`${name} is too short: give at least ${APP_SECRET_LENGTH_MIN} random characters.`)
  return undefined
}

function evmAddress(env: Environment, name: string, fault: Report): string | undefined {
  const text = env[name]
  if (text === undefined || text === '') return undefined
  if (/^0x[0-9a-f]{40}$/i.test(text)) return text
  fault(`${name} is "${text}": give an address of 0x and 40 hexadecimal digits.`)
  return undefined
}
