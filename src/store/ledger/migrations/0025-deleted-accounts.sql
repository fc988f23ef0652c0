-- Time at which an account was deleted, epoch milliseconds; null while it exists. The row stays: the books refer to
-- its number, which is all that is left of its owner (decision 54).
ALTER TABLE accounts ADD COLUMN deleted_at INTEGER;
CREATE INDEX accounts_deleted ON accounts (deleted_at) WHERE deleted_at IS NOT NULL;
