-- Equal for addresses that look alike (rules/accounts/email-address.ts). Null until the program has computed
-- it: addresses that were registered beside each other before stay.
ALTER TABLE accounts ADD COLUMN email_skeleton TEXT;
CREATE INDEX accounts_by_skeleton ON accounts (email_skeleton);
