import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PictureUrl } from '#rules/catalog/picture-url.ts'
import type { AlertRuleSource } from './alert-rule-source.ts'
import { type AlertOutbox, openAlertOutbox } from './catalog/alert-outbox.ts'
import { type CandidateStore, openCandidateStore } from './catalog/candidates.ts'
import { type CardStore, openCardStore } from './catalog/cards.ts'
import { type BatchPublisher, openBatchPublisher } from './catalog/catalog-writer.ts'
import { type GameStore, openGameStore } from './catalog/games.ts'
import { type HistoryStore, openHistoryStore } from './catalog/history.ts'
import { CATALOG_MIGRATIONS } from './catalog/migrations.ts'
import { type MoverStore, openMoverStore } from './catalog/movers.ts'
import { type NameStore, openNameStore } from './catalog/names.ts'
import { openPictureUrlStore, type PictureUrlStore } from './catalog/picture-urls.ts'
import { openPictureWriter, type PictureWriter } from './catalog/picture-writer.ts'
import { openPictureStore, type PictureStore } from './catalog/pictures.ts'
import { openPricedCardStore, type PricedCardStore } from './catalog/priced-cards.ts'
import { openPriceStore, type PriceStore } from './catalog/prices.ts'
import { openPublicationStore, type PublicationStore } from './catalog/publication.ts'
import { readSearchPostings, type SearchPostings } from './catalog/search/search-postings.ts'
import { openSearchStore, type SearchStore } from './catalog/search/search-store.ts'
import { openSetStore, type SetStore } from './catalog/sets.ts'
import { openSyncLog, type SyncLog } from './catalog/sync-log.ts'
import { openWebhookCardStore, type WebhookCardStore } from './catalog/webhook-cards.ts'
import { type Db, type OpenOptions, openDatabase } from './db.ts'
import {
  CATALOG_FILE,
  LEDGER_FILE,
  lockPreparation,
  SECRET_FILE,
  shareDataFolder,
} from './files/data-folder.ts'
import { explainDatabase } from './files/explain-database.ts'
import { claimDataFolder } from './files/folder-entries.ts'
import { assertInstallation, completeInstallation, openMigrated } from './files/installation.ts'
import { acquireLock } from './files/lock.ts'
import { type Logos, NO_LOGOS, openLogos } from './files/logos.ts'
import { type AccountStore, openAccountStore } from './ledger/accounts.ts'
import { openAlertRuleSource } from './ledger/alert-rules.ts'
import { type AttemptStore, openAttemptStore } from './ledger/attempts.ts'
import { type AuditStore, openAuditStore } from './ledger/audit.ts'
import { type BillingStore, openBillingStore } from './ledger/billing.ts'
import { type BillingReportStore, openBillingReportStore } from './ledger/billing-report.ts'
import { type CheckoutStore, openCheckoutStore } from './ledger/checkouts.ts'
import { type DeliveryStore, openDeliveryStore } from './ledger/deliveries.ts'
import { addMissingSkeletons } from './ledger/email-skeletons.ts'
import { openSqliteEngine } from './ledger/engine/sqlite-engine.ts'
import { type IdentificationStore, openIdentificationStore } from './ledger/identifications.ts'
import { type InvitationStore, openInvitationStore } from './ledger/invitations.ts'
import { type JobLeaseStore, openJobLeaseStore } from './ledger/job-leases.ts'
import { type KeyStore, openKeyStore } from './ledger/keys.ts'
import { type LoginPlaceStore, openLoginPlaceStore } from './ledger/login-places.ts'
import { LEDGER_MIGRATIONS } from './ledger/migrations.ts'
import { openPaymentStore, type PaymentStore } from './ledger/payments.ts'
import { openPhotoPaymentStore, type PhotoPaymentStore } from './ledger/photo-payments.ts'
import { openScanStore, type ScanStore } from './ledger/scans.ts'
import { openSessionStore, type SessionStore } from './ledger/sessions.ts'
import { openSubscriptionStore, type SubscriptionStore } from './ledger/subscriptions.ts'
import { openUsageStore, type UsageStore } from './ledger/usage.ts'
import { openWebhookStore, type WebhookStore } from './ledger/webhooks.ts'

/**
 * Creates the folder and both files, or checks and migrates them.
 *
 * @returns names in the folder that other users could access until now
 * @throws ServiceError UNAVAILABLE during a restore, and if a file cannot be used: the message names it
 */
