-- Movers of further sources in their own currencies (decision 47); the other columns mean the same as in `movers` and
-- `mover_exclusions`.
CREATE TABLE source_movers (
  source TEXT NOT NULL,
  currency TEXT NOT NULL,
  period TEXT NOT NULL,
  direction TEXT NOT NULL,
  game_id INTEGER NOT NULL,
  product_type INTEGER NOT NULL,
  printing_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  card_id INTEGER NOT NULL,
  card_printing_id INTEGER NOT NULL,
  market_price INTEGER NOT NULL, -- hundredths of the currency
  price_change REAL NOT NULL,
  confidence INTEGER NOT NULL,
  PRIMARY KEY (source, currency, period, direction, game_id, product_type, printing_id, position)
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
