-- Billing: subscriptions and packs of scans. Times are epoch milliseconds, money is US cents.

-- An account has the higher of the granted tier and those that it pays for.
ALTER TABLE accounts ADD COLUMN granted_tier TEXT NOT NULL DEFAULT 'free'
  CHECK (granted_tier IN ('free', 'hobby', 'starter', 'pro', 'business'));
UPDATE accounts SET granted_tier = tier;

-- Scans that were used before their payment was refunded; the next additions settle them.
ALTER TABLE accounts ADD COLUMN scan_debt INTEGER NOT NULL DEFAULT 0 CHECK (scan_debt >= 0);

-- Adds three kinds to the scan ledger: a reversal by a refund or dispute, a reinstatement after a
-- dispute is won, and the settlement of a debt by an addition.
CREATE TABLE scan_entries (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN
    ('trial', 'trial_withdrawn', 'purchase', 'grant', 'scan', 'refund', 'rejection',
     'reversal', 'reinstatement', 'debt_settled')),
  n INTEGER NOT NULL CHECK (n <> 0),
  amount_cents INTEGER,        -- price paid; null if nothing
  ref TEXT NOT NULL,           -- a hold, a payment, or an account's trial
  at INTEGER NOT NULL,
  -- Nothing counts twice: one refund per hold, one purchase per payment.
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

-- Grows by one with each request to a provider. The answer to a later request replaces that to an
-- earlier one, never the reverse, in whatever order they arrive (rules/billing/billing.ts).
CREATE TABLE billing_questions (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  asked INTEGER NOT NULL
) STRICT;
INSERT INTO billing_questions VALUES (1, 0);

-- Stripe customers of accounts. Deleted customers stay, because events of their payments may still
-- arrive.
CREATE TABLE billing_customers (
  customer TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  is_current INTEGER NOT NULL DEFAULT 1 CHECK (is_current IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX billing_customers_current ON billing_customers (account_id)
  WHERE is_current = 1;
CREATE INDEX billing_customers_gone ON billing_customers (account_id) WHERE is_current = 0;

-- Checkouts. An account has at most one open per pack, and one for any plan, so that nobody pays for a
-- second subscription.
CREATE TABLE checkouts (
  id TEXT PRIMARY KEY,         -- random
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  provider TEXT NOT NULL CHECK (provider IN ('stripe', 'manual')),
  item TEXT NOT NULL,          -- a plan or a pack (rules/billing/plans.ts)
  amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
  state TEXT NOT NULL CHECK (state IN ('open', 'paid', 'ended')),
  session TEXT UNIQUE,         -- of Stripe, once it has answered
  url TEXT,                    -- page of the payment, once known
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

-- Subscriptions as last reported by their provider.
CREATE TABLE subscriptions (
  ref TEXT PRIMARY KEY,        -- Stripe's id, or the id of the first manual checkout
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  provider TEXT NOT NULL CHECK (provider IN ('stripe', 'manual')),
  plan TEXT NOT NULL CHECK (plan IN ('hobby', 'starter', 'pro', 'business')),
  status TEXT NOT NULL,        -- Stripe's status
  period_end INTEGER,
  cancels INTEGER NOT NULL CHECK (cancels IN (0, 1)), -- ends with its period
  next_plan TEXT,              -- after the period; null: no change
  past_due_at INTEGER,         -- time of the first missing payment
  asked INTEGER NOT NULL,      -- number of the request answered
  checked_at INTEGER NOT NULL, -- time of that request
  -- Derived from the above and from disputes (rules/billing/subscriptions.ts).
  tier TEXT NOT NULL CHECK (tier IN ('free', 'hobby', 'starter', 'pro', 'business')),
  changes_at INTEGER           -- next change by time alone; null: none
) STRICT;
CREATE INDEX subscriptions_by_account ON subscriptions (account_id);
CREATE INDEX subscriptions_changing ON subscriptions (changes_at) WHERE changes_at IS NOT NULL;
CREATE INDEX subscriptions_by_check ON subscriptions (checked_at);

-- Paid packs, and how many of their scans were reversed.
CREATE TABLE scan_purchases (
  ref TEXT PRIMARY KEY,        -- checkout session, or manual checkout
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  item TEXT NOT NULL,
  scans INTEGER NOT NULL CHECK (scans > 0),
  amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),
  reversed INTEGER NOT NULL DEFAULT 0 CHECK (reversed BETWEEN 0 AND scans),
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX scan_purchases_by_account ON scan_purchases (account_id);

-- Payments by the id that refunds and disputes refer to, and what was returned.
CREATE TABLE billing_charges (
  ref TEXT PRIMARY KEY,        -- Stripe's payment intent, or manual checkout
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  item TEXT NOT NULL,
  purchase TEXT REFERENCES scan_purchases (ref),     -- the paid pack
  subscription TEXT,                                 -- or the paid subscription
  refunded_cents INTEGER NOT NULL DEFAULT 0 CHECK (refunded_cents >= 0),
  disputed_cents INTEGER NOT NULL DEFAULT 0 CHECK (disputed_cents >= 0), -- open or lost
  paid_at INTEGER NOT NULL,
  asked INTEGER NOT NULL       -- number of the request answered
) STRICT;
CREATE INDEX billing_charges_by_subscription ON billing_charges (subscription)
  WHERE subscription IS NOT NULL;

-- Every payment and refund. Rows are never updated or deleted.
CREATE TABLE billing_payments (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  provider TEXT NOT NULL CHECK (provider IN ('stripe', 'manual')),
  item TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('payment', 'refund', 'dispute', 'dispute_won')),
  amount_cents INTEGER NOT NULL CHECK (amount_cents <> 0), -- negative: returned
  ref TEXT NOT NULL,           -- invoice, session or checkout; for refunds the charge and request number
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

-- Recorded events: each counts once, however often it arrives.
CREATE TABLE billing_events (
  id TEXT PRIMARY KEY,
  provider TEXT NOT NULL CHECK (provider IN ('stripe', 'manual')),
  type TEXT NOT NULL,
  account_id INTEGER REFERENCES accounts (id), -- null: of no account
  outcome TEXT NOT NULL CHECK (outcome IN ('applied', 'ignored', 'mismatch')),
  detail TEXT,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX billing_events_by_time ON billing_events (at);
CREATE INDEX billing_mismatches ON billing_events (at) WHERE outcome = 'mismatch';
