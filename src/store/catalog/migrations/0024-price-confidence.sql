-- Facts by which a price is judged (decision 44).

-- Day since which the market price is the same, at the latest; null: since `changed_at` or before.
ALTER TABLE prices ADD COLUMN market_since INTEGER;

-- Level of the price when the list was built: 1 low, 2 medium, 3 high; null: built before levels were. Positions count
-- all movers of a list, and a list has the first fifty of each minimum level.
ALTER TABLE movers ADD COLUMN confidence INTEGER;
