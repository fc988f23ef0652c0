-- Full-text search. The rowid of a document is the card's rank by price (its highest printing's
-- market price, dearest first, unknown last, ties by id), so that a page in the order of prices is
-- read off the index and a price range is a rowid range. Filters are tags among the words. The words
-- come separated by spaces and folded (rules/search-text.ts): the tokenizer has nothing to decide.
CREATE VIRTUAL TABLE card_search USING fts5 (
  words,
  content = '',
  columnsize = 0,
  detail = none,
  prefix = '1 2 3 4 5 6',
  tokenize = 'ascii'
);

CREATE TABLE search_ranks (
  rank INTEGER PRIMARY KEY,
  card_id INTEGER NOT NULL,
  market_price INTEGER,
  name_rank INTEGER NOT NULL   -- the place in the order of names; no two cards have the same
) STRICT;

-- Which ranks have this price.
CREATE TABLE search_prices (
  market_price INTEGER PRIMARY KEY,
  first_rank INTEGER NOT NULL,
  last_rank INTEGER NOT NULL
) STRICT;

-- What a filter's value is called in the documents. kind: game, set (by id), rarity (in lower case),
-- type.
CREATE TABLE search_tags (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  tag TEXT NOT NULL,
  UNIQUE (kind, value)
) STRICT;

-- The words of those values' names, so that "charizard base set" is found: rowid is the tag's id.
CREATE VIRTUAL TABLE tag_search USING fts5 (
  words,
  content = '',
  columnsize = 0,
  detail = none,
  tokenize = 'ascii'
);

-- The vocabulary, for the second try when nothing fits: all words of one length, one behind the
-- other without gaps, most frequent first; for each word how many cards have it and which letters
-- are in it, 32 bits each (rules/spelling.ts).
CREATE TABLE search_terms (
  length INTEGER PRIMARY KEY,
  terms TEXT NOT NULL,
  cards BLOB NOT NULL,
  letters BLOB NOT NULL
) STRICT;
