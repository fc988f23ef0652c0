-- Schema of catalog.db. Ids are those of the marketplace, so that a rebuilt catalog keeps the ids of every client.
-- Money is integer cents; null means unknown, never zero.

-- Installation to which the file belongs: one row, written by the first start. The ledger has the same id.
CREATE TABLE installation (
  id TEXT NOT NULL                   -- random
) STRICT;

-- Publication ---------------------------------------------------------------------------------------------------

-- The published version, in one row: the ETag of every catalog response.
CREATE TABLE publication (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL,
  published_at TEXT,           -- newest upstream publish time
  changed_at TEXT NOT NULL     -- when this version was made
) STRICT;
-- Version 1 is the empty file.
INSERT INTO publication VALUES (1, 1, NULL, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));

-- Time of each version, for changes since a time (updated_after). Each row of a set, card or price stores in
-- `updated_in` the last version in which its JSON changed: smaller than a time, and independent of the clock. Version
-- 0 counts as of the oldest known time.
CREATE TABLE versions (
  version INTEGER PRIMARY KEY,
  changed_at INTEGER NOT NULL  -- epoch milliseconds, strictly increasing
) STRICT;

-- Catalog -------------------------------------------------------------------------------------------------------

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
  stale_since TEXT,           -- first failed refresh since; null: none
  prices_since INTEGER,       -- day number of the first price in the histories of its cards; null: none
  -- When an operator accepted that the upstream no longer lists the game; null: listed, or not accepted. Games are
  -- never deleted.
  missing_since TEXT
) STRICT;

CREATE TABLE sets (
  id INTEGER PRIMARY KEY,
  game_id INTEGER NOT NULL REFERENCES games (id),
  name TEXT NOT NULL,
  slug TEXT NOT NULL,
  abbreviation TEXT,
  release_date TEXT,
  card_count INTEGER NOT NULL DEFAULT 0,
  single_count INTEGER NOT NULL DEFAULT 0,   -- of card_count, without sealed products
  priced_count INTEGER NOT NULL DEFAULT 0,   -- of single_count: base printing has a known price
  value INTEGER NOT NULL DEFAULT 0,          -- sum of those prices
  image_url TEXT,
  set_icon_url TEXT,
  top_price INTEGER,                         -- of its most expensive card, whose picture represents it
  is_top_doubtful INTEGER NOT NULL DEFAULT 0, -- 1: that price is of low confidence, as are all others
  last_synced_at TEXT NOT NULL,
  priced_at INTEGER NOT NULL DEFAULT 0,      -- upstream publish time of its prices, epoch seconds
  modified_on TEXT,                          -- last change according to the upstream
  products_read_at INTEGER NOT NULL DEFAULT 0, -- last read of its products, epoch seconds; 0 requests the next one
  missing_since TEXT,                        -- when it vanished upstream; rows are never deleted
  updated_in INTEGER NOT NULL DEFAULT 0,     -- of the set, its cards, its prices
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
  search_text TEXT NOT NULL,                 -- indexed words (rules/search/search-document.ts)
  missing_since TEXT,
  updated_in INTEGER NOT NULL DEFAULT 0      -- of the card without its prices
) STRICT;
CREATE INDEX cards_by_set ON cards (set_id, number_key, id);
-- Each sync compares all cards with the upstream: it reads them from this index instead of their long rows.
CREATE INDEX cards_of_set
  ON cards (set_id, missing_since, foil_only, told_foil_only, image_url IS NOT NULL, product_type = 'Cards');
-- Finds cards of the same name, for cards without an indexed picture.
CREATE INDEX cards_by_name ON cards (game_id, clean_name);
-- Finds cards by the collector number on a photo; those without one have the key '~' and are left out. The index covers
-- the query, which would otherwise read a page of the table for each of thousands of cards.
CREATE INDEX cards_by_number ON cards (number_key, game_id, set_id, missing_since)
  WHERE missing_since IS NULL AND number_key <> '~';

