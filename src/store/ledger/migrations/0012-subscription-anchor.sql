-- Day of the month on which the periods of a manual subscription end, where a shorter month ended one
-- earlier; null: the day of period_end.
ALTER TABLE subscriptions ADD COLUMN anchor_day INTEGER CHECK (anchor_day BETWEEN 1 AND 31);
