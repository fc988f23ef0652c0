-- Sessions, usage of keys, and the audit log. Times are epoch milliseconds, days
-- are UTC days (floor(epoch seconds / 86400)).

-- The first identification grants trial scans (specification, Limits 6); null before it.
ALTER TABLE accounts ADD COLUMN scan_balance INTEGER NOT NULL DEFAULT 0 CHECK (scan_balance >= 0);
ALTER TABLE accounts ADD COLUMN scan_trial_at INTEGER;

-- Stores only the SHA-256 of a session's token.
CREATE TABLE sessions (
  -- Ids are never reused: a running request may still refer to a session that has ended.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  token_hash BLOB NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL
) STRICT;
CREATE INDEX sessions_by_account ON sessions (account_id);

-- Rate limits: for each name the time at which its full limit is available again
-- (rules/accounts/rate-limit.ts).
CREATE TABLE attempts (
  name TEXT PRIMARY KEY,
  whole_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX attempts_by_time ON attempts (whole_at);

-- Accepted requests of the last 30 days, and of each key since its creation. Servers write them every
-- few seconds; the quota does not depend on them.
CREATE TABLE usage_by_key (
  key_id TEXT NOT NULL REFERENCES keys (id),
  day INTEGER NOT NULL,
  endpoint_group TEXT NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (key_id, day, endpoint_group)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_by_day ON usage_by_key (day);
CREATE TABLE key_totals (
  key_id TEXT PRIMARY KEY REFERENCES keys (id),
  requests INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Audit log of accounts, for the operator. Contains no password, key or token.
CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  event TEXT NOT NULL,
  account_id INTEGER REFERENCES accounts (id),
  address TEXT,                -- client address; null for the command line
  detail TEXT
) STRICT;
CREATE INDEX audit_log_by_account ON audit_log (account_id, id);
CREATE INDEX audit_log_by_time ON audit_log (at);
