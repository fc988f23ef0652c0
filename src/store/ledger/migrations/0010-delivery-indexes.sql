-- Files of some unreleased versions have other indexes under these names.
DROP INDEX IF EXISTS deliveries_due;
DROP INDEX IF EXISTS deliveries_waiting;
CREATE INDEX deliveries_due ON deliveries (next_at, id) WHERE state = 'pending';
CREATE INDEX deliveries_waiting ON deliveries (webhook_id, next_at) WHERE state = 'pending';
