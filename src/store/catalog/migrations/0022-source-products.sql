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
