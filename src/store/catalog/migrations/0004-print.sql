-- Finds cards by the text on a photo, also in a catalog without pictures.

-- By collector number; cards without one have the key '~' and are left out. The index covers the query,
-- which would otherwise read a page of the table for each of thousands of cards.
CREATE INDEX cards_by_number ON cards (number_key, game_id, set_id, missing_since)
  WHERE missing_since IS NULL AND number_key <> '~';

-- By a name that was read with errors. Names are those printed on the cards, without the additions of
-- the marketplace, once per game, and grouped by game. Rebuilt with each publication
-- (names-index.ts) and packed by rules/catalog/trigrams.ts.
CREATE TABLE card_names (
  place INTEGER PRIMARY KEY,     -- from 0
  cards TEXT NOT NULL            -- their ids, newest set first, as JSON
) STRICT;

CREATE TABLE card_name_games (
  game_id INTEGER PRIMARY KEY,
  first_place INTEGER NOT NULL,
  sizes BLOB NOT NULL            -- number of trigrams, one byte per name
) STRICT;

-- Names that have a trigram. 160,000 names of 500,000 cards have 8,000 trigrams in 4 MB.
CREATE TABLE card_name_trigrams (
  trigram INTEGER PRIMARY KEY,
  places BLOB NOT NULL
) STRICT;
