-- What changed since a client looked last (updated_after). A row says in which version of the catalog
-- anything that the wire shows of it changed last, which is smaller than a time and cannot go back
-- with a clock; this table says when each version was made. What was there before this step has no
-- version (0) and counts as of the oldest moment that is known here, so no row has to be written.
CREATE TABLE versions (
  version INTEGER PRIMARY KEY,
  changed_at INTEGER NOT NULL  -- epoch milliseconds; later than that of the version before
) STRICT;
-- The first version is the empty file.
INSERT INTO versions
  SELECT version, CAST(round(unixepoch(changed_at, 'subsec') * 1000) AS INTEGER)
    FROM publication WHERE version > 1;

ALTER TABLE sets ADD COLUMN updated_in INTEGER NOT NULL DEFAULT 0;   -- of the set, its cards, its prices
ALTER TABLE cards ADD COLUMN updated_in INTEGER NOT NULL DEFAULT 0;  -- of the card without its prices
ALTER TABLE prices ADD COLUMN updated_in INTEGER NOT NULL DEFAULT 0; -- of the printing's price
