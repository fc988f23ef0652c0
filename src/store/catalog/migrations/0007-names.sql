-- What finds a card by its name, however it is written. A name stands here bare: without case,
-- accents, signs and spaces. First come the names that stand on the cards, game by game (a photo is
-- looked up by these); behind them what the cards are called in full, dearest first, so that the first
-- ones of any that fit are the ones to tell. All is built anew with each publication (names-index.ts).
DROP TABLE card_names;
CREATE TABLE card_names (
  place INTEGER PRIMARY KEY,     -- from 0
  game_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  spelling TEXT NOT NULL,        -- as it is listed; names in full that differ in it stand apart
  backwards TEXT NOT NULL,       -- the same from its end, so that an end is looked for as a beginning
  is_whole INTEGER NOT NULL,     -- 1: this is what its cards are called in full
  rank INTEGER NOT NULL,         -- that of its dearest card (search_ranks): 1 is the dearest of all
  dearest TEXT NOT NULL,         -- the ids of its four dearest cards, as JSON
  cards TEXT NOT NULL            -- the ids of all, newest set first, as JSON
) STRICT;
-- All that is told of a name, so that a thousand of them cost no page of the table each.
CREATE INDEX card_names_by_name ON card_names (is_whole, name, rank, game_id, spelling, dearest);
-- What is misspelt is right at its beginning or at its end, and nearly as long.
CREATE INDEX card_names_by_beginning ON card_names (length(name), name, backwards);
CREATE INDEX card_names_by_end ON card_names (length(name), backwards, name);
DELETE FROM card_name_games;
DELETE FROM card_name_trigrams;
