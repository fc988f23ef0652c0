-- The sync that an operator has started on a server of a fleet that does not lead it.
CREATE TABLE sync_requests (
  id BIGINT PRIMARY KEY CHECK (id = 1),
  -- Slug of a game; null: all games.
  game TEXT,
  force BIGINT NOT NULL CHECK (force IN (0, 1)),
  requested_at BIGINT NOT NULL
);
