-- Names with HTML entities, which older versions stored as they were. The products of these sets are read
-- again with the next sync, even if the upstream has not changed: `products_read_at` 0 requests that.
UPDATE sets SET products_read_at = 0
 WHERE name LIKE '%&%;%' OR abbreviation LIKE '%&%;%'
    OR game_id IN (SELECT id FROM games WHERE name LIKE '%&%;%')
    OR id IN (SELECT set_id FROM cards
               WHERE name LIKE '%&%;%' OR number LIKE '%&%;%' OR rarity LIKE '%&%;%'
                  OR custom_attributes LIKE '%&%;%');
