-- Choices that the operator makes in the setup; see 0018-service-settings of SQLite's ledger.
CREATE TABLE service_settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  changed_at BIGINT NOT NULL
);
INSERT INTO service_settings SELECT 'setup', 'finished', extract(epoch FROM now())::BIGINT * 1000
  WHERE EXISTS (SELECT 1 FROM installation);
