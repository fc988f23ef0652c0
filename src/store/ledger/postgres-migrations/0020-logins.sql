-- Login provider, and links in mails; see 0026-logins of SQLite's ledger.
CREATE TABLE identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  linked_at BIGINT NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE UNIQUE INDEX identities_by_account ON identities (account_id, issuer);

CREATE TABLE mailed_tokens (
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  purpose TEXT NOT NULL CHECK (purpose IN ('reset', 'confirm')),
  token_hash BYTEA NOT NULL UNIQUE,
  expires_at BIGINT NOT NULL,
  PRIMARY KEY (account_id, purpose)
);
CREATE INDEX mailed_tokens_by_end ON mailed_tokens (expires_at);

ALTER TABLE accounts ADD COLUMN email_confirmed_at BIGINT;
