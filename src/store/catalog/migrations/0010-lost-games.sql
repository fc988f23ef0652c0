-- When an operator accepted that the upstream no longer lists a game; null: listed, or not accepted.
-- Games are never deleted.
ALTER TABLE games ADD COLUMN missing_since TEXT;
