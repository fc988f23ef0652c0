-- People of the login provider (OpenID Connect) who are linked to an account. Times are epoch milliseconds.
CREATE TABLE identities (
  issuer TEXT NOT NULL,              -- the provider
  subject TEXT NOT NULL,             -- identifies the person there
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  linked_at INTEGER NOT NULL,
  PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
-- An account has at most one person of a provider.
CREATE UNIQUE INDEX identities_by_account ON identities (account_id, issuer);

-- Links in mails: to set a new password, or to confirm the e-mail address. Stores only the SHA-256 of a token.
-- An account has at most one of each kind, so an older link ends with a newer one.
CREATE TABLE mailed_tokens (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  purpose TEXT NOT NULL CHECK (purpose IN ('reset', 'confirm')),
  token_hash BLOB NOT NULL UNIQUE,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, purpose)
) STRICT, WITHOUT ROWID;
CREATE INDEX mailed_tokens_by_end ON mailed_tokens (expires_at);

-- When its owner has proved that mail to the address arrives; null if never.
ALTER TABLE accounts ADD COLUMN email_confirmed_at INTEGER;
