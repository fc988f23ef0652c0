import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { type Config, isInFleet, servesSnapshots } from '#config.ts'
import { type Log, openLog, withErrorRecord } from '#log.ts'
import { type LoginProvider, openLoginProvider } from '#outbound/accounts/login-provider.ts'
import { type Bucket, openBucket } from '#outbound/bucket/bucket.ts'
import { type Mailer, openMailer } from '#outbound/mail/mailer.ts'
import { type CardPictures, openPagePictures } from '#outbound/marketplace/pictures.ts'
import { openPhotoWorker } from '#outbound/photos/photo-worker-client.ts'
import { openStripeClient, type StripeClient } from '#outbound/stripe/stripe-client.ts'
import { openWebhookClient, type WebhookClient } from '#outbound/webhooks/webhook-client.ts'
import { openX402Clients, type X402Clients } from '#outbound/x402/x402.ts'
import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import { createSecretBox, type SecretBox } from '#rules/primitives/secret-box.ts'
import { loadAppSecret } from '#store/files/app-secret.ts'
import { type ArchiveFolder, openArchiveFolder } from '#store/files/archive-folder.ts'
import { type BulkFileStore, openBulkFileStore } from '#store/files/bulk-files.ts'
import { type DeletionList, openDeletionList } from '#store/files/deletion-list.ts'
import { openPictureFileStore, type PictureFileStore } from '#store/files/picture-files.ts'
import { findServedSnapshot, locateCatalog } from '#store/files/snapshot-files.ts'
import { openUploadFiles, type UploadFileStore } from '#store/files/upload-files.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import { createJobRegistry, type JobRegistry } from '#store/memory/job-status.ts'
import {
  createLearnedReferences,
  type LearnedReferences,
} from '#store/memory/learned-references.ts'
import { type LiveConfig, openLiveConfig } from '#store/memory/live-config.ts'
import { createPageProgress, type PageProgress } from '#store/memory/page-progress.ts'
import { createRecentErrors, type RecentErrors } from '#store/memory/recent-errors.ts'
import {
  createHistoryTrigger,
  createSyncTrigger,
  createThreadTrigger,
  type HistoryTrigger,
  type ImportRunner,
  type SyncTrigger,
  type ThreadTrigger,
  type ValuationRunner,
} from '#store/memory/sync-trigger.ts'
import { type Catalog, openCatalog } from '#store/open-catalog.ts'
import { upgradeSnapshot } from '#store/replica-snapshot.ts'
import { openServedCatalog, type ServedCatalog } from '#store/served-catalog.ts'
import { embedderVersion } from '#vision/retrieval/embedder-version.ts'
import { createDisabledReader, type PhotoReader } from '#vision/worker/photo-reader.ts'
import { createPhotoReader, type ReaderOptions } from '#vision/worker/reader.ts'
import { createRemoteReader } from '#vision/worker/remote-reader.ts'
import { openConfiguredLedger } from './deps/storage.ts'

/** Dependencies of actions, HTTP and jobs: settings, log, clock, open stores and clients. */
export type Deps = {
  /** Current settings: the operator can change some of them while the server runs. */
  readonly config: Config
  liveConfig: LiveConfig
  log: Log
  catalog: Catalog
  /** Undefined unless this server gets its catalog from a bucket. */
  servedCatalog: ServedCatalog | undefined
  ledger: Ledger
  /** Files next to the databases. */
  files: {
    /** Deleted accounts, which a restored ledger may still contain. */
    deletions: DeletionList
    bulk: BulkFileStore
    /** Bucket with this server's bulk files; undefined if they are in the data folder. */
    bulkBucket: Bucket | undefined
    pictures: PictureFileStore
    /** Bodies of requests that wait. */
    uploads: UploadFileStore
    /** Archives of older prices, and their last import. */
    archives: ArchiveFolder
  }
  reader: PhotoReader
  /** Photos that people have named, for the reader. */
  references: LearnedReferences
  /** Returns the version of the embedder. References of others are not used. */
  embedder: () => string
  /** Fetches pictures for pages, with short timeouts. */
  cardPictures: CardPictures
  /** Undefined if billing is manual or off. */
  stripe: StripeClient | undefined
  /** Undefined if payments for single photos are disabled. */
  x402: X402Clients | undefined
  /** Sends price alerts. */
  webhookClient: WebhookClient
  /** Sends mail; undefined if no mail server is set. */
  mailer: Mailer | undefined
  /** Undefined if people log in with passwords only. */
  loginProvider: LoginProvider | undefined
  /** Encrypts webhook secrets. */
  secrets: SecretBox
  /** State of the jobs of this process. */
  jobs: JobRegistry
  /** Newest errors in the log of this process. */
  errors: RecentErrors
  /** Pages of cards that this server reads. */
  pageProgress: PageProgress
  /** Functions that start work in this process's threads. */
  triggers: {
    /** Starts syncs for operators. */
    sync: SyncTrigger
    /** Imports older prices for operators. */
    history: HistoryTrigger
    /** Values collections; without a runner, between requests. */
    valuations: ThreadTrigger<ValuationRunner>
    /** Imports files; without a runner, they are refused. */
    imports: ThreadTrigger<ImportRunner>
  }
  /** Name that distinguishes this server from others that share its ledger. */
  serverName: string
  startedAt: Date
  now: () => Date
}

