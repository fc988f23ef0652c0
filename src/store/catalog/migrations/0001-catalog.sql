-- Games, sets, cards and prices. Ids are those of the marketplace, so that a rebuilt catalog keeps the
-- ids of every client. Money is integer cents; null means unknown, never zero.

CREATE TABLE games (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  slug TEXT NOT NULL UNIQUE,
  priority INTEGER NOT NULL,
  set_count INTEGER NOT NULL DEFAULT 0,
  card_count INTEGER NOT NULL DEFAULT 0,
  image_url TEXT,
  logo_url TEXT,
  last_synced_at TEXT,        -- end of the last complete sync of this game
  published_at TEXT,          -- upstream publish time of that sync
  stale_since TEXT            -- first failed refresh since; null: none
) STRICT;

CREATE TABLE sets (
  id INTEGER PRIMARY KEY,
  game_id INTEGER NOT NULL REFERENCES games (id),
  name TEXT NOT NULL,
  slug TEXT NOT NULL,
  abbreviation TEXT,
  release_date TEXT,
  card_count INTEGER NOT NULL DEFAULT 0,
  image_url TEXT,
  set_icon_url TEXT,
  top_price INTEGER,                         -- of its most expensive card, whose picture represents it
  last_synced_at TEXT NOT NULL,
  priced_at INTEGER NOT NULL DEFAULT 0,      -- upstream publish time of its prices, epoch seconds
  modified_on TEXT,                          -- last change according to the upstream
  products_read_at INTEGER NOT NULL DEFAULT 0, -- last read of its products, epoch seconds
  missing_since TEXT,                        -- when it vanished upstream; rows are never deleted
  UNIQUE (game_id, slug)
) STRICT;
CREATE INDEX sets_by_release ON sets (game_id, release_date DESC, id);

CREATE TABLE cards (
  id INTEGER PRIMARY KEY,
  game_id INTEGER NOT NULL REFERENCES games (id),
  set_id INTEGER NOT NULL REFERENCES sets (id),
  name TEXT NOT NULL,
  clean_name TEXT NOT NULL,
  number TEXT,
  number_key TEXT NOT NULL,                  -- sorts collector numbers naturally
  rarity TEXT,
  image_url TEXT,
  marketplace_url TEXT,
  product_type TEXT NOT NULL,
  foil_only INTEGER NOT NULL DEFAULT 0,
  told_foil_only INTEGER,                    -- reported by the upstream; null: derived from printings
  total_listings INTEGER NOT NULL DEFAULT 0,
  shipping_category_id INTEGER NOT NULL,
  product_status_id INTEGER NOT NULL,
  hp TEXT,
  custom_attributes TEXT NOT NULL DEFAULT '{}',
  search_text TEXT NOT NULL,                 -- indexed words (rules/search/search-text.ts)
  missing_since TEXT
) STRICT;
CREATE INDEX cards_by_set ON cards (set_id, number_key, id);

CREATE TABLE printings (
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 1023), -- ten bits of a history series id
  name TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO printings (name) VALUES
  ('Normal'), ('Unlimited'), ('1st Edition'), ('Limited'), ('Foil'), ('Holofoil'),
  ('Reverse Holofoil'), ('1st Edition Holofoil'), ('Unlimited Holofoil'), ('Rainbow Foil'),
  ('Cold Foil'), ('1st Edition Normal'), ('1st Edition Rainbow Foil'), ('1st Edition Cold Foil'),
  ('Unlimited Edition Normal'), ('Unlimited Edition Rainbow Foil');

CREATE TABLE prices (
  card_id INTEGER NOT NULL,
  printing_id INTEGER NOT NULL,
  market_price INTEGER,
  low_price INTEGER,
  median_price INTEGER,
  lowest_with_shipping INTEGER,
  buylist_price INTEGER,
  base_24h INTEGER,            -- market price that the change is relative to
  base_7d INTEGER,
  base_30d INTEGER,
  tracked_since INTEGER,       -- day number of the first history point; null: no history
  changed_at INTEGER NOT NULL, -- upstream publish time of the last change, epoch seconds
  PRIMARY KEY (card_id, printing_id)
) STRICT, WITHOUT ROWID;

-- JSON of a card's prices, rendered when they change: reading one row is several times cheaper than
-- rendering it for every request. \u0001 stands for the set's publish time.
CREATE TABLE price_texts (
  card_id INTEGER PRIMARY KEY,
  set_id INTEGER NOT NULL,     -- duplicated, so that the hot path reads one row
  prices TEXT NOT NULL
) STRICT;

-- Daily points, packed (rules/pricing/packed-history.ts). series_id = card_id * 1024 + printing_id.
-- Hot: the last months, month first, so that a day's points are written to adjacent rows.
CREATE TABLE history_hot (
  month INTEGER NOT NULL,      -- year * 12 + month, January is 0
  series_id INTEGER NOT NULL,
  points BLOB NOT NULL,
  PRIMARY KEY (month, series_id)
) STRICT, WITHOUT ROWID;
-- Cold: everything older, one blob per series.
CREATE TABLE history_cold (
  series_id INTEGER PRIMARY KEY,
  points BLOB NOT NULL
) STRICT;

-- The top of each list of movers, precomputed. game_id 0: all games; product_type 0: both, 1: Cards,
-- 2: Sealed Products; printing_id 0: all printings.
CREATE TABLE movers (
  period TEXT NOT NULL,
  direction TEXT NOT NULL,
  game_id INTEGER NOT NULL,
  product_type INTEGER NOT NULL,
  printing_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  card_id INTEGER NOT NULL,
  card_printing_id INTEGER NOT NULL,
  market_price INTEGER NOT NULL,
  price_change REAL NOT NULL,
  PRIMARY KEY (period, direction, game_id, product_type, printing_id, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE mover_exclusions (
  period TEXT NOT NULL,
  direction TEXT NOT NULL,
  game_id INTEGER NOT NULL,
  product_type INTEGER NOT NULL,
  printing_id INTEGER NOT NULL,
  excluded INTEGER NOT NULL,
  PRIMARY KEY (period, direction, game_id, product_type, printing_id)
) STRICT, WITHOUT ROWID;

-- The published version, in one row: the ETag of every catalog response.
CREATE TABLE publication (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL,
  published_at TEXT,           -- newest upstream publish time
  changed_at TEXT NOT NULL     -- when this version was made
) STRICT;
INSERT INTO publication VALUES (1, 1, NULL, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));

CREATE TABLE sync_runs (
  id INTEGER PRIMARY KEY,
  started_at TEXT NOT NULL,
  finished_at TEXT,
  outcome TEXT,                -- complete, incomplete, failed; null while it runs, or if it was killed
  published_at TEXT,
  report TEXT NOT NULL DEFAULT '{}'
) STRICT;

-- Validators of the files that were read, so that unchanged files are not fetched again.
CREATE TABLE upstream_files (
  path TEXT PRIMARY KEY,
  etag TEXT,
  last_modified TEXT
) STRICT, WITHOUT ROWID;
