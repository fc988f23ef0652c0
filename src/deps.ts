import { randomBytes } from 'node:crypto'
import type { Config } from '#config.ts'
import { type Log, openLog, withErrorRecord } from '#log.ts'
import { openPagePictures } from '#outbound/marketplace/catalog-pictures.ts'
import type { CardPictures } from '#outbound/marketplace/pictures.ts'
import { openStripeClient, type StripeClient } from '#outbound/stripe/stripe-client.ts'
import { openWebhookClient, type WebhookClient } from '#outbound/webhooks/webhook-client.ts'
import { openX402Clients, type X402Clients } from '#outbound/x402/x402.ts'
import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { createSecretBox, type SecretBox } from '#rules/primitives/secret-box.ts'
import { loadAppSecret } from '#store/files/app-secret.ts'
import { type BulkFileStore, openBulkFileStore } from '#store/files/bulk-files.ts'
import { acquireLock } from '#store/files/lock.ts'
import { openPictureFileStore, type PictureFileStore } from '#store/files/picture-files.ts'
import {
  type Catalog,
  type CatalogWriter,
  type Ledger,
  openCatalog,
  openCatalogWriter,
  openLedger,
  prepareFiles,
} from '#store/index.ts'
import { createJobRegistry, type JobRegistry } from '#store/memory/job-status.ts'
import { createRecentErrors, type RecentErrors } from '#store/memory/recent-errors.ts'
import { createSyncTrigger, type SyncTrigger } from '#store/memory/sync-trigger.ts'
import { createDisabledReader } from '#vision/worker/disabled-reader.ts'
import type { PhotoReader } from '#vision/worker/photo-reader.ts'
import { createPhotoReader } from '#vision/worker/reader.ts'

/** Dependencies of actions, HTTP and jobs: settings, log, clock, open stores and clients. */
export type Deps = {
  config: Config
  log: Log
  catalog: Catalog
  ledger: Ledger
  bulkFiles: BulkFileStore
  reader: PhotoReader
  /** Fetches pictures for pages, with short timeouts. */
  cardPictures: CardPictures
  pictureFiles: PictureFileStore
  /** Undefined if billing is manual or off. */
  stripe: StripeClient | undefined
  /** Undefined if payments for single photos are disabled. */
  x402: X402Clients | undefined
  /** Sends price alerts. */
  webhookClient: WebhookClient
  /** Encrypts webhook secrets. */
  secrets: SecretBox
  /** State of the jobs of this process. */
  jobs: JobRegistry
  /** Newest errors in the log of this process. */
  errors: RecentErrors
  /** Starts syncs for operators. */
  syncTrigger: SyncTrigger
  startedAt: Date
  now: () => Date
}

/** Opens every store and client of the process. */
export function openDeps(config: Config, plainLog: Log = openLog(config.logLevel)): Deps {
  openDataFolder(config, plainLog)
  const now = () => new Date()
  const errors = createRecentErrors()
  const log = withErrorRecord(plainLog, errors, now)
  const catalog = openCatalog(config.dataDir, createPictureUrl(config.publicUrl))
  const workers = config.identifyWorkers
  return {
    config,
    log,
    catalog,
    ledger: openLedger(config.dataDir),
    bulkFiles: openBulkFileStore(config.dataDir),
    reader:
      workers === 0
        ? createDisabledReader()
        : createPhotoReader({ workers, log, pictures: catalog.pictures }),
    cardPictures: openPagePictures(config),
    pictureFiles: openPictureFileStore(config.dataDir, config.pictureCacheMaxBytes),
    stripe: config.billing.provider === 'stripe' ? openStripeClient(config.billing) : undefined,
    x402: config.x402 && openX402Clients(config.x402),
    webhookClient: openWebhookClient({
      network: config.webhookNetwork,
      quotesLoopback: config.isLocal,
    }),
    secrets: createSecretBox(config.appSecret ?? loadAppSecret(config.dataDir), randomBytes),
    jobs: createJobRegistry(),
    errors,
    syncTrigger: createSyncTrigger(),
    startedAt: now(),
    now,
  }
}

/** Prepares the files; tells if others could access them, as they may have been copied. */
function openDataFolder({ dataDir }: Config, log: Log): void {
  const exposed = prepareFiles(dataDir)
  if (exposed.length === 0) return
  const names = exposed.slice(0, NAMES_LOGGED).join(', ')
  log.warn('other users could access the data folder; access removed', {
    files: exposed.length,
    names,
  })
}

const NAMES_LOGGED = 5

export async function closeDeps(deps: Deps): Promise<void> {
  deps.cardPictures.close()
  // Its threads read pictures from the catalog.
  await deps.reader.close()
  deps.catalog.close()
  deps.ledger.close()
}

/** Dependencies of a process or thread that changes the catalog. */
export type CatalogWriterDeps = {
  dataDir: string
  log: Log
  catalogWriter: CatalogWriter
  now: () => Date
  close: () => void
}

/**
 * Opens the catalog for writing.
 *
 * @throws ServiceError UNAVAILABLE while another process or thread writes to it
 */
export function openCatalogWriterDeps(
  config: Config,
  log: Log = openLog(config.logLevel),
): CatalogWriterDeps {
  openDataFolder(config, log)
  const unlock = acquireLock(config.dataDir, 'intake')
  if (unlock === undefined) {
    throw new ServiceError(
      'UNAVAILABLE',
      'Another sync or import is using this data folder. Wait for it or stop it, then try again.',
    )
  }
  const catalogWriter = openCatalogWriter(config.dataDir)
  return {
    dataDir: config.dataDir,
    log,
    catalogWriter,
    now: () => new Date(),
    close() {
      catalogWriter.close()
      unlock()
    },
  }
}
