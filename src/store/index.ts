import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PictureUrl } from '#rules/catalog/picture-url.ts'
import { openAlertOutbox } from './catalog/alert-outbox.ts'
import type { AlertRuleSource } from './catalog/alerts.ts'
import { openCandidateStore } from './catalog/candidates.ts'
import { openCardStore } from './catalog/cards.ts'
import { openBatchPublisher } from './catalog/catalog-writer.ts'
import { openGameStore } from './catalog/games.ts'
import { openHistoryStore } from './catalog/history.ts'
import { CATALOG_MIGRATIONS } from './catalog/migrations.ts'
import { openMoverStore } from './catalog/movers.ts'
import { openNameStore } from './catalog/names.ts'
import { buildMissingNames } from './catalog/names-index.ts'
import { openPictureUrlStore } from './catalog/picture-urls.ts'
import { openPictureWriter, type PictureWriter } from './catalog/picture-writer.ts'
import { openPictureStore } from './catalog/pictures.ts'
import { openPricedCardStore } from './catalog/priced-cards.ts'
import { openPriceStore } from './catalog/prices.ts'
import { openPublicationStore } from './catalog/publication.ts'
import { openSearchStore } from './catalog/search.ts'
import { openSetStore } from './catalog/sets.ts'
import { openSyncLog } from './catalog/sync-log.ts'
import { openWebhookCardStore } from './catalog/webhook-cards.ts'
import { type Db, inTransaction, openDatabase } from './db.ts'
import { CATALOG_FILE, LEDGER_FILE, SECRET_FILE, shareDataFolder } from './files/data-folder.ts'
import { acquireLock } from './files/lock.ts'
import { openAccountStore } from './ledger/accounts.ts'
import { openAlertRuleSource } from './ledger/alert-rules.ts'
import { openAttemptStore } from './ledger/attempts.ts'
import { openAuditStore } from './ledger/audit.ts'
import { openBillingStore } from './ledger/billing.ts'
import { openBillingReportStore } from './ledger/billing-report.ts'
import { openCheckoutStore } from './ledger/checkouts.ts'
import { openDeliveryStore } from './ledger/deliveries.ts'
import { openIdentificationStore } from './ledger/identifications.ts'
import { openKeyStore } from './ledger/keys.ts'
import { LEDGER_MIGRATIONS } from './ledger/migrations.ts'
import { openPaymentStore } from './ledger/payments.ts'
import { openPhotoPaymentStore } from './ledger/photo-payments.ts'
import { openScanStore } from './ledger/scans.ts'
import { openSessionStore } from './ledger/sessions.ts'
import { openSubscriptionStore } from './ledger/subscriptions.ts'
import { openUsageStore } from './ledger/usage.ts'
import { openWebhookStore } from './ledger/webhooks.ts'
import { migrate } from './migrate.ts'

/**
 * Creates the data folder and brings both files to the newest schema.
 *
 * @throws ServiceError UNAVAILABLE while a backup is being restored; so does whatever opens a file below
 */
export function prepareFiles(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true })
  const release = shareDataFolder(dataDir)
  try {
    const catalog = openDatabase(join(dataDir, CATALOG_FILE), { busyTimeoutMs: WRITER_WAIT_MS })
    migrate(catalog, CATALOG_MIGRATIONS)
    buildMissingNames(catalog)
    catalog.close()
    const ledger = openDatabase(join(dataDir, LEDGER_FILE))
    migrate(ledger, LEDGER_MIGRATIONS)
    ledger.close()
  } finally {
    release()
  }
}

/**
 * The newest schema that this program knows of a file in the data folder: null for what is no database,
 * undefined for what belongs to none.
 */
export function latestSchemaVersion(name: string): number | null | undefined {
  if (name === CATALOG_FILE) return CATALOG_MIGRATIONS.length
  if (name === LEDGER_FILE) return LEDGER_MIGRATIONS.length
  return name === SECRET_FILE ? null : undefined
}

/** Opens the catalog for questions. The files must have been prepared. */
export function openCatalog(dataDir: string, pictureUrl: PictureUrl) {
  const release = shareDataFolder(dataDir)
  const path = join(dataDir, CATALOG_FILE)
  const catalog = openCatalogOn(
    openDatabase(path, { readonly: true, cacheKib: 65_536 }),
    pictureUrl,
  )
  return closing(catalog, release)
}

