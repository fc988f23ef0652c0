-- Changes in percent move daily, although most prices stay: they are stored apart from the long texts.
CREATE TABLE price_changes (
  card_id INTEGER PRIMARY KEY,
  changes TEXT NOT NULL        -- as rendered by rules/pricing/price-json.ts, in the order of `price_texts`
) STRICT;
INSERT INTO price_changes
SELECT card_id,
       (SELECT coalesce(group_concat(
                 coalesce(nullif(value -> '$.price_change_24h', 'null'), '') || ',' ||
                 coalesce(nullif(value -> '$.price_change_7d', 'null'), '') || ',' ||
                 coalesce(nullif(value -> '$.price_change_30d', 'null'), ''), ';' ORDER BY key), '')
          FROM json_each(replace(prices, char(1), '')))
  FROM price_texts;
-- \u0001 now stands for all that moves: the changes and the publish time.
UPDATE price_texts
   SET prices = (
     SELECT '[' || group_concat(substr(fixed, 1, length(fixed) - 1) || char(1) || '}', ',' ORDER BY key) || ']'
       FROM (SELECT key, json_remove(value, '$.price_change_24h', '$.price_change_7d',
                      '$.price_change_30d', '$.last_updated_at') AS fixed
               FROM json_each(replace(prices, char(1), ''))))
 WHERE prices <> '[]';
