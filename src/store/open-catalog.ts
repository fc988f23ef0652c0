import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { PictureUrl } from '#rules/catalog/picture-url.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { type AlertOutbox, openAlertOutbox } from './catalog/alerts.ts'
import { type CandidateStore, openCandidateStore } from './catalog/candidates.ts'
import type { CardStore } from './catalog/card-store.ts'
import { openCardStore } from './catalog/cards.ts'
import { type GameStore, openGameStore } from './catalog/games.ts'
import { type HistoryStore, openHistoryStore } from './catalog/history/history.ts'
import { type HistoryMonthStore, openHistoryMonthStore } from './catalog/history/history-months.ts'
import {
  type CardIdStore,
  type CardMigrationStore,
  openCardIdStore,
  openCardMigrationStore,
} from './catalog/ids/card-ids.ts'
import { type MoverStore, openMoverStore } from './catalog/movers.ts'
import { type NameStore, openNameStore } from './catalog/names.ts'
import {
  openPictureCoverage,
  openPicturePace,
  openPictureStore,
  openPictureUrlStore,
  type PictureCoverage,
  type PicturePace,
  type PictureStore,
  type PictureUrlStore,
} from './catalog/pictures/pictures.ts'
import { openReferenceCopy, type ReferenceCopy } from './catalog/pictures/reference-copies.ts'
import { openPricedCardStore, type PricedCardStore } from './catalog/priced-cards.ts'
import { openPriceStore, type PriceStore } from './catalog/prices.ts'
import { openPublicationStore, type PublicationStore } from './catalog/publication.ts'
import { openSearchStore, type SearchStore } from './catalog/search/search-store.ts'
import {
  openSetHistory,
  openSetSummary,
  openSetTotal,
  type SetFigures,
} from './catalog/set-summary.ts'
import { openSetStore, type SetStore } from './catalog/sets.ts'
import { type ExchangeRateStore, openExchangeRateStore } from './catalog/sources/exchange-rates.ts'
import { type HoldingPriceStore, openHoldingPriceStore } from './catalog/sources/holding-prices.ts'
import { openPriceFactStore, type PriceFactStore } from './catalog/sources/price-facts.ts'
import { openSourcePriceStore, type SourcePriceStore } from './catalog/sources/source-prices.ts'
import {
  openSourceProductStore,
  type SourceProductStore,
} from './catalog/sources/source-products.ts'
import { openSyncLog, type SyncLog } from './catalog/sync-log.ts'
import type { OpenedView } from './catalog/views/view-catalog.ts'
import { openWebhookCardStore, type WebhookCardStore } from './catalog/watched-prices.ts'
import { closing } from './closing.ts'
import { createOnFirstUse, type Db, openDatabase } from './db.ts'
import { CATALOG_FILE, shareDataFolder } from './files/data-folder.ts'
import { historyFolder } from './files/history-files.ts'
import { explainDatabase } from './files/inspect-database.ts'
import { type Logos, NO_LOGOS, openLogos } from './files/logos.ts'

/** All queries on the catalog. */
export type Catalog = {
  publication: PublicationStore
  search: SearchStore
  history: HistoryStore
  /** The history of all cards, by month. */
  historyMonths: HistoryMonthStore
  games: GameStore
  sets: SetStore & SetFigures
  cards: CardStore
  prices: PriceStore
  /** Ids of other systems, and cards whose ids have changed. */
  ids: { cards: CardIdStore; migrations: CardMigrationStore }
  /** Sources of prices beside the mirror. */
  sources: {
    prices: SourcePriceStore
    products: SourceProductStore
    rates: ExchangeRateStore
    facts: PriceFactStore
    /** Prices of the cards of collections. */
    holdings: HoldingPriceStore
  }
  pricedCards: PricedCardStore
  movers: MoverStore
  pictures: PictureStore &
    PictureUrlStore & {
      /** Returns how much of the catalog the index covers. */
      measureCoverage(): PictureCoverage
      /** Returns how fast the index grew since a time. */
      measurePace(since: Date): PicturePace
    }
  logos: Logos
  candidates: CandidateStore
  names: NameStore
  alerts: { outbox: AlertOutbox; webhookCards: WebhookCardStore }
  syncLog: SyncLog
  /** View in which prices are shown; undefined for the mirror's prices without conversion. */
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
    const files = { logos: openLogos(dataDir), historyFolder: historyFolder(dataDir) }
    // Opens all stores: a start is refused if somebody has changed the schema.
    return { ...openCatalogOn(db, pictureUrl, files) }
  })
  return closing(catalog, release)
}

