import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { PictureUrl } from '#rules/catalog/picture-url.ts'
import type { DatabaseState } from '#rules/operations/installation.ts'
import type { SetValuePoint } from '#rules/pricing/set-value.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { AlertRuleSource } from './alert-rule-source.ts'
import { type AlertOutbox, openAlertOutbox } from './catalog/alert-outbox.ts'
import { openAlertEvaluator } from './catalog/alerts.ts'
import { type CandidateStore, openCandidateStore } from './catalog/candidates.ts'
import { type CardStore, openCardStore } from './catalog/cards.ts'
import { type BatchPublisher, openBatchPublisher } from './catalog/catalog-writer.ts'
import { type GameStore, openGameStore } from './catalog/games.ts'
import { type HistoryStore, openHistoryStore } from './catalog/history/history.ts'
import { openSetHistory } from './catalog/history/set-history.ts'
import { type CardIdWriter, openCardIdWriter } from './catalog/ids/card-id-writer.ts'
import { type CardIdStore, openCardIdStore } from './catalog/ids/card-ids.ts'
import { type CardMigrationStore, openCardMigrationStore } from './catalog/ids/card-migrations.ts'
import { CATALOG_MIGRATIONS } from './catalog/migrations.ts'
import { type MoverStore, openMoverStore } from './catalog/movers.ts'
import { type NameStore, openNameStore } from './catalog/names.ts'
import { openPictureCoverage, type PictureCoverage } from './catalog/pictures/picture-coverage.ts'
import { openPictureUrlStore, type PictureUrlStore } from './catalog/pictures/picture-urls.ts'
import { openPictureWriter, type PictureWriter } from './catalog/pictures/picture-writer.ts'
import { openPictureStore, type PictureStore } from './catalog/pictures/pictures.ts'
import { openPricedCardStore, type PricedCardStore } from './catalog/priced-cards.ts'
import { openPriceStore, type PriceStore } from './catalog/prices.ts'
import { openPublicationStore, type PublicationStore } from './catalog/publication.ts'
import { openSearchStore, type SearchStore } from './catalog/search/search-store.ts'
import { openSetSummary, type SetSummary } from './catalog/set-summary.ts'
import { openSetStore, type SetStore } from './catalog/sets.ts'
import { type ExchangeRateStore, openExchangeRateStore } from './catalog/sources/exchange-rates.ts'
import { type HoldingPriceStore, openHoldingPriceStore } from './catalog/sources/holding-prices.ts'
import { openPriceFactStore, type PriceFactStore } from './catalog/sources/price-facts.ts'
import { openSourcePriceStore, type SourcePriceStore } from './catalog/sources/source-prices.ts'
import {
  openSourceProductWriter,
  type SourceProductWriter,
} from './catalog/sources/source-product-writer.ts'
import {
  openSourceProductStore,
  type SourceProductStore,
} from './catalog/sources/source-products.ts'
import { openSourcePublisher, type SourcePublisher } from './catalog/sources/source-publisher.ts'
import { openSyncLog, type SyncLog } from './catalog/sync-log.ts'
import type { OpenedView } from './catalog/views/view-catalog.ts'
import { openWebhookCardStore, type WebhookCardStore } from './catalog/webhook-cards.ts'
import { type Db, type OpenOptions, openDatabase } from './db.ts'
import {
  CATALOG_FILE,
  HISTORY_FILE,
  LEDGER_FILE,
  lockPreparation,
  SECRET_FILE,
  shareDataFolder,
} from './files/data-folder.ts'
import { explainDatabase } from './files/explain-database.ts'
import { claimDataFolder } from './files/folder-entries.ts'
import { historyFolder } from './files/history-files.ts'
import { assertInstallation, completeInstallation, openMigrated } from './files/installation.ts'
import { acquireLock } from './files/lock.ts'
import { type Logos, NO_LOGOS, openLogos } from './files/logos.ts'
import { probeFolder } from './files/probe-folder.ts'
import { openAlertRuleSource } from './ledger/alert-rules.ts'
import { addMissingSkeletons } from './ledger/email-skeletons.ts'
import { openSqliteEngine, type SqliteEngine } from './ledger/engine/sqlite-engine.ts'
import { openAccessVersion } from './ledger/keys.ts'
import { type Ledger, openLedgerStores } from './ledger/ledger.ts'
import { LEDGER_MIGRATIONS } from './ledger/migrations.ts'
import type { SharedInstallation } from './ledger/postgres-installation.ts'
import { createVisitorUsage } from './memory/visitor-usage.ts'

/**
 * Creates the folder and both files, or checks and migrates them.
 *
 * @param shared the ledger if it is a database of several servers, not a file in the folder
 * @returns names in the folder that other users could access until now
 * @throws ServiceError UNAVAILABLE during a restore, and if a file cannot be used: the message names it
 */
