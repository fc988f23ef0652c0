-- Photos that are paid individually over HTTP 402 (x402). Times are epoch milliseconds.
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
