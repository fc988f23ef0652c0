-- Prices that a webhook compares, and whose hundredths its threshold has; both null: the mirror's (decision 46).
ALTER TABLE webhooks ADD COLUMN currency TEXT;
ALTER TABLE webhooks ADD COLUMN source TEXT;
