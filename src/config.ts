import { ACCESS_POLICIES } from '#rules/accounts/tiers.ts'
import type { StoredSettings } from '#rules/operations/service-settings.ts'
import { isLoopbackHost, WEBHOOK_NETWORKS } from '#rules/primitives/public-address.ts'
import { APP_SECRET_LENGTH_MIN } from '#rules/primitives/secret-box.ts'
import { readLoginProvider } from './config/login-provider.ts'
import { readMail } from './config/mail.ts'
import { readServiceEnvironment, resolveService } from './config/mode-settings.ts'
import { readX402 } from './config/payments.ts'
import {
  type Environment,
  HTTP,
  isOrigin,
  MANY,
  type SettingReader,
  settingReader,
} from './config/setting-reader.ts'
import {
  readBackups,
  readBucket,
  readLedgerDatabase,
  readRetention,
  resolveDataDir,
} from './config/storage.ts'

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

export type LogLevel = (typeof LOG_LEVELS)[number]

/** Lines for people, or a JSON object on each line. */
export type LogFormat = 'text' | 'json'

/** All settings, as `readConfig` returns them. */
export type Config = ReturnType<typeof readConfig>

/** Settings of a photo worker. */
export type WorkerConfig = ReturnType<typeof readWorkerConfig>

/**
 * Reads all settings.
 *
 * @throws Error whose message lists every invalid setting with its remedy, one per line
 */
