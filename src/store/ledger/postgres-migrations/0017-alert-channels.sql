-- Channels that deliver the alerts of people; see 0023-alert-channels of SQLite's ledger.
CREATE TABLE alert_channels (
  id TEXT PRIMARY KEY,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN ('email', 'ntfy', 'discord', 'slack', 'push')),
  target BYTEA NOT NULL,
  target_hash BYTEA NOT NULL,
  host TEXT NOT NULL,
  confirmed_at BIGINT,
  is_paused BIGINT NOT NULL DEFAULT 0,
  disabled_for TEXT CHECK (disabled_for IN ('unsubscribed', 'refused', 'gone', 'failing')),
  last_error TEXT,
  failures BIGINT NOT NULL DEFAULT 0,
  failing_since BIGINT,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  UNIQUE (account_id, kind, target_hash)
);

CREATE TABLE channel_messages (
  id TEXT COLLATE "C" PRIMARY KEY,
  channel_id TEXT NOT NULL REFERENCES alert_channels (id) ON DELETE CASCADE,
  account_id BIGINT NOT NULL,
  host TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('alert', 'test', 'confirmation')),
  body TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'dead')),
  tries BIGINT NOT NULL DEFAULT 0,
  next_at BIGINT NOT NULL,
  owner TEXT,
  created_at BIGINT NOT NULL,
  ended_at BIGINT
);
CREATE INDEX channel_messages_due ON channel_messages (next_at, id) WHERE state = 'pending';
CREATE INDEX channel_messages_waiting ON channel_messages (channel_id, next_at) WHERE state = 'pending';
CREATE INDEX channel_messages_held ON channel_messages (channel_id) WHERE owner IS NOT NULL;
CREATE INDEX channel_messages_by_time ON channel_messages (created_at);

CREATE TABLE alert_preferences (
  account_id BIGINT PRIMARY KEY REFERENCES accounts (id),
  digest_hour BIGINT CHECK (digest_hour BETWEEN 0 AND 23)
);

ALTER TABLE notifications ADD COLUMN is_waiting BIGINT NOT NULL DEFAULT 0;
CREATE INDEX notifications_waiting ON notifications (account_id, created_at) WHERE is_waiting = 1;
