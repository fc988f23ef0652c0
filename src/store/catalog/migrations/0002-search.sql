-- Full-text search. The rowid of a document is the card's rank by price (its highest printing's
-- market price, unknown last, ties by id), so that a page sorted by price is read off the index and
-- a price range is a rowid range. Filters are tags among the words (rules/search-text.ts).
CREATE VIRTUAL TABLE card_search USING fts5 (
  words,
  content = '',
  columnsize = 0,
  detail = full,
  prefix = '2 3',
  tokenize = 'unicode61 remove_diacritics 0'
);

CREATE TABLE search_ranks (
  rank INTEGER PRIMARY KEY,
  card_id INTEGER NOT NULL,
  market_price INTEGER,
  name_rank INTEGER NOT NULL
) STRICT;
CREATE INDEX search_ranks_by_price ON search_ranks (market_price, rank);

CREATE TABLE rarities (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE
) STRICT;

-- The vocabulary, for the second try when nothing fits.
CREATE TABLE search_terms (
  term TEXT PRIMARY KEY,
  cards INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
