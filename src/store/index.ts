import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { PictureUrl } from '#rules/catalog/picture-url.ts'
import { openAlertOutbox } from './catalog/alert-outbox.ts'
import type { WatchList } from './catalog/alerts.ts'
import { openCandidates } from './catalog/candidates.ts'
import { openCards } from './catalog/cards.ts'
import { openIntake } from './catalog/catalog-writer.ts'
import { openGames } from './catalog/games.ts'
import { openHistory } from './catalog/history.ts'
import { CATALOG_MIGRATIONS } from './catalog/migrations.ts'
import { openMovers } from './catalog/movers.ts'
import { openNames } from './catalog/names.ts'
import { fillNames } from './catalog/names-index.ts'
import { openPictureAddresses } from './catalog/picture-urls.ts'
import { openPictureIntake, type PictureIntake } from './catalog/picture-writer.ts'
import { openPictures } from './catalog/pictures.ts'
import { openPricedCards } from './catalog/priced-cards.ts'
import { openPrices } from './catalog/prices.ts'
import { openPublication } from './catalog/publication.ts'
import { openSearch } from './catalog/search.ts'
import { openSets } from './catalog/sets.ts'
import { openSyncLog } from './catalog/sync-log.ts'
import { openWatchedCards } from './catalog/webhook-cards.ts'
import { type Db, inTransaction, openDatabase } from './db.ts'
import { CATALOG_FILE, holdFolder, LEDGER_FILE, SECRET_FILE } from './files/data-folder.ts'
import { takeLock } from './files/lock.ts'
import { openAccounts } from './ledger/accounts.ts'
import { openAttempts } from './ledger/attempts.ts'
import { openAudit } from './ledger/audit.ts'
import { openBilling } from './ledger/billing.ts'
import { openBillingReport } from './ledger/billing-report.ts'
import { openCheckouts } from './ledger/checkouts.ts'
import { openDeliveries } from './ledger/deliveries.ts'
import { openIdentifications } from './ledger/identifications.ts'
import { openKeys } from './ledger/keys.ts'
import { LEDGER_MIGRATIONS } from './ledger/migrations.ts'
import { openPayments } from './ledger/payments.ts'
import { openPhotoPayments } from './ledger/photo-payments.ts'
import { openScans } from './ledger/scans.ts'
import { openSessions } from './ledger/sessions.ts'
import { openSubscriptions } from './ledger/subscriptions.ts'
import { openUsage } from './ledger/usage.ts'
import { openWatchList } from './ledger/webhook-list.ts'
import { openWebhooks } from './ledger/webhooks.ts'
import { migrate } from './migrate.ts'

/**
 * Creates the data folder and brings both files to the newest schema.
 *
 * @throws ServiceError UNAVAILABLE while a backup is being restored; so does whatever opens a file below
 */
export function prepareFiles(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true })
  const release = holdFolder(dataDir)
  try {
    const catalog = openDatabase(join(dataDir, CATALOG_FILE), { busyTimeoutMs: WRITER_WAIT_MS })
    migrate(catalog, CATALOG_MIGRATIONS)
    fillNames(catalog)
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
export function knownSchema(name: string): number | null | undefined {
  if (name === CATALOG_FILE) return CATALOG_MIGRATIONS.length
  if (name === LEDGER_FILE) return LEDGER_MIGRATIONS.length
  return name === SECRET_FILE ? null : undefined
}

/** Opens the catalog for questions. The files must have been prepared. */
export function openCatalog(dataDir: string, pictureUrl: PictureUrl) {
  const release = holdFolder(dataDir)
  const path = join(dataDir, CATALOG_FILE)
  const catalog = catalogOn(openDatabase(path, { readonly: true, cacheKib: 65_536 }), pictureUrl)
  return closing(catalog, release)
}

/** The catalog's shelves on an open file. */
export function catalogOn(db: Db, pictureUrl: PictureUrl) {
  const publication = openPublication(db)
  const search = openSearch(db)
  const history = openHistory(db)
  const names = openNames(db)
  const sets = openSets(db, pictureUrl)
  const pricedCards = openPricedCards(db, pictureUrl)
  publication.onChange(() => {
    search.forget()
    history.forget()
    names.forget()
    sets.forget()
    pricedCards.forget()
  })
  return {
    publication,
    search,
    history,
    games: openGames(db, pictureUrl),
    sets,
    cards: openCards(db, publication, pictureUrl),
    prices: openPrices(db, publication),
    pricedCards,
    movers: openMovers(db, pictureUrl),
    pictures: openPictures(db),
    pictureAddresses: openPictureAddresses(db),
    candidates: openCandidates(db, pictureUrl),
    names,
    alertOutbox: openAlertOutbox(db),
    watchedCards: openWatchedCards(db),
    syncLog: openSyncLog(db),
    /** Throws when the file cannot be read. */
    probe: () => void db.prepare('SELECT version FROM publication').get(),
    close: () => void db.close(),
  }
}

export type Catalog = ReturnType<typeof catalogOn>

/**
 * Opens the catalog for the intake, and the ledger beside it, whose watches it reads. The files must have
 * been prepared. Only one process at a time may hold the catalog for long.
 */
export function openCatalogIntake(dataDir: string) {
  const release = holdFolder(dataDir)
  const path = join(dataDir, CATALOG_FILE)
  const ledger = openDatabase(join(dataDir, LEDGER_FILE), { readonly: true })
  const db = openDatabase(path, { busyTimeoutMs: WRITER_WAIT_MS, cacheKib: 131_072 })
  const intake = intakeOn(db, openWatchList(ledger))
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
export function intakeOn(db: Db, watchList: WatchList) {
  return {
    ...openIntake(db, watchList),
    syncLog: openSyncLog(db),
    close(): void {
      db.close()
    },
  }
}

export type CatalogIntake = ReturnType<typeof intakeOn>

/**
 * Opens the index of pictures for writing. It has a lock of its own: a run takes hours and holds the
 * catalog for milliseconds, so that a sync can publish beside it.
 *
 * @returns undefined while another process or thread has it
 */
export function openPictureIndex(dataDir: string): PictureIntake | undefined {
  const unlock = takeLock(dataDir, 'pictures')
  if (unlock === undefined) return undefined
  const release = holdFolder(dataDir)
  const path = join(dataDir, CATALOG_FILE)
  const intake = openPictureIntake(openDatabase(path, { busyTimeoutMs: WRITER_WAIT_MS }))
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
  const release = holdFolder(dataDir)
  const db = openDatabase(join(dataDir, LEDGER_FILE), { busyTimeoutMs: LEDGER_WAIT_MS })
  return closing(ledgerOn(db), release)
}

/** The ledger's shelves on an open file. */
export function ledgerOn(db: Db) {
  const keys = openKeys(db)
  return {
    accounts: openAccounts(db),
    keys,
    sessions: openSessions(db),
    usage: openUsage(db),
    scans: openScans(db),
    identifications: openIdentifications(db),
    photoPayments: openPhotoPayments(db),
    attempts: openAttempts(db),
    audit: openAudit(db),
    billing: openBilling(db),
    billingReport: openBillingReport(db),
    payments: openPayments(db),
    checkouts: openCheckouts(db),
    subscriptions: openSubscriptions(db),
    webhooks: openWebhooks(db),
    deliveries: openDeliveries(db),
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

export type Ledger = ReturnType<typeof ledgerOn>

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