/** Stores that are opened when they are first used: together they have a hundred statements. */
type Stores = Omit<Catalog, 'publication' | 'logos' | 'view' | 'probe' | 'close'>

/** Opens the catalog on an open connection, with the files beside it. */
export function openCatalogOn(
  db: Db,
  pictureUrl: PictureUrl,
  { logos = NO_LOGOS, historyFolder = '' }: { logos?: Logos; historyFolder?: string } = {},
): Catalog {
  const publication = openPublicationStore(db, logos)
  publication.onChange(() => logos.refresh())

  /** Has a store drop the data of an older catalog. */
  function following<Store extends { invalidate(): void }>(store: Store): Store {
    publication.onChange(() => store.invalidate())
    return store
  }

  const stores: Stores = createOnFirstUse({
    search: () => following(openSearchStore(db)),
    history: () => following(openHistoryStore(db, historyFolder)),
    historyMonths: () => openHistoryMonthStore(db, stores.history, historyFolder),
    games: () => openGameStore(db, pictureUrl, logos),
    sets: () => {
      const getTotal = openSetTotal(db)
      const summarize = openSetSummary(db, getTotal)
      return {
        ...openSetStore(db, pictureUrl, logos),
        hasTotals: true,
        getTotal,
        summarize,
        getHistory: openSetHistory(db, { history: stores.history, publication, summarize }),
      }
    },
    cards: () => openCardStore(db, publication, pictureUrl),
    prices: () => openPriceStore(db, publication),
    ids: () => ({ cards: openCardIdStore(db), migrations: openCardMigrationStore(db) }),
    sources: () => openSources(db, publication),
    pricedCards: () => following(openPricedCardStore(db, pictureUrl)),
    movers: () => openMoverStore(db, pictureUrl),
    pictures: () => ({
      ...openPictureStore(db),
      ...openPictureUrlStore(db),
      measureCoverage: openPictureCoverage(db),
      measurePace: openPicturePace(db),
    }),
    candidates: () => openCandidateStore(db, pictureUrl),
    names: () => following(openNameStore(db)),
    alerts: () => ({
      outbox: openAlertOutbox(db),
      webhookCards: openWebhookCardStore(db, stores.sources.rates),
    }),
    syncLog: () => openSyncLog(db),
  })
  return Object.assign(stores, {
    publication,
    logos,
    probe: () => void db.prepare('SELECT version FROM publication').get(),
    close: () => void db.close(),
  })
}

function openSources(db: Db, publication: PublicationStore): Catalog['sources'] {
  const prices = openSourcePriceStore(db)
  const rates = openExchangeRateStore(db, publication)
  return {
    prices,
    products: openSourceProductStore(db),
    rates,
    facts: openPriceFactStore(db, rates),
    holdings: openHoldingPriceStore(db, publication, { sources: prices, rates }),
  }
}

/**
 * Opens the pictures of a catalog, or of a copy of its picture index with the references, for reading.
 *
 * @throws ServiceError UNAVAILABLE if there is no such file, or it cannot be used
 */
export function openPictureReader(
  dataDir: string,
  path: string = join(dataDir, CATALOG_FILE),
): { pictures: PictureStore; references: ReferenceCopy; close(): void } {
  if (!existsSync(path)) {
    throw new ServiceError(
      'UNAVAILABLE',
      `${path} does not exist. Set SNAPSHOTS_URL to the bucket of the servers, set DATA_DIR to their folder, or copy their catalog there.`,
    )
  }
  const release = shareDataFolder(dataDir)
  const reader = explainDatabase(path, () => {
    const db = openDatabase(path, { readonly: true })
    return {
      pictures: openPictureStore(db),
      references: openReferenceCopy(db),
      close: () => void db.close(),
    }
  })
  return closing(reader, release)
}
