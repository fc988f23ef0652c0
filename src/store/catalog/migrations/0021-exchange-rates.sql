-- Daily reference rates, one row per day: {"USD":1.1432,…} units per euro.
CREATE TABLE exchange_rates (
  day INTEGER PRIMARY KEY,     -- days since 1 January 1970
  per_euro TEXT NOT NULL
) STRICT;
