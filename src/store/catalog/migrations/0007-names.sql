-- Finds cards by name, whatever the spelling. Names are normalized: without case, accents, punctuation
-- and spaces. Printed names, by which photos are matched, come first, grouped by game. Full names follow,
-- most expensive first, so that the first matches are the best. Rebuilt with each publication
-- (names-index.ts).
DROP TABLE card_names;
CREATE TABLE card_names (
  place INTEGER PRIMARY KEY,     -- from 0
  game_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  spelling TEXT NOT NULL,        -- as listed; full names that differ in it are separate rows
  backwards TEXT NOT NULL,       -- reversed, so that suffixes are searched as prefixes
  is_whole INTEGER NOT NULL,     -- 1: a full name; 0: a printed one
  rank INTEGER NOT NULL,         -- best rank by price of its cards (search_ranks)
  dearest TEXT NOT NULL,         -- ids of its four most expensive cards, as JSON
  cards TEXT NOT NULL            -- all ids, newest set first, as JSON
) STRICT;
-- Covers the query, so that a thousand names do not each read a page of the table.
CREATE INDEX card_names_by_name ON card_names (is_whole, name, rank, game_id, spelling, dearest);
-- A misspelled name is correct at its beginning or end, and of similar length.
CREATE INDEX card_names_by_beginning ON card_names (length(name), name, backwards);
CREATE INDEX card_names_by_end ON card_names (length(name), backwards, name);
DELETE FROM card_name_games;
DELETE FROM card_name_trigrams;
