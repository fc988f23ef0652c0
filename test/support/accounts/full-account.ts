import { emailSkeleton } from '#rules/accounts/email-address.ts'
import { HOLDING_TEXT_NAMES } from '#rules/collections/holding.ts'

/** E-mail address of the account that has data of every kind. */
export const FULL_EMAIL = 'Hedwig.Mark@full.example'

/** Text in every place that a person, or a browser, can write to. */
const MARK = 'hedwigs-mark'

/** Digest of a secret of the account, in hexadecimal. */
const DIGEST = 'c0ffee11'.repeat(8)

/** Texts that must not exist anywhere after the account is deleted. */
export const PERSONAL_TEXTS = [
  FULL_EMAIL,
  emailSkeleton(FULL_EMAIL),
  new Bun.CryptoHasher('sha256').update(FULL_EMAIL.toLowerCase()).digest('hex'),
  MARK,
  '198.51.100.',
]

/** Bytes that must not exist anywhere either. */
export const PERSONAL_BYTES = Buffer.from(DIGEST, 'hex')

/** A part of the rows of a draft. So short a text stays readable when it is compressed. */
const ROWS = Bun.zstdCompressSync(JSON.stringify([{ source: [MARK] }]))

const TIME = Date.parse('2026-11-15T21:30:00.000Z')

/**
 * Lists statements that give an account a row in every table that refers to accounts: what it has typed, what it was
 * charged, and what is in progress.
 *
 * @param blob renders hexadecimal bytes in the database's SQL
 */
