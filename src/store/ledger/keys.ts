import type { Tier } from '#rules/accounts/tiers.ts'
import { type ChangeCounter, openChangeCounter } from '../change-counter.ts'
import { type Db, inTransaction } from '../db.ts'
import { type AuditEntry, openAuditWriter } from './audit.ts'

/** Whom a key stands for. */
export type KeyOwner = { key_id: string; account_id: number; tier: Tier; is_active: boolean }

export type NewKey = {
  id: string
  account_id: number
  name: string
  key_hash: Uint8Array
  key_prefix: string
  last4: string
}

/** A key as its owner sees it: everything but the key. Times are epoch milliseconds. */
export type KeyRecord = {
  id: string
  name: string
  key_prefix: string
  last4: string
  is_active: boolean
  created_at: number
  last_used_at: number | null
  requests_today: number
  requests_total: number
}

/** When it is done, and from where; undefined: from the command line. */
export type AuditContext = { now: Date; address: string | undefined }

/** API keys, by the hash of what was shown once. */
export function openKeyStore(db: Db) {
  const write = openAuditWriter(db)
  const owner = db.prepare<[Uint8Array], Omit<KeyOwner, 'is_active'> & { is_active: number }>(
    `SELECT keys.id AS key_id, account_id, tier, is_active
       FROM keys JOIN accounts ON accounts.id = account_id WHERE key_hash = +?`,
  )
  const countActive = db
    .prepare<[number], number>('SELECT count(*) FROM keys WHERE account_id = ? AND is_active = 1')
    .pluck()
  const add = db.prepare(
    `INSERT INTO keys (id, account_id, name, key_hash, key_prefix, last4, is_active, created_at)
     VALUES (@id, @account_id, @name, @key_hash, @key_prefix, @last4, 1, @created_at)`,
  )
  const deactivate = db.prepare<[string], { account_id: number; name: string }>(
    'UPDATE keys SET is_active = 0 WHERE id = ? AND is_active = 1 RETURNING account_id, name',
  )
  const holder = db.prepare<[string], number>('SELECT account_id FROM keys WHERE id = ?').pluck()
  const rows = db.prepare<
    [number, number, string | null],
    Omit<KeyRecord, 'is_active'> & { is_active: number }
  >(
    `SELECT keys.id, name, key_prefix, last4, is_active, created_at, last_used_at,
            (SELECT coalesce(sum(requests), 0) FROM usage_by_key
              WHERE key_id = keys.id AND day = +?) AS requests_today,
            coalesce(key_totals.requests, 0) AS requests_total
       FROM keys LEFT JOIN key_totals ON key_totals.key_id = keys.id
      WHERE account_id = +? AND keys.id = coalesce(?, keys.id)
      ORDER BY created_at, keys.rowid`,
  )

  const accessVersion = openAccessVersion(db)

  return {
    /** @returns whether the key was added: not where the account has `activeMax` active ones */
    async create(key: NewKey, activeMax: number, { now, address }: AuditContext): Promise<boolean> {
      return inTransaction(db, () => {
        if ((countActive.get(key.account_id) ?? 0) >= activeMax) return false
        add.run({ ...key, created_at: now.getTime() })
        write(entryOf('key_created', key, { now, address }))
        return true
      })
    },
    async getOwner(keyHash: Uint8Array): Promise<KeyOwner | undefined> {
      const row = owner.get(keyHash)
      return row && { ...row, is_active: row.is_active === 1 }
    },
    /**
     * Deactivates a key for good. One that is not active already stays as it is.
     *
     * @returns whether there is such a key, of this account where one is given
     */
    async deactivate(
      id: string,
      { account_id, ...deed }: AuditContext & { account_id?: number },
    ): Promise<boolean> {
      return inTransaction(db, () => {
        const found = holder.get(id)
        if (found === undefined || (account_id ?? found) !== found) return false
        const key = deactivate.get(id)
        if (key !== undefined) write(entryOf('key_revoked', { id, ...key }, deed))
        return true
      })
    },
    /** An account's keys, oldest first; or that one of them which is named. */
    async list(accountId: number, today: number, id?: string): Promise<KeyRecord[]> {
      return rows
        .all(today, accountId, id ?? null)
        .map((row) => ({ ...row, is_active: row.is_active === 1 }))
    },
    getVersion: accessVersion.read,
    /** To be called after the database was closed. */
    close: accessVersion.close,
  }
}

function entryOf(
  event: AuditEntry['event'],
  { id, account_id, name }: Pick<NewKey, 'id' | 'account_id' | 'name'>,
  { now, address }: AuditContext,
): AuditEntry {
  return { at: now, event, account_id, address, detail: `${id} "${name}"` }
}

/**
 * A number that changes with every change of a key or a tier, here or in another process (the command
 * line, a second server): what was remembered of them is then asked again. The file is read only when
 * something was committed to it.
 */
function openAccessVersion(db: Db): ChangeCounter {
  const changes = openChangeCounter(db)
  const read = db.prepare<[], number>('SELECT version FROM access_version').pluck()
  let seen = Number.NaN
  let version = 0
  return {
    read() {
      const found = changes.read()
      if (found !== seen) {
        // Noted before the file is read: a commit in between is then asked about once more.
        seen = found
        version = read.get() ?? 0
      }
      return version
    },
    close: changes.close,
  }
}
