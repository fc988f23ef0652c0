-- Search by the words of a card's context: set, game, rarity, printing and product type. The index is
-- rebuilt when the catalog is opened (search-index.ts), because its documents have another form.
DROP TABLE tag_search;

-- Tag of each context word in the documents.
CREATE TABLE search_words (
  word TEXT PRIMARY KEY,
  tag TEXT NOT NULL,
  is_printing INTEGER NOT NULL   -- 1: a word of the name of a printing
) STRICT, WITHOUT ROWID;

-- Names and codes of sets, as the words that are typed, with the tag of the set in the documents.
CREATE TABLE search_sets (
  phrase TEXT NOT NULL,
  tag TEXT NOT NULL,
  PRIMARY KEY (phrase, tag)
) STRICT, WITHOUT ROWID;

DELETE FROM search_ranks;
DELETE FROM card_names;
