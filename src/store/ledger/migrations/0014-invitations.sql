-- Invitations to create an account. Each is used once. Stores only the SHA-256 of the code; the code itself
-- is shown once, when it is created. Times are epoch milliseconds.
CREATE TABLE invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code_hash BLOB NOT NULL UNIQUE,
  email TEXT COLLATE NOCASE,   -- the only address that may use it; null for any
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER,
  used_at INTEGER,
  account_id INTEGER REFERENCES accounts (id)
) STRICT;
