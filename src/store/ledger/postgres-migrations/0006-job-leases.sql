-- Jobs of the timetable that several servers share; see 0017-job-leases of SQLite's ledger.
CREATE TABLE job_leases (
  job TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  token BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  begun_for BIGINT,
  ended_at BIGINT
);
