import { join } from 'node:path'
import type { AlertRuleSource } from './alert-rule-source.ts'
import { openAlertEvaluator } from './catalog/alerts.ts'
import { type BatchPublisher, openBatchPublisher } from './catalog/catalog-writer.ts'
import { type CardIdWriter, openCardIdWriter } from './catalog/ids/card-ids.ts'
import { openPictureWriter, type PictureWriter } from './catalog/pictures/picture-writer.ts'
import {
  openSourceProductWriter,
  type SourceProductWriter,
} from './catalog/sources/source-product-writer.ts'
import { openSourcePublisher, type SourcePublisher } from './catalog/sources/source-publisher.ts'
import { openSyncLog, type SyncLog } from './catalog/sync-log.ts'
import { closing } from './closing.ts'
import { type Db, openDatabase, WRITER_WAIT_MS } from './db.ts'
import { CATALOG_FILE, LEDGER_FILE, shareDataFolder } from './files/data-folder.ts'
import { explainDatabase } from './files/inspect-database.ts'
import { acquireLock } from './files/lock.ts'
import { openAlertRuleSource } from './ledger/alerts/rule-source.ts'

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
    const db = openDatabase(path, { busyTimeoutMs: WRITER_WAIT_MS, cacheKib: 65_536 })
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
 * Opens the picture index for writing. It has a separate lock, so that a sync can publish during the hours that
 * indexing takes.
 *
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