export function readConfig(env: Environment = process.env) {
  const faults: string[] = []
  const read = settingReader(env, (fault) => void faults.push(fault))
  const { fault } = read
  const isProduction = env.NODE_ENV === 'production'
  const port = read.integer('PORT', 3000, 0, 65_535)
  const host = env.HOST || '127.0.0.1'
  const publicUrl = read.url('PUBLIC_URL', ['http:', 'https:']) ?? `http://localhost:${port}`
  const trustedProxies = read.integer('TRUST_PROXY', 0, 0, 10)
  // NODE_ENV does not matter: a server behind a proxy may run without it, too.
  const isLocal =
    isLoopbackHost(host) && isLoopbackHost(new URL(publicUrl).hostname) && trustedProxies === 0
  const threads = read.integer('IDENTIFY_WORKERS', 1, 0, 16)
  const photoWorkers = readPhotoWorkers(env, read)
  const backupRetention = readRetention(read)
  const service = readServiceEnvironment(env, read)
  const config = {
    host,
    port,
    /** Settings that the setup can store, as set in the environment. */
    service,
    ...resolveService(service, {}),
    /** True if other servers with the same data folder may listen on the same port. */
    sharePort: read.flag('SHARE_PORT', false),
    /** URL that clients use, without a trailing slash. */
    publicUrl,
    /** True if, according to the settings, only this machine can reach the service. */
    isLocal,
    /** Folder of both database files and of all other data. */
    dataDir: resolveDataDir(env),
    /** Database of the ledger, which several servers can share; undefined: a file in the data folder. */
    ledgerDatabase: readLedgerDatabase(env, read),
    /** Bucket that receives a snapshot of each version of the catalog; undefined for none. */
    snapshots: readBucket('SNAPSHOTS_URL', env, read),
    /** Bucket from which the catalog is taken; undefined if this server has its own catalog. */
    catalogSource: readBucket('CATALOG_FROM', env, read),
    syncOnStart: read.flag('SYNC_ON_START', false),
    /** Root of Cardmarket's files; undefined disables their import. */
    cardmarketUrl: read.url('CARDMARKET_URL', ['https:', 'http:', 'file:']),
    accessPolicy: read.choice('ACCESS_POLICY', ACCESS_POLICIES, 'five-tier'),
    /** Number of the operator's own proxies, which report the client address. */
    trustedProxies,
    /** Other origins whose pages may use the account endpoints with a session. */
    corsOrigins: read.list('CORS_ORIGINS', isOrigin, 'origins such as https://shop.example'),
    attemptLimits: {
      loginEmailIp: read.integer('LOGIN_FAILURES_PER_EMAIL_AND_IP', 10, 0, MANY),
      loginEmail: read.integer('LOGIN_FAILURES_PER_EMAIL', 1_800, 0, MANY),
      loginIp: read.integer('LOGIN_FAILURES_PER_IP', 100, 0, MANY),
      registerIp: read.integer('REGISTRATIONS_PER_IP', 200, 0, MANY),
      trialIp: read.integer('TRIALS_PER_IP', 50, 0, MANY),
    },
    /** Disk space for the pictures that pages show; 0 disables the cache. */
    pictureCacheMaxBytes: read.integer('PICTURE_CACHE_MB', 2_000, 0, MANY) * 1e6,
    /** True if files of the whole catalog are built after each change. */
    buildBulkFiles: read.flag('BULK_FILES', true),
    /** Number of threads that read photos; 0 disables identification, unless photo workers read them. */
    identifyWorkers: photoWorkers === undefined ? threads : 0,
    /** Machines that read the photos, and the secret for signing them; undefined if this one reads them. */
    photoWorkers,
    /** Countries (ISO 3166, two capital letters) from which photos are refused. */
    blockedCountries: read.list(
      'IDENTIFY_BLOCKED_COUNTRIES',
      (code) => /^[A-Z]{2}$/.test(code),
      'two-letter codes such as FR,DE',
      (code) => code.toUpperCase(),
    ),
    /** Lowercase name of the header in which the operator's proxy reports the country of a client. */
    countryHeader: read
      .match(
        'IDENTIFY_COUNTRY_HEADER',
        /^[a-z0-9-]+$/i,
        'a header name such as CF-IPCountry',
        'cf-ipcountry',
      )
      .toLowerCase(),
    /** Payments for single photos; undefined disables them. */
    x402: readX402(env, read),
    /** Allowed targets of price alerts. */
    webhookNetwork: read.choice(
      'WEBHOOK_NETWORK',
      WEBHOOK_NETWORKS,
      isLocal ? 'loopback-ok' : 'public',
    ),
    /** Server and sender of mail; undefined if no mail is sent. */
    mail: readMail(env, read),
    /** True if an account can log in only after its e-mail address is confirmed. */
    requiresConfirmedEmail: read.flag('REQUIRE_CONFIRMED_EMAIL', false),
    /** OpenID Connect provider with which people log in; undefined for passwords only. */
    loginProvider: readLoginProvider(env, read),
    /** Token that `/metrics` requires; undefined if everybody who reaches the server may read it. */
    metricsToken: readMetricsToken(env, read),
    /** Secret that encrypts webhook secrets; undefined for a generated one in the data folder. */
    appSecret: readAppSecret(env, read),
    /** Number and age of the kept backups, in their folder or as snapshots in the bucket. */
    backupRetention,
    /** Scheduled backups; undefined disables them. */
    backups: readBackups(env, backupRetention),
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS, 'info'),
    /** Undefined for text on a terminal and JSON otherwise. */
    logFormat: undefined as LogFormat | undefined,
    production: isProduction,
  }
  if (config.blockedCountries.length > 0 && config.trustedProxies === 0) {
    fault(
      'IDENTIFY_BLOCKED_COUNTRIES requires TRUST_PROXY: only your own proxy can report the country.',
    )
  }
  if (config.catalogSource !== undefined) {
    for (const name of SETTINGS_OF_WRITERS) {
      if (!env[name]) continue
      fault(`${name} and CATALOG_FROM are both set. A replica takes its catalog from the bucket.`)
    }
  }
  if (config.requiresConfirmedEmail && config.mail === undefined) {
    fault('REQUIRE_CONFIRMED_EMAIL requires SMTP_URL, the server that sends the mail.')
  }
  if (config.production && config.billing.provider === 'manual' && config.billing.autopay) {
    fault('BILLING_DEV_AUTOPAY completes orders without payment. Turn it off in production.')
  }
  if (faults.length > 0) throw new Error(`Invalid settings:\n- ${faults.join('\n- ')}`)
  return config
}

/** Settings of servers that write a catalog, unlike replicas. */
const SETTINGS_OF_WRITERS = [
  'UPSTREAM_URL',
  'CARDMARKET_URL',
  'EXCHANGE_RATES_URL',
  'SNAPSHOTS_URL',
]

