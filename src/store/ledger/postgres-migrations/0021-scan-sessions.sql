-- Scan sessions; see 0027-scan-sessions of SQLite's ledger.
CREATE TABLE scan_sessions (
  id TEXT COLLATE "C" PRIMARY KEY,
  account_id BIGINT NOT NULL REFERENCES accounts (id),
  name TEXT NOT NULL,
  photos BIGINT NOT NULL DEFAULT 0,
  scans BIGINT NOT NULL DEFAULT 0,
  items BIGINT NOT NULL DEFAULT 0 CHECK (items >= 0),
  copies BIGINT NOT NULL DEFAULT 0 CHECK (copies >= 0),
  open BIGINT NOT NULL DEFAULT 0 CHECK (open >= 0),
  added BIGINT NOT NULL DEFAULT 0,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  deleted_at BIGINT
);
CREATE INDEX scan_sessions_by_account ON scan_sessions (account_id, updated_at) WHERE deleted_at IS NULL;
CREATE INDEX scan_sessions_by_change ON scan_sessions (updated_at) WHERE deleted_at IS NULL;
CREATE INDEX scan_sessions_deleted ON scan_sessions (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE scan_session_photos (
  scan_session_id TEXT NOT NULL REFERENCES scan_sessions (id) ON DELETE CASCADE,
  photo TEXT NOT NULL,
  width BIGINT,
  height BIGINT,
  unread TEXT NOT NULL DEFAULT '[]',
  scans BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  PRIMARY KEY (scan_session_id, photo)
);

CREATE TABLE scan_session_cards (
  scan_session_id TEXT NOT NULL REFERENCES scan_sessions (id) ON DELETE CASCADE,
  identification_id TEXT NOT NULL,
  photo TEXT NOT NULL,
  page_row BIGINT,
  page_column BIGINT,
  outline TEXT,
  data TEXT NOT NULL,
  PRIMARY KEY (scan_session_id, identification_id)
);

CREATE TABLE scan_session_items (
  scan_session_id TEXT NOT NULL REFERENCES scan_sessions (id) ON DELETE CASCADE,
  id TEXT COLLATE "C" NOT NULL,
  ordinal BIGINT NOT NULL,
  identification_id TEXT NOT NULL,
  copied_from TEXT,
  card_id BIGINT,
  name TEXT,
  number TEXT,
  game TEXT,
  set_id BIGINT,
  set_name TEXT,
  printing TEXT,
  condition TEXT NOT NULL,
  grade TEXT,
  language TEXT,
  quantity BIGINT NOT NULL CHECK (quantity BETWEEN 1 AND 100000),
  is_reviewed BIGINT NOT NULL CHECK (is_reviewed IN (0, 1) AND (is_reviewed = 0 OR card_id IS NOT NULL)),
  revision BIGINT NOT NULL DEFAULT 1,
  created_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  PRIMARY KEY (scan_session_id, id)
);
CREATE UNIQUE INDEX scan_session_items_by_order ON scan_session_items (scan_session_id, ordinal);
CREATE INDEX scan_session_items_by_card ON scan_session_items (scan_session_id, identification_id);
CREATE INDEX scan_session_cards_by_photo ON scan_session_cards (scan_session_id, photo);
