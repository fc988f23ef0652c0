-- Changes since a time (updated_after). Each row stores the last version of the catalog in which its
-- JSON changed: smaller than a time, and independent of the clock. This table stores the time of each
-- version. Rows from before this step have version 0 and count as of the oldest known time, so none has
-- to be written.
CREATE TABLE versions (
  version INTEGER PRIMARY KEY,
  changed_at INTEGER NOT NULL  -- epoch milliseconds, strictly increasing
) STRICT;
-- Version 1 is the empty file.
INSERT INTO versions
  SELECT version, CAST(round(unixepoch(changed_at, 'subsec') * 1000) AS INTEGER)
    FROM publication WHERE version > 1;

ALTER TABLE sets ADD COLUMN updated_in INTEGER NOT NULL DEFAULT 0;   -- of the set, its cards, its prices
ALTER TABLE cards ADD COLUMN updated_in INTEGER NOT NULL DEFAULT 0;  -- of the card without its prices
ALTER TABLE prices ADD COLUMN updated_in INTEGER NOT NULL DEFAULT 0; -- of the printing's price
