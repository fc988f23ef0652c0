-- Who may ask, and how often. Times are epoch milliseconds.

CREATE TABLE accounts (
  id INTEGER PRIMARY KEY,
  email TEXT NOT NULL UNIQUE COLLATE NOCASE,
  password_hash TEXT NOT NULL,
  tier TEXT NOT NULL CHECK (tier IN ('free', 'hobby', 'starter', 'pro', 'business')),
  created_at INTEGER NOT NULL
) STRICT;

-- Only the SHA-256 of a key is kept; the key itself is shown once, when it is made.
CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  key_hash BLOB NOT NULL UNIQUE,
  key_prefix TEXT NOT NULL,
  last4 TEXT NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX keys_by_account ON keys (account_id);

-- Requests taken from an account's quota on a UTC day (floor(epoch seconds / 86400)). A server takes
-- them by the lease, so a row may run ahead of what was served, never behind.
CREATE TABLE usage_daily (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  day INTEGER NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (account_id, day)
) STRICT, WITHOUT ROWID;
