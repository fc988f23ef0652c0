-- The shapes of a game's collector numbers that tell a number from other print (rules/number-shapes.ts).
-- Built anew with each publication.
CREATE TABLE number_shapes (
  game_id INTEGER NOT NULL,
  shape TEXT NOT NULL,           -- AA00-000
  PRIMARY KEY (game_id, shape)
) STRICT, WITHOUT ROWID;
