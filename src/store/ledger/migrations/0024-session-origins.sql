-- Where a session began, so that its owner recognizes it: the browser in words, and the network without the
-- part that is one machine's (rules/accounts/session-origin.ts). Empty for sessions that began before.
ALTER TABLE sessions ADD COLUMN browser TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN network TEXT NOT NULL DEFAULT '';
