-- What accounts buy: subscriptions, and packs of scans. Times are epoch milliseconds, money is US cents.

-- An account has the higher of the tier that the operator gave it and of those that it pays for.
ALTER TABLE accounts ADD COLUMN granted_tier TEXT NOT NULL DEFAULT 'free'
  CHECK (granted_tier IN ('free', 'hobby', 'starter', 'pro', 'business'));
UPDATE accounts SET granted_tier = tier;

-- Scans that were used although what paid for them went back: the next ones settle it.
ALTER TABLE accounts ADD COLUMN scan_debt INTEGER NOT NULL DEFAULT 0 CHECK (scan_debt >= 0);

-- The ledger of scans learns three kinds: what a refund or dispute takes back, what a dispute that is
-- won brings again, what of an addition settles a debt.
CREATE TABLE scan_entries (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN
    ('trial', 'trial_withdrawn', 'purchase', 'grant', 'scan', 'refund', 'rejection',
     'reversal', 'reinstatement', 'debt_settled')),
  n INTEGER NOT NULL CHECK (n <> 0),
  amount_cents INTEGER,        -- what was paid; null where nothing was
  ref TEXT NOT NULL,           -- what it stands for: a hold, a payment, an account's trial
  at INTEGER NOT NULL,
  -- Nothing counts twice: one trial, one refund of a hold, one purchase a payment.
  UNIQUE (kind, ref)
) STRICT;
INSERT INTO scan_entries SELECT id, account_id, kind, n, amount_cents, ref, at FROM scan_ledger;
DROP TABLE scan_ledger;
ALTER TABLE scan_entries RENAME TO scan_ledger;
CREATE INDEX scan_ledger_by_account ON scan_ledger (account_id, id);
CREATE INDEX scan_additions ON scan_ledger (account_id, id)
  WHERE kind NOT IN ('scan', 'refund', 'rejection');
CREATE TRIGGER scan_ledger_unchanged BEFORE UPDATE ON scan_ledger BEGIN
  SELECT RAISE(ABORT, 'the ledger of scans is only added to');
END;
CREATE TRIGGER scan_ledger_kept BEFORE DELETE ON scan_ledger BEGIN
  SELECT RAISE(ABORT, 'the ledger of scans is only added to');
END;

-- Grows by one with each question to a provider. The answer to a later question replaces that to an
-- earlier one, never the other way round, in whichever order they arrive (rules/billing.ts).
CREATE TABLE billing_questions (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  asked INTEGER NOT NULL
) STRICT;
INSERT INTO billing_questions VALUES (1, 0);

