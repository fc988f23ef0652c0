-- Watches of prices, and what they delivered. Times are epoch milliseconds.
--
-- That an account is below Pro pauses its watches without a word of it here: the tier says so.
CREATE TABLE webhooks (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  url TEXT NOT NULL,
  card_id INTEGER NOT NULL,          -- of the catalog
  printing TEXT,                     -- null: the dearest one
  condition TEXT NOT NULL CHECK (condition IN ('above', 'below')),
  threshold INTEGER NOT NULL,        -- cents
  revision INTEGER NOT NULL DEFAULT 1, -- grows with every change of the threshold: it is armed anew
  is_paused INTEGER NOT NULL DEFAULT 0, -- by its owner
  disabled_for TEXT CHECK (disabled_for IN ('gone', 'failing')), -- by us
  failures INTEGER NOT NULL DEFAULT 0, -- attempts in a row that came to nothing
  failing_since INTEGER,             -- the first of them
  secret BLOB NOT NULL,              -- encrypted under APP_SECRET
  old_secret BLOB,                   -- the one before it, with which is signed, too
  old_secret_until INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhooks_by_account ON webhooks (account_id, created_at);

-- Messages: alerts and tests. Several processes deliver them: whoever has one is its owner until
-- `next_at`; beyond it he is gone.
CREATE TABLE deliveries (
  id TEXT PRIMARY KEY,               -- the `webhook-id` of every attempt
  webhook_id TEXT NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL,       -- that of the watch, and below the host of its address: the limits
  host TEXT NOT NULL,                -- of each are looked at before anything else
  kind TEXT NOT NULL CHECK (kind IN ('alert', 'test')),
  body TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'dead')),
  tries INTEGER NOT NULL DEFAULT 0,  -- attempts since it was made, or wanted again
  next_at INTEGER NOT NULL,          -- when it is due, or given up by its owner
  owner TEXT,
  created_at INTEGER NOT NULL,
  ended_at INTEGER                   -- when it was delivered, or given up
) STRICT;
-- What is due is found by its time, whatever waits beside it for later.
CREATE INDEX deliveries_due ON deliveries (next_at, id) WHERE state = 'pending';
CREATE INDEX deliveries_waiting ON deliveries (webhook_id, next_at) WHERE state = 'pending';
CREATE INDEX deliveries_held ON deliveries (webhook_id) WHERE owner IS NOT NULL;
CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, created_at);
CREATE INDEX deliveries_by_time ON deliveries (created_at);

CREATE TABLE delivery_attempts (
  delivery_id TEXT NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  status INTEGER,                    -- of the answer; null: there was none
  error TEXT,                        -- why there was none, or it does not count
  latency_ms INTEGER NOT NULL,
  answer TEXT                        -- how it begins
) STRICT;
CREATE INDEX delivery_attempts_by_delivery ON delivery_attempts (delivery_id, at);
