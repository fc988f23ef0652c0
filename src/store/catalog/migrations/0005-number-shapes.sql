-- Shapes that distinguish a game's collector numbers from other print (rules/catalog/number-shapes.ts).
-- Rebuilt with each publication.
CREATE TABLE number_shapes (
  game_id INTEGER NOT NULL,
  shape TEXT NOT NULL,           -- AA00-000
  PRIMARY KEY (game_id, shape)
) STRICT, WITHOUT ROWID;
