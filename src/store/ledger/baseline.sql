-- Schema of ledger.db; postgres-baseline.sql has the same tables for PostgreSQL. Times are epoch milliseconds, days are
-- UTC days (floor(epoch seconds / 86400)), money is US cents unless a column says otherwise.

-- Operations ----------------------------------------------------------------------------------------------------

-- Installation to which the file belongs: one row, written by the first start. The catalog has the same id.
CREATE TABLE installation (
  id TEXT NOT NULL,                  -- random
  probed_at INTEGER                  -- when the readiness check last wrote
) STRICT;

-- Choices that the operator makes in the setup. The environment wins over them.
CREATE TABLE service_settings (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One-time tokens with which the first operator proves to own the server: one of each start without an operator. Stores
-- only their SHA-256. Empty once there is an operator.
CREATE TABLE setup_tokens (
  token_hash BLOB PRIMARY KEY,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Jobs of the timetable that several servers share: each runs on the server that holds its lease. A ledger in a file is
-- not shared in this way; it has the table because both kinds of ledger have the same ones.
CREATE TABLE job_leases (
  job TEXT PRIMARY KEY,
  holder TEXT NOT NULL,              -- random name of the server, for the time that it runs
  token INTEGER NOT NULL,            -- grows whenever another server takes the lease
  expires_at INTEGER NOT NULL,       -- by the clock of the database
  begun_for INTEGER,                 -- time in the timetable for which the last run began
  ended_at INTEGER                   -- null while a run is under way, or if it was interrupted
) STRICT, WITHOUT ROWID;

-- Accounts ------------------------------------------------------------------------------------------------------

CREATE TABLE accounts (
  id INTEGER PRIMARY KEY,
  email TEXT NOT NULL UNIQUE COLLATE NOCASE,
  password_hash TEXT NOT NULL,
  tier TEXT NOT NULL CHECK (tier IN ('free', 'hobby', 'starter', 'pro', 'business')),
  created_at INTEGER NOT NULL,
  -- The first identification grants trial scans (specification, Limits 6); null before it.
  scan_balance INTEGER NOT NULL DEFAULT 0 CHECK (scan_balance >= 0),
  scan_trial_at INTEGER,
  -- An account has the higher of the granted tier and those that it pays for.
  granted_tier TEXT NOT NULL DEFAULT 'free'
    CHECK (granted_tier IN ('free', 'hobby', 'starter', 'pro', 'business')),
  -- Scans that were used before their payment was refunded; the next additions settle them.
  scan_debt INTEGER NOT NULL DEFAULT 0 CHECK (scan_debt >= 0),
  -- Its sessions may see the status page and start a sync.
  is_operator INTEGER NOT NULL DEFAULT 0 CHECK (is_operator IN (0, 1)),
  -- Equal for addresses that look alike (rules/accounts/email-address.ts).
  email_skeleton TEXT,
  -- Null while the account exists. The row stays: the books refer to its number, which is all that is left of its owner
  -- (decision 54).
  deleted_at INTEGER,
  -- When its owner has proved that mail to the address arrives; null if never.
  email_confirmed_at INTEGER,
  -- The operator has created, invited or promoted it, or it came through the login provider: a private server has no limits
  -- for it. Accounts that people have registered themselves have 0.
  is_admitted INTEGER NOT NULL DEFAULT 0 CHECK (is_admitted IN (0, 1))
) STRICT;
CREATE INDEX accounts_registered ON accounts (id) WHERE is_admitted = 0 AND deleted_at IS NULL;
CREATE INDEX accounts_by_skeleton ON accounts (email_skeleton);
CREATE INDEX accounts_deleted ON accounts (deleted_at) WHERE deleted_at IS NOT NULL;

-- Stores only the SHA-256 of a session's token.
CREATE TABLE sessions (
  -- Ids are never reused: a running request may still refer to a session that has ended.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  token_hash BLOB NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  -- Where it began, so that its owner recognizes it: the browser in words, and the network without the part that is one
  -- machine's (rules/accounts/session-origin.ts). Empty if unknown.
  browser TEXT NOT NULL DEFAULT '',
  network TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX sessions_by_account ON sessions (account_id);
-- Each condition of the purge has an index, so that a batch never reads the whole table.
CREATE INDEX sessions_by_start ON sessions (created_at);
CREATE INDEX sessions_by_use ON sessions (last_seen_at);

-- Networks from which an account has logged in lately. A wrong password that is sent from elsewhere does not affect
-- logins from there.
CREATE TABLE login_places (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  place BLOB NOT NULL,         -- keyed hash of the account and the client network
  last_at INTEGER NOT NULL,    -- time of the last login
  PRIMARY KEY (account_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX login_places_by_time ON login_places (last_at);

-- People of the login provider (OpenID Connect) who are linked to an account.
CREATE TABLE identities (
  issuer TEXT NOT NULL,              -- the provider
  subject TEXT NOT NULL,             -- identifies the person there
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  linked_at INTEGER NOT NULL,
  PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;
-- An account has at most one person of a provider.
CREATE UNIQUE INDEX identities_by_account ON identities (account_id, issuer);

-- Links in mails: to set a new password, or to confirm the e-mail address. Stores only the SHA-256 of a token. An
-- account has at most two of each kind, so a link ends with the second newer one.
CREATE TABLE mailed_tokens (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  purpose TEXT NOT NULL CHECK (purpose IN ('reset', 'confirm')),
  age INTEGER NOT NULL CHECK (age IN (0, 1)), -- 0: the newest; 1: the one before it
  token_hash BLOB NOT NULL UNIQUE,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, purpose, age)
) STRICT, WITHOUT ROWID;
CREATE INDEX mailed_tokens_by_end ON mailed_tokens (expires_at);

-- Invitations to create an account. Each is used once. Stores only the SHA-256 of the code; the code itself is shown
-- once, when it is created.
CREATE TABLE invitations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code_hash BLOB NOT NULL UNIQUE,
  email TEXT COLLATE NOCASE,   -- the only address that may use it; null for any
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  revoked_at INTEGER,
  used_at INTEGER,
  account_id INTEGER REFERENCES accounts (id)
) STRICT;

-- Rate limits: for each name the time at which its full limit is available again (rules/accounts/rate-limit.ts).
CREATE TABLE attempts (
  name TEXT PRIMARY KEY,
  whole_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX attempts_by_time ON attempts (whole_at);

-- Audit log of accounts, for the operator. Contains no password, key or token.
CREATE TABLE audit_log (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  event TEXT NOT NULL,
  account_id INTEGER REFERENCES accounts (id),
  address TEXT,                -- client address; null for the command line
  detail TEXT
) STRICT;
CREATE INDEX audit_log_by_account ON audit_log (account_id, id);
CREATE INDEX audit_log_by_time ON audit_log (at);

-- API keys and quotas -------------------------------------------------------------------------------------------

-- Stores only the SHA-256 of a key; the key itself is shown once, when it is created.
CREATE TABLE keys (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  key_hash BLOB NOT NULL UNIQUE,
  key_prefix TEXT NOT NULL,
  last4 TEXT NOT NULL,
  is_active INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX keys_by_account ON keys (account_id);

-- Grows by one whenever a key or a tier changes. Servers cache the owners of keys until it grows; everything else in
-- the file, quotas above all, changes far more often. Triggers maintain it, so that no writer can forget to.
CREATE TABLE access_version (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL
) STRICT;
INSERT INTO access_version VALUES (1, 0);
-- A new key is in no cache.
CREATE TRIGGER keys_changed AFTER UPDATE OF account_id, key_hash, is_active ON keys BEGIN
  UPDATE access_version SET version = version + 1;
END;
CREATE TRIGGER keys_removed AFTER DELETE ON keys BEGIN
  UPDATE access_version SET version = version + 1;
END;
CREATE TRIGGER tiers_changed AFTER UPDATE OF tier, is_admitted ON accounts BEGIN
  UPDATE access_version SET version = version + 1;
END;

-- Requests of an account's quota per day. Servers lease them in advance, so a row may be ahead of the requests served,
-- never behind.
CREATE TABLE usage_daily (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  day INTEGER NOT NULL,
  used INTEGER NOT NULL,
  -- The requests that the latest lease granted, so that one statement can lease and tell how many.
  granted INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, day)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_daily_by_day ON usage_daily (day);

-- Accepted requests of the last 30 days, and of each key since its creation. Servers write them every few seconds; the
-- quota does not depend on them.
CREATE TABLE usage_by_key (
  key_id TEXT NOT NULL REFERENCES keys (id),
  day INTEGER NOT NULL,
  endpoint_group TEXT NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (key_id, day, endpoint_group)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_by_day ON usage_by_key (day);
CREATE TABLE key_totals (
  key_id TEXT PRIMARY KEY REFERENCES keys (id),
  requests INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Scans ---------------------------------------------------------------------------------------------------------

-- Every change of accounts.scan_balance, which is always their sum. Rows are never updated or deleted.
CREATE TABLE scan_ledger (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN
    ('trial', 'trial_withdrawn', 'purchase', 'grant', 'scan', 'refund', 'rejection',
     -- By a refund or dispute, after a dispute was won, and of a debt by an addition.
     'reversal', 'reinstatement', 'debt_settled')),
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
  due_at INTEGER NOT NULL,     -- end of the reservation: its process is gone
  credit_until INTEGER         -- a page until then returns the scan; null: none does
) STRICT;
CREATE INDEX scan_holds_due ON scan_holds (due_at) WHERE state = 'held';
CREATE INDEX scan_holds_by_time ON scan_holds (taken_at);
CREATE INDEX scan_holds_credits ON scan_holds (account_id, credit_until) WHERE credit_until IS NOT NULL;

-- Answers until they are purged, without the photos.
CREATE TABLE identifications (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  at INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN
    ('matched', 'ambiguous', 'retake', 'not_found', 'unsupported')),
  game TEXT,                   -- slug that the search was restricted to
  data TEXT NOT NULL,          -- `data` of the response
  feedback_at INTEGER,         -- null: no feedback
  feedback_card_id INTEGER,    -- correct card; null: not in the catalog
  -- Of the card in the photo (rules/photos/picture-index/learned-references.ts); null: none, or its reference was removed.
  fingerprint TEXT
) STRICT;
CREATE INDEX identifications_by_time ON identifications (at);

-- Photos of cards that people have named, by which later photos are found: their fingerprints, without the photos.
CREATE TABLE card_references (
  id TEXT PRIMARY KEY,         -- of the identification, which may be deleted earlier
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  card_id INTEGER NOT NULL,
  fingerprint TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX card_references_by_account ON card_references (account_id, card_id, created_at);
CREATE INDEX card_references_by_card ON card_references (card_id, created_at);
CREATE INDEX card_references_by_time ON card_references (created_at);

-- Grows by one whenever a reference, or the role of an account, changes. Servers read the references again then.
CREATE TABLE reference_version (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL
) STRICT;
INSERT INTO reference_version VALUES (1, 0);
CREATE TRIGGER references_added AFTER INSERT ON card_references BEGIN
  UPDATE reference_version SET version = version + 1;
END;
CREATE TRIGGER references_removed AFTER DELETE ON card_references BEGIN
  UPDATE reference_version SET version = version + 1;
END;
CREATE TRIGGER roles_changed AFTER UPDATE OF is_operator, is_admitted ON accounts BEGIN
  UPDATE reference_version SET version = version + 1;
END;

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
-- Includes the number, which the metrics add up on each scrape.
CREATE INDEX scan_days_by_day ON scan_days (day, scans);

-- Billing -------------------------------------------------------------------------------------------------------

-- Grows by one with each request to a provider. The answer to a later request replaces that to an earlier one, never
-- the reverse, in whatever order they arrive (rules/billing/billing.ts).
CREATE TABLE billing_questions (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  asked INTEGER NOT NULL
) STRICT;
INSERT INTO billing_questions VALUES (1, 0);

-- Stripe customers of accounts. Deleted customers stay, because events of their payments may still arrive.
CREATE TABLE billing_customers (
  customer TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  is_current INTEGER NOT NULL DEFAULT 1 CHECK (is_current IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX billing_customers_current ON billing_customers (account_id)
  WHERE is_current = 1;
CREATE INDEX billing_customers_gone ON billing_customers (account_id) WHERE is_current = 0;

-- Checkouts. An account has at most one open per pack, and one for any plan, so that nobody pays for a second
-- subscription.
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
CREATE INDEX checkouts_ended ON checkouts (closed_at) WHERE state = 'ended';
CREATE INDEX checkouts_expiring ON checkouts (expires_at) WHERE state = 'open';

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
  changes_at INTEGER,          -- next change by time alone; null: none
  -- Day of the month on which the periods of a manual subscription end, where a shorter month ended one earlier; null:
  -- the day of period_end.
  anchor_day INTEGER CHECK (anchor_day BETWEEN 1 AND 31)
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

-- Photos that are paid individually over HTTP 402 (x402) ----------------------------------------------------------
--
-- reserved  claimed by the first request that sent it; its photo is being read
-- worked    the photo was read and the answer stored; nothing is paid yet
-- unknown   a settlement attempt may have moved the money: the chain decides
-- settled   paid; the payer gets the answer
-- released  the photo was not read and nothing was paid: the payment can be used again
-- failed    the photo was read, but the payment can no longer be settled
CREATE TABLE photo_payments (
  id TEXT PRIMARY KEY,         -- derived from network, asset, payer and nonce
  payer TEXT NOT NULL,
  fingerprint TEXT NOT NULL,   -- of the photo and its options
  state TEXT NOT NULL CHECK (state IN
    ('reserved', 'worked', 'unknown', 'settled', 'released', 'failed')),
  payment TEXT NOT NULL,       -- payload as sent, as JSON; '' once deleted
  result TEXT,                 -- `data` of the response, as JSON; '' once deleted
  settlement TEXT,             -- response of the facilitator or the chain, as JSON
  valid_before INTEGER NOT NULL,
  owner TEXT,                  -- process that has leased it; null: none
  due_at INTEGER NOT NULL,     -- end of the lease
  next_at INTEGER,             -- next settlement attempt
  tries INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  CHECK (state NOT IN ('worked', 'unknown', 'settled') OR result IS NOT NULL)
) STRICT;
CREATE INDEX photo_payments_open ON photo_payments (due_at)
  WHERE state IN ('reserved', 'worked', 'unknown');
CREATE INDEX photo_payments_by_payer ON photo_payments (payer, state);
CREATE INDEX photo_payments_by_time ON photo_payments (updated_at);
CREATE INDEX photo_payments_kept ON photo_payments (updated_at)
  WHERE state = 'settled' AND payment <> '';
-- Settled payments are kept for ever, so the purge would not be helped by an index of all payments.
CREATE INDEX photo_payments_failed ON photo_payments (updated_at) WHERE state = 'failed';
CREATE INDEX photo_payments_released ON photo_payments (updated_at) WHERE state = 'released';

-- Price rules, channels and messages ----------------------------------------------------------------------------

-- Webhooks of accounts below Pro are muted by the tier alone, without a column here.
CREATE TABLE alert_channels (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL,                -- webhook, or one of rules/alerts/channel-kinds.ts
  url TEXT,                          -- of a webhook; other addresses are secrets
  secret BLOB NOT NULL,              -- under APP_SECRET: signing secret of a webhook, or JSON with the address
  old_secret BLOB,                   -- previous signing secret, which signs, too
  old_secret_until INTEGER,
  address_hash BLOB,                 -- keyed: equal for equal addresses; null for webhooks
  host TEXT NOT NULL,                -- concurrency is limited by it
  confirmed_at INTEGER,              -- when somebody opened the link in the mail; others: when it was added
  is_paused INTEGER NOT NULL DEFAULT 0, -- by its owner
  disabled_for TEXT CHECK (disabled_for IN ('unsubscribed', 'refused', 'gone', 'failing')),
  last_error TEXT,                   -- of the newest attempt; null: it succeeded
  failures INTEGER NOT NULL DEFAULT 0, -- consecutive failed attempts
  failing_since INTEGER,             -- the first of them
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (account_id, kind, address_hash)
) STRICT;

-- A rule without a channel notifies its account, and sends to all channels of the account. A webhook is a rule with a
-- channel of its own, whose id is the same.
CREATE TABLE price_rules (
  id TEXT PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  channel_id TEXT REFERENCES alert_channels (id) ON DELETE CASCADE,
  card_id INTEGER NOT NULL,          -- of the catalog
  printing TEXT,                     -- null: the most expensive one
  condition TEXT NOT NULL CHECK (condition IN ('above', 'below')),
  threshold INTEGER NOT NULL,
  currency TEXT,                     -- of the threshold; null: the mirror's prices as they are
  source TEXT,                       -- null: the sources that answer a request for the currency
  min_confidence TEXT NOT NULL DEFAULT 'low'
    CHECK (min_confidence IN ('low', 'medium', 'high')), -- with which it fires; low: any
  revision INTEGER NOT NULL DEFAULT 1, -- grows with every change of the condition, which arms it again
  is_paused INTEGER NOT NULL DEFAULT 0, -- by its owner; a webhook's channel is paused instead
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX price_rules_by_account ON price_rules (account_id, created_at);
-- Without the rules that have no channel: SQLite would look them up here, of all accounts.
CREATE UNIQUE INDEX price_rules_by_channel ON price_rules (channel_id) WHERE channel_id IS NOT NULL;

-- Messages of channels. Several processes send them: each is leased to its owner until `next_at`, after which the
-- owner is considered gone.
CREATE TABLE alert_messages (
  id TEXT PRIMARY KEY,               -- of the alert, and of the channel if there may be several: the same for each attempt
  channel_id TEXT NOT NULL REFERENCES alert_channels (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL,       -- concurrency is limited by account, host and kind of channel
  host TEXT NOT NULL,
  channel_kind TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('alert', 'test', 'confirmation')),
  body TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'dead')),
  tries INTEGER NOT NULL DEFAULT 0,  -- attempts since it was created or sent again
  next_at INTEGER NOT NULL,          -- when it is due, or the end of the lease
  owner TEXT,
  created_at INTEGER NOT NULL,
  ended_at INTEGER                   -- when it was delivered or given up
) STRICT;
-- Finds due messages by time, however many wait for later, and counts them.
CREATE INDEX alert_messages_due ON alert_messages (next_at, id, channel_kind) WHERE state = 'pending';
CREATE INDEX alert_messages_waiting ON alert_messages (channel_id, next_at) WHERE state = 'pending';
CREATE INDEX alert_messages_held ON alert_messages (channel_id) WHERE owner IS NOT NULL;
CREATE INDEX alert_messages_dead ON alert_messages (channel_kind) WHERE state = 'dead';
CREATE INDEX alert_messages_by_channel ON alert_messages (channel_id, created_at);
CREATE INDEX alert_messages_by_time ON alert_messages (created_at);

CREATE TABLE message_attempts (
  message_id TEXT NOT NULL REFERENCES alert_messages (id) ON DELETE CASCADE,
  at INTEGER NOT NULL,
  status INTEGER,                    -- HTTP status; null: no response
  error TEXT,                        -- reason of the failure
  latency_ms INTEGER NOT NULL,
  answer TEXT                        -- beginning of the response
) STRICT;
CREATE INDEX message_attempts_by_message ON message_attempts (message_id, at);

-- An alert that its account reads. It stays when the price alert is deleted.
CREATE TABLE notifications (
  id TEXT PRIMARY KEY,               -- of the message, ascending by time
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN ('alert', 'channel')),
  source_id TEXT NOT NULL,           -- of the price alert, or of the channel that has stopped
  body TEXT NOT NULL,                -- JSON
  created_at INTEGER NOT NULL,
  read_at INTEGER,
  is_waiting INTEGER NOT NULL DEFAULT 0 -- for the daily digest
) STRICT;
CREATE INDEX notifications_by_account ON notifications (account_id, id);
CREATE INDEX notifications_by_source ON notifications (source_id, created_at);
CREATE INDEX notifications_unread ON notifications (account_id) WHERE read_at IS NULL;
CREATE INDEX notifications_by_time ON notifications (created_at);
CREATE INDEX notifications_waiting ON notifications (account_id, created_at) WHERE is_waiting = 1;

CREATE TABLE alert_preferences (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id),
  digest_hour INTEGER CHECK (digest_hour BETWEEN 0 AND 23) -- UTC; null: single messages
) STRICT;

-- Collections, wish lists and scan sessions --------------------------------------------------------------------

CREATE TABLE lists (
  id TEXT PRIMARY KEY,               -- that of a scan session is often chosen by the client
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  kind TEXT NOT NULL CHECK (kind IN ('owned', 'wish', 'scan')),
  name TEXT NOT NULL,
  revision INTEGER NOT NULL DEFAULT 1, -- grows with every change of its name
  items INTEGER NOT NULL DEFAULT 0 CHECK (items >= 0),
  copies INTEGER NOT NULL DEFAULT 0 CHECK (copies >= 0),
  open INTEGER NOT NULL DEFAULT 0 CHECK (open >= 0), -- items that are not reviewed
  added INTEGER NOT NULL DEFAULT 0,  -- items that were ever added
  photos INTEGER NOT NULL DEFAULT 0,
  scans INTEGER NOT NULL DEFAULT 0,  -- used by its photos
  content INTEGER NOT NULL DEFAULT 1, -- grows with every change of its items
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER                 -- invisible from then on; its rows are purged in small steps
) STRICT;
CREATE INDEX lists_by_account ON lists (account_id, kind, created_at);
CREATE INDEX lists_scanned ON lists (updated_at) WHERE kind = 'scan' AND deleted_at IS NULL;
CREATE INDEX lists_deleted ON lists (deleted_at) WHERE deleted_at IS NOT NULL;

-- Name, number, set and game are those of the card when it was chosen: it may vanish from the catalog. All are null
-- without a card. An item of a photo has a reading, and its duplicates have the same.
CREATE TABLE list_items (
  list_id TEXT NOT NULL REFERENCES lists (id) ON DELETE CASCADE,
  id TEXT NOT NULL,                  -- in collections ascending by the time of creation
  ordinal INTEGER NOT NULL,          -- order in which items were added
  identification_id TEXT,            -- of its reading; null in collections
  copied_from TEXT,                  -- id of the item of which this is a duplicate
  import_id TEXT,                    -- of the import that added it; null in scan sessions
  card_id INTEGER,                   -- of the catalog
  name TEXT,
  number TEXT,
  game TEXT,                         -- slug
  set_id INTEGER,
  set_name TEXT,
  printing TEXT,                     -- null: the card had none
  condition TEXT NOT NULL,
  grade TEXT,                        -- such as "PSA 10"; null for a raw card
  language TEXT,                     -- code; null: unknown
  quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 100000),
  is_reviewed INTEGER NOT NULL DEFAULT 1 CHECK (is_reviewed IN (0, 1)),
  price_paid INTEGER CHECK (price_paid BETWEEN 0 AND 1000000000), -- of one copy
  paid_currency TEXT NOT NULL DEFAULT 'USD' CHECK (length(paid_currency) = 3), -- of price_paid
  acquired_on INTEGER,               -- day
  place TEXT,
  note TEXT,
  target_price INTEGER CHECK (target_price BETWEEN 0 AND 100000000), -- of one copy, on a wish list
  value INTEGER,                     -- of all copies when the collection was last valued, to sort by
  revision INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (list_id, id),
  CHECK (is_reviewed = 1 OR identification_id IS NOT NULL),
  CHECK (is_reviewed = 0 OR card_id IS NOT NULL AND name IS NOT NULL AND game IS NOT NULL AND set_id IS NOT NULL
    AND set_name IS NOT NULL)
) STRICT, WITHOUT ROWID;
-- Cover the search for a page, which would otherwise read each item before it.
CREATE INDEX list_items_by_id ON list_items (list_id, id, game, set_id);
CREATE INDEX list_items_by_name ON list_items (list_id, name, id, game, set_id);
CREATE INDEX list_items_by_value ON list_items (list_id, value, id, game, set_id);
CREATE INDEX list_items_by_falling_value ON list_items (list_id, value DESC, id, game, set_id);
CREATE INDEX list_items_by_set ON list_items (list_id, game, set_id);
CREATE INDEX list_items_by_card ON list_items (list_id, card_id);
CREATE UNIQUE INDEX list_items_by_order ON list_items (list_id, ordinal) WHERE identification_id IS NOT NULL;
CREATE INDEX list_items_by_reading ON list_items (list_id, identification_id) WHERE identification_id IS NOT NULL;

-- Imports of files. Rows up to `done` are stored or listed as problems, in the same transaction. An import can begin as
-- a draft, whose rows are in `import_rows`.
CREATE TABLE collection_imports (
  collection_id TEXT NOT NULL REFERENCES lists (id) ON DELETE CASCADE,
  content_hash TEXT NOT NULL,        -- SHA-256 of the file and its options, in hexadecimal
  run INTEGER NOT NULL,              -- 2 and more: the owner asked for the same file again
  id TEXT NOT NULL UNIQUE,
  revision INTEGER NOT NULL DEFAULT 1, -- grows with every change of a draft, its import, and the undo
  done INTEGER NOT NULL DEFAULT 0,
  imported INTEGER NOT NULL DEFAULT 0,
  unowned INTEGER NOT NULL DEFAULT 0,   -- items of the wish list
  unowned_list_id TEXT,              -- wish list for rows that nobody owns; null: they are left out
  problem_count INTEGER NOT NULL DEFAULT 0,
  problems TEXT NOT NULL DEFAULT '[]', -- the first of them, as JSON
  first_item TEXT,                   -- the items of the import have ids from here
  last_item TEXT,                    -- to here
  removed INTEGER NOT NULL DEFAULT 0, -- items that the undo removed
  started_at INTEGER,                -- null: a draft
  completed_at INTEGER,
  undone_at INTEGER,
  PRIMARY KEY (collection_id, content_hash, run)
) STRICT, WITHOUT ROWID;

-- What a draft knows about its file as a whole. It can be read once `is_read` is 1.
CREATE TABLE import_drafts (
  collection_id TEXT NOT NULL REFERENCES lists (id) ON DELETE CASCADE,
  import_id TEXT NOT NULL,
  is_read INTEGER NOT NULL DEFAULT 0 CHECK (is_read IN (0, 1)),
  reader INTEGER NOT NULL DEFAULT 0, -- runs that have read the file: only the last one adds rows
  read_rows INTEGER NOT NULL DEFAULT 0, -- rows that earlier runs have read
  direct_hash TEXT NOT NULL,         -- `content_hash` of an import of the file without a draft
  unowned TEXT NOT NULL DEFAULT 'leave_out', -- what its rows that nobody owns become
  file_name TEXT,                    -- null: a list, or a file that was sent without its name
  columns TEXT NOT NULL DEFAULT '[]', -- uses of the columns, as JSON
  header TEXT NOT NULL DEFAULT '[]', -- cells of the header, as JSON
  states TEXT NOT NULL DEFAULT '{}', -- state of the rows of each kind without a later one of their own, as JSON
  totals TEXT NOT NULL DEFAULT '{}', -- sums of each kind, as JSON
  changed_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (collection_id, import_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX import_drafts_by_end ON import_drafts (expires_at);

-- The rows of drafts as they were read, in compressed parts of equal size for each kind.
CREATE TABLE import_rows (
  collection_id TEXT NOT NULL REFERENCES lists (id) ON DELETE CASCADE,
  import_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  part INTEGER NOT NULL,
  content BLOB NOT NULL,             -- JSON, compressed with Zstandard
  PRIMARY KEY (collection_id, import_id, kind, part)
) STRICT;

-- Decisions about single rows of drafts.
CREATE TABLE import_changes (
  collection_id TEXT NOT NULL REFERENCES lists (id) ON DELETE CASCADE,
  import_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  position INTEGER NOT NULL,         -- in the rows of the kind
  state TEXT,                        -- null: that of the kind
  changed TEXT,                      -- chosen card and copies, as JSON; null: as read
  revision INTEGER NOT NULL,         -- of the draft, with the decision; the state of the kind may be a later one
  PRIMARY KEY (collection_id, import_id, kind, position)
) STRICT, WITHOUT ROWID;

-- Last valuation of each collection. It can always be computed again.
CREATE TABLE collection_summaries (
  collection_id TEXT PRIMARY KEY REFERENCES lists (id) ON DELETE CASCADE,
  content INTEGER NOT NULL,          -- of the collection when it was valued
  catalog_version INTEGER NOT NULL,
  value INTEGER NOT NULL,
  unpriced INTEGER NOT NULL,
  notes TEXT NOT NULL,               -- JSON: parts of the value whose prices do not exactly fit
  summary TEXT NOT NULL,             -- JSON
  computed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Daily totals of each collection, from the day on which most of it was priced.
CREATE TABLE collection_values (
  collection_id TEXT NOT NULL REFERENCES lists (id) ON DELETE CASCADE,
  day INTEGER NOT NULL,
  value INTEGER NOT NULL,
  carried INTEGER NOT NULL,           -- part of the value whose price was not known yet
  cost INTEGER NOT NULL,
  foreign_costs TEXT,                -- parts of the cost that were paid in other currencies, as JSON
  PRIMARY KEY (collection_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE collection_shares (
  collection_id TEXT PRIMARY KEY REFERENCES lists (id) ON DELETE CASCADE,
  token_hash BLOB NOT NULL UNIQUE,   -- SHA-256 of the token, by which the link is found
  sealed_token BLOB NOT NULL,        -- under APP_SECRET: the token, for its owner
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Photos of scan sessions. Stored in the transaction that settles their scans, so that a repeated photo costs nothing.
CREATE TABLE scan_photos (
  list_id TEXT NOT NULL REFERENCES lists (id) ON DELETE CASCADE,
  photo TEXT NOT NULL,               -- key that the client chose
  width INTEGER,                     -- pixels of a photo of many cards; null for one card
  height INTEGER,
  unread TEXT NOT NULL DEFAULT '[]', -- cards that were found and not read, as JSON
  scans INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (list_id, photo)
) STRICT, WITHOUT ROWID;

-- Cards that were read. They never change: items refer to them, also several to one.
CREATE TABLE readings (
  list_id TEXT NOT NULL REFERENCES lists (id) ON DELETE CASCADE,
  identification_id TEXT NOT NULL,
  photo TEXT NOT NULL,
  page_row INTEGER,                  -- null for a photo of one card
  page_column INTEGER,
  outline TEXT,                      -- corners in the photo, as JSON
  data TEXT NOT NULL,                -- the identification, which is kept as long as the session
  PRIMARY KEY (list_id, identification_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX readings_by_photo ON readings (list_id, photo);
