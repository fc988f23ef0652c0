-- Price alerts to be sent, written in the transaction that changes the prices: neither is committed
-- without the other. The server copies them into the ledger, from which they are delivered. Copied
-- alerts, and those of deleted webhooks, are deleted by a later publication.
CREATE TABLE alert_outbox (
  place INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,           -- message id, the same in every attempt
  webhook_id TEXT NOT NULL,          -- of the ledger
  body TEXT NOT NULL,                -- exact bytes of the message
  created_at INTEGER NOT NULL        -- epoch milliseconds
) STRICT;

-- Webhooks whose alert was sent and whose condition has been met since. They are armed again once the
-- price has crossed back. All other webhooks are armed.
CREATE TABLE alerted_watches (
  webhook_id TEXT PRIMARY KEY,
  revision INTEGER NOT NULL          -- revision of the condition that was met
) STRICT, WITHOUT ROWID;
