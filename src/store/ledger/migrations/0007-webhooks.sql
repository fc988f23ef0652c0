-- Webhooks and their deliveries. Times are epoch milliseconds.
--
-- Webhooks of accounts below Pro are muted by the tier alone, without a column here.
CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  url TEXT NOT NULL,
  card_id INTEGER NOT NULL,          -- of the catalog
  printing TEXT,                     -- null: the most expensive one
  condition TEXT NOT NULL CHECK (condition IN ('above', 'below')),
  threshold INTEGER NOT NULL,        -- cents
  revision INTEGER NOT NULL DEFAULT 1, -- grows with every change of the threshold, which arms it again
  is_paused INTEGER NOT NULL DEFAULT 0, -- by its owner
  disabled_for TEXT CHECK (disabled_for IN ('gone', 'failing')), -- by us
  failures INTEGER NOT NULL DEFAULT 0, -- consecutive failed attempts
  failing_since INTEGER,             -- the first of them
  secret BLOB NOT NULL,              -- encrypted under APP_SECRET
  old_secret BLOB,                   -- previous secret, also used for signing
  old_secret_until INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhooks_by_account ON webhooks (account_id, created_at);

-- Deliveries of alerts and tests. Several processes send them: each is leased to its owner until
-- `next_at`, after which the owner is considered gone.
CREATE TABLE deliveries (
  id TEXT PRIMARY KEY,               -- the `webhook-id` of every attempt
  webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL,       -- account of the webhook and, below, host of its URL:
  host TEXT NOT NULL,                -- concurrency is limited by both
  kind TEXT NOT NULL CHECK (kind IN ('alert', 'test')),
  body TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'dead')),
  tries INTEGER NOT NULL DEFAULT 0,  -- attempts since it was created or sent again
  next_at INTEGER NOT NULL,          -- when it is due, or the end of the lease
  owner TEXT,
  created_at INTEGER NOT NULL,
  ended_at INTEGER                   -- when it was delivered or given up
) STRICT;
-- Finds due deliveries by time, however many wait for later.
CREATE INDEX deliveries_due ON deliveries (next_at, id) WHERE state = 'pending';
CREATE INDEX deliveries_waiting ON deliveries (webhook_id, next_at) WHERE state = 'pending';
CREATE INDEX deliveries_held ON deliveries (webhook_id) WHERE owner IS NOT NULL;
CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, created_at);
CREATE INDEX deliveries_by_time ON deliveries (created_at);

CREATE TABLE delivery_attempts (
  delivery_id TEXT NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  status INTEGER,                    -- HTTP status; null: no response
  error TEXT,                        -- reason of the failure
  latency_ms INTEGER NOT NULL,
  answer TEXT                        -- beginning of the response
) STRICT;
CREATE INDEX delivery_attempts_by_delivery ON delivery_attempts (delivery_id, at);
