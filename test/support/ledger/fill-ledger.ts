import type { Db } from '#store/db.ts'

/** Number of accounts and of scan entries in a generated ledger. */
export type LedgerSize = { accounts: number; entries: number }

/**
 * Fills a new ledger with rows in every table: nulls, blobs, negative numbers, letters of several scripts and every
 * possible state. Equal sizes produce equal rows.
 */
export function fillLedger(db: Db, { accounts, entries }: LedgerSize): void {
  const rows = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`
  const account = `1 + i % ${accounts}`
  const tier = (column = 'i') =>
    `CASE ${column} % 5 WHEN 0 THEN 'free' WHEN 1 THEN 'hobby' WHEN 2 THEN 'starter' WHEN 3 THEN 'pro' ELSE 'business' END`
  const some = Math.max(10, Math.floor(accounts / 2))
  // Random ids are created in another order than that of their bytes.
  const id = (prefix: string) => `'${prefix}' || (i * 7919 % 104729) || '-' || i`
  const statements = [
    `INSERT INTO accounts ${rows(accounts)}
     SELECT i, 'Käufer' || i || '@Example.com', '$argon2id$' || i, ${tier()}, 1700000000000 + i,
       i % 50, CASE WHEN i % 3 > 0 THEN 1700000000000 + i END, ${tier('i + 1')}, i % 7, i % 2,
       CASE WHEN i % 4 > 0 THEN 'kaufer' || i END,
       CASE WHEN i % 11 = 0 THEN 1700000000000 END, CASE WHEN i % 2 = 0 THEN 1700000000000 END, i % 2 FROM n`,
    `INSERT INTO setup_tokens ${rows(3)} SELECT unhex(printf('%064x', i)), 1700000000000 + i FROM n`,
    `INSERT INTO identities ${rows(accounts)} SELECT 'https://id.example', 'person' || i, i, 1700000000000 FROM n`,
    `INSERT INTO mailed_tokens ${rows(accounts)}
     SELECT i, CASE i % 2 WHEN 0 THEN 'reset' ELSE 'confirm' END, i / 2 % 2, unhex(printf('%064x', i)), 1700000000000 FROM n`,
    `INSERT INTO keys ${rows(some)}
     SELECT ${id('k')}, ${account}, 'Schlüssel 鍵 ' || i, unhex(printf('%064x', i)), 'tcg_live_', 'abcd', i % 2,
       1700000000000 FROM n`,
    `DELETE FROM keys WHERE id = (SELECT min(id) FROM keys)`,
    `INSERT INTO usage_daily ${rows(accounts)} SELECT i, 19000 + i % 30, i, i % 65 FROM n`,
    `INSERT INTO sessions ${rows(some)}
     SELECT 3 * i, ${account}, unhex(printf('%064X', i + 7)), 1700000000000, 1700000000000 + i,
       CASE i % 2 WHEN 0 THEN 'Firefox on Windows' ELSE '' END, '203.0.113.0/24' FROM n`,
    `DELETE FROM sessions WHERE id = (SELECT max(id) FROM sessions)`,
    `INSERT INTO login_places ${rows(some)}
     SELECT ${account}, unhex(printf('%02x%030x', i * 83 % 256, i)), 1700000000000 FROM n`,
    `INSERT INTO invitations ${rows(10)}
     SELECT i, unhex(printf('%064x', i)), CASE i % 2 WHEN 0 THEN 'gast' || i || '@example.com' END, 1, 2,
       CASE i % 3 WHEN 0 THEN 5 END, CASE i % 3 WHEN 1 THEN 6 END, CASE i % 3 WHEN 1 THEN 1 END FROM n`,
    `INSERT INTO attempts ${rows(some)} SELECT ${id('login ')} || char(233, 128, 126), i - 5 FROM n`,
    `INSERT INTO usage_by_key SELECT id, 19000, 'search', rowid FROM keys`,
    `INSERT INTO key_totals SELECT id, rowid, 1700000000000 FROM keys`,
    `INSERT INTO audit_log ${rows(some)}
     SELECT i, 1700000000000 + i, 'login', CASE WHEN i % 3 > 0 THEN ${account} END,
       CASE WHEN i % 2 > 0 THEN '::1' END, CASE WHEN i % 5 = 0 THEN 'line' || char(10) || '"quoted" \\' END FROM n`,
    `INSERT INTO scan_ledger ${rows(entries)}
     SELECT i, ${account}, CASE i % 4 WHEN 0 THEN 'purchase' WHEN 1 THEN 'reversal' ELSE 'scan' END,
       CASE i % 4 WHEN 0 THEN 100 WHEN 1 THEN -50 ELSE -1 END,
       CASE i % 4 WHEN 0 THEN 999 END, 'scan_' || i, 1700000000000 + i FROM n`,
    `INSERT INTO scan_holds ${rows(some)}
     SELECT ${id('h')}, ${account},
       CASE i % 4 WHEN 0 THEN 'held' WHEN 1 THEN 'done' WHEN 2 THEN 'refunded' ELSE 'rejected' END, i, i + 90,
       CASE i % 8 WHEN 1 THEN i + 900 END FROM n`,
    `INSERT INTO identifications ${rows(some)}
     SELECT ${id('i')}, ${account}, i, CASE i % 2 WHEN 0 THEN 'matched' ELSE 'not_found' END,
       CASE i % 2 WHEN 0 THEN 'pokemon' END, '{"name":"ピカチュウ"}', CASE i % 3 WHEN 0 THEN i END,
       CASE i % 6 WHEN 0 THEN i END, CASE i % 3 WHEN 0 THEN 'v1:' || i END FROM n`,
    `INSERT INTO card_references SELECT id, account_id, at, fingerprint, at FROM identifications
      WHERE fingerprint IS NOT NULL`,
    `UPDATE reference_version SET version = 9`,
    `INSERT INTO scan_days ${rows(some)} SELECT DISTINCT ${account}, 19000, i, 0, 1, 2, 3, 4, 5 FROM n WHERE i <= ${accounts}`,
    `UPDATE billing_questions SET asked = 42`,
    `UPDATE access_version SET version = 17`,
    `INSERT INTO billing_customers ${rows(some)} SELECT ${id('cus_')}, ${account}, 0 FROM n`,
    `INSERT INTO checkouts ${rows(some)}
     SELECT ${id('co_')}, ${account}, CASE i % 2 WHEN 0 THEN 'stripe' ELSE 'manual' END, 'pro', 100 + i,
       CASE i % 2 WHEN 0 THEN 'paid' ELSE 'ended' END, CASE i % 2 WHEN 0 THEN 'cs_' || i END, NULL, 5, 6, 7 FROM n`,
    `INSERT INTO subscriptions ${rows(10)}
     SELECT ${id('sub_')}, ${account}, 'stripe', 'pro', 'active', CASE i % 2 WHEN 0 THEN i END, i % 2, NULL, NULL,
       i, i, 'pro', NULL, CASE i % 3 WHEN 0 THEN 31 END FROM n`,
    `INSERT INTO scan_purchases ${rows(some)} SELECT 'cs_' || i, ${account}, 'scans_500', 500, 999, i % 500, i FROM n`,
    `INSERT INTO billing_charges ${rows(some)}
     SELECT ${id('pi_')}, ${account}, 'scans_500', CASE i % 2 WHEN 0 THEN 'cs_' || i END,
       CASE i % 2 WHEN 1 THEN 'sub_' || i END, 0, i, i, i FROM n`,
    `INSERT INTO billing_payments ${rows(some)}
     SELECT i, ${account}, 'manual', 'pro', CASE i % 2 WHEN 0 THEN 'payment' ELSE 'refund' END,
       CASE i % 2 WHEN 0 THEN 1900 ELSE -1900 END, 'in_' || i, i FROM n`,
    `INSERT INTO billing_events ${rows(some)}
     SELECT ${id('evt_')}, 'stripe', 'invoice.paid', CASE WHEN i % 2 > 0 THEN ${account} END, 'applied', NULL, i FROM n`,
    `INSERT INTO photo_payments ${rows(some)}
     SELECT ${id('0x')}, '0xpayer', 'print', CASE i % 2 WHEN 0 THEN 'settled' ELSE 'released' END, '', '{}', NULL,
       i, NULL, i, NULL, 0, i, i FROM n`,
    `INSERT INTO alert_channels
       (id, account_id, kind, url, secret, old_secret, host, confirmed_at, created_at, updated_at) ${rows(some)}
     SELECT ${id('wh_')}, ${account}, 'webhook', 'https://example.com/' || i, unhex(printf('%064x', i)),
       CASE i % 2 WHEN 0 THEN x'' END, 'example.com', 1, 1, 1 FROM n`,
    `INSERT INTO price_rules (id, account_id, channel_id, card_id, condition, threshold, currency, source,
       min_confidence, created_at, updated_at) ${rows(some)}
     SELECT ${id('wh_')}, ${account}, ${id('wh_')}, i, 'above', 0, CASE i % 3 WHEN 0 THEN 'EUR' END,
       CASE i % 6 WHEN 0 THEN 'cardmarket' END, CASE i % 2 WHEN 0 THEN 'low' ELSE 'high' END, 1, 1 FROM n`,
    `INSERT INTO price_rules (id, account_id, card_id, printing, condition, threshold, currency, source, revision,
       is_paused, created_at, updated_at) ${rows(some)}
     SELECT ${id('al_')}, ${account}, i, CASE i % 2 WHEN 0 THEN 'Foil' END, 'below', i,
       CASE i % 3 WHEN 0 THEN 'EUR' END, CASE i % 6 WHEN 0 THEN 'cardmarket' END, i, i % 2, 1, 2 FROM n`,
    `INSERT INTO notifications SELECT 'msg_' || id, account_id, 'alert', id, '{}', 3,
       CASE WHEN is_paused = 1 THEN 4 END, is_paused FROM price_rules WHERE channel_id IS NULL`,
    `INSERT INTO alert_channels (id, account_id, kind, secret, address_hash, host, confirmed_at, is_paused,
       disabled_for, failures, created_at, updated_at) ${rows(some)}
     SELECT ${id('ch_')}, ${account}, 'slack', unhex(printf('%064x', i)), unhex(printf('%032x', i)), 'example.com', 1,
       i % 2, CASE i % 3 WHEN 0 THEN 'gone' END, i, 1, 2 FROM n`,
    `INSERT INTO alert_messages
     SELECT 'msg_' || id, id, account_id, host, kind, 'alert', '{}', 'delivered', 1, 2, NULL, 3, 4 FROM alert_channels`,
    `INSERT INTO alert_preferences SELECT DISTINCT account_id, account_id % 24 FROM alert_channels`,
    `INSERT INTO lists ${rows(some)}
     SELECT ${id('col_')}, ${account}, CASE i % 2 WHEN 0 THEN 'owned' ELSE 'wish' END, 'Ordner ' || i, i, 1, 3, 0, 1,
       0, 0, i, i, i, CASE WHEN i % 9 = 0 THEN i END FROM n`,
    `INSERT INTO list_items (list_id, id, ordinal, card_id, name, game, set_id, set_name, printing, condition, grade,
       language, quantity, price_paid, paid_currency, acquired_on, note, value, created_at, updated_at)
     SELECT id, 'item_' || rowid, 0, rowid, 'Pikachu ピカチュウ', 'pokemon', 7, 'Set', 'Normal', 'near_mint',
       CASE WHEN rowid % 2 = 0 THEN 'PSA 10' END, 'ja', 3, CASE WHEN rowid % 3 = 0 THEN 0 END,
       CASE rowid % 2 WHEN 0 THEN 'JPY' ELSE 'USD' END, 19000, 'note', rowid, 1, 1 FROM lists`,
    `INSERT INTO collection_imports SELECT id, printf('%064x', rowid), 1, 'imp_' || rowid, 1, 50, 49, 2,
       CASE rowid % 2 WHEN 0 THEN id END, 1, '[]', 'item_1',
       'item_2', 0, 1, NULL, CASE rowid % 2 WHEN 0 THEN 2 END FROM lists`,
    `INSERT INTO import_drafts SELECT id, 'imp_' || rowid, 1, 2, rowid, printf('%064x', rowid), 'wishlist',
       CASE rowid % 2 WHEN 0 THEN 'ピカチュウ.csv' END, '[]', '["Name"]', '{}', '{}', 1, 2 FROM lists`,
    `INSERT INTO import_rows SELECT id, 'imp_' || rowid, 'guessed', 0, unhex(printf('%064x', rowid)) FROM lists`,
    `INSERT INTO import_changes SELECT id, 'imp_' || rowid, 'guessed', 3, CASE rowid % 2 WHEN 0 THEN 'skipped' END, NULL, 2
       FROM lists`,
    `INSERT INTO collection_summaries SELECT id, 1, 2, 1000000000000000, 0, '{}', '{}', 3 FROM lists`,
    `INSERT INTO collection_values SELECT id, 19000, rowid, 0, 0,
       CASE rowid % 2 WHEN 0 THEN '{"JPY":{"paid":1,"cost":2}}' END FROM lists`,
    `INSERT INTO collection_shares SELECT id, unhex(printf('%064x', rowid)), unhex('00ff'), 4 FROM lists`,
    `INSERT INTO lists ${rows(some)}
     SELECT ${id('ses_')}, ${account}, 'scan', 'Stapel ' || i, 1, 1, 3, i % 2, 1, 1, i % 2, 1, i, i,
       CASE WHEN i % 9 = 0 THEN i END FROM n`,
    `INSERT INTO scan_photos SELECT id, 'photo-' || rowid, CASE rowid % 2 WHEN 0 THEN 3000 END,
       CASE rowid % 2 WHEN 0 THEN 4000 END, '[]', scans, 1 FROM lists WHERE kind = 'scan'`,
    `INSERT INTO readings SELECT id, 'id_' || rowid, 'photo-' || rowid, CASE rowid % 2 WHEN 0 THEN 1 END,
       CASE rowid % 2 WHEN 0 THEN 2 END, CASE rowid % 2 WHEN 0 THEN '[{"x":1.5,"y":-2}]' END, '{"name":"ピカチュウ"}'
       FROM lists WHERE kind = 'scan'`,
    `INSERT INTO list_items (list_id, id, ordinal, identification_id, copied_from, card_id, name, game, set_id,
       set_name, condition, grade, language, quantity, is_reviewed, created_at, updated_at)
     SELECT id, 'item_' || rowid, 0, 'id_' || rowid, CASE rowid % 3 WHEN 0 THEN 'x' END,
       CASE open WHEN 0 THEN rowid END, CASE open WHEN 0 THEN 'Pikachu ピカチュウ' END, 'pokemon', 7, 'Set',
       'near_mint', CASE WHEN rowid % 2 = 0 THEN 'PSA 10' END, 'ja', 3, 1 - open, 1, 2 FROM lists WHERE kind = 'scan'`,
    `INSERT INTO message_attempts SELECT id, 1, CASE rowid % 3 WHEN 0 THEN 200 WHEN 1 THEN 0 END, NULL, 12, ''
       FROM alert_messages WHERE channel_kind = 'webhook'`,
    `INSERT INTO job_leases VALUES ('sync', 'server', 3, 4, NULL, 5)`,
    `INSERT INTO installation (id) SELECT '${INSTALLATION}' WHERE NOT EXISTS (SELECT 1 FROM installation)`,
  ]
  db.transaction(() => {
    for (const statement of statements) db.exec(statement)
  })()
}

/** Installation id of a generated ledger that has none yet. */
export const INSTALLATION = '11111111-2222-4333-8444-555555555555'
