-- Currency and source of a webhook; see 0021-webhook-currency of SQLite's ledger.
ALTER TABLE webhooks ADD COLUMN currency TEXT;
ALTER TABLE webhooks ADD COLUMN source TEXT;
