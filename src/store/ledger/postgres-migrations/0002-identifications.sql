-- Identifications of photos, as in SQLite's ledger.
CREATE TABLE identifications (
  id TEXT PRIMARY KEY,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  at BIGINT NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('matched', 'ambiguous', 'retake', 'not_found', 'unsupported')),
  game TEXT,
  data TEXT NOT NULL,
  feedback_at BIGINT,
  feedback_card_id BIGINT
);
CREATE INDEX identifications_by_time ON identifications (at);