export function fullAccountRows(id: number, blob: (hex: string) => string): string[] {
  const digest = blob(DIGEST)
  const loginHash = PERSONAL_TEXTS[2]
  return [
    `UPDATE accounts SET email = '${FULL_EMAIL}', email_skeleton = '${emailSkeleton(FULL_EMAIL)}',
       tier = 'pro', scan_balance = 524, scan_trial_at = ${TIME} WHERE id = ${id}`,
    `INSERT INTO keys (id, account_id, name, key_hash, key_prefix, last4, is_active, created_at)
     VALUES ('key-full', ${id}, 'key ${MARK}', ${digest}, 'tcg_live_abcd', 'wxyz', 1, ${TIME})`,
    `INSERT INTO identities VALUES ('https://id.example', 'person-${MARK}', ${id}, ${TIME})`,
    `INSERT INTO mailed_tokens VALUES (${id}, 'reset', 0, ${digest}, ${TIME})`,
    `INSERT INTO usage_daily (account_id, day, used) VALUES (${id}, 20772, 3)`,
    `INSERT INTO usage_by_key VALUES ('key-full', 20772, 'search', 3)`,
    `INSERT INTO key_totals VALUES ('key-full', 3, ${TIME})`,
    `INSERT INTO sessions (account_id, token_hash, created_at, last_seen_at, browser, network)
     VALUES (${id}, ${digest}, ${TIME}, ${TIME}, 'Firefox on ${MARK}', '198.51.100.0/24')`,
    `INSERT INTO login_places VALUES (${id}, ${digest}, ${TIME})`,
    `INSERT INTO invitations (code_hash, email, created_at, expires_at, used_at, account_id)
     VALUES (${blob('01'.repeat(32))}, '${FULL_EMAIL}', 1, 2, 1, ${id}),
            (${blob('02'.repeat(32))}, '${FULL_EMAIL}', 1, 2, NULL, NULL)`,
    `INSERT INTO attempts VALUES ('login ${loginHash} from 198.51.100.7', ${TIME + 60_000})`,
    `INSERT INTO audit_log (at, event, account_id, address, detail)
     VALUES (${TIME}, 'key_created', ${id}, '198.51.100.7', 'key-full "key ${MARK}"')`,
    `INSERT INTO scan_ledger (account_id, kind, n, amount_cents, ref, at) VALUES
       (${id}, 'trial', 25, NULL, '${id}.1', ${TIME}), (${id}, 'scan', -1, NULL, 'id_held', ${TIME}),
       (${id}, 'purchase', 500, 999, 'cs_full', ${TIME})`,
    `INSERT INTO scan_holds VALUES ('id_held', ${id}, 'held', ${TIME}, ${TIME + 60_000}, NULL)`,
    `INSERT INTO identifications (id, account_id, at, status, data)
     VALUES ('id_full', ${id}, ${TIME}, 'matched', '{"note":"${MARK}"}')`,
    `INSERT INTO card_references VALUES ('id_full', ${id}, 7, '${MARK}', ${TIME})`,
    `INSERT INTO scan_days (account_id, day, scans) VALUES (${id}, 20772, 1)`,
    `INSERT INTO billing_customers VALUES ('cus_full', ${id}, 1)`,
    `INSERT INTO checkouts
       (id, account_id, provider, item, amount_cents, state, session, url, created_at, expires_at, closed_at)
     VALUES ('co_paid', ${id}, 'stripe', 'scans_1000', 999, 'paid', 'cs_full', NULL, ${TIME}, ${TIME}, ${TIME}),
       ('co_open', ${id}, 'stripe', 'scans_5000', 299, 'open', 'cs_open', 'https://pay.example/${MARK}', ${TIME},
        ${TIME + 86_400_000}, NULL)`,
    `INSERT INTO subscriptions (ref, account_id, provider, plan, status, period_end, cancels, asked,
       checked_at, tier, changes_at)
     VALUES ('sub_full', ${id}, 'stripe', 'pro', 'active', ${TIME + 86_400_000}, 0, 1, ${TIME}, 'pro',
       ${TIME + 86_400_000})`,
    `INSERT INTO scan_purchases VALUES ('cs_full', ${id}, 'scans_1000', 500, 999, 0, ${TIME})`,
    `INSERT INTO billing_charges VALUES ('pi_full', ${id}, 'scans_1000', 'cs_full', NULL, 0, 0, ${TIME}, 1)`,
    `INSERT INTO billing_payments (account_id, provider, item, kind, amount_cents, ref, at)
     VALUES (${id}, 'stripe', 'scans_1000', 'payment', 999, 'cs_full', ${TIME})`,
    `INSERT INTO billing_events VALUES
       ('evt_full', 'stripe', 'checkout.session.completed', ${id}, 'applied', NULL, ${TIME})`,
    `INSERT INTO alert_channels (id, account_id, kind, url, secret, host, created_at, updated_at)
     VALUES ('wh_full', ${id}, 'webhook', 'https://${MARK}.example/hook', ${digest}, '${MARK}.example', ${TIME}, ${TIME})`,
    `INSERT INTO price_rules (id, account_id, channel_id, card_id, condition, threshold, created_at, updated_at)
     VALUES ('wh_full', ${id}, 'wh_full', 900401, 'above', 100, ${TIME}, ${TIME})`,
    `INSERT INTO alert_messages
       (id, channel_id, account_id, host, channel_kind, kind, body, state, next_at, owner, created_at)
     VALUES ('msg_full', 'wh_full', ${id}, '${MARK}.example', 'webhook', 'alert', '{"card":"${MARK}"}', 'pending',
       ${TIME + 60_000}, 'server', ${TIME})`,
    `INSERT INTO message_attempts (message_id, at, latency_ms, answer)
     VALUES ('msg_full', ${TIME}, 5, 'hello ${MARK}')`,
    `INSERT INTO price_rules (id, account_id, card_id, printing, condition, threshold, created_at, updated_at)
     VALUES ('alert_full', ${id}, 900401, '${MARK}', 'below', 100, ${TIME}, ${TIME})`,
    `INSERT INTO notifications (id, account_id, kind, source_id, body, created_at)
     VALUES ('ntf_full', ${id}, 'alert', 'alert_full', '{"card":"${MARK}"}', ${TIME})`,
    `INSERT INTO alert_channels (id, account_id, kind, secret, address_hash, host, created_at, updated_at)
     VALUES ('ch_full', ${id}, 'email', ${digest}, ${digest}, '${MARK}.example', ${TIME}, ${TIME})`,
    `INSERT INTO alert_messages
       (id, channel_id, account_id, host, channel_kind, kind, body, state, next_at, created_at)
     VALUES ('cm_full', 'ch_full', ${id}, '${MARK}.example', 'email', 'alert', '{"card":"${MARK}"}', 'pending',
       ${TIME + 60_000}, ${TIME})`,
    `INSERT INTO alert_preferences VALUES (${id}, 7)`,
    `INSERT INTO lists (id, account_id, kind, name, items, copies, added, created_at, updated_at)
     VALUES ('col_full', ${id}, 'owned', 'Box ${MARK}', 1, 1, 1, ${TIME}, ${TIME})`,
    `INSERT INTO list_items (list_id, id, ordinal, card_id, name, game, set_id, set_name, condition,
       quantity, price_paid, ${HOLDING_TEXT_NAMES.join(', ')}, created_at, updated_at)
     VALUES ('col_full', 'item_full', 0, 900401, 'Card', 'wickerwild', 90011, 'Set', 'Near Mint', 1, 1200,
       ${HOLDING_TEXT_NAMES.map((name) => `'${name} ${MARK}'`).join(', ')}, ${TIME}, ${TIME})`,
    `INSERT INTO collection_imports (collection_id, content_hash, run, id, problems, started_at)
     VALUES ('col_full', '${DIGEST}', 1, 'imp_full', '["${MARK}"]', ${TIME})`,
    `INSERT INTO import_drafts (collection_id, import_id, direct_hash, header, changed_at, expires_at)
     VALUES ('col_full', 'imp_full', '${DIGEST}', '["${MARK}"]', ${TIME}, ${TIME})`,
    `INSERT INTO import_rows VALUES ('col_full', 'imp_full', 'guessed', 0, ${blob(ROWS.toHex())})`,
    `INSERT INTO import_changes VALUES ('col_full', 'imp_full', 'guessed', 0, NULL, '["${MARK}"]', 2)`,
    `INSERT INTO collection_summaries VALUES ('col_full', 1, 1, 1200, 0, '{}', '{"game":"${MARK}"}', ${TIME})`,
    `INSERT INTO collection_values VALUES ('col_full', 20772, 1200, 0, 1200, NULL)`,
    `INSERT INTO collection_shares VALUES ('col_full', ${digest}, ${digest}, ${TIME})`,
    `INSERT INTO lists (id, account_id, kind, name, photos, scans, items, copies, added, created_at, updated_at)
     VALUES ('ses_full', ${id}, 'scan', 'Pile ${MARK}', 1, 1, 1, 1, 1, ${TIME}, ${TIME})`,
    `INSERT INTO scan_photos (list_id, photo, scans, created_at)
     VALUES ('ses_full', 'photo-${MARK}', 1, ${TIME})`,
    `INSERT INTO readings (list_id, identification_id, photo, data)
     VALUES ('ses_full', 'id_scanned', 'photo-${MARK}', '{"note":"${MARK}"}')`,
    `INSERT INTO list_items (list_id, id, ordinal, identification_id, card_id, name, game, set_id, set_name, condition,
       grade, quantity, is_reviewed, created_at, updated_at)
     VALUES ('ses_full', 'item_scanned', 0, 'id_scanned', 900401, 'Card', 'wickerwild', 90011, 'Set', 'near_mint', 'PSA ${MARK}', 1, 1,
       ${TIME}, ${TIME})`,
  ]
}
