import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CATALOG_MIGRATIONS } from '../catalog/migrations.ts'
import { type Db, openDatabase } from '../db.ts'
import { LEDGER_MIGRATIONS } from '../ledger/migrations.ts'
import { schemaVersion } from '../migrate.ts'
import { CATALOG_FILE, LEDGER_FILE } from './data-folder.ts'

/** What one of both files says of itself to somebody who only looks. */
export type DatabaseFacts = {
  name: string
  /** Of its schema, and the newest that this program knows. */
  version: number
  newest: number
  /** What SQLite finds wrong with it, at most a few lines; empty where it is whole. */
  damage: string[]
}

/** What the catalog has in it. Moments are ISO 8601. */
export type CatalogFacts = {
  cards: number
  pictures: number
  games: {
    slug: string
    priority: number
    published_at: string | null
    stale_since: string | null
  }[]
  last_sync: { finished_at: string; outcome: string; report: string } | undefined
  published_at: string | null
}

/**
 * Looks at both files without changing them, also beside a server that uses them; the catalog of half a
 * million cards takes some seconds. A file that is not there yet is left out.
 *
 * @throws what SQLite throws where a file cannot be read at all
 */
export function inspectDatabase(
  dataDir: string,
  name: 'catalog' | 'ledger',
): DatabaseFacts | undefined {
  const isCatalog = name === 'catalog'
  const path = join(dataDir, isCatalog ? CATALOG_FILE : LEDGER_FILE)
  const newest = (isCatalog ? CATALOG_MIGRATIONS : LEDGER_MIGRATIONS).length
  if (!existsSync(path)) return undefined
  return looking(path, (db) => ({
    name: isCatalog ? CATALOG_FILE : LEDGER_FILE,
    version: schemaVersion(db),
    newest,
    damage: damageOf(db),
  }))
}

/**
 * What the catalog has in it; undefined where it is not there, or has another schema than this program's.
 *
 * @throws what SQLite throws where it cannot be read
 */
export function inspectCatalog(dataDir: string): CatalogFacts | undefined {
  const path = join(dataDir, CATALOG_FILE)
  if (!existsSync(path)) return undefined
  return looking(path, (db) => {
    if (schemaVersion(db) !== CATALOG_MIGRATIONS.length) return undefined
    const number = (sql: string) => db.prepare<[], number>(sql).pluck().get() ?? 0
    return {
      cards: number('SELECT sum(card_count) FROM games'),
      pictures: number('SELECT count(*) FROM card_pictures WHERE art_group IS NOT NULL'),
      games: db
        .prepare<[], CatalogFacts['games'][number]>(
          'SELECT slug, priority, published_at, stale_since FROM games ORDER BY id',
        )
        .all(),
      last_sync: db
        .prepare<[], NonNullable<CatalogFacts['last_sync']>>(
          `SELECT finished_at, outcome, report FROM sync_runs
            WHERE finished_at IS NOT NULL ORDER BY id DESC LIMIT 1`,
        )
        .get(),
      published_at:
        db
          .prepare<[], string | null>('SELECT published_at FROM publication WHERE id = 1')
          .pluck()
          .get() ?? null,
    }
  })
}

/** SQLite as it is built into the package, after it has made and read an index of words. */
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

function looking<T>(path: string, look: (db: Db) => T): T {
  const db = openDatabase(path, { readonly: true, busyTimeoutMs: 5_000 })
  try {
    return look(db)
  } finally {
    db.close()
  }
}

/** Pages, rows and the index of words; not whether each index has each row, which takes much longer. */
function damageOf(db: Db): string[] {
  const lines = db.prepare<[], string>(`PRAGMA quick_check(${LINES_MAX})`).pluck().all()
  return lines.filter((line) => line !== 'ok')
}

const LINES_MAX = 3
