-- Price alerts that are to be told. They are written in the transaction that changes the prices: no
-- alert without its price, no price without its alerts. The server copies them into the ledger, from
-- which they are delivered; what is there, or whose watch is gone, is removed with a later publication.
CREATE TABLE alert_outbox (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,           -- of the message: the same on every attempt to deliver it
  webhook_id TEXT NOT NULL,          -- of the ledger
  body TEXT NOT NULL,                -- what is sent, to the byte
  created_at INTEGER NOT NULL        -- epoch milliseconds
) STRICT;

-- Watches that have told of their price, which has met their condition ever since. They fire again once
-- it has crossed back. All others are armed.
CREATE TABLE alerted_watches (
  webhook_id TEXT PRIMARY KEY,
  revision INTEGER NOT NULL          -- of the condition that was met: another one has not been told yet
) STRICT, WITHOUT ROWID;
