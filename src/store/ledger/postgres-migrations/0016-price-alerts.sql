-- Price alerts of people, and their notifications; see 0022-price-alerts of SQLite's ledger.
CREATE TABLE price_alerts (
  id TEXT PRIMARY KEY,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  card_id BIGINT NOT NULL,
  printing TEXT,
  condition TEXT NOT NULL CHECK (condition IN ('above', 'below')),
  threshold BIGINT NOT NULL,
  currency TEXT,
  source TEXT,
  revision BIGINT NOT NULL DEFAULT 1,
  is_paused BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL
);
CREATE INDEX price_alerts_by_account ON price_alerts (account_id, created_at);

CREATE TABLE notifications (
  id TEXT COLLATE "C" PRIMARY KEY,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN ('alert', 'channel')),
  source_id TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  read_at BIGINT
);
CREATE INDEX notifications_by_account ON notifications (account_id, id);
CREATE INDEX notifications_by_source ON notifications (source_id, created_at);
CREATE INDEX notifications_unread ON notifications (account_id) WHERE read_at IS NULL;
CREATE INDEX notifications_by_time ON notifications (created_at);
