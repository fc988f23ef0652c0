-- Scan sessions: lists that grow photo by photo. Times are epoch milliseconds.
CREATE TABLE scan_sessions (
  id TEXT PRIMARY KEY,               -- often chosen by the client
  account_id INTEGER NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  photos INTEGER NOT NULL DEFAULT 0,
  scans INTEGER NOT NULL DEFAULT 0,  -- used by its photos
  items INTEGER NOT NULL DEFAULT 0 CHECK (items >= 0),
  copies INTEGER NOT NULL DEFAULT 0 CHECK (copies >= 0),
  open INTEGER NOT NULL DEFAULT 0 CHECK (open >= 0), -- items that are not reviewed
  added INTEGER NOT NULL DEFAULT 0,  -- items that were ever added
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER                 -- invisible from then on; its rows are purged in small steps
) STRICT;
CREATE INDEX scan_sessions_by_account ON scan_sessions (account_id, updated_at) WHERE deleted_at IS NULL;
CREATE INDEX scan_sessions_by_change ON scan_sessions (updated_at) WHERE deleted_at IS NULL;
CREATE INDEX scan_sessions_deleted ON scan_sessions (deleted_at) WHERE deleted_at IS NOT NULL;

-- Stored in the transaction that settles the scans of the photo, so that a repeated photo costs nothing.
CREATE TABLE scan_session_photos (
  scan_session_id TEXT NOT NULL REFERENCES scan_sessions (id) ON DELETE CASCADE,
  photo TEXT NOT NULL,               -- key that the client chose
  width INTEGER,                     -- pixels of a photo of many cards; null for one card
  height INTEGER,
  unread TEXT NOT NULL DEFAULT '[]', -- cards that were found and not read, as JSON
  scans INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (scan_session_id, photo)
) STRICT, WITHOUT ROWID;

-- Cards that were read. They never change: items refer to them, also several to one.
CREATE TABLE scan_session_cards (
  scan_session_id TEXT NOT NULL REFERENCES scan_sessions (id) ON DELETE CASCADE,
  identification_id TEXT NOT NULL,
  photo TEXT NOT NULL,
  page_row INTEGER,                  -- null for a photo of one card
  page_column INTEGER,
  outline TEXT,                      -- corners in the photo, as JSON
  data TEXT NOT NULL,                -- the identification, which is kept as long as the session
  PRIMARY KEY (scan_session_id, identification_id)
) STRICT, WITHOUT ROWID;

-- Name, number, set and game are those of the card when it was chosen; all are null without a card.
CREATE TABLE scan_session_items (
  scan_session_id TEXT NOT NULL REFERENCES scan_sessions (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  ordinal INTEGER NOT NULL,          -- order in which items were added
  identification_id TEXT NOT NULL,
  copied_from TEXT,                  -- id of the item of which this is a duplicate
  card_id INTEGER,
  name TEXT,
  number TEXT,
  game TEXT,                         -- slug
  set_id INTEGER,
  set_name TEXT,
  printing TEXT,
  condition TEXT NOT NULL,
  grade TEXT,
  language TEXT,
  quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 100000),
  is_reviewed INTEGER NOT NULL CHECK (is_reviewed IN (0, 1) AND (is_reviewed = 0 OR card_id IS NOT NULL)),
  revision INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (scan_session_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX scan_session_items_by_order ON scan_session_items (scan_session_id, ordinal);
CREATE INDEX scan_session_items_by_card ON scan_session_items (scan_session_id, identification_id);
CREATE INDEX scan_session_cards_by_photo ON scan_session_cards (scan_session_id, photo);
