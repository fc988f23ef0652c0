-- Price alerts of people, and their notifications. Times are epoch milliseconds, money is in hundredths.
CREATE TABLE price_alerts (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  card_id INTEGER NOT NULL,          -- of the catalog
  printing TEXT,                     -- null: the most expensive one
  condition TEXT NOT NULL CHECK (condition IN ('above', 'below')),
  threshold INTEGER NOT NULL,
  currency TEXT,                     -- of the threshold; null: the mirror's prices as they are
  source TEXT,                       -- null: the sources that answer a request for the currency
  revision INTEGER NOT NULL DEFAULT 1, -- grows with every change of the condition, which arms it again
  is_paused INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX price_alerts_by_account ON price_alerts (account_id, created_at);

-- An alert that its account reads. It stays when the price alert is deleted.
CREATE TABLE notifications (
  id TEXT PRIMARY KEY,               -- of the message, ascending by time
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN ('alert', 'channel')),
  source_id TEXT NOT NULL,           -- of the price alert, or of the channel that has stopped
  body TEXT NOT NULL,                -- JSON
  created_at INTEGER NOT NULL,
  read_at INTEGER
) STRICT;
CREATE INDEX notifications_by_account ON notifications (account_id, id);
CREATE INDEX notifications_by_source ON notifications (source_id, created_at);
CREATE INDEX notifications_unread ON notifications (account_id) WHERE read_at IS NULL;
CREATE INDEX notifications_by_time ON notifications (created_at);
