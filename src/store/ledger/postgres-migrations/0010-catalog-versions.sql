-- Versions of the catalog that the servers of a fleet take over together.

CREATE TABLE catalog_versions (
  version BIGINT PRIMARY KEY,
  -- The version that it was made from; null for the first. A version has one successor: of two that were made
  -- from it, one is published.
  base BIGINT UNIQUE NULLS NOT DISTINCT,
  -- JSON: the file in the bucket.
  snapshot TEXT NOT NULL,
  published_at BIGINT NOT NULL,
  -- Time from which it is served, and before which it is not.
  activate_at BIGINT NOT NULL
);

-- The newest version that each server has fetched and checked, and the newest schema that it can read.
CREATE TABLE catalog_holders (
  server TEXT PRIMARY KEY,
  -- 0 if it has none.
  version BIGINT NOT NULL,
  schema BIGINT NOT NULL,
  reported_at BIGINT NOT NULL
);
