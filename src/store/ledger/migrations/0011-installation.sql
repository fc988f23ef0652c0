-- Installation to which the file belongs: one row, written by the first start. The catalog has the same id.
CREATE TABLE installation (
  id TEXT NOT NULL,                  -- random
  probed_at INTEGER                  -- when the readiness check last wrote, epoch milliseconds
) STRICT;
