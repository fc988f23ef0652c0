-- Accounts whose sessions may see the status page and start a sync.
ALTER TABLE accounts ADD COLUMN is_operator INTEGER NOT NULL DEFAULT 0 CHECK (is_operator IN (0, 1));

-- Counts deliveries that were given up, for the status page.
CREATE INDEX deliveries_dead ON deliveries (ended_at) WHERE state = 'dead';
