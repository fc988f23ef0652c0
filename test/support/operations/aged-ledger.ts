import type { Db } from '#store/db.ts'

export type AgedLedger = {
  accounts: number
  /** Entries of the scan ledger, which are kept forever. */
  entries: number
  /** Records of each kind that the purge deletes. */
  expired: number
  now: Date
}

const DAY = 86_400_000

/** Fills an empty ledger with accounts, scans and their records of more than a year. */
export function fillAgedLedger(db: Db, { accounts, entries, expired, now }: AgedLedger): void {
  const time = now.getTime()
  const [day, old] = [Math.floor(time / DAY), time - 500 * DAY]
  const rows = (count: number) =>
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`
  const account = `1 + i % ${accounts}`
  const each = Math.floor(entries / accounts)
  db.pragma('foreign_keys = OFF')
  db.exec(`BEGIN;
    ${rows(accounts)} INSERT INTO accounts (id, email, password_hash, tier, created_at, scan_balance)
      SELECT i, 'user' || i || '@example.com', 'hash', 'free', ${old}, ${each} FROM n;
    ${rows(each * accounts)} INSERT INTO scan_ledger (account_id, kind, n, ref, at)
      SELECT ${account}, 'grant', 1, 'ref' || i, ${old} + i FROM n;
    ${rows(accounts)} INSERT INTO usage_daily (account_id, day, used) SELECT i, ${day}, 7 FROM n;
    ${rows(accounts)} INSERT INTO scan_days (account_id, day, scans) SELECT i, ${day}, 3 FROM n;
    ${rows(accounts)} INSERT INTO sessions (account_id, token_hash, created_at, last_seen_at)
      SELECT i, randomblob(32), ${time}, ${time} FROM n;
    ${rows(accounts)} INSERT INTO photo_payments (id, payer, fingerprint, state, payment, result,
        valid_before, due_at, created_at, updated_at)
      SELECT 'kept' || i, 'payer' || i, 'x', 'settled', '', '', 0, 0, ${old}, ${old} + i FROM n;
    ${rows(accounts)} INSERT INTO checkouts
        (id, account_id, item, amount_cents, provider, state, created_at, expires_at, closed_at)
      SELECT 'paid' || i, i, 'scans/100', 100, 'manual', 'paid', ${old}, ${old}, ${old} FROM n;
    ${rows(expired)} INSERT INTO checkouts
        (id, account_id, item, amount_cents, provider, state, created_at, expires_at, closed_at)
      SELECT 'ended' || i, ${account}, 'scans/100', 100, 'manual', 'ended', ${old}, ${old}, ${old} FROM n;

    ${rows(expired)} INSERT INTO sessions (account_id, token_hash, created_at, last_seen_at)
      SELECT ${account}, randomblob(32), ${old}, ${old} FROM n;
    ${rows(expired)} INSERT INTO usage_daily (account_id, day, used) SELECT ${account}, ${day} - 40 - i / ${accounts}, 5 FROM n;
    ${rows(expired)} INSERT INTO usage_by_key SELECT 'key' || i, ${day} - 40, 'cards', 5 FROM n;
    ${rows(expired)} INSERT INTO scan_days (account_id, day, scans)
      SELECT ${account}, ${day} - 40 - i / ${accounts}, 5 FROM n;
    ${rows(expired)} INSERT INTO scan_holds (id, account_id, state, taken_at, due_at)
      SELECT 'hold' || i, ${account}, 'done', ${old} + i, ${old} + i FROM n;
    ${rows(expired)} INSERT INTO identifications (id, account_id, at, status, data)
      SELECT 'photo' || i, ${account}, ${old} + i, 'matched', hex(zeroblob(400)) FROM n;
    ${rows(expired)} INSERT INTO photo_payments (id, payer, fingerprint, state, payment, result,
        valid_before, due_at, created_at, updated_at)
      SELECT 'failed' || i, 'payer' || i, 'x', 'failed', '', '', 0, 0, ${old}, ${old} FROM n;
    ${rows(expired)} INSERT INTO audit_log (at, event, account_id, address)
      SELECT ${old} + i, 'login', ${account}, '192.0.2.1' FROM n;
    ${rows(expired)} INSERT INTO login_places SELECT ${account}, CAST('place' || i AS BLOB), ${old} FROM n;
    INSERT INTO alert_channels (id, account_id, kind, url, secret, host, created_at, updated_at)
      VALUES ('hook', 1, 'webhook', 'https://example.com', x'00', 'example.com', ${old}, ${old});
    INSERT INTO price_rules (id, account_id, channel_id, card_id, condition, threshold, created_at, updated_at)
      VALUES ('hook', 1, 'hook', 1, 'above', 1, ${old}, ${old});
    ${rows(expired)} INSERT INTO alert_messages
        (id, channel_id, account_id, host, channel_kind, kind, body, state, next_at, created_at, ended_at)
      SELECT 'message' || i, 'hook', 1, 'example.com', 'webhook', 'alert', '{}', 'delivered', 0, ${old}, ${old} FROM n;
    ${rows(accounts)} INSERT INTO alert_messages
        (id, channel_id, account_id, host, channel_kind, kind, body, state, next_at, created_at, ended_at)
      SELECT 'dead' || i, 'hook', 1, 'example.com', 'webhook', 'alert', '{}', 'dead', 0, ${time}, ${time} FROM n;
    INSERT INTO lists (id, account_id, kind, name, created_at, updated_at)
      VALUES ('forgotten', 1, 'scan', 'Box', ${old}, ${old}), ('kept', 1, 'scan', 'Box', ${old}, ${time});
    INSERT INTO scan_photos (list_id, photo, scans, created_at)
      VALUES ('forgotten', 'photo', 1, ${old}), ('kept', 'photo', 1, ${old});
    ${rows(expired)} INSERT INTO readings (list_id, identification_id, photo, data)
      SELECT 'forgotten', 'photo' || i, 'photo', hex(zeroblob(400)) FROM n;
    ${rows(expired)} INSERT INTO list_items
        (list_id, id, ordinal, identification_id, condition, quantity, is_reviewed, created_at, updated_at)
      SELECT 'forgotten', 'item' || i, i, 'photo' || i, 'near_mint', 1, 0, ${old}, ${old} FROM n;
    COMMIT`)
  db.pragma('foreign_keys = ON')
}
