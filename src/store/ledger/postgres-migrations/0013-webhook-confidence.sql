-- Least confidence of a webhook; see 0019-webhook-confidence of SQLite's ledger. An older program ignores it.
ALTER TABLE webhooks ADD COLUMN min_confidence TEXT NOT NULL DEFAULT 'low'
  CHECK (min_confidence IN ('low', 'medium', 'high'));
