-- Names and codes of sets as queries and deck lists write them (rules/catalog/set-keys.ts). The program fills
-- it when the catalog is opened, and at each publication.
CREATE TABLE set_keys (
  key TEXT NOT NULL,
  kind TEXT NOT NULL,
  set_id INTEGER NOT NULL,
  PRIMARY KEY (key, kind, set_id)
) STRICT, WITHOUT ROWID;
