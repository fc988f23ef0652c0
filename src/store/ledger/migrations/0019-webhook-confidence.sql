-- Least confidence in a price with which a webhook sends an alert; low: any (decision 44).
ALTER TABLE webhooks ADD COLUMN min_confidence TEXT NOT NULL DEFAULT 'low'
  CHECK (min_confidence IN ('low', 'medium', 'high'));