export function prepareFiles(dataDir: string, shared?: DatabaseState): string[] {
  const exposed = claimDataFolder(dataDir)
  const release = shareDataFolder(dataDir)
  try {
    const unlock = lockPreparation(dataDir)
    try {
      assertInstallation(dataDir, shared)
      const catalog = openMigrated(dataDir, CATALOG_FILE, WRITER_WAIT_MS)
      if (shared === undefined) {
        const ledger = openMigrated(dataDir, LEDGER_FILE, WRITER_WAIT_MS)
        addMissingSkeletons(ledger)
        completeInstallation(dataDir, catalog, ledger)
        ledger.close()
      } else {
        completeInstallation(dataDir, catalog, shared)
      }
      catalog.close()
    } finally {
      unlock()
    }
  } finally {
    release()
  }
  return exposed
}

/** Prepares the folder of a server whose ledger is a database of several servers, like `prepareFiles`. */
export async function prepareSharedFiles(
  dataDir: string,
  installation: SharedInstallation,
): Promise<string[]> {
  const found = await installation.read()
  if (found.id === null) {
    assertInstallation(dataDir, found)
    await installation.enter(randomUUID())
  }
  return prepareFiles(dataDir, await installation.read())
}

/** Returns the newest schema version of a file; null if not a database, undefined if unknown. */
export function latestSchemaVersion(name: string): number | null | undefined {
  if (name === CATALOG_FILE) return CATALOG_MIGRATIONS.length
  if (name === LEDGER_FILE) return LEDGER_MIGRATIONS.length
  return name === SECRET_FILE || name === HISTORY_FILE ? null : undefined
}

/** All queries on the catalog. */
export type Catalog = {
  publication: PublicationStore
  search: SearchStore
  history: HistoryStore
  games: GameStore
  sets: SetStore
  /** Returns the figures of a set's single cards. */
  summarizeSet(id: number): SetSummary
  /** Returns the value of a set's single cards by day, ascending. */
  getSetHistory(id: number): SetValuePoint[]
  cards: CardStore
  prices: PriceStore
  cardIds: CardIdStore
  cardMigrations: CardMigrationStore
  sourcePrices: SourcePriceStore
  sourceProducts: SourceProductStore
  /** Prices of the cards of collections. */
  holdingPrices: HoldingPriceStore
  exchangeRates: ExchangeRateStore
  priceFacts: PriceFactStore
  pricedCards: PricedCardStore
  movers: MoverStore
  pictures: PictureStore
  /** Returns how much of the catalog the picture index covers. */
  measurePictures(): PictureCoverage
  pictureUrls: PictureUrlStore
  logos: Logos
  candidates: CandidateStore
  names: NameStore
  alertOutbox: AlertOutbox
  webhookCards: WebhookCardStore
  syncLog: SyncLog
  /** View in which prices are shown; undefined: those of the mirror as they are. */
  view?: OpenedView
  /** Throws if the file cannot be read. */
  probe(): void
  /** Closes the file. */
  close(): void
}

/**
 * Opens the catalog for reading. Call `prepareFiles` first.
 *
 * @param path of the file, if not the folder's own
 */
export function openCatalog(
  dataDir: string,
  pictureUrl: PictureUrl,
  path: string = join(dataDir, CATALOG_FILE),
): Catalog {
  const release = shareDataFolder(dataDir)
  const catalog = explainDatabase(path, () => {
    const db = openDatabase(path, { readonly: true, cacheKib: 65_536 })
    return openCatalogOn(db, pictureUrl, {
      logos: openLogos(dataDir),
      historyFolder: historyFolder(dataDir),
    })
  })
  return closing(catalog, release)
}

/** Opens the catalog on an open connection, with the files beside it. */
export function openCatalogOn(
  db: Db,
  pictureUrl: PictureUrl,
  { logos = NO_LOGOS, historyFolder = '' }: { logos?: Logos; historyFolder?: string } = {},
): Catalog {
  const publication = openPublicationStore(db, logos)
  const search = openSearchStore(db)
  const history = openHistoryStore(db, historyFolder)
  const names = openNameStore(db)
  const pricedCards = openPricedCardStore(db, pictureUrl)
  const exchangeRates = openExchangeRateStore(db, publication)
  const sourcePrices = openSourcePriceStore(db)
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
    summarizeSet: openSetSummary(db),
    getSetHistory: openSetHistory(db, history, publication),
    cards: openCardStore(db, publication, pictureUrl),
    prices: openPriceStore(db, publication),
    cardIds: openCardIdStore(db),
    cardMigrations: openCardMigrationStore(db),
    sourcePrices,
    holdingPrices: openHoldingPriceStore(db, sourcePrices),
    sourceProducts: openSourceProductStore(db),
    exchangeRates,
    priceFacts: openPriceFactStore(db, exchangeRates),
    pricedCards,
    movers: openMoverStore(db, pictureUrl),
    pictures: openPictureStore(db),
    measurePictures: openPictureCoverage(db),
    pictureUrls: openPictureUrlStore(db),
    logos,
    candidates: openCandidateStore(db, pictureUrl),
    names,
    alertOutbox: openAlertOutbox(db),
    webhookCards: openWebhookCardStore(db, exchangeRates),
    syncLog: openSyncLog(db),
    probe: () => void db.prepare('SELECT version FROM publication').get(),
    close: () => void db.close(),
  }
}