/** Reads the settings of a server whose output a person reads. @throws Error like `readConfig` */
export function readAttendedConfig(): Config {
  const config = readConfig({ ...process.env, LOG_LEVEL: process.env.LOG_LEVEL || 'warn' })
  return { ...config, logFormat: 'text' }
}

/** Adds the operator's choices, which the ledger stores. */
export function withStoredSettings(config: Config, stored: StoredSettings): Config {
  return { ...config, ...resolveService(config.service, stored) }
}

/**
 * Returns true if this server belongs to a fleet: several servers with their own folders that serve the same catalog.
 */
export function isInFleet({
  ledgerDatabase,
  snapshots,
}: Pick<Config, 'ledgerDatabase' | 'snapshots'>): boolean {
  return ledgerDatabase !== undefined && snapshots !== undefined
}

/** Returns true if this server gets its catalog from a bucket. */
export function servesSnapshots(
  config: Pick<Config, 'ledgerDatabase' | 'snapshots' | 'catalogSource'>,
): boolean {
  return config.catalogSource !== undefined || isInFleet(config)
}

/**
 * Reads the settings of a photo worker, and ignores the others.
 *
 * @throws Error like `readConfig`
 */
export function readWorkerConfig(env: Environment = process.env) {
  const { APP_SECRET, DATA_DIR, HOST, IDENTIFY_WORKERS, LOG_LEVEL } = env
  const { SNAPSHOTS_URL, CATALOG_FROM, AWS_ENDPOINT_URL, AWS_REGION } = env
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = env
  const PORT = env.PORT || WORKER_PORT
  const config = readConfig({
    APP_SECRET,
    DATA_DIR,
    HOST,
    IDENTIFY_WORKERS,
    LOG_LEVEL,
    PORT,
    SNAPSHOTS_URL,
    CATALOG_FROM,
    AWS_ENDPOINT_URL,
    AWS_REGION,
    AWS_ACCESS_KEY_ID,
    AWS_SECRET_ACCESS_KEY,
    AWS_SESSION_TOKEN,
  })
  const { host, port, sharePort, dataDir, logLevel, identifyWorkers, appSecret } = config
  if (appSecret === undefined) {
    throw new Error('Invalid settings:\n- APP_SECRET is missing. Set it to that of the servers.')
  }
  if (identifyWorkers === 0) {
    throw new Error('Invalid settings:\n- IDENTIFY_WORKERS is 0. Use a whole number from 1 to 16.')
  }
  /** Bucket with the picture index; undefined if the index is in a catalog in the data folder. */
  const pictureSource = config.catalogSource ?? config.snapshots
  return {
    host,
    port,
    sharePort,
    dataDir,
    logLevel,
    identifyWorkers,
    appSecret,
    pictureSource,
  }
}

/** Default port of a photo worker. It differs from that of a server, because both may run on one machine. */
const WORKER_PORT = '3100'

function readPhotoWorkers(env: Environment, read: SettingReader) {
  const isUrl = (text: string) => URL.canParse(text) && HTTP.includes(new URL(text).protocol)
  const expected = 'URLs such as http://10.0.0.5:3100'
  const urls = read.list('READERS', isUrl, expected, (text) => text.replace(/\/+$/, ''))
  if (urls.length === 0) return undefined
  const secret = env.APP_SECRET ?? ''
  if (secret === '') read.fault('READERS requires APP_SECRET. Set it to that of the photo workers.')
  return { urls: [...new Set(urls)], secret }
}

/** Reads a token that fits in a header. */
function readMetricsToken(env: Environment, read: SettingReader): string | undefined {
  const token = env.METRICS_TOKEN || undefined
  if (token === undefined || /^[\x21-\x7e]{16,}$/.test(token)) return token
  read.fault(
    'METRICS_TOKEN is not valid. Use at least 16 letters, digits or signs, without blanks.',
  )
  return undefined
}

function readAppSecret(env: Environment, read: SettingReader): string | undefined {
  const secret = env.APP_SECRET || undefined
  if (secret === undefined || secret.length >= APP_SECRET_LENGTH_MIN) return secret
  read.fault(`APP_SECRET is too short. Use at least ${APP_SECRET_LENGTH_MIN} random characters.`)
  return undefined
}
