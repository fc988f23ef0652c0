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
