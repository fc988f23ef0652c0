-- Networks from which an account has logged in lately. A wrong password that is sent from elsewhere does
-- not affect logins from there.
CREATE TABLE login_places (
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  place BLOB NOT NULL,         -- keyed hash of the account and the client network
  last_day INTEGER NOT NULL,   -- UTC day of the last login (floor(epoch seconds / 86400))
  PRIMARY KEY (account_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX login_places_by_day ON login_places (last_day);
