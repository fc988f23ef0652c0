import { randomBytes } from 'node:crypto'
import type { Config } from '#config.ts'
import { keepingErrors, type Log, openLog } from '#log.ts'
import { openPagePictures } from '#outbound/marketplace/catalog-pictures.ts'
import type { CardPictures } from '#outbound/marketplace/pictures.ts'
import { openStripe, type StripeDoor } from '#outbound/stripe/stripe.ts'
import { openWebhookDoor, type WebhookDoor } from '#outbound/webhooks/webhook-client.ts'
import { openX402, type X402 } from '#outbound/x402/x402.ts'
import { pictureUrlAt } from '#rules/catalog/picture-url.ts'
import { type JobRecord, openJobRecord } from '#rules/operations/job-status.ts'
import { type ErrorRecord, openErrorRecord } from '#rules/operations/recent-errors.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { openSecretBox, type SecretBox } from '#rules/primitives/secret-box.ts'
import { openSyncDesk, type SyncDesk } from '#rules/sync/sync-trigger.ts'
import { appSecretIn } from '#store/files/app-secret.ts'
import { type BulkFiles, openBulkFiles } from '#store/files/bulk-files.ts'
import { takeLock } from '#store/files/lock.ts'
import { openPictureFiles, type PictureFiles } from '#store/files/picture-files.ts'
import {
  type Catalog,
  type CatalogIntake,
  type Ledger,
  openCatalog,
  openCatalogIntake,
  openLedger,
  prepareFiles,
} from '#store/index.ts'
import { noReader } from '#vision/worker/disabled-reader.ts'
import { openReader, type Reader } from '#vision/worker/reader.ts'

/** What the rooms above are handed: the open rooms below, the clock, the log and the settings. */
export type Deps = {
  config: Config
  log: Log
  catalog: Catalog
  ledger: Ledger
  bulkFiles: BulkFiles
  reader: Reader
  /** Where the pictures that pages show come from, asked for people who wait. */
  cardPictures: CardPictures
  pictureFiles: PictureFiles
  /** Undefined: the operator takes the money, or nobody does. */
  stripe: StripeDoor | undefined
  /** Who settles photos that are paid one by one; undefined: they are not. */
  x402: X402 | undefined
  /** Where alerts leave. */
  webhookDoor: WebhookDoor
  /** Keeps what alerts are signed with. */
  secrets: SecretBox
  /** What became of the jobs of this process. */
  jobs: JobRecord
  /** The newest errors of this process: its log feeds it. */
  errors: ErrorRecord
  /** Where an operator asks for a sync. */
  syncDesk: SyncDesk
  startedAt: Date
  now: () => Date
}

/** Opens every room of the process. */
export function openDeps(config: Config, plainLog: Log = openLog(config.logLevel)): Deps {
  prepareFiles(config.dataDir)
  const now = () => new Date()
  const errors = openErrorRecord()
  const log = keepingErrors(plainLog, errors, now)
  const catalog = openCatalog(config.dataDir, pictureUrlAt(config.publicUrl))
  const workers = config.identifyWorkers
  return {
    config,
    log,
    catalog,
    ledger: openLedger(config.dataDir),
    bulkFiles: openBulkFiles(config.dataDir),
    reader: workers === 0 ? noReader() : openReader({ workers, log, pictures: catalog.pictures }),
    cardPictures: openPagePictures(config),
    pictureFiles: openPictureFiles(config.dataDir, config.pictureCacheBytesMax),
    stripe: config.billing.provider === 'stripe' ? openStripe(config.billing) : undefined,
    x402: config.x402 && openX402(config.x402),
    webhookDoor: openWebhookDoor({ network: config.webhookNetwork }),
    secrets: openSecretBox(config.appSecret ?? appSecretIn(config.dataDir), randomBytes),
    jobs: openJobRecord(),
    errors,
    syncDesk: openSyncDesk(),
    startedAt: now(),
    now,
  }
}

export async function closeDeps(deps: Deps): Promise<void> {
  deps.cardPictures.close()
  // Its threads ask the catalog for pictures.
  await deps.reader.close()
  deps.catalog.close()
  deps.ledger.close()
}

/** What a process or thread that changes the catalog is handed. */
export type IntakeDeps = {
  dataDir: string
  log: Log
  intake: CatalogIntake
  now: () => Date
  close: () => void
}

/**
 * Opens the catalog for writing.
 *
 * @throws ServiceError UNAVAILABLE while another process or thread is writing: one is enough
 */
export function openIntakeDeps(config: Config, log: Log = openLog(config.logLevel)): IntakeDeps {
  prepareFiles(config.dataDir)
  const unlock = takeLock(config.dataDir, 'intake')
  if (unlock === undefined) {
    throw new ServiceError(
      'UNAVAILABLE',
      'Another sync or import is running on this data folder. Wait for it, or stop it, and try again.',
    )
  }
  const intake = openCatalogIntake(config.dataDir)
  return {
    dataDir: config.dataDir,
    log,
    intake,
    now: () => new Date(),
    close() {
      intake.close()
      unlock()
    },
  }
}
