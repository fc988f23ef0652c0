-- Last reports of the servers that share this database, for the page of their operator.

CREATE TABLE server_reports (
  name TEXT PRIMARY KEY,
  version TEXT NOT NULL,
  started_at BIGINT NOT NULL,
  reported_at BIGINT NOT NULL,
  -- JSON that only servers of the same version read.
  state TEXT NOT NULL
);
