-- Where a session began; see 0024-session-origins of SQLite's ledger.
ALTER TABLE sessions
  ADD COLUMN browser TEXT NOT NULL DEFAULT '',
  ADD COLUMN network TEXT NOT NULL DEFAULT '';
