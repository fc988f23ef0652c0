import { randomBytes } from 'node:crypto'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setOperator } from '#actions/accounts/manage-accounts.ts'
import { createKey, revokeKey } from '#actions/accounts/manage-keys.ts'
import { createPasswordHasher } from '#actions/accounts/passwords.ts'
import { registerAccount } from '#actions/accounts/register-account.ts'
import { createSharedImports } from '#actions/collections/shared-imports.ts'
import { buildBulkFiles } from '#actions/pricing/build-bulk-files.ts'
import { loadSample } from '#actions/sync/sample-catalog.ts'
import { type Config, readConfig } from '#config.ts'
import { openCatalogWriterDeps } from '#deps/catalog-writer-deps.ts'
import type { Deps } from '#deps.ts'
import { createApp } from '#http/app.ts'
import { createImportQueue } from '#jobs/import-worker.ts'
import { type Log, withErrorRecord } from '#log.ts'
import type { LoginProvider } from '#outbound/accounts/login-provider.ts'
import type { Bucket } from '#outbound/bucket/bucket.ts'
import { type Mailer, openMailer } from '#outbound/mail/mailer.ts'
import { type CardPictures, openPagePictures } from '#outbound/marketplace/pictures.ts'
import { openWebhookClient, type WebhookClient } from '#outbound/webhooks/webhook-client.ts'
import type { X402Clients } from '#outbound/x402/x402.ts'
import { generateApiKey, hashSecret } from '#rules/accounts/credentials.ts'
import { generateSessionToken } from '#rules/accounts/sessions.ts'
import { type AccessPolicy, DAILY_REQUESTS, TIERS, type Tier } from '#rules/accounts/tiers.ts'
import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { createSecretBox } from '#rules/primitives/secret-box.ts'
import { type Db, onFirstUse, openDatabase } from '#store/db.ts'
import { type ArchiveFolder, openArchiveFolder } from '#store/files/archive-folder.ts'
import { type BulkFileStore, openBulkFileStore } from '#store/files/bulk-files.ts'
import { openDeletionList } from '#store/files/deletion-list.ts'
import { adoptFile } from '#store/files/installation.ts'
import { openPictureFileStore, type PictureFileStore } from '#store/files/picture-files.ts'
import { openUploadFiles, type UploadFileStore } from '#store/files/upload-files.ts'
import type { Ledger, SharedLedger } from '#store/ledger/ledger.ts'
import { createJobRegistry } from '#store/memory/job-status.ts'
import { createLearnedReferences } from '#store/memory/learned-references.ts'
import { openLiveConfig } from '#store/memory/live-config.ts'
import { createPageProgress } from '#store/memory/page-progress.ts'
import { createRecentErrors } from '#store/memory/recent-errors.ts'
import {
  createHistoryTrigger,
  createSyncTrigger,
  createThreadTrigger,
} from '#store/memory/sync-trigger.ts'
import { openCatalog, openCatalogOn } from '#store/open-catalog.ts'
import { openLedger, openLedgerOn } from '#store/open-ledger.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { embedderVersion } from '#vision/retrieval/embedder-version.ts'
import type { PhotoReader } from '#vision/worker/photo-reader.ts'
import { closeAfterUse } from './end-of-tests.ts'
import { fakeReader } from './photos/reader-fixtures.ts'
import { createTestClient } from './test-client.ts'

/** The time at which every app's clock is frozen: an hour and a half after the sample's last prices. */
export const FROZEN_TIME = '2026-11-15T21:30:00.000Z'

/** The next UTC midnight, and the seconds until then. */
export const QUOTA_RESET = '2026-11-16T00:00:00.000Z'
export const SECONDS_TO_RESET = 9_000

export const PUBLIC_URL = 'https://cards.example'

export const SAMPLE = join(import.meta.dir, '../../data/sample')

const SECRETS = createSecretBox('the secret of every test app, 32 or more', (bytes) =>
  randomBytes(bytes),
)

/** Token of the setup of every app that is not set up yet. */
export const SETUP_TOKEN = 'the-token-of-the-setup'