CREATE TABLE printings (
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 1023), -- ten bits of a history series id
  name TEXT NOT NULL UNIQUE
) STRICT;
INSERT INTO printings (name) VALUES
  ('Normal'), ('Unlimited'), ('1st Edition'), ('Limited'), ('Foil'), ('Holofoil'),
  ('Reverse Holofoil'), ('1st Edition Holofoil'), ('Unlimited Holofoil'), ('Rainbow Foil'),
  ('Cold Foil'), ('1st Edition Normal'), ('1st Edition Rainbow Foil'), ('1st Edition Cold Foil'),
  ('Unlimited Edition Normal'), ('Unlimited Edition Rainbow Foil');

-- Ids of cards in an operator's own systems. Those of the products of other sources are in `source_products`.
CREATE TABLE card_ids (
  source TEXT NOT NULL,        -- name of the system
  id TEXT NOT NULL,            -- its own, such as an article number
  card_id INTEGER NOT NULL,
  printing TEXT,               -- null: any
  PRIMARY KEY (source, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX card_ids_by_card ON card_ids (card_id);

-- Changes of cards that clients may have stored the id of.
CREATE TABLE card_migrations (
  id INTEGER PRIMARY KEY,      -- in the order of time
  kind TEXT NOT NULL CHECK (kind IN ('removed', 'restored', 'moved', 'merged')),
  card_id INTEGER NOT NULL,
  card_name TEXT NOT NULL,
  new_card_id INTEGER,         -- merged: the card that replaces it
  old_set_id INTEGER,          -- moved
  new_set_id INTEGER,
  created_at INTEGER NOT NULL  -- epoch milliseconds
) STRICT;
CREATE INDEX card_migrations_by_card ON card_migrations (card_id);

-- Pricing -------------------------------------------------------------------------------------------------------

-- Prices of the mirror: source tcgplayer, USD, near mint.
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
  updated_in INTEGER NOT NULL DEFAULT 0, -- of the printing's price
  -- 1: the printing that represents its card where only one price fits (rules/catalog/base-printing.ts). Each card with
  -- prices has exactly one. It comes first in all lists of the card's printings.
  is_base_printing INTEGER NOT NULL DEFAULT 0,
  -- Day since which the market price is the same, at the latest; null: since `changed_at` or before (decision 44).
  market_since INTEGER,
  -- Day since which prices prefer it to the base printing, its equal by name; null: they do not.
  preferred_since INTEGER,
  PRIMARY KEY (card_id, printing_id)
) STRICT, WITHOUT ROWID;

-- JSON of a card's prices, rendered when they change: reading one row is several times cheaper than rendering it for
-- every request. \u0001 stands for all that moves: the changes in percent and the set's publish time.
CREATE TABLE price_texts (
  card_id INTEGER PRIMARY KEY,
  set_id INTEGER NOT NULL,     -- duplicated, so that the hot path reads one row
  prices TEXT NOT NULL
) STRICT;
-- The text of a card that moves to another set stays, because times of sets are filled in when it is read.
CREATE TRIGGER moved_price_text AFTER UPDATE OF set_id ON cards WHEN old.set_id <> new.set_id BEGIN
  UPDATE price_texts SET set_id = new.set_id WHERE card_id = new.id;
END;
-- Changes in percent move daily, although most prices stay: they are stored apart from the long texts.
CREATE TABLE price_changes (
  card_id INTEGER PRIMARY KEY,
  changes TEXT NOT NULL        -- as rendered by rules/pricing/price-json.ts, in the order of `price_texts`
) STRICT;

-- Daily points, packed (rules/pricing/packed-history.ts). series_id = card_id * 1024 + printing_id; of other sources
-- -(card_id * 2^20 + kind_id).
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
-- Closed months in a file of their own, which a publication does not carry (decision 36). No row: all closed months are
-- in history_cold. With one, history_cold has those that were closed or added since.
CREATE TABLE closed_history (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  sha256 TEXT NOT NULL,        -- of the file, whose name is made from it
  bytes INTEGER NOT NULL,
  series INTEGER NOT NULL      -- rows of its table history_cold
) STRICT;

-- Lists of movers, precomputed, one of each game and one of all games (game_id 0). A list has the first fifty of each
-- product type, printing, minimum level and minimum price, and of each combination: filters are conditions on its rows.
CREATE TABLE movers (
  period TEXT NOT NULL,
  direction TEXT NOT NULL,
  game_id INTEGER NOT NULL,
  position INTEGER NOT NULL,   -- ascending, with gaps
  card_id INTEGER NOT NULL,
  printing_id INTEGER NOT NULL,
  product_type INTEGER NOT NULL, -- 1: Cards, 2: Sealed Products
  previous_price INTEGER NOT NULL, -- at the beginning of the period
  market_price INTEGER NOT NULL,
  confidence INTEGER NOT NULL, -- of the price when the list was built: 1 low, 2 medium, 3 high
  PRIMARY KEY (period, direction, game_id, position)
) STRICT, WITHOUT ROWID;
-- Numbers of printings with an implausible change. product_type 0: both; printing_id 0: all printings.
CREATE TABLE mover_exclusions (
  period TEXT NOT NULL,
  direction TEXT NOT NULL,
  game_id INTEGER NOT NULL,
  product_type INTEGER NOT NULL,
  printing_id INTEGER NOT NULL,
  excluded INTEGER NOT NULL,
  PRIMARY KEY (period, direction, game_id, product_type, printing_id)
) STRICT, WITHOUT ROWID;

-- Daily reference rates, one row per day: {"USD":1.1432,…} units per euro.
CREATE TABLE exchange_rates (
  day INTEGER PRIMARY KEY,     -- days since 1 January 1970
  per_euro TEXT NOT NULL
) STRICT;

-- Further sources, in their own currencies, by condition and grade (decision 40) ---------------------------------

-- Part of a price's key beside the card; some hundred rows.
CREATE TABLE price_kinds (
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 1048575), -- twenty bits of a history series id
  printing_id INTEGER NOT NULL REFERENCES printings (id),
  source TEXT NOT NULL,
  currency TEXT NOT NULL,
  condition TEXT,              -- null: the source does not tell conditions apart
  grade TEXT                   -- null: a raw card
) STRICT;
CREATE UNIQUE INDEX price_kinds_by_key
  ON price_kinds (source, currency, printing_id, coalesce(condition, ''), coalesce(grade, ''));