-- Who an account is at Stripe. One that Stripe does not know any more is kept: what it paid may still
-- be told of.
CREATE TABLE billing_customers (
  customer TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  is_current INTEGER NOT NULL DEFAULT 1 CHECK (is_current IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX billing_customers_current ON billing_customers (account_id)
  WHERE is_current = 1;
CREATE INDEX billing_customers_gone ON billing_customers (account_id) WHERE is_current = 0;

-- Ways to pay that were offered. An account has at most one open for each pack, and one for a plan:
-- nobody can pay for a second subscription.
CREATE TABLE checkouts (
  id TEXT PRIMARY KEY,         -- ours, and not to be guessed
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  provider TEXT NOT NULL CHECK (provider IN ('stripe', 'manual')),
  item TEXT NOT NULL,          -- a plan or a pack (rules/plans.ts)
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  state TEXT NOT NULL CHECK (state IN ('open', 'paid', 'ended')),
  session TEXT UNIQUE,         -- Stripe's, once it has answered
  url TEXT,                    -- where to pay, once it is known
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  closed_at INTEGER            -- paid or ended
) STRICT;
CREATE UNIQUE INDEX checkouts_open_pack ON checkouts (account_id, item)
  WHERE state = 'open' AND item LIKE 'scans/_%' ESCAPE '/';
CREATE UNIQUE INDEX checkouts_open_plan ON checkouts (account_id)
  WHERE state = 'open' AND item NOT LIKE 'scans/_%' ESCAPE '/';
CREATE INDEX checkouts_open ON checkouts (created_at) WHERE state = 'open';
CREATE INDEX checkouts_by_account ON checkouts (account_id, created_at);

-- What a provider last said of each subscription.
CREATE TABLE subscriptions (
  ref TEXT PRIMARY KEY,        -- Stripe's id; of manual billing the first checkout's
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  provider TEXT NOT NULL CHECK (provider IN ('stripe', 'manual')),
  plan TEXT NOT NULL CHECK (plan IN ('hobby', 'starter', 'pro', 'business')),
  status TEXT NOT NULL,        -- in Stripe's words
  period_end INTEGER,
  cancels INTEGER NOT NULL CHECK (cancels IN (0, 1)), -- ends with its period
  next_plan TEXT,              -- from the period's end on; null: the same
  past_due_at INTEGER,         -- since when a payment is missing
  asked INTEGER NOT NULL,      -- the question that this answers
  checked_at INTEGER NOT NULL, -- when it was asked
  -- Worked out of the above and of disputes whenever they change (rules/subscriptions.ts).
  tier TEXT NOT NULL CHECK (tier IN ('free', 'hobby', 'starter', 'pro', 'business')),
  changes_at INTEGER           -- time alone changes it then; null: it does not
) STRICT;
CREATE INDEX subscriptions_by_account ON subscriptions (account_id);
CREATE INDEX subscriptions_changing ON subscriptions (changes_at) WHERE changes_at IS NOT NULL;
CREATE INDEX subscriptions_by_check ON subscriptions (checked_at);

-- Packs that were paid, and how many of their scans were taken back.
CREATE TABLE scan_purchases (
  ref TEXT PRIMARY KEY,        -- the checkout session; of manual billing the checkout
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  item TEXT NOT NULL,
  scans INTEGER NOT NULL CHECK (scans > 0),
  amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
  reversed INTEGER NOT NULL DEFAULT 0 CHECK (reversed BETWEEN 0 AND scans),
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX scan_purchases_by_account ON scan_purchases (account_id);

-- Payments by the name that refunds and disputes give them, and what became of them since.
CREATE TABLE billing_charges (
  ref TEXT PRIMARY KEY,        -- Stripe's payment intent; of manual billing the checkout
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  item TEXT NOT NULL,
  purchase TEXT REFERENCES scan_purchases (ref),     -- the pack that it paid
  subscription TEXT,                                 -- or the subscription
  refunded_cents INTEGER NOT NULL DEFAULT 0 CHECK (refunded_cents >= 0),
  disputed_cents INTEGER NOT NULL DEFAULT 0 CHECK (disputed_cents >= 0), -- open or lost
  paid_at INTEGER NOT NULL,
  asked INTEGER NOT NULL       -- the question that the last two answer
) STRICT;
CREATE INDEX billing_charges_by_subscription ON billing_charges (subscription)
  WHERE subscription IS NOT NULL;

-- Every movement of money, for the books. Nothing is changed or removed.
CREATE TABLE billing_payments (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  provider TEXT NOT NULL CHECK (provider IN ('stripe', 'manual')),
  item TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('payment', 'refund', 'dispute', 'dispute_won')),
  amount_cents INTEGER NOT NULL CHECK (amount_cents <> 0), -- below 0: it went back
  ref TEXT NOT NULL,           -- invoice, session or checkout; of what went back, its charge and how far
  at INTEGER NOT NULL,
  UNIQUE (kind, ref)
) STRICT;
CREATE INDEX billing_payments_by_time ON billing_payments (at);
CREATE INDEX billing_payments_by_account ON billing_payments (account_id, at);
CREATE TRIGGER billing_payments_unchanged BEFORE UPDATE ON billing_payments BEGIN
  SELECT RAISE(ABORT, 'the book of payments is only added to');
END;
CREATE TRIGGER billing_payments_kept BEFORE DELETE ON billing_payments BEGIN
  SELECT RAISE(ABORT, 'the book of payments is only added to');
END;

-- Events that were taken in: each counts once, however often it comes.
CREATE TABLE billing_events (
  id TEXT PRIMARY KEY,
  provider TEXT NOT NULL CHECK (provider IN ('stripe', 'manual')),
  type TEXT NOT NULL,
  account_id INTEGER REFERENCES accounts (id), -- null: it is nobody's
  outcome TEXT NOT NULL CHECK (outcome IN ('applied', 'ignored', 'mismatch')),
  detail TEXT,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX billing_events_by_time ON billing_events (at);
CREATE INDEX billing_mismatches ON billing_events (at) WHERE outcome = 'mismatch';