/**
 * Opens every store and client of the process.
 *
 * @throws ServiceError UNAVAILABLE if a file or the database of the ledger cannot be used
 */
export async function openDeps(
  environment: Config,
  plainLog: Log = openLog(environment.logLevel, environment.logFormat),
): Promise<Deps> {
  const ledger = await openConfiguredLedger(environment, plainLog)
  const liveConfig = await openLiveConfig(environment, ledger.settings)
  const config = liveConfig.read()
  const now = () => new Date()
  const errors = createRecentErrors()
  const log = withErrorRecord(plainLog, errors, now)
  const { catalog, servedCatalog } = openConfiguredCatalog(config)
  const references = createLearnedReferences()
  return {
    get config() {
      return liveConfig.read()
    },
    liveConfig,
    log,
    catalog,
    servedCatalog,
    ledger,
    files: {
      deletions: openDeletionList(config.dataDir, config.backups?.dir),
      bulk: openBulkFileStore(config.dataDir),
      bulkBucket: openBulkBucket(config),
      pictures: openPictureFileStore(config.dataDir, config.pictureCacheMaxBytes),
      uploads: openUploadFiles(config.dataDir),
      archives: openArchiveFolder(config.dataDir),
    },
    reader: openReader(config, log, { pictures: catalog.pictures, references }),
    references,
    embedder: embedderVersion,
    cardPictures: openPagePictures(liveConfig.read),
    stripe: config.billing.provider === 'stripe' ? openStripeClient(config.billing) : undefined,
    x402: config.x402 && openX402Clients(config.x402),
    webhookClient: openWebhookClient({
      network: config.webhookNetwork,
      quotesLoopback: config.isLocal,
    }),
    mailer: config.mail && openMailer(config.mail),
    loginProvider: config.loginProvider && openLoginProvider(config.loginProvider),
    secrets: openSecrets(config),
    jobs: createJobRegistry(),
    pageProgress: createPageProgress(),
    errors,
    triggers: {
      sync: createSyncTrigger(),
      history: createHistoryTrigger(),
      valuations: createThreadTrigger(),
      imports: createThreadTrigger(),
    },
    serverName: nameServer(config),
    startedAt: now(),
    now,
  }
}

/** Opens the catalog of this server; on a replica, the last adopted snapshot. */
function openConfiguredCatalog(config: Config): Pick<Deps, 'catalog' | 'servedCatalog'> {
  const { dataDir, publicUrl } = config
  const isServed = servesSnapshots(config)
  const open = (path: string) => openCatalog(dataDir, createPictureUrl(publicUrl), path)
  const path = locateCatalog(dataDir, isServed)
  if (!isServed) return { catalog: open(path), servedCatalog: undefined }
  const isFirst = findServedSnapshot(dataDir) === undefined
  if (!isFirst) upgradeSnapshot(path)
  // A replica continues with its current catalog. In a fleet, other servers may have adopted another version.
  const isExpired = isInFleet(config) || isFirst
  const servedCatalog = openServedCatalog({ open, path, isExpired })
  return { catalog: servedCatalog.catalog, servedCatalog }
}

/** Servers that get the catalog from a bucket offer the bulk files that its publisher has built. */
function openBulkBucket(config: Config): Bucket | undefined {
  const settings = config.catalogSource ?? config.snapshots
  return settings !== undefined && servesSnapshots(config) ? openBucket(settings) : undefined
}

function openReader(
  { photoWorkers, identifyWorkers: workers }: Config,
  log: Log,
  sources: Pick<ReaderOptions, 'pictures' | 'references'>,
): PhotoReader {
  if (photoWorkers !== undefined) {
    const { urls, secret } = photoWorkers
    return createRemoteReader({ workers: urls.map((url) => openPhotoWorker(url, secret)), log })
  }
  return workers === 0 ? createDisabledReader() : createPhotoReader({ workers, log, ...sources })
}

/** Names the machine and the port; also the process if several share the port. */
function nameServer({ port, sharePort }: Config): string {
  return `${hostname()}:${port}${sharePort ? ` (process ${process.pid})` : ''}`
}

function openSecrets({ appSecret, dataDir }: Config): SecretBox {
  return createSecretBox(appSecret ?? loadAppSecret(dataDir), randomBytes)
}

export async function closeDeps(deps: Deps): Promise<void> {
  deps.cardPictures.close()
  // Closed before the catalog, because its threads read pictures from it.
  await deps.reader.close()
  deps.catalog.close()
  await deps.ledger.close()
}
