import { existsSync } from 'node:fs'
import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import type { SettingTexts } from '#rules/operations/service-settings.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { firstLine, hasErrorCode } from '#rules/primitives/system-errors.ts'
import { type GameFreshness, openGameStore } from '../catalog/games.ts'
import { CATALOG_MIGRATIONS } from '../catalog/migrations.ts'
import { openPublicationStore } from '../catalog/publication.ts'
import { openExchangeRateReader } from '../catalog/sources/exchange-rates.ts'
import { openSyncLog, type SyncRun } from '../catalog/sync-log.ts'
import { type Db, openDatabase } from '../db.ts'
import { LEDGER_MIGRATIONS } from '../ledger/migrations.ts'
import { schemaVersion, schemaVersionAfter } from '../migrate.ts'
import { explainFaults } from './folder-entries.ts'

/** State of a database file. */
export type DatabaseFacts = {
  /** Version of its schema. */
  version: number
  /** Newest schema version that this program supports. */
  newest: number
  /** Problems found by SQLite, at most a few lines; empty if the file is intact. */
  damage: string[]
}

/** Contents of the catalog. */
export type CatalogFacts = {
  games: GameFreshness[]
  /** Number of cards in the catalog whose picture is indexed. */
  pictures: number
  lastSync: SyncRun | undefined
  /** Day of the newest reference rates; undefined without rates. */
  newestRates: number | undefined
  publishedAt: string | null
}

/**
 * Checks a database, also beside a running server; half a million cards take some seconds.
 * @returns undefined if the file does not exist
 * @throws the error of SQLite if the file cannot be read
 */
export function inspectDatabase(
  path: string,
  name: 'catalog' | 'ledger',
): DatabaseFacts | undefined {
  const migrations = name === 'catalog' ? CATALOG_MIGRATIONS : LEDGER_MIGRATIONS
  return inspect(path, (db) => ({
    version: schemaVersion(db),
    newest: schemaVersionAfter(migrations),
    damage: findDamage(db),
  }))
}

/**
 * Reads the catalog's contents; undefined without a file, or with a schema of another version.
 * @throws the error of SQLite if the file cannot be read
 */
export function inspectCatalog(path: string): CatalogFacts | undefined {
  return inspect(path, (db) => {
    if (schemaVersion(db) !== schemaVersionAfter(CATALOG_MIGRATIONS)) return undefined
    return {
      games: openGameStore(db, createPictureUrl('')).listFreshness(),
      // Pictures of removed cards stay until the next run of the index.
      pictures:
        db
          .prepare<[], number>(
            `SELECT count(*) FROM card_pictures JOIN cards ON cards.id = card_id
              WHERE art_group IS NOT NULL AND missing_since IS NULL`,
          )
          .pluck()
          .get() ?? 0,
      lastSync: openSyncLog(db).getLastFinished(),
      newestRates: openExchangeRateReader(db).getNewestDay(),
      publishedAt: openPublicationStore(db).getCurrent().published_at,
    }
  })
}

/**
 * Reads the choices of the operator; undefined without a file, or with a schema of another version.
 * @throws the error of SQLite if the file cannot be read
 */
export function inspectSettings(path: string): SettingTexts | undefined {
  return inspect(path, (db) => {
    if (schemaVersion(db) !== schemaVersionAfter(LEDGER_MIGRATIONS)) return undefined
    const rows = db
      .prepare<[], { name: string; value: string }>('SELECT name, value FROM service_settings')
      .all()
    return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
  })
}

/** Returns the version of the bundled SQLite, after a test of its full-text search. */
export function readSqliteVersion(): string {
  const db = openDatabase(':memory:')
  try {
    db.exec("CREATE VIRTUAL TABLE words USING fts5 (word); INSERT INTO words VALUES ('card')")
    db.prepare("SELECT rowid FROM words WHERE words MATCH 'card'").get()
    return db.prepare<[], string>('SELECT sqlite_version()').pluck().get() ?? ''
  } finally {
    db.close()
  }
}

function inspect<T>(path: string, read: (db: Db) => T): T | undefined {
  if (!existsSync(path)) return undefined
  const db = openDatabase(path, { readonly: true, busyTimeoutMs: 5_000 })
  try {
    return read(db)
  } finally {
    db.close()
  }
}

/** Checks pages, rows and the full-text index. Checking each index entry would take far longer. */
function findDamage(db: Db): string[] {
  const lines = db.prepare<[], string>(`PRAGMA quick_check(${DAMAGE_LINES_MAX})`).pluck().all()
  return lines.filter((line) => line !== 'ok')
}

const DAMAGE_LINES_MAX = 3

/**
 * Runs an action on a database that is being opened; a fault becomes one line with the path and the remedy. A
 * statement that does not fit the schema then counts as a fault of the file, not as a bug.
 */
export function explainDatabase<T>(path: string, action: () => T): T {
  return explainFaults(path, () => {
    try {
      return action()
    } catch (error) {
      if (!hasErrorCode(error, 'SQLITE_ERROR')) throw error
      throw new ServiceError(
        'UNAVAILABLE',
        `${path} does not have the schema of this program (${firstLine(error)}): another program changed it. Restore a backup with "bun run restore".`,
        { cause: error },
      )
    }
  })
}
