-- Scans: additions, reservations and identifications. Times are epoch milliseconds, days
-- are UTC days (floor(epoch seconds / 86400)).

-- Every change of accounts.scan_balance, which is always their sum. Rows are never updated or deleted.
CREATE TABLE scan_ledger (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN
    ('trial', 'trial_withdrawn', 'purchase', 'grant', 'scan', 'refund', 'rejection')),
  n INTEGER NOT NULL CHECK (n <> 0),
  amount_cents INTEGER,        -- price paid; null if nothing
  ref TEXT NOT NULL,           -- a hold, a payment, or an account's trial
  at INTEGER NOT NULL,
  -- Nothing counts twice: one refund per hold, one purchase per payment.
  UNIQUE (kind, ref)
) STRICT;
CREATE INDEX scan_ledger_by_account ON scan_ledger (account_id, id);
-- A few among the many rows of photos.
CREATE INDEX scan_additions ON scan_ledger (account_id, id)
  WHERE kind NOT IN ('scan', 'refund', 'rejection');
CREATE TRIGGER scan_ledger_unchanged BEFORE UPDATE ON scan_ledger BEGIN
  SELECT RAISE(ABORT, 'the ledger of scans is only added to');
END;
CREATE TRIGGER scan_ledger_kept BEFORE DELETE ON scan_ledger BEGIN
  SELECT RAISE(ABORT, 'the ledger of scans is only added to');
END;

-- A scan is reserved before its photo is read and settled afterwards; its id is the identification's.
CREATE TABLE scan_holds (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  state TEXT NOT NULL CHECK (state IN ('held', 'done', 'refunded', 'rejected')),
  taken_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL      -- end of the reservation: its process is gone
) STRICT;
CREATE INDEX scan_holds_due ON scan_holds (due_at) WHERE state = 'held';
CREATE INDEX scan_holds_by_time ON scan_holds (taken_at);

-- Answers of the last 30 days, without the photos.
CREATE TABLE identifications (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  at INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('matched', 'ambiguous', 'retake', 'not_found', 'unsupported')),
  game TEXT,                   -- slug that the search was restricted to
  data TEXT NOT NULL,          -- `data` of the response
  feedback_at INTEGER,         -- null: no feedback
  feedback_card_id INTEGER     -- correct card; null: not in the catalog
) STRICT;
CREATE INDEX identifications_by_time ON identifications (at);

-- Scans by the day of their reservation.
CREATE TABLE scan_days (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  day INTEGER NOT NULL,
  scans INTEGER NOT NULL DEFAULT 0,
  refunded INTEGER NOT NULL DEFAULT 0,
  matched INTEGER NOT NULL DEFAULT 0,
  ambiguous INTEGER NOT NULL DEFAULT 0,
  retake INTEGER NOT NULL DEFAULT 0,
  not_found INTEGER NOT NULL DEFAULT 0,
  unsupported INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX scan_days_by_day ON scan_days (day);
