-- Scans: where they came from, what is being read, what was read. Times are epoch milliseconds, days
-- are UTC days (floor(epoch seconds / 86400)).

-- Every change of accounts.scan_balance, which is their sum at any time. Nothing is changed or removed.
CREATE TABLE scan_ledger (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN
    ('trial', 'trial_withdrawn', 'purchase', 'grant', 'scan', 'refund', 'rejection')),
  n INTEGER NOT NULL CHECK (n <> 0),
  amount_cents INTEGER,        -- what was paid; null where nothing was
  ref TEXT NOT NULL,           -- what it stands for: a hold, a payment, an account's trial
  at INTEGER NOT NULL,
  -- Nothing counts twice: one trial, one refund of a hold, one purchase a payment.
  UNIQUE (kind, ref)
) STRICT;
CREATE INDEX scan_ledger_by_account ON scan_ledger (account_id, id);
-- Few among the many that photos make.
CREATE INDEX scan_additions ON scan_ledger (account_id, id)
  WHERE kind NOT IN ('scan', 'refund', 'rejection');
CREATE TRIGGER scan_ledger_unchanged BEFORE UPDATE ON scan_ledger BEGIN
  SELECT RAISE(ABORT, 'the ledger of scans is only added to');
END;
CREATE TRIGGER scan_ledger_kept BEFORE DELETE ON scan_ledger BEGIN
  SELECT RAISE(ABORT, 'the ledger of scans is only added to');
END;

-- A scan is taken before its photo is read and settled after it; its id is the identification's.
CREATE TABLE scan_holds (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  state TEXT NOT NULL CHECK (state IN ('held', 'done', 'refunded', 'rejected')),
  taken_at INTEGER NOT NULL,
  due_at INTEGER NOT NULL      -- held beyond it: whoever took it is gone
) STRICT;
CREATE INDEX scan_holds_due ON scan_holds (due_at) WHERE state = 'held';
CREATE INDEX scan_holds_by_time ON scan_holds (taken_at);

-- What was answered, for thirty days; never the photo.
CREATE TABLE identifications (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  at INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('matched', 'ambiguous', 'retake', 'not_found', 'unsupported')),
  game TEXT,                   -- the slug that the search was restricted to
  data TEXT NOT NULL,          -- `data` as it was answered
  feedback_at INTEGER,         -- null: none was given
  feedback_card_id INTEGER     -- what it really is; null: no card of the catalog
) STRICT;
CREATE INDEX identifications_by_time ON identifications (at);

-- Scans of each day, by the day on which they were taken.
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