/** The password of every account. */
export const PASSWORD = 'eight characters'

/**
 * Users of the test app: one of each tier; `deactivated` with a revoked key; `unknown` with a key that
 * was never issued; `exhausted` and `exhausted_pro` without requests left today.
 */
export const TEST_USERS = [
  ...TIERS,
  'deactivated',
  'unknown',
  'exhausted',
  'exhausted_pro',
] as const

export type TestUser = (typeof TEST_USERS)[number]

/** A user with an account. */
export type TestAccount = Exclude<TestUser, 'unknown'>

export function emailOf(testAccount: TestAccount): string {
  return `${testAccount}@guests.example`
}

export type LogLine = { level: keyof Log; event: string; facts: object }

export type TestAppOptions = {
  accessPolicy?: AccessPolicy
  /** Environment variables of this app alone. */
  env?: Record<string, string>
  /** Uses two files in a separate folder, as in production, for tests with a second process. */
  onDisk?: boolean
  /** Catalog on disk that is copied instead of the sample's. */
  catalogFile?: string | undefined
  /** Builds the files of the whole catalog; needs an app on disk. */
  bulkFiles?: boolean
  /** Bucket that contains them, as on a replica. */
  bulkBucket?: Bucket
  /** Ledger; by default a copy of the sample's, with its accounts. */
  ledger?: Ledger
  /** Makes the ledger one of several servers. */
  shared?: SharedLedger
  /** Reader of photos; by default a fake that sees the same card in each photo. */
  reader?: PhotoReader
  /** Source of the images on pages; by default the production one. */
  cardPictures?: CardPictures
  /** Stripe client; without one, billing is manual. */
  stripe?: Deps['stripe']
  /** x402 clients, if `env` enables photo payments. */
  x402?: X402Clients
  /** Sender of mail; by default the production one, if `env` names a server. */
  mailer?: Mailer
  /** Login provider; without one, people log in with passwords only. */
  loginProvider?: LoginProvider
  /** True if the service is not set up yet. */
  isNew?: boolean
  /** Sender of alerts; by default the production one. */
  webhookClient?: WebhookClient
}

export type TestApp = Awaited<ReturnType<typeof createTestApp>>

/**
 * The whole service on its own copy of the sample catalog, with a frozen clock. The sample is loaded once per test
 * run, through the real sync; an app costs a copy of some hundred KiB. It is closed after its test, or after its file.
 */
