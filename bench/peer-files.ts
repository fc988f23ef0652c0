import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { formatDate } from '#rules/primitives/days.ts'
import { seriesId } from '#store/catalog/history/history.ts'
import { type Db, inTransaction, openDatabase } from '#store/db.ts'
import { openCatalog } from '#store/open-catalog.ts'
import type { BenchData } from './data.ts'

/** The peer's files for this catalog: words, keys and rows of history. */
export type PeerFiles = { words: string; keys: string; history: string }

/** Creates the files that are missing or older than the catalog. */
export function peerFiles(data: BenchData): PeerFiles {
  const files = {
    words: join(data.scratch, 'peer-words.db'),
    keys: join(data.scratch, 'peer-keys.json'),
    history: join(data.scratch, 'peer-history.db'),
  }
  const hashes = data.keys.map((key) => Buffer.from(hashSecret(key)).toString('hex'))
  writeFileSync(files.keys, JSON.stringify(hashes))
  if (!isFresh(files.words, data.catalogFile)) writeWords(files.words, data.catalogFile)
  return files
}

/** Writes the most obvious search index: names of cards by card id. */
function writeWords(file: string, catalogFile: string): void {
  const db = emptyFile(file)
  db.exec(`ATTACH '${catalogFile}' AS catalog`)
  inTransaction(db, () =>
    db.exec(`
      CREATE VIRTUAL TABLE card_fts USING fts5 (name, number, code, prefix = '2 3');
      INSERT INTO card_fts (rowid, name, number, code)
        SELECT cards.id, cards.clean_name, number, abbreviation
          FROM catalog.cards JOIN catalog.sets ON sets.id = set_id`),
  )
  db.close()
}

/** Number of series that the peer stores as rows: all of them would be 60 million rows. */
export const PEER_SERIES = 8_000

/** Stores some series as rows, one per day. Returns bytes per point. */
export function writeHistoryRows(file: string, data: BenchData): number {
  const db = emptyFile(file)
  db.exec(`CREATE TABLE history (
    card_id INTEGER NOT NULL, printing_id INTEGER NOT NULL, day TEXT NOT NULL,
    market_price INTEGER, low_price INTEGER, avg_sales_price INTEGER, sales_volume INTEGER,
    PRIMARY KEY (card_id, printing_id, day)) WITHOUT ROWID`)
  const put = db.prepare('INSERT OR IGNORE INTO history VALUES (?, ?, ?, ?, ?, ?, ?)')
  const catalog = openCatalog(data.dataDir, (stored) => stored)
  inTransaction(db, () => {
    for (const { card_id, printing_id } of data.series.slice(0, PEER_SERIES)) {
      for (const point of catalog.history.getPoints(seriesId(card_id, printing_id), 0)) {
        const { market_price, low_price, avg_sales_price, sales_volume } = point
        const facts = [market_price, low_price, avg_sales_price, sales_volume]
        put.run(card_id, printing_id, formatDate(point.day), ...facts)
      }
    }
  })
  const points = db.prepare<[], number>('SELECT count(*) FROM history').pluck().get() ?? 1
  db.close()
  catalog.close()
  return statSync(file).size / points
}

function isFresh(file: string, than: string): boolean {
  return existsSync(file) && statSync(file).mtimeMs > statSync(than).mtimeMs
}

function emptyFile(file: string): Db {
  writeFileSync(file, '')
  const db = openDatabase(file)
  db.pragma('journal_mode = DELETE')
  return db
}
