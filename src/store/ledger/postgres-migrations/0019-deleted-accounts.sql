-- Time at which an account was deleted; see 0025-deleted-accounts of SQLite's ledger.
ALTER TABLE accounts ADD COLUMN deleted_at BIGINT;
CREATE INDEX accounts_deleted ON accounts (deleted_at) WHERE deleted_at IS NOT NULL;
