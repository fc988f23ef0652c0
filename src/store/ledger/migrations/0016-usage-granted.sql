-- The requests that the latest lease granted, so that one statement can lease and tell how many.
ALTER TABLE usage_daily ADD COLUMN granted INTEGER NOT NULL DEFAULT 0;
