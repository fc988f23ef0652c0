import { PRICE_FIELDS } from '#rules/pricing/price-json.ts'
import { openDatabase } from '../db.ts'
import type { CatalogCard } from './card-store.ts'
import { CARD_FIELDS } from './cards.ts'
import type { GameRecord } from './games.ts'
import type { Publication } from './publication.ts'
import type { SetRecord } from './sets.ts'

/** Writes the catalog as a SQLite file with the API's fields; the same rows produce the same bytes. */
export type SnapshotWriter = {
  /** Adds a game. */
  putGame(game: GameRecord): void
  /** Adds a set. */
  putSet(set: SetRecord): void
  /** Adds cards with their prices. */
  putCards(cards: readonly CatalogCard[]): void
  /** Completes the file. @returns the number of rows in all tables */
  finish(publication: Publication): number
  /** Closes an incomplete file. */
  close(): void
}

/** Creates the file and its tables. */
export function openSnapshotWriter(path: string): SnapshotWriter {
  const db = openDatabase(path, { cacheKib: 65_536 })
  // Unfinished files are deleted, and readers may be unable to write a journal beside the file.
  db.pragma('journal_mode = MEMORY')
  db.pragma('synchronous = OFF')
  db.exec(SCHEMA)
  const putGame = db.prepare(
    `INSERT INTO games VALUES (@id, @name, @slug, @marketplace_id, @priority, @set_count,
       @card_count, @image_url, @logo_url, @last_synced_at)`,
  )
  const putSet = db.prepare(
    `INSERT INTO sets VALUES (@id, @game_id, @name, @slug, @marketplace_id, @abbreviation,
       @release_date, @card_count, @image_url, @set_icon_url, @last_synced_at, @game_name,
       @game_slug, @single_count, @priced_count, @value)`,
  )
  const putCard = db.prepare(`INSERT INTO cards VALUES (${CARD_FIELDS.map(() => '?')})`)
  const putPrice = db.prepare(`INSERT INTO prices VALUES (${PRICE_FIELDS.map(() => '?')})`)
  const putMeta = db.prepare(
    `INSERT INTO meta VALUES (@version, @published_at, @changed_at, 'Cardstock')`,
  )
  const count = db
    .prepare<[], number>(
      `SELECT (SELECT count(*) FROM meta) + (SELECT count(*) FROM games) +
              (SELECT count(*) FROM sets) + (SELECT count(*) FROM cards) +
              (SELECT count(*) FROM prices)`,
    )
    .pluck()
  // Uses one transaction, because an unfinished file is useless.
  db.exec('BEGIN')

  return {
    putGame: (gameRecord) => void putGame.run(gameRecord),
    putSet: (set) => void putSet.run(set),
    putCards(cards) {
      for (const { cells, prices } of cards) {
        putCard.run(cells)
        for (const price of prices) putPrice.run(PRICE_FIELDS.map((field) => price[field]))
      }
    },
    finish(publication) {
      putMeta.run(publication)
      db.exec(INDEXES)
      db.exec('COMMIT')
      const rows = count.get() ?? 0
      db.close()
      return rows
    },
    close: () => void db.close(),
  }
}

// Not STRICT, because SQLite before 3.37 could not open the file.
const SCHEMA = `
  CREATE TABLE meta (version INTEGER NOT NULL, published_at TEXT, updated_at TEXT NOT NULL,
    generator TEXT NOT NULL);
  CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    slug TEXT NOT NULL UNIQUE,
    marketplace_id INTEGER NOT NULL,
    priority INTEGER NOT NULL,
    set_count INTEGER NOT NULL,
    card_count INTEGER NOT NULL,
    image_url TEXT,
    logo_url TEXT,
    last_synced_at TEXT
  );
  CREATE TABLE sets (
    id INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES games (id),
    name TEXT NOT NULL,
    slug TEXT NOT NULL,
    marketplace_id INTEGER NOT NULL,
    abbreviation TEXT,
    release_date TEXT,
    card_count INTEGER NOT NULL,
    image_url TEXT,
    set_icon_url TEXT,
    last_synced_at TEXT NOT NULL,
    game_name TEXT NOT NULL,
    game_slug TEXT NOT NULL,
    single_count INTEGER NOT NULL,
    priced_count INTEGER NOT NULL,
    value REAL
  );
  CREATE TABLE cards (
    id INTEGER PRIMARY KEY,
    game_id INTEGER NOT NULL REFERENCES games (id),
    set_id INTEGER NOT NULL REFERENCES sets (id),
    name TEXT NOT NULL,
    clean_name TEXT NOT NULL,
    number TEXT,
    rarity TEXT,
    image_url TEXT,
    marketplace_url TEXT,
    product_type TEXT NOT NULL,
    foil_only INTEGER NOT NULL,
    total_listings INTEGER NOT NULL,
    shipping_category_id INTEGER NOT NULL,
    product_status_id INTEGER NOT NULL,
    set_name TEXT NOT NULL,
    set_slug TEXT NOT NULL,
    game_name TEXT NOT NULL,
    game_slug TEXT NOT NULL,
    marketplace_id INTEGER NOT NULL,
    hp TEXT,
    custom_attributes TEXT NOT NULL -- a JSON object
  );
  CREATE TABLE prices (
    card_id INTEGER NOT NULL REFERENCES cards (id),
    printing TEXT NOT NULL,
    market_price REAL, -- dollars; null: not known
    low_price REAL,
    median_price REAL,
    lowest_with_shipping REAL,
    buylist_price REAL,
    price_change_24h REAL, -- percent; null: too little is known
    price_change_7d REAL,
    price_change_30d REAL,
    last_updated_at TEXT NOT NULL,
    PRIMARY KEY (card_id, printing)
  ) WITHOUT ROWID;`

const INDEXES = 'CREATE INDEX cards_by_set ON cards (set_id)'
