-- 1: the printing that represents its card where only one price fits (basePrinting in
-- rules/catalog/printings.ts). Each card with prices has exactly one.
ALTER TABLE prices ADD COLUMN is_base_printing INTEGER NOT NULL DEFAULT 0;
UPDATE prices SET is_base_printing = 1
  FROM (SELECT card_id AS card, printing_id AS printing,
               row_number() OVER (
                 PARTITION BY card_id
                 ORDER BY market_price IS NULL AND low_price IS NULL,
                          CASE name WHEN 'Normal' THEN 1 WHEN 'Unlimited' THEN 2
                            WHEN 'Unlimited Edition Normal' THEN 3 WHEN '1st Edition Normal' THEN 4
                            WHEN '1st Edition' THEN 5 WHEN 'Limited' THEN 6 ELSE 7 END,
                          name LIKE '%foil%', market_price IS NULL, market_price, printing_id) AS place
          FROM prices JOIN printings ON printings.id = printing_id)
 WHERE place = 1 AND card_id = card AND printing_id = printing;
