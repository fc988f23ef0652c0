-- Collections and wish lists. Times are epoch milliseconds, days are counted from 1 January 1970, money is US cents.
CREATE TABLE collections (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN ('owned', 'wish')),
  name TEXT NOT NULL,
  revision INTEGER NOT NULL DEFAULT 1, -- grows with every change of its name
  items INTEGER NOT NULL DEFAULT 0 CHECK (items >= 0),
  content INTEGER NOT NULL DEFAULT 1, -- grows with every change of its items
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER                 -- invisible from then on; its rows are purged in small steps
) STRICT;
CREATE INDEX collections_by_account ON collections (account_id, created_at) WHERE deleted_at IS NULL;
CREATE INDEX collections_deleted ON collections (deleted_at) WHERE deleted_at IS NOT NULL;

-- Name, number, set and game are those of the card when the item was added: the card may vanish from the catalog.
CREATE TABLE collection_items (
  collection_id TEXT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
  id TEXT NOT NULL,                  -- ascending by the time of creation
  card_id INTEGER NOT NULL,          -- of the catalog
  name TEXT NOT NULL,
  number TEXT,
  game TEXT NOT NULL,                -- slug
  set_id INTEGER NOT NULL,
  set_name TEXT NOT NULL,
  printing TEXT,                     -- null: the card had none
  condition TEXT NOT NULL,
  grade TEXT,                        -- such as "PSA 10"; null for a raw card
  language TEXT,                     -- code; null: unknown
  quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 100000),
  price_paid INTEGER CHECK (price_paid BETWEEN 0 AND 100000000), -- of one copy
  acquired_on INTEGER,               -- day
  place TEXT,
  note TEXT,
  target_price INTEGER CHECK (target_price BETWEEN 0 AND 100000000), -- of one copy, on a wish list
  value INTEGER,                     -- of all copies when the collection was last valued, to sort by
  revision INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (collection_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX collection_items_by_name ON collection_items (collection_id, name);
CREATE INDEX collection_items_by_value ON collection_items (collection_id, value);
CREATE INDEX collection_items_by_set ON collection_items (collection_id, game, set_id);

-- Progress of a file: rows up to `done` are stored or listed as problems, in the same transaction.
CREATE TABLE collection_imports (
  collection_id TEXT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
  content_hash TEXT NOT NULL,        -- SHA-256 of the file and its options, in hexadecimal
  run INTEGER NOT NULL,              -- 2 and more: the owner asked for the same file again
  done INTEGER NOT NULL DEFAULT 0,
  imported INTEGER NOT NULL DEFAULT 0,
  problem_count INTEGER NOT NULL DEFAULT 0,
  problems TEXT NOT NULL DEFAULT '[]', -- the first of them, as JSON
  completed_at INTEGER,
  started_at INTEGER NOT NULL,
  PRIMARY KEY (collection_id, content_hash, run)
) STRICT, WITHOUT ROWID;

-- Last valuation of each collection. It can always be computed again.
CREATE TABLE collection_summaries (
  collection_id TEXT PRIMARY KEY REFERENCES collections (id) ON DELETE CASCADE,
  content INTEGER NOT NULL,          -- of the collection when it was valued
  catalog_version INTEGER NOT NULL,
  value INTEGER NOT NULL,
  summary TEXT NOT NULL,             -- JSON
  computed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Daily totals of each collection, from its first item on.
CREATE TABLE collection_values (
  collection_id TEXT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  value INTEGER NOT NULL,
  cost INTEGER NOT NULL,
  PRIMARY KEY (collection_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE collection_shares (
  collection_id TEXT PRIMARY KEY REFERENCES collections (id) ON DELETE CASCADE,
  token_hash BLOB NOT NULL UNIQUE,   -- SHA-256 of the token, which is in the link only
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