-- The columns mean the same as in `prices`.
CREATE TABLE source_prices (
  card_id INTEGER NOT NULL,
  kind_id INTEGER NOT NULL,
  market_price INTEGER,        -- hundredths of the currency; null: unknown
  low_price INTEGER,
  median_price INTEGER,
  sale_count INTEGER,          -- sales behind the market price; null: unknown
  base_24h INTEGER,
  base_7d INTEGER,
  base_30d INTEGER,
  tracked_since INTEGER,
  changed_at INTEGER NOT NULL,
  updated_in INTEGER NOT NULL,
  PRIMARY KEY (card_id, kind_id)
) STRICT, WITHOUT ROWID;

-- State of each source, per game; game_id 0: a source that does not come in files per game.
CREATE TABLE price_sources (
  source TEXT NOT NULL,
  game_id INTEGER NOT NULL,
  published_at INTEGER,        -- publish time of its prices, epoch seconds; null: none was read yet
  synced_at TEXT,              -- end of the last import
  stale_since TEXT,            -- first failed import since; null: none
  failure TEXT,                -- reason of the last failed import; null: none
  PRIMARY KEY (source, game_id)
) STRICT, WITHOUT ROWID;

-- Movers in the currency of the source (decision 47); the other columns mean the same as in `movers` and
-- `mover_exclusions`.
CREATE TABLE source_movers (
  source TEXT NOT NULL,
  currency TEXT NOT NULL,
  period TEXT NOT NULL,
  direction TEXT NOT NULL,
  game_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  card_id INTEGER NOT NULL,
  printing_id INTEGER NOT NULL,
  product_type INTEGER NOT NULL,
  previous_price INTEGER NOT NULL, -- hundredths of the currency
  market_price INTEGER NOT NULL,
  confidence INTEGER NOT NULL,
  PRIMARY KEY (source, currency, period, direction, game_id, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE source_mover_exclusions (
  source TEXT NOT NULL,
  currency TEXT NOT NULL,
  period TEXT NOT NULL,
  direction TEXT NOT NULL,
  game_id INTEGER NOT NULL,
  product_type INTEGER NOT NULL,
  printing_id INTEGER NOT NULL,
  excluded INTEGER NOT NULL,
  PRIMARY KEY (source, currency, period, direction, game_id, product_type, printing_id)
) STRICT, WITHOUT ROWID;

-- Products of other sources, and the cards that they are (decision 42).
CREATE TABLE source_products (
  source TEXT NOT NULL,
  id INTEGER NOT NULL,         -- the source's own
  source_game INTEGER NOT NULL, -- the source's own
  expansion_id INTEGER NOT NULL, -- the source's own; 0: none
  name TEXT NOT NULL,
  is_sealed INTEGER NOT NULL,
  added_on INTEGER,            -- day on which the source added it; null: unknown
  missing_since TEXT,          -- when the source no longer listed it; rows are never deleted
  card_id INTEGER,             -- null: not matched, or none of the catalog's cards
  printing TEXT,               -- of all its prices; null: the base printing, and its foil
  method TEXT,                 -- how it was matched: 'operator' outlives each import; null: not matched
  confidence REAL,             -- from 0 to 1
  card_name TEXT,              -- of the card when it was matched: another one is matched again
  card_set_id INTEGER,
  PRIMARY KEY (source, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX source_products_by_card ON source_products (card_id) WHERE card_id IS NOT NULL;

CREATE TABLE source_expansions (
  source TEXT NOT NULL,
  id INTEGER NOT NULL,         -- the source's own
  set_id INTEGER NOT NULL,
  confidence REAL NOT NULL,
  PRIMARY KEY (source, id)
) STRICT, WITHOUT ROWID;

-- Search --------------------------------------------------------------------------------------------------------

-- Full-text search by card: a document is written again only when its words change. Filters are tags among the words.
-- Words arrive folded and separated by spaces (rules/search/search-document.ts), so the tokenizer only splits them.
CREATE VIRTUAL TABLE card_search USING fts5 (
  words,                       -- rowid is the card's id
  content = '',
  contentless_delete = 1,
  detail = none,
  prefix = '1 2 3 4 5 6',
  tokenize = 'ascii'
);
-- Bytes before a segment is written, and segments of one level before they are merged.
INSERT INTO card_search (card_search, rank) VALUES ('hashsize', 16777216);
INSERT INTO card_search (card_search, rank) VALUES ('automerge', 16);

-- Changes whenever any document does.
CREATE TABLE search_documents (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version TEXT NOT NULL
) STRICT;
INSERT INTO search_documents VALUES (1, '');

-- Prices move daily, so the orders of the cards are stored apart, each as one column: one number for each card that is
-- not missing, in the order of their ids. card: the ids, set: those of their sets, and price: the market price of the
-- base printing in cents, -1 if unknown (64-bit floats). rank: from 1, the highest price first, unknown last, ties by
-- id (32-bit integers); others: places in the orders of search/search-columns.ts, in the same way.
CREATE TABLE search_columns (
  name TEXT NOT NULL UNIQUE,
  numbers BLOB NOT NULL
) STRICT;

-- Tag of a filter value in the documents. kind: game, set (by id), rarity (in lower case), type.
CREATE TABLE search_tags (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  tag TEXT NOT NULL,
  UNIQUE (kind, value)
) STRICT;

-- Tag of each word of a card's context (set, game, rarity, printing and product type) in the documents.
CREATE TABLE search_words (
  word TEXT PRIMARY KEY,
  tag TEXT NOT NULL,
  is_printing INTEGER NOT NULL   -- 1: a word of the name of a printing
) STRICT, WITHOUT ROWID;

-- Names and codes of sets, as the words that are typed, with the tag of the set in the documents.
CREATE TABLE search_sets (
  phrase TEXT NOT NULL,
  tag TEXT NOT NULL,
  PRIMARY KEY (phrase, tag)
) STRICT, WITHOUT ROWID;

-- The vocabulary for correcting misspelled words: all words of one length, concatenated, most frequent first. For each
-- word the number of its cards and the set of its letters, 32 bits each (rules/search/spelling.ts).
CREATE TABLE search_terms (
  length INTEGER PRIMARY KEY,
  terms TEXT NOT NULL,
  cards BLOB NOT NULL,
  letters BLOB NOT NULL
) STRICT;

-- Cards whose documents must be written again. An upsert would override OR IGNORE in its triggers.
CREATE TABLE unindexed_cards (card_id INTEGER PRIMARY KEY) STRICT;
CREATE TRIGGER unindexed_new_card AFTER INSERT ON cards BEGIN
  INSERT INTO unindexed_cards VALUES (new.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER unindexed_card
  AFTER UPDATE OF search_text, clean_name, rarity, product_type, set_id, missing_since ON cards
  WHEN (old.search_text, old.clean_name, old.rarity, old.product_type, old.set_id, old.missing_since)
    IS NOT (new.search_text, new.clean_name, new.rarity, new.product_type, new.set_id, new.missing_since)
BEGIN
  INSERT INTO unindexed_cards VALUES (new.id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER unindexed_printing AFTER INSERT ON prices BEGIN
  INSERT INTO unindexed_cards VALUES (new.card_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER unindexed_lost_printing AFTER DELETE ON prices BEGIN
  INSERT INTO unindexed_cards VALUES (old.card_id) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER unindexed_set AFTER UPDATE OF name, abbreviation, game_id ON sets
  WHEN (old.name, old.abbreviation, old.game_id) IS NOT (new.name, new.abbreviation, new.game_id)
BEGIN
  INSERT INTO unindexed_cards SELECT id FROM cards WHERE set_id = new.id ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER unindexed_game AFTER UPDATE OF name ON games WHEN old.name <> new.name BEGIN
  INSERT INTO unindexed_cards SELECT id FROM cards WHERE game_id = new.id ON CONFLICT DO NOTHING;
END;

-- Matching ------------------------------------------------------------------------------------------------------

-- Names and codes of sets as queries and deck lists write them (rules/catalog/set-keys.ts), rebuilt with each
-- publication.
CREATE TABLE set_keys (
  key TEXT NOT NULL,
  kind TEXT NOT NULL,
  set_id INTEGER NOT NULL,
  PRIMARY KEY (key, kind, set_id)
) STRICT, WITHOUT ROWID;

-- Finds cards by name, whatever the spelling (names-index.ts). Names are normalized: without case, accents, punctuation
-- and spaces. Printed names, by which photos are matched, come first, grouped by game. Full names follow. They are
-- written only when a name changes.
CREATE TABLE card_names (
  place INTEGER PRIMARY KEY,     -- never used again for another name
  game_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  spelling TEXT NOT NULL,        -- as listed; full names that differ in it are separate rows
  backwards TEXT NOT NULL,       -- reversed, so that suffixes are searched as prefixes
  is_whole INTEGER NOT NULL,     -- 1: a full name; 0: a printed one
  cards TEXT NOT NULL            -- all ids, newest set first, as JSON
) STRICT;
-- Covers the query, so that a thousand names do not each read a page of the table.
CREATE INDEX card_names_by_name ON card_names (is_whole, name, game_id, spelling);
-- A misspelled name is correct at its beginning or end, and of similar length.
CREATE INDEX card_names_by_beginning ON card_names (length(name), name, backwards);
CREATE INDEX card_names_by_end ON card_names (length(name), backwards, name);

CREATE TABLE card_name_games (
  game_id INTEGER PRIMARY KEY,
  first_place INTEGER NOT NULL,
  sizes BLOB NOT NULL            -- number of trigrams, one byte per name
) STRICT;

-- Names that have a trigram, packed by rules/catalog/trigrams.ts. 160,000 names of 500,000 cards have 8,000 trigrams in
-- 4 MB.
CREATE TABLE card_name_trigrams (
  trigram INTEGER PRIMARY KEY,
  places BLOB NOT NULL
) STRICT;

-- What depends on prices changes with each publication, so it is stored apart, in one row, in the order of places.
CREATE TABLE card_name_prices (
  first_place INTEGER PRIMARY KEY, -- `first_place` of card_name_games and the trigrams count from here
  ranks BLOB NOT NULL,           -- best rank by price of its cards (search_columns), 32 bits
  ends BLOB NOT NULL,            -- where its ids in `top_cards` end, 32 bits
  top_cards BLOB NOT NULL          -- ids of its four most expensive cards, as doubles
) STRICT;

-- Shapes that distinguish a game's collector numbers from other print (rules/catalog/number-forms.ts), rebuilt with
-- each publication.
CREATE TABLE number_shapes (
  game_id INTEGER NOT NULL,
  shape TEXT NOT NULL,           -- AA00-000
  PRIMARY KEY (game_id, shape)
) STRICT, WITHOUT ROWID;

-- Photos --------------------------------------------------------------------------------------------------------

-- Vectors and hashes of the cards' pictures, by which photos are matched. The pictures themselves are not stored. Rows
-- are never deleted: a row without a vector makes readers drop theirs.
CREATE TABLE card_pictures (
  card_id INTEGER PRIMARY KEY,
  game_id INTEGER NOT NULL,
  model TEXT NOT NULL,         -- model that computed the vector; vectors of other models are not comparable
  image_url TEXT NOT NULL,     -- URL of the indexed picture; empty if the card lost it
  etag TEXT,
  vector BLOB CHECK (length(vector) = 128), -- null: no visual evidence
  hash BLOB CHECK (length(hash) = 128),
  art_group INTEGER,           -- lowest id of the cards with the same art; only with a vector
  status TEXT NOT NULL CHECK (status IN ('indexed', 'placeholder', 'missing', 'failed', 'gone')),
  tries INTEGER NOT NULL DEFAULT 0,  -- consecutive failures
  next_try_at INTEGER,         -- epoch seconds; null: when the URL changes
  updated_at TEXT NOT NULL,
  version INTEGER NOT NULL,    -- grows with each change of any vector
  CHECK ((vector IS NULL) = (art_group IS NULL)),
  CHECK ((vector IS NOT NULL) = (status = 'indexed'))
) STRICT;
CREATE INDEX card_pictures_by_version ON card_pictures (version, card_id);
CREATE INDEX card_pictures_by_art_group ON card_pictures (art_group) WHERE art_group IS NOT NULL;
-- Equal pictures are found by a part of the hash: an index on all of it would double the table.
CREATE INDEX card_pictures_by_hash ON card_pictures (substr(hash, 1, 16)) WHERE hash IS NOT NULL;

-- Alerts --------------------------------------------------------------------------------------------------------

-- Price alerts to be sent, written in the transaction that changes the prices: neither is committed without the other.
-- The server copies them into the ledger, from which they are delivered. Copied alerts, and those of deleted rules,
-- are deleted by a later publication.
CREATE TABLE alert_outbox (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,           -- message id, the same in every attempt
  rule_id TEXT NOT NULL,             -- of the ledger
  body TEXT NOT NULL,                -- exact bytes of the message
  created_at INTEGER NOT NULL        -- epoch milliseconds
) STRICT;

-- Rules whose alert was sent and whose condition has been met since. They are armed again once the price has crossed
-- back. All other rules are armed.
CREATE TABLE alerted_rules (
  rule_id TEXT PRIMARY KEY,
  revision INTEGER NOT NULL          -- revision of the condition that was met
) STRICT, WITHOUT ROWID;

-- Sync ----------------------------------------------------------------------------------------------------------

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
