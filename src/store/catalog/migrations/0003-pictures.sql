-- Vectors and hashes of the cards' pictures, by which photos are matched. The pictures themselves are
-- not stored. Rows are never deleted: a row without a vector makes readers drop theirs.
CREATE TABLE card_pictures (
  card_id INTEGER PRIMARY KEY,
  game_id INTEGER NOT NULL,
  model TEXT NOT NULL,         -- model that computed the vector; vectors of other models are not comparable
  image_url TEXT NOT NULL,     -- URL of the indexed picture; empty if the card lost it
  etag TEXT,
  vector BLOB CHECK (length(vector) = 128), -- null: no visual evidence
  hash BLOB CHECK (length(hash) = 128),
  art_group INTEGER,           -- lowest id of the cards with the same art; only with a vector
  status TEXT NOT NULL CHECK (status IN ('indexed', 'placeholder', 'missing', 'failed', 'gone')),
  tries INTEGER NOT NULL DEFAULT 0,  -- consecutive failures
  next_try_at INTEGER,         -- epoch seconds; null: when the URL changes
  updated_at TEXT NOT NULL,
  version INTEGER NOT NULL,    -- grows with each change of any vector
  CHECK ((vector IS NULL) = (art_group IS NULL)),
  CHECK ((vector IS NOT NULL) = (status = 'indexed'))
) STRICT;
CREATE INDEX card_pictures_by_version ON card_pictures (version, card_id);
CREATE INDEX card_pictures_by_art_group ON card_pictures (art_group) WHERE art_group IS NOT NULL;
-- Equal pictures are found by a part of the hash: an index on all of it would double the table.
CREATE INDEX card_pictures_by_hash ON card_pictures (substr(hash, 1, 16)) WHERE hash IS NOT NULL;

-- Finds cards of the same name, for cards without an indexed picture.
CREATE INDEX cards_by_name ON cards (game_id, clean_name);
