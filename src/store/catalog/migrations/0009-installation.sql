-- Installation to which the file belongs: one row, written by the first start. The ledger has the same id.
CREATE TABLE installation (
  id TEXT NOT NULL                   -- random
) STRICT;
