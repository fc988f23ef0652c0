-- What finds the cards that a photo's print may mean, also in a catalog without pictures.

-- By the collector number. Cards without one have the key '~', and none is meant by that. All that the
-- look-up reads is in the index, or it would read a page of the table for each of thousands of cards.
CREATE INDEX cards_by_number ON cards (number_key, game_id, set_id, missing_since)
  WHERE missing_since IS NULL AND number_key <> '~';

-- By a name that was read with faults. The names are what stands on the cards, without what the
-- marketplace adds to its titles; each is there once a game, and the names of a game stand one behind
-- the other. All is built anew with each publication (search-index.ts), packed by rules/trigrams.ts.
CREATE TABLE card_names (
  place INTEGER PRIMARY KEY,     -- from 0
  cards TEXT NOT NULL            -- their ids, newest set first, as JSON
) STRICT;

CREATE TABLE card_name_games (
  game_id INTEGER PRIMARY KEY,
  first_place INTEGER NOT NULL,
  sizes BLOB NOT NULL            -- how many trigrams each name has, a byte a name
) STRICT;

-- Which names have a trigram. 160,000 names of 500,000 cards have 8,000 trigrams, in 4 MB.
CREATE TABLE card_name_trigrams (
  trigram INTEGER PRIMARY KEY,
  places BLOB NOT NULL
) STRICT;
