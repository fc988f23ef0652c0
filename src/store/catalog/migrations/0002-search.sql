-- Full-text search. The rowid of a document is the card's rank by price: the market price of its most
-- expensive printing, highest first, unknown last, ties by id. A page in price order is thus read off
-- the index, and a price range is a rowid range. Filters are tags among the words. Words arrive folded
-- and separated by spaces (rules/search/search-text.ts), so the tokenizer only splits them.
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
  name_rank INTEGER NOT NULL   -- rank by name, unique
) STRICT;

-- Ranks of the cards with a price.
CREATE TABLE search_prices (
  market_price INTEGER PRIMARY KEY,
  first_rank INTEGER NOT NULL,
  last_rank INTEGER NOT NULL
) STRICT;

-- Tag of a filter value in the documents. kind: game, set (by id), rarity (in lower case), type.
CREATE TABLE search_tags (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  value TEXT NOT NULL,
  tag TEXT NOT NULL,
  UNIQUE (kind, value)
) STRICT;

-- Words of the names of those values, so that "charizard base set" is found. rowid is the tag's id.
CREATE VIRTUAL TABLE tag_search USING fts5 (
  words,
  content = '',
  columnsize = 0,
  detail = none,
  tokenize = 'ascii'
);

-- The vocabulary for correcting misspelled words: all words of one length, concatenated, most frequent
-- first. For each word the number of its cards and the set of its letters, 32 bits each
-- (rules/search/spelling.ts).
CREATE TABLE search_terms (
  length INTEGER PRIMARY KEY,
  terms TEXT NOT NULL,
  cards BLOB NOT NULL,
  letters BLOB NOT NULL
) STRICT;