/** The catalog's shelves on an open file. */
export function openCatalogOn(db: Db, pictureUrl: PictureUrl) {
  const publication = openPublicationStore(db)
  const search = openSearchStore(db)
  const history = openHistoryStore(db)
  const names = openNameStore(db)
  const sets = openSetStore(db, pictureUrl)
  const pricedCards = openPricedCardStore(db, pictureUrl)
  publication.onChange(() => {
    search.invalidate()
    history.invalidate()
    names.invalidate()
    sets.invalidate()
    pricedCards.invalidate()
  })
  return {
    publication,
    search,
    history,
    games: openGameStore(db, pictureUrl),
    sets,
    cards: openCardStore(db, publication, pictureUrl),
    prices: openPriceStore(db, publication),
    pricedCards,
    movers: openMoverStore(db, pictureUrl),
    pictures: openPictureStore(db),
    pictureUrls: openPictureUrlStore(db),
    candidates: openCandidateStore(db, pictureUrl),
    names,
    alertOutbox: openAlertOutbox(db),
    webhookCards: openWebhookCardStore(db),
    syncLog: openSyncLog(db),
    /** Throws when the file cannot be read. */
    probe: () => void db.prepare('SELECT version FROM publication').get(),
    close: () => void db.close(),
  }
}

export type Catalog = ReturnType<typeof openCatalogOn>

/**
 * Opens the catalog for the intake, and the ledger beside it, whose watches it reads. The files must have
 * been prepared. Only one process at a time may hold the catalog for long.
 */
export function openCatalogWriter(dataDir: string) {
  const release = shareDataFolder(dataDir)
  const path = join(dataDir, CATALOG_FILE)
  const ledger = openDatabase(join(dataDir, LEDGER_FILE), { readonly: true })
  const db = openDatabase(path, { busyTimeoutMs: WRITER_WAIT_MS, cacheKib: 131_072 })
  const intake = openCatalogWriterOn(db, openAlertRuleSource(ledger))
  return {
    ...intake,
    close() {
      intake.close()
      ledger.close()
      release()
    },
  }
}

/** The intake's shelves on an open file. */
export function openCatalogWriterOn(db: Db, source: AlertRuleSource) {
  return {
    ...openBatchPublisher(db, source),
    syncLog: openSyncLog(db),
    close(): void {
      db.close()
    },
  }
}

export type CatalogWriter = ReturnType<typeof openCatalogWriterOn>

/**
 * Opens the index of pictures for writing. It has a lock of its own: a run takes hours and holds the
 * catalog for milliseconds, so that a sync can publish beside it.
 *
 * @returns undefined while another process or thread has it
 */
export function openPictureIndex(dataDir: string): PictureWriter | undefined {
  const unlock = acquireLock(dataDir, 'pictures')
  if (unlock === undefined) return undefined
  const release = shareDataFolder(dataDir)
  const path = join(dataDir, CATALOG_FILE)
  const intake = openPictureWriter(openDatabase(path, { busyTimeoutMs: WRITER_WAIT_MS }))
  return {
    ...intake,
    close() {
      intake.close()
      release()
      unlock()
    },
  }
}

/** Opens accounts, keys and quotas. The file must have been prepared. */
export function openLedger(dataDir: string) {
  const release = shareDataFolder(dataDir)
  const db = openDatabase(join(dataDir, LEDGER_FILE), { busyTimeoutMs: LEDGER_WAIT_MS })
  return closing(openLedgerOn(db), release)
}

/** The ledger's shelves on an open file. */
export function openLedgerOn(db: Db) {
  const keys = openKeyStore(db)
  return {
    accounts: openAccountStore(db),
    keys,
    sessions: openSessionStore(db),
    usage: openUsageStore(db),
    scans: openScanStore(db),
    identifications: openIdentificationStore(db),
    photoPayments: openPhotoPaymentStore(db),
    attempts: openAttemptStore(db),
    audit: openAuditStore(db),
    billing: openBillingStore(db),
    billingReport: openBillingReportStore(db),
    payments: openPaymentStore(db),
    checkouts: openCheckoutStore(db),
    subscriptions: openSubscriptionStore(db),
    webhooks: openWebhookStore(db),
    deliveries: openDeliveryStore(db),
    /** Rejects when the file cannot be written. */
    async probe(): Promise<void> {
      inTransaction(db, () => db.exec('UPDATE accounts SET id = id WHERE id = 0'))
    },
    close(): void {
      db.close()
      keys.close()
    },
  }
}

export type Ledger = ReturnType<typeof openLedgerOn>

/** The same shelves, whose end also lets go of the folder. */
function closing<Shelves extends { close(): void }>(
  shelves: Shelves,
  release: () => void,
): Shelves {
  const { close } = shelves
  return {
    ...shelves,
    close() {
      close()
      release()
    },
  }
}

/** A sync's last transaction can hold the catalog for many seconds; the ledger is never held long. */
const WRITER_WAIT_MS = 120_000
const LEDGER_WAIT_MS = 2_000
