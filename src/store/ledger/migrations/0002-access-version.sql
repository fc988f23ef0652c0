-- Grows by one whenever a key or a tier changes. Servers cache the owners of keys until it grows;
-- everything else in the file, quotas above all, changes far more often. Triggers maintain it, so that
-- no writer can forget to.

CREATE TABLE access_version (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  version INTEGER NOT NULL
) STRICT;
INSERT INTO access_version VALUES (1, 0);

-- A new key is in no cache.
CREATE TRIGGER keys_changed AFTER UPDATE OF account_id, key_hash, is_active ON keys BEGIN
  UPDATE access_version SET version = version + 1;
END;
CREATE TRIGGER keys_removed AFTER DELETE ON keys BEGIN
  UPDATE access_version SET version = version + 1;
END;
CREATE TRIGGER tiers_changed AFTER UPDATE OF tier ON accounts BEGIN
  UPDATE access_version SET version = version + 1;
END;
