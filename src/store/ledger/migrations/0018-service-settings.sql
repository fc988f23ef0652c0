-- Choices that the operator makes in the setup. The environment wins over them.
CREATE TABLE service_settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  changed_at INTEGER NOT NULL        -- epoch milliseconds
) STRICT, WITHOUT ROWID;
-- An installation that is older than the setup skips it.
INSERT INTO service_settings SELECT 'setup', 'finished', unixepoch() * 1000
  WHERE EXISTS (SELECT 1 FROM installation);
