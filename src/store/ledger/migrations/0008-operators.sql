-- Accounts whose sessions see how the service fares, and may start a sync.
ALTER TABLE accounts ADD COLUMN is_operator INTEGER NOT NULL DEFAULT 0 CHECK (is_operator IN (0, 1));

-- Of messages that were given up, operators are told how many there are.
CREATE INDEX deliveries_dead ON deliveries (ended_at) WHERE state = 'dead';
