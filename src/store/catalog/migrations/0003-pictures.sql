-- What the cards' pictures look like, so that a photo finds its card. The pictures themselves are not
-- kept. A row is never deleted: one that lost its vector tells readers to forget it.
CREATE TABLE card_pictures (
  card_id INTEGER PRIMARY KEY,
  game_id INTEGER NOT NULL,
  model TEXT NOT NULL,         -- which networks made the vector; others' vectors are not comparable
  image_url TEXT NOT NULL,     -- the address that was looked at; empty: the card has none any more
  etag TEXT,
  vector BLOB CHECK (length(vector) = 128), -- null: no visual evidence
  hash BLOB CHECK (length(hash) = 128),
  art_group INTEGER,           -- smallest id of the cards that show the same picture; with a vector only
  status TEXT NOT NULL CHECK (status IN ('indexed', 'placeholder', 'missing', 'failed', 'gone')),
  tries INTEGER NOT NULL DEFAULT 0,  -- in vain, in a row
  next_try_at INTEGER,         -- epoch seconds; null: not before the address changes
  updated_at TEXT NOT NULL,
  version INTEGER NOT NULL,    -- grows with each change of any vector
  CHECK ((vector IS NULL) = (art_group IS NULL)),
  CHECK ((vector IS NOT NULL) = (status = 'indexed'))
) STRICT;
CREATE INDEX card_pictures_by_version ON card_pictures (version, card_id);
CREATE INDEX card_pictures_by_art_group ON card_pictures (art_group) WHERE art_group IS NOT NULL;
-- Equal pictures are looked for by a part of the hash: all of it would double the table.
CREATE INDEX card_pictures_by_hash ON card_pictures (substr(hash, 1, 16)) WHERE hash IS NOT NULL;

-- Cards of one name, for those whose picture is not indexed.
CREATE INDEX cards_by_name ON cards (game_id, clean_name);
