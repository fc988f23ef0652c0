-- The installation that the database belongs to: one row from the first start on.
CREATE TABLE installation (
  only_row SMALLINT PRIMARY KEY DEFAULT 1 CHECK (only_row = 1),
  id TEXT NOT NULL,
  -- Keyed hash of APP_SECRET: a server with another secret could not read what the others encrypt.
  secret_hash BYTEA NOT NULL,
  probed_at BIGINT,
  -- Set once the ledger was moved to a file: the database is out of date.
  moved_at BIGINT
);
