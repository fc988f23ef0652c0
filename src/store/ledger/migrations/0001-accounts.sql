-- Accounts, API keys and quotas. Times are epoch milliseconds.

CREATE TABLE accounts (
  id INTEGER PRIMARY KEY,
  email TEXT NOT NULL UNIQUE COLLATE NOCASE,
  password_hash TEXT NOT NULL,
  tier TEXT NOT NULL CHECK (tier IN ('free', 'hobby', 'starter', 'pro', 'business')),
  created_at INTEGER NOT NULL
) STRICT;

-- Stores only the SHA-256 of a key; the key itself is shown once, when it is created.
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

-- Requests of an account's quota per UTC day (floor(epoch seconds / 86400)). Servers lease them in
-- advance, so a row may be ahead of the requests served, never behind.
CREATE TABLE usage_daily (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  day INTEGER NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (account_id, day)
) STRICT, WITHOUT ROWID;