export function prepareFiles(dataDir: string): string[] {
  const exposed = claimDataFolder(dataDir)
  const release = shareDataFolder(dataDir)
  try {
    const unlock = lockPreparation(dataDir)
    try {
      assertInstallation(dataDir)
      const catalog = openMigrated(dataDir, CATALOG_FILE, WRITER_WAIT_MS)
      const ledger = openMigrated(dataDir, LEDGER_FILE, WRITER_WAIT_MS)
      addMissingSkeletons(ledger)
      completeInstallation(dataDir, { catalog, ledger })
      catalog.close()
      ledger.close()
    } finally {
      unlock()
    }
  } finally {
    release()
  }
  return exposed
}

/** Returns the newest schema version of a file; null if not a database, undefined if unknown. */
export function latestSchemaVersion(name: string): number | null | undefined {
  if (name === CATALOG_FILE) return CATALOG_MIGRATIONS.length
  if (name === LEDGER_FILE) return LEDGER_MIGRATIONS.length
  return name === SECRET_FILE ? null : undefined
}

/** All queries on the catalog. */
export type Catalog = {
  publication: PublicationStore
  search: SearchStore
  history: HistoryStore
  games: GameStore
  sets: SetStore
  cards: CardStore
  prices: PriceStore
  pricedCards: PricedCardStore
  movers: MoverStore
  pictures: PictureStore
  pictureUrls: PictureUrlStore
  logos: Logos
  candidates: CandidateStore
  names: NameStore
  alertOutbox: AlertOutbox
  webhookCards: WebhookCardStore
  syncLog: SyncLog
  /** Throws if the file cannot be read. */
  probe(): void
  /** Closes the file. */
  close(): void
}

/** Opens the catalog for reading. Call `prepareFiles` first. */
export function openCatalog(dataDir: string, pictureUrl: PictureUrl): Catalog {
  const release = shareDataFolder(dataDir)
  const path = join(dataDir, CATALOG_FILE)
  const catalog = explainDatabase(path, () => {
    const db = openDatabase(path, { readonly: true, cacheKib: 65_536 })
    return openCatalogOn(db, pictureUrl, openLogos(dataDir))
  })
  return closing(catalog, release)
}

/** Opens the catalog on an open connection. */
export function openCatalogOn(db: Db, pictureUrl: PictureUrl, logos: Logos = NO_LOGOS): Catalog {
  const publication = openPublicationStore(db, logos)
  const search = openSearchStore(db)
  const history = openHistoryStore(db)
  const names = openNameStore(db)
  const pricedCards = openPricedCardStore(db, pictureUrl)
  publication.onChange(() => {
    for (const cache of [search, history, names, pricedCards]) cache.invalidate()
    logos.refresh()
  })
  return {
    publication,
    search,
    history,
    games: openGameStore(db, pictureUrl, logos),
    sets: openSetStore(db, pictureUrl, logos),
    cards: openCardStore(db, publication, pictureUrl),
    prices: openPriceStore(db, publication),
    pricedCards,
    movers: openMoverStore(db, pictureUrl),
    pictures: openPictureStore(db),
    pictureUrls: openPictureUrlStore(db),
    logos,
    candidates: openCandidateStore(db, pictureUrl),
    names,
    alertOutbox: openAlertOutbox(db),
    webhookCards: openWebhookCardStore(db),
    syncLog: openSyncLog(db),
    probe: () => void db.prepare('SELECT version FROM publication').get(),
    close: () => void db.close(),
  }
}

/** Opens the search index for reading it whole. */
export function openSearchReader(dataDir: string): { read(): SearchPostings; close(): void } {
  const release = shareDataFolder(dataDir)
  const path = join(dataDir, CATALOG_FILE)
  const reader = explainDatabase(path, () => {
    const db = openDatabase(path, { readonly: true })
    return { read: () => readSearchPostings(db), close: () => void db.close() }
  })
  return closing(reader, release)
}

/** All writes to the catalog, except those of the picture index. */
export type CatalogWriter = BatchPublisher & {
  syncLog: SyncLog
  /** Closes the file. */
  close(): void
}

/** Opens the catalog for writing by one process, and the ledger for reading the alert rules. */
export function openCatalogWriter(dataDir: string): CatalogWriter {
  const release = shareDataFolder(dataDir)
  const ledger = openDatabase(join(dataDir, LEDGER_FILE), { readonly: true })
  const path = join(dataDir, CATALOG_FILE)
  const writer = explainDatabase(path, () => {
    const db = openDatabase(path, { busyTimeoutMs: WRITER_WAIT_MS, cacheKib: 131_072 })
    return openCatalogWriterOn(db, openAlertRuleSource(ledger))
  })
  return closing(writer, () => {
    ledger.close()
    release()
  })
}

/** Opens the catalog for writing on an open connection. */
export function openCatalogWriterOn(db: Db, source: AlertRuleSource): CatalogWriter {
  return {
    ...openBatchPublisher(db, source),
    syncLog: openSyncLog(db),
    close: () => void db.close(),
  }
}

