-- Channels that deliver the alerts of people, and their messages. Times are epoch milliseconds.
CREATE TABLE alert_channels (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN ('email', 'ntfy', 'discord', 'slack', 'push')),
  target BLOB NOT NULL,              -- JSON with the address, encrypted under APP_SECRET
  target_hash BLOB NOT NULL,         -- keyed: equal for equal addresses
  host TEXT NOT NULL,                -- concurrency is limited by it
  confirmed_at INTEGER,              -- when somebody opened the link in the mail; others: when it was added
  is_paused INTEGER NOT NULL DEFAULT 0, -- by its owner
  disabled_for TEXT CHECK (disabled_for IN ('unsubscribed', 'refused', 'gone', 'failing')),
  last_error TEXT,                   -- of the newest attempt; null: it succeeded
  failures INTEGER NOT NULL DEFAULT 0, -- consecutive failed attempts
  failing_since INTEGER,             -- the first of them
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (account_id, kind, target_hash)
) STRICT;

-- Messages of channels, sent like `deliveries`. Those of a channel that stops are deleted.
CREATE TABLE channel_messages (
  id TEXT PRIMARY KEY,               -- of the message and the channel: the same for each attempt
  channel_id TEXT NOT NULL REFERENCES alert_channels (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL,
  host TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('alert', 'test', 'confirmation')),
  body TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'dead')),
  tries INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER NOT NULL,
  owner TEXT,
  created_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;
CREATE INDEX channel_messages_due ON channel_messages (next_at, id) WHERE state = 'pending';
CREATE INDEX channel_messages_waiting ON channel_messages (channel_id, next_at) WHERE state = 'pending';
CREATE INDEX channel_messages_held ON channel_messages (channel_id) WHERE owner IS NOT NULL;
CREATE INDEX channel_messages_by_time ON channel_messages (created_at);

CREATE TABLE alert_preferences (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id),
  digest_hour INTEGER CHECK (digest_hour BETWEEN 0 AND 23) -- UTC; null: single messages
) STRICT;

-- Notifications that wait for the daily digest.
ALTER TABLE notifications ADD COLUMN is_waiting INTEGER NOT NULL DEFAULT 0;
CREATE INDEX notifications_waiting ON notifications (account_id, created_at) WHERE is_waiting = 1;
