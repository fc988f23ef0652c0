-- Each condition of the purge has an index, so that a batch never reads the whole table.
CREATE INDEX sessions_by_start ON sessions (created_at);
CREATE INDEX sessions_by_use ON sessions (last_seen_at);
CREATE INDEX usage_daily_by_day ON usage_daily (day);
-- Settled payments are kept for ever, so an index of all payments would not help.
CREATE INDEX photo_payments_failed ON photo_payments (updated_at) WHERE state = 'failed';
CREATE INDEX photo_payments_released ON photo_payments (updated_at) WHERE state = 'released';
CREATE INDEX checkouts_ended ON checkouts (closed_at) WHERE state = 'ended';
CREATE INDEX checkouts_expiring ON checkouts (expires_at) WHERE state = 'open';

-- Includes the number, which the metrics add up on each scrape.
DROP INDEX scan_days_by_day;
CREATE INDEX scan_days_by_day ON scan_days (day, scans);
