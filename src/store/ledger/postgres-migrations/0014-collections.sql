-- Collections and wish lists; see 0020-collections of SQLite's ledger.
CREATE TABLE collections (
  id TEXT PRIMARY KEY,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN ('owned', 'wish')),
  name TEXT NOT NULL,
  revision BIGINT NOT NULL DEFAULT 1,
  items BIGINT NOT NULL DEFAULT 0 CHECK (items >= 0),
  content BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT
);
CREATE INDEX collections_by_account ON collections (account_id, created_at) WHERE deleted_at IS NULL;
CREATE INDEX collections_deleted ON collections (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE collection_items (
  collection_id TEXT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
  id TEXT COLLATE "C" NOT NULL,
  card_id BIGINT NOT NULL,
  name TEXT COLLATE "C" NOT NULL,
  number TEXT,
  game TEXT NOT NULL,
  set_id BIGINT NOT NULL,
  set_name TEXT NOT NULL,
  printing TEXT,
  condition TEXT NOT NULL,
  grade TEXT,
  language TEXT,
  quantity BIGINT NOT NULL CHECK (quantity BETWEEN 1 AND 100000),
  price_paid BIGINT CHECK (price_paid BETWEEN 0 AND 100000000),
  acquired_on BIGINT,
  place TEXT,
  note TEXT,
  target_price BIGINT CHECK (target_price BETWEEN 0 AND 100000000),
  value BIGINT,
  revision BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (collection_id, id)
);
CREATE INDEX collection_items_by_name ON collection_items (collection_id, name);
CREATE INDEX collection_items_by_value ON collection_items (collection_id, value);
CREATE INDEX collection_items_by_set ON collection_items (collection_id, game, set_id);

CREATE TABLE collection_imports (
  collection_id TEXT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
  content_hash TEXT NOT NULL,
  run BIGINT NOT NULL,
  done BIGINT NOT NULL DEFAULT 0,
  imported BIGINT NOT NULL DEFAULT 0,
  problem_count BIGINT NOT NULL DEFAULT 0,
  problems TEXT NOT NULL DEFAULT '[]',
  completed_at BIGINT,
  started_at BIGINT NOT NULL,
  PRIMARY KEY (collection_id, content_hash, run)
);

CREATE TABLE collection_summaries (
  collection_id TEXT PRIMARY KEY REFERENCES collections (id) ON DELETE CASCADE,
  content BIGINT NOT NULL,
  catalog_version BIGINT NOT NULL,
  value BIGINT NOT NULL,
  summary TEXT NOT NULL,
  computed_at BIGINT NOT NULL
);

CREATE TABLE collection_values (
  collection_id TEXT NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
  day BIGINT NOT NULL,
  value BIGINT NOT NULL,
  cost BIGINT NOT NULL,
  PRIMARY KEY (collection_id, day)
);

CREATE TABLE collection_shares (
  collection_id TEXT PRIMARY KEY REFERENCES collections (id) ON DELETE CASCADE,
  token_hash BYTEA NOT NULL UNIQUE,
  created_at BIGINT NOT NULL
);
