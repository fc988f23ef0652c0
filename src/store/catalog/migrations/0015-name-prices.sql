-- Names are written only when a name changes. Their order by price changes with each publication, so it
-- is stored apart, in one row. The index is built again when the catalog is opened (names-index.ts).
DROP TABLE card_names;
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
DELETE FROM card_name_games;
DELETE FROM card_name_trigrams;

-- One row: for each name, in the order of places, what depends on prices.
CREATE TABLE card_name_prices (
  first_place INTEGER PRIMARY KEY, -- `first_place` of card_name_games and the trigrams count from here
  ranks BLOB NOT NULL,           -- best rank by price of its cards (search_ranks), 32 bits
  ends BLOB NOT NULL,            -- where its ids in `top_cards` end, 32 bits
  top_cards BLOB NOT NULL          -- ids of its four most expensive cards, as doubles
) STRICT;
