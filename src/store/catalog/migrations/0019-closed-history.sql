-- Closed months of the history in a file of their own, which a publication does not carry (decision 36). No row:
-- all closed months are in history_cold. With one, history_cold has those that were closed or added since.
CREATE TABLE closed_history (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  sha256 TEXT NOT NULL,        -- of the file, whose name is made from it
  bytes INTEGER NOT NULL,
  series INTEGER NOT NULL      -- rows of its table history_cold
) STRICT;