/**
 * Opens the pictures of a catalog, or of a copy of its picture index, for reading.
 *
 * @throws ServiceError UNAVAILABLE if there is no such file, or it cannot be used
 */
export function openPictureReader(
  dataDir: string,
  path: string = join(dataDir, CATALOG_FILE),
): { pictures: PictureStore; close(): void } {
  if (!existsSync(path)) {
    throw new ServiceError(
      'UNAVAILABLE',
      `${path} does not exist. Set SNAPSHOTS_URL to the bucket of the servers, set DATA_DIR to their folder, or copy their catalog there.`,
    )
  }
  const release = shareDataFolder(dataDir)
  const reader = explainDatabase(path, () => {
    const db = openDatabase(path, { readonly: true })
    return { pictures: openPictureStore(db), close: () => void db.close() }
  })
  return closing(reader, release)
}

/** All writes to the catalog, except those of the picture index. */
export type CatalogWriter = BatchPublisher & {
  sources: SourcePublisher
  sourceProducts: SourceProductWriter
  cardIds: CardIdWriter
  /** Reads the alert rules, if the ledger is a shared database; called before each publication. */
  loadAlertRules(): Promise<void>
  syncLog: SyncLog
  /** Closes the file. */
  close(): void
}

/**
 * Opens the catalog for writing by one process.
 *
 * @param rules the alert rules, if not in the ledger's file; closed with the writer
 */
export function openCatalogWriter(dataDir: string, rules?: OpenedRuleSource): CatalogWriter {
  const release = shareDataFolder(dataDir)
  const source = rules ?? openRuleFile(dataDir)
  const path = join(dataDir, CATALOG_FILE)
  const writer = explainDatabase(path, () => {
    const db = openDatabase(path, { busyTimeoutMs: WRITER_WAIT_MS, cacheKib: 131_072 })
    return openCatalogWriterOn(db, source)
  })
  return closing(writer, () => {
    source.close()
    release()
  })
}

export type OpenedRuleSource = AlertRuleSource & { close(): void }

function openRuleFile(dataDir: string): OpenedRuleSource {
  const ledger = openDatabase(join(dataDir, LEDGER_FILE), { readonly: true })
  return { ...openAlertRuleSource(ledger), close: () => void ledger.close() }
}

/** Opens the catalog for writing on an open connection. */
export function openCatalogWriterOn(db: Db, source: AlertRuleSource): CatalogWriter {
  const publisher = openBatchPublisher(db, source)
  return {
    ...publisher,
    sources: openSourcePublisher(db, openAlertEvaluator(db, source)),
    sourceProducts: openSourceProductWriter(db),
    cardIds: openCardIdWriter(db),
    loadAlertRules: () => source.load(publisher.listOutbox()),
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

/** Opens the ledger. Call `prepareFiles` first. */
export function openLedger(
  dataDir: string,
  options: Pick<OpenOptions, 'checkpointPages'> = {},
): Ledger {
  const release = shareDataFolder(dataDir)
  const path = join(dataDir, LEDGER_FILE)
  const ledger = explainDatabase(path, () => {
    const ledger = openLedgerOn(openDatabase(path, { busyTimeoutMs: LEDGER_WAIT_MS, ...options }))
    // A start is refused if somebody has changed the schema.
    ledger.prepareAll()
    return ledger
  })
  async function probeWrite(): Promise<void> {
    await ledger.probeWrite()
    await probeFolder(dataDir)
  }
  return closing({ ...ledger, probeWrite }, release)
}

/** Opens the ledger on an open connection; `prepareAll` checks the schema. */
export function openLedgerOn(db: Db): Ledger & Pick<SqliteEngine, 'prepareAll'> {
  // Overwrites deleted rows, so that no backup has them in its free pages.
  db.pragma('secure_delete = ON')
  const engine = openSqliteEngine(db)
  const read = db.prepare('SELECT id FROM installation')
  const write = db.prepare<[number]>('UPDATE installation SET probed_at = ?')
  return {
    ...openLedgerStores(engine, openAccessVersion(db)),
    shared: undefined,
    visitorUsage: createVisitorUsage(),
    probe: async () => void read.get(),
    probeWrite: async () => void write.run(Date.now()),
    close: () => void db.close(),
    prepareAll: engine.prepareAll,
  }
}

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
