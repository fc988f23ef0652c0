-- Jobs of the timetable that several servers share: each runs on the server that holds its lease. A ledger in a
-- file is not shared in this way; it has the table because both kinds of ledger have the same ones.
CREATE TABLE job_leases (
  job TEXT PRIMARY KEY,
  holder TEXT NOT NULL,              -- random name of the server, for the time that it runs
  token INTEGER NOT NULL,            -- grows whenever another server takes the lease
  expires_at INTEGER NOT NULL,       -- epoch milliseconds by the clock of the database
  begun_for INTEGER,                 -- time in the timetable for which the last run began, epoch milliseconds
  ended_at INTEGER                   -- null while a run is under way, or if it was interrupted
) STRICT, WITHOUT ROWID;
