-- Full-text search by card: a document is written again only when its words change. Prices move daily, so
-- the orders of the cards are stored apart, each as one column of numbers.
DROP TABLE card_search;
DROP TABLE search_ranks;
DROP TABLE search_prices;
DELETE FROM search_tags;
DELETE FROM search_words;

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

-- One number for each card that is not missing, in the order of their ids. card: the ids, and price: the
-- market price of the base printing in cents, -1 if unknown (64-bit floats). rank: from 1, the highest price
-- first, unknown last, ties by id, and name: from 1, by name, ties by id (32-bit integers).
CREATE TABLE search_columns (
  name TEXT NOT NULL UNIQUE,
  numbers BLOB NOT NULL
) STRICT;

-- Cards whose documents must be written again. An upsert would override OR IGNORE in its triggers.
CREATE TABLE unindexed_cards (card_id INTEGER PRIMARY KEY) STRICT;
INSERT INTO unindexed_cards SELECT id FROM cards;
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