export async function createTestApp(options: TestAppOptions = {}) {
  const { accessPolicy = 'five-tier', env = {}, reader = fakeReader(), stripe, shared } = options
  const { bulkFiles = false, onDisk = bulkFiles } = options
  const sampleTemplate = await getTemplate()
  const config = testConfig({ ACCESS_POLICY: accessPolicy, ...env })
  const log: LogLine[] = []
  const clock = { now: new Date(FROZEN_TIME) }
  const stores = onDisk
    ? storesOnDisk(sampleTemplate, config, options.catalogFile)
    : storesInMemory(sampleTemplate, config)
  const now = () => new Date(clock.now)
  const errors = createRecentErrors()
  const ledger = { ...(options.ledger ?? stores.ledger), ...(shared && { shared }) }
  const liveConfig = await openLiveConfig(stores.config, ledger.settings)
  if (options.isNew === true) await ledger.setupTokens.create(hashSecret(SETUP_TOKEN), now())
  else await liveConfig.store({ isSetUp: true }, now())
  const deps: Deps = {
    get config() {
      return liveConfig.read()
    },
    liveConfig,
    log: withErrorRecord(createTestLog(log), errors, now),
    catalog: stores.catalog,
    servedCatalog: undefined,
    ledger,
    files: {
      deletions: stores.deletionList,
      bulk: stores.bulkFiles,
      bulkBucket: options.bulkBucket,
      pictures: stores.pictureFiles,
      uploads: stores.uploadFiles,
      archives: stores.archives,
    },
    reader,
    references: createLearnedReferences(),
    embedder: embedderVersion,
    cardPictures: options.cardPictures ?? openPagePictures(liveConfig.read),
    stripe,
    x402: options.x402,
    webhookClient:
      options.webhookClient ??
      openWebhookClient({ network: config.webhookNetwork, quotesLoopback: true }),
    mailer: options.mailer ?? (config.mail && openMailer(config.mail)),
    loginProvider: options.loginProvider,
    secrets: SECRETS,
    jobs: createJobRegistry(),
    pageProgress: createPageProgress(),
    errors,
    triggers: {
      sync: createSyncTrigger(),
      history: createHistoryTrigger(),
      valuations: createThreadTrigger(),
      imports: createThreadTrigger(),
    },
    serverName: 'test:8080',
    startedAt: now(),
    now,
  }
  // The thread of a server would be slow to start.
  const imports = createSharedImports()
  deps.triggers.imports.attach(
    createImportQueue((input, signal) => imports.run(deps, input, signal)),
  )
  const build = () => buildBulkFiles({ ...deps, dataDir: deps.config.dataDir })
  if (bulkFiles) await build()
  // Many tests send no request.
  const http = onFirstUse(() => createApp(deps))
  let stop = () => {}
  function close(): void {
    stop()
    deps.cardPictures.close()
    deps.catalog.close()
    deps.ledger.close()
    stores.close()
  }
  closeAfterUse(close)

  return {
    deps,
    log,
    get drain() {
      return http().drain
    },
    get app() {
      return http().app
    },
    /** Serves the app on a free port until it is closed, with the limits of the server itself. */
    listen() {
      const { app } = http()
      app.listen({ hostname: '127.0.0.1', port: 0, idleTimeout: 30, maxRequestBodySize: 2 ** 40 })
      stop = () => void app.server?.stop(true)
      const port = app.server?.port ?? 0
      return { port, url: `http://127.0.0.1:${port}` }
    },
    keys: sampleTemplate.keys,
    client: createTestClient((request) => http().app.handle(request), sampleTemplate.keys),
    /** A separate connection to the catalog (the same one in memory). */
    catalogDb: stores.catalogDb,
    /** A separate connection to the ledger (the same one in memory). */
    ledgerDb: stores.ledgerDb,
    setClock(time: string): void {
      clock.now = new Date(time)
    },
    /** Sets the clock forward. */
    advance(ms: number): void {
      clock.now = new Date(clock.now.getTime() + ms)
    },
    /** Returns the ID of an account. */
    async accountId(testAccount: TestAccount): Promise<number> {
      return (await deps.ledger.accounts.getByEmail(emailOf(testAccount)))?.id ?? 0
    },
    /** Changes the catalog like a sync: with the next version, in one transaction. */
    publish(
      sql = 'UPDATE cards SET rarity = rarity',
      changed_at = '2026-11-15T22:00:00.000Z',
    ): void {
      const { catalogDb } = stores
      catalogDb.transaction(() => {
        catalogDb.exec(sql)
        const next = 'UPDATE publication SET version = version + 1, changed_at = ?'
        catalogDb.prepare(next).run(changed_at)
      })()
    },
    /** Builds the files of the catalog's version, in an app on disk. */
    buildBulkFiles: build,
    /** Logs a user in without a password, because hashing one takes time. */
    async createSession(testAccount: TestAccount): Promise<string> {
      const { ledger, now } = deps
      const account = await ledger.accounts.getByEmail(emailOf(testAccount))
      if (account === undefined) throw new Error(`${testAccount} has no account`)
      const token = generateSessionToken((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
      const { id: account_id, password_hash } = account
      const session = { account_id, password_hash, token_hash: hashSecret(token) }
      await ledger.sessions.create({ ...session, replaces: undefined, now: now(), address: 'test' })
      return token
    },
    /** Makes a user's account an operator, like the command. */
    async makeOperator(testAccount: TestAccount): Promise<void> {
      await setOperator(deps, { email: emailOf(testAccount), is_operator: true })
    },
    close,
  }
}

/** Creates a data folder with an account of each tier. @returns the ids of the accounts */
export async function createLedgerFile() {
  const { ledger, catalog, accounts, keys } = await getTemplate()
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-ledger-'))
  writeFileSync(join(folder, 'ledger.db'), ledger)
  writeFileSync(join(folder, 'catalog.db'), catalog)
  return { folder, accounts, keys, close: () => rmSync(folder, { recursive: true, force: true }) }
}

/** Opens the ledger of a data folder like one more server, but prepares each statement only when it is first used. */
export function openLedgerFile(dataDir: string): Ledger {
  return openLedgerOn(openDatabase(join(dataDir, 'ledger.db')))
}

/** Creates a log that records its lines. */
export function createTestLog(lines: LogLine[]): Log {
  const write =
    (level: keyof Log) =>
    (event: string, facts: object = {}) =>
      void lines.push({ level, event, facts })
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}

type SampleTemplate = {
  catalog: Buffer
  ledger: Buffer
  keys: Record<TestUser, string>
  accounts: Record<Tier, number>
}

let sampleTemplate: Promise<SampleTemplate> | undefined

function getTemplate(): Promise<SampleTemplate> {
  sampleTemplate ??= buildTemplate()
  return sampleTemplate
}

async function buildTemplate(): Promise<SampleTemplate> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cardstock-app-'))
  try {
    const config = { ...testConfig({}), dataDir }
    const lines: LogLine[] = []
    const intake = {
      ...(await openCatalogWriterDeps(config, createTestLog(lines))),
      now: () => new Date(FROZEN_TIME),
    }
    const report = await loadSample(intake, SAMPLE)
    intake.close()
    if (report.outcome !== 'complete') {
      throw new Error(`the sample did not go in: ${JSON.stringify({ report, lines })}`)
    }
    const { keys, accounts } = await registerUsers(dataDir)
    return {
      catalog: serializeDatabase(join(dataDir, 'catalog.db')),
      ledger: serializeDatabase(join(dataDir, 'ledger.db')),
      keys,
      accounts,
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function registerUsers(dataDir: string): Promise<Pick<SampleTemplate, 'keys' | 'accounts'>> {
  const ledger = openLedgerFile(dataDir)
  const deps = { ledger, config: testConfig({}), now: () => new Date(FROZEN_TIME) }
  const passwords = createPasswordHasher()
  const invite = async (name: TestAccount, tier: Tier) => {
    const email = emailOf(name)
    const registration = { email, password: PASSWORD, tier, address: undefined }
    const account = await registerAccount(deps, passwords, registration)
    const key = { account_id: account.id, address: undefined, name: 'Default' }
    return { account, ...(await createKey(deps, key)) }
  }
  // In parallel, because hashing a password takes time on its own thread.
  const [members, deactivated, exhausted, exhaustedPro] = await Promise.all([
    Promise.all(TIERS.map(async (tier) => [tier, await invite(tier, tier)] as const)),
    invite('deactivated', 'pro'),
    invite('exhausted', 'free'),
    invite('exhausted_pro', 'pro'),
  ])
  await revokeKey(deps, { id: deactivated.id, address: undefined })
  for (const { account } of [exhausted, exhaustedPro]) {
    const day = dayOf(new Date(FROZEN_TIME))
    const limit = DAILY_REQUESTS[account.tier]
    while (
      (await ledger.usage.lease(account.id, day, { limit, wanted: limit, needed: 1 })).granted > 0
    );
  }
  ledger.close()
  const of = <T>(pick: (member: Awaited<ReturnType<typeof invite>>) => T) =>
    Object.fromEntries(members.map(([tier, member]) => [tier, pick(member)])) as Record<Tier, T> // one for each of TIERS
  return {
    accounts: of(({ account }) => account.id),
    keys: {
      ...of(({ key }) => key),
      deactivated: deactivated.key,
      unknown: generateApiKey((bytes) => crypto.getRandomValues(new Uint8Array(bytes))),
      exhausted: exhausted.key,
      exhausted_pro: exhaustedPro.key,
    },
  }
}

function storesInMemory(sampleTemplate: SampleTemplate, config: Config) {
  const catalogDb = openDatabase(sampleTemplate.catalog)
  const ledgerDb = openDatabase(sampleTemplate.ledger)
  return {
    config,
    catalogDb,
    ledgerDb: () => ledgerDb,
    catalog: openCatalogOn(catalogDb, createPictureUrl(config.publicUrl)),
    ledger: openLedgerOn(ledgerDb),
    deletionList: { add: () => {}, list: () => [] },
    bulkFiles: NO_BULK_FILES,
    pictureFiles: NO_IMAGE_FILES,
    uploadFiles: MEMORY_UPLOADS,
    archives: MEMORY_ARCHIVES,
    close: () => {},
  }
}

/** Bulk files of an app without a folder. */
const NO_BULK_FILES: BulkFileStore = { getCurrent: () => undefined, find: () => undefined }
const NO_IMAGE_FILES: PictureFileStore = {
  get: async () => undefined,
  put: async () => {},
  sweep: async () => {},
}

/** Bodies of an app without a folder. */
const MEMORY_UPLOADS: UploadFileStore = {
  put: async (bytes) => ({
    length: bytes.length,
    subarray: (start, end) => bytes.subarray(start, end),
    descriptor: -1,
    close() {},
  }),
}

/** A folder that an operator has provided, and uploads that nobody reads. */
const MEMORY_ARCHIVES: ArchiveFolder = {
  list: () => [{ name: 'prices-2025', kind: 'folder', bytes: null }],
  find: (name) => (name === 'prices-2025' ? '/none/prices-2025' : undefined),
  putPiece: async ({ name, offset, size, bytes }) => {
    const received = offset + bytes.length
    return { archive: received === size ? name : null, received }
  },
  getLastImport: () => undefined,
}

function storesOnDisk(
  sampleTemplate: SampleTemplate,
  config: Config,
  catalogFile: string | undefined,
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'cardstock-app-'))
  if (catalogFile === undefined) {
    writeFileSync(join(dataDir, 'catalog.db'), sampleTemplate.catalog)
  } else copyFileSync(catalogFile, join(dataDir, 'catalog.db'))
  writeFileSync(join(dataDir, 'ledger.db'), sampleTemplate.ledger)
  if (catalogFile !== undefined) adoptFile(dataDir, 'ledger.db')
  prepareFiles(dataDir)
  const catalogDb = openDatabase(join(dataDir, 'catalog.db'))
  let ledgerDb: Db | undefined
  return {
    config: { ...config, dataDir },
    catalogDb,
    ledgerDb(): Db {
      ledgerDb ??= openDatabase(join(dataDir, 'ledger.db'))
      return ledgerDb
    },
    catalog: openCatalog(dataDir, createPictureUrl(config.publicUrl)),
    ledger: openLedger(dataDir),
    deletionList: openDeletionList(dataDir, undefined),
    bulkFiles: openBulkFileStore(dataDir),
    pictureFiles: openPictureFileStore(dataDir, config.pictureCacheMaxBytes),
    uploadFiles: openUploadFiles(dataDir),
    archives: openArchiveFolder(dataDir),
    close(): void {
      catalogDb.close()
      ledgerDb?.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Returns the settings of an app, independent of this machine. */
function testConfig(env: Record<string, string>): Config {
  return readConfig({ ...DEFAULTS, ...env })
}

const DEFAULTS = {
  PUBLIC_URL,
  LOG_LEVEL: 'silent',
  // A folder that does not exist: an app in memory reads nothing that a server in this tree has left.
  DATA_DIR: join(tmpdir(), `cardstock-none-${process.pid}`),
  BACKUP_DIR: 'off',
  // The tests' receivers are on this machine.
  WEBHOOK_NETWORK: 'loopback-ok',
}

/** Returns a file's bytes in a form that also opens in memory (where there is no write-ahead log). */
function serializeDatabase(path: string): Buffer {
  const db: Db = openDatabase(path)
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.pragma('journal_mode = DELETE')
  const bytes = db.serialize()
  db.close()
  return bytes
}