/**
 * Opens the picture index for writing. Its own lock lets a sync publish, as indexing takes hours.
 * @returns undefined while another process or thread has the lock
 */
export function openPictureIndex(dataDir: string): PictureWriter | undefined {
  const unlock = acquireLock(dataDir, 'pictures')
  if (unlock === undefined) return undefined
  const release = shareDataFolder(dataDir)
  const writer = openPictureWriter(
    openDatabase(join(dataDir, CATALOG_FILE), { busyTimeoutMs: WRITER_WAIT_MS }),
  )
  return closing(writer, () => {
    release()
    unlock()
  })
}

/** All queries and writes on the ledger. */
export type Ledger = {
  accounts: AccountStore
  keys: KeyStore
  invitations: InvitationStore
  sessions: SessionStore
  usage: UsageStore
  scans: ScanStore
  identifications: IdentificationStore
  photoPayments: PhotoPaymentStore
  attempts: AttemptStore
  loginPlaces: LoginPlaceStore
  audit: AuditStore
  billing: BillingStore
  billingReport: BillingReportStore
  payments: PaymentStore
  checkouts: CheckoutStore
  subscriptions: SubscriptionStore
  webhooks: WebhookStore
  deliveries: DeliveryStore
  /** Used if servers share the ledger: `isShared`. */
  jobLeases: JobLeaseStore
  /** True if the ledger is a database of several servers, false if it is a file in the data folder. */
  isShared: boolean
  /** Deletes at most `limit` notes of the database's engine. @returns how many */
  forgetOperations(limit: number): Promise<number>
  /** Rejects if the file cannot be read. */
  probe(): Promise<void>
  /** Rejects if nothing can be written: no row, or no file beside it. Writes both. */
  probeWrite(): Promise<void>
  /** Closes the file. */
  close(): void
}

/** Opens the ledger. Call `prepareFiles` first. */
export function openLedger(
  dataDir: string,
  options: Pick<OpenOptions, 'checkpointPages'> = {},
): Ledger {
  const release = shareDataFolder(dataDir)
  const path = join(dataDir, LEDGER_FILE)
  const ledger = explainDatabase(path, () =>
    openLedgerOn(openDatabase(path, { busyTimeoutMs: LEDGER_WAIT_MS, ...options })),
  )
  async function probeWrite(): Promise<void> {
    await ledger.probeWrite()
    await probeFolder(dataDir)
  }
  return closing({ ...ledger, probeWrite }, release)
}

/** Opens the ledger on an open connection. */
export function openLedgerOn(db: Db): Ledger {
  const engine = openSqliteEngine(db)
  const read = db.prepare('SELECT id FROM installation')
  const write = db.prepare<[number]>('UPDATE installation SET probed_at = ?')
  return {
    accounts: openAccountStore(db),
    keys: openKeyStore(db),
    invitations: openInvitationStore(db),
    sessions: openSessionStore(db),
    usage: openUsageStore(engine),
    scans: openScanStore(db),
    identifications: openIdentificationStore(engine),
    photoPayments: openPhotoPaymentStore(db),
    attempts: openAttemptStore(db),
    loginPlaces: openLoginPlaceStore(db),
    audit: openAuditStore(db),
    billing: openBillingStore(db),
    billingReport: openBillingReportStore(db),
    payments: openPaymentStore(db),
    checkouts: openCheckoutStore(db),
    subscriptions: openSubscriptionStore(db),
    webhooks: openWebhookStore(db),
    deliveries: openDeliveryStore(db),
    jobLeases: openJobLeaseStore(engine),
    isShared: false,
    forgetOperations: engine.forgetOperations,
    probe: async () => void read.get(),
    probeWrite: async () => void write.run(Date.now()),
    close: () => void db.close(),
  }
}

/**
 * Writes a file and deletes it. SQLite reuses the space of its log, so its writes succeed for a while on a
 * full disk.
 */
async function probeFolder(dataDir: string): Promise<void> {
  const path = join(dataDir, `.probe-${process.pid}`)
  try {
    await writeFile(path, Buffer.alloc(PROBE_BYTES, 1))
  } finally {
    await rm(path, { force: true })
  }
}

/** Some pages of a database. */
const PROBE_BYTES = 65_536

/** Adds a step to `close`. */
function closing<Store extends { close(): void }>(store: Store, release: () => void): Store {
  const { close } = store
  return {
    ...store,
    close() {
      close()
      release()
    },
  }
}

/** A sync's last transaction can take many seconds; ledger transactions are short. */
const WRITER_WAIT_MS = 120_000
const LEDGER_WAIT_MS = 2_000
