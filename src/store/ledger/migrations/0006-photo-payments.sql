-- Photos that are paid one by one over HTTP 402 (x402). Times are epoch milliseconds.
--
-- reserved  whoever sent the payment first has it; its photo is being read
-- worked    it is read, the answer is kept, nothing is paid yet
-- unknown   settling was tried and may have moved the money: the chain is asked
-- settled   paid: the answer belongs to the payer
-- released  it was not read, and nothing was paid: the payment may be used again
-- failed    it was read, and cannot be paid any more
CREATE TABLE photo_payments (
  id TEXT PRIMARY KEY,         -- of network, asset, payer and nonce: the same payment has the same
  payer TEXT NOT NULL,
  fingerprint TEXT NOT NULL,   -- of the photo and its options
  state TEXT NOT NULL CHECK (state IN
    ('reserved', 'worked', 'unknown', 'settled', 'released', 'failed')),
  payment TEXT NOT NULL,       -- the payload as it was sent, as JSON, to settle it; '' once forgotten
  result TEXT,                 -- `data` of the answer, as JSON; '' once forgotten
  settlement TEXT,             -- what the facilitator or the chain said, as JSON
  valid_before INTEGER NOT NULL,
  owner TEXT,                  -- the process that works on it; null: nobody does
  due_at INTEGER NOT NULL,     -- beyond it, its owner is gone
  next_at INTEGER,             -- when to try to settle it again
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
