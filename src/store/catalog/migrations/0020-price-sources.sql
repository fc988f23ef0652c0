-- Prices of further sources, in their own currencies, by condition and grade (decision 40). `prices` stays the
-- table of the mirror: source tcgplayer, USD, near mint.

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

-- The columns mean the same as in `prices`. Series id of the history: -(card_id * 2^20 + kind_id).
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
