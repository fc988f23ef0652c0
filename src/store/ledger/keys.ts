import type { Tier } from '#rules/accounts/tiers.ts'
import { type Db, openDataVersion } from '../db.ts'
import { type AuditEntry, openAuditWriter } from './audit.ts'
import type { LedgerEngine } from './engine/operation.ts'
import type { AccessVersionRow, KeyRow } from './schema/accounts.ts'

/** Owner of a key. */
export type KeyOwner = { key_id: string; account_id: number; tier: Tier; is_active: boolean }

export type NewKey = Omit<KeyRow, 'is_active' | 'created_at' | 'key_hash'> & {
  key_hash: Uint8Array
}

/** A key as its owner sees it: everything but the key. Times are epoch milliseconds. */
export type KeyRecord = Omit<StoredKey, 'is_active'> & { is_active: boolean }

type StoredKey = Pick<
  KeyRow,
  'id' | 'name' | 'key_prefix' | 'last4' | 'is_active' | 'created_at'
> & { last_used_at: number | null; requests_today: number; requests_total: number }

/** Time of a change and client address for the audit log; undefined for the command line. */
export type AuditContext = { now: Date; address: string | undefined }

/** Version of keys and tiers, which grows with each change of them. */
export type AccessVersion = {
  /** Returns the version, or NaN if it is unknown: then every request has to ask the ledger. */
  get(): number
  /** Forgets the version, as this process has changed a key. */
  forget(): void
}

/** API keys, found by the hash of the key that was shown once. */
export type KeyStore = {
  /** Creates a key; false if the account has `activeMax` active ones. */
  create(key: NewKey, activeMax: number, context: AuditContext): Promise<boolean>
  /** Returns the owner of a key; undefined if the key is unknown. */
  getOwner(keyHash: Uint8Array): Promise<KeyOwner | undefined>
  /** Deactivates a key permanently. @returns whether it exists, in the account if one is given */
  deactivate(id: string, context: AuditContext & { account_id?: number }): Promise<boolean>
  /** Lists an account's keys, oldest first, or one of them. */
  list(accountId: number, today: number, id?: string): Promise<KeyRecord[]>
  /** See `AccessVersion.get`. */
  getVersion(): number
}

export function openKeyStore(engine: LedgerEngine, access: AccessVersion): KeyStore {
  const { query, transact } = engine
  const write = openAuditWriter(engine)
  const owner = engine.prepare<[Uint8Array], StoredOwner>(
    `SELECT keys.id AS key_id, account_id, tier, is_active
       FROM keys JOIN accounts ON accounts.id = account_id WHERE key_hash = +?`,
  )
  const countActive = engine.prepare<[number], { active: number }>(
    'SELECT count(*) AS active FROM keys WHERE account_id = ? AND is_active = 1',
  )
  const add = engine.prepare<[NewKey & { created_at: number }]>(
    `INSERT INTO keys (id, account_id, name, key_hash, key_prefix, last4, is_active, created_at)
     VALUES (@id, @account_id, @name, @key_hash, @key_prefix, @last4, 1, @created_at)`,
  )
  const deactivate = engine.prepare<[string], Pick<KeyRow, 'account_id' | 'name'>>(
    'UPDATE keys SET is_active = 0 WHERE id = ? AND is_active = 1 RETURNING account_id, name',
  )
  const holder = engine.prepare<[string], Pick<KeyRow, 'account_id'>>(
    'SELECT account_id FROM keys WHERE id = ?',
  )
  const rows = engine.prepare<[number, number, string | null], StoredKey>(
    `SELECT keys.id, name, key_prefix, last4, is_active, created_at, last_used_at,
            (SELECT coalesce(sum(requests), 0) FROM usage_by_key
              WHERE key_id = keys.id AND day = +?) AS requests_today,
            coalesce(key_totals.requests, 0) AS requests_total
       FROM keys LEFT JOIN key_totals ON key_totals.key_id = keys.id
      WHERE account_id = +? AND keys.id = coalesce(?, keys.id)
      ORDER BY created_at, keys.rowid`,
  )

  return {
    create: (key, activeMax, { now, address }) =>
      transact(
        function* () {
          const count = yield* countActive.get(key.account_id)
          if ((count?.active ?? 0) >= activeMax) return false
          yield* add.run({ ...key, created_at: now.getTime() })
          yield* write(entryOf('key_created', key, { now, address }))
          return true
        },
        { account: key.account_id },
      ),
    async getOwner(keyHash) {
      const row = await query(owner.get(keyHash))
      return row && { ...row, is_active: row.is_active === 1 }
    },
    async deactivate(id, { account_id, ...context }) {
      const isFound = await transact(function* () {
        const found = yield* holder.get(id)
        if (found === undefined || (account_id ?? found.account_id) !== found.account_id)
          return false
        const key = yield* deactivate.get(id)
        if (key !== undefined) yield* write(entryOf('key_revoked', { id, ...key }, context))
        return true
      })
      access.forget()
      return isFound
    },
    list: async (accountId, today, id) =>
      (await query(rows.all(today, accountId, id ?? null))).map((row) => ({
        ...row,
        is_active: row.is_active === 1,
      })),
    getVersion: access.get,
  }
}

type StoredOwner = Omit<KeyOwner, 'is_active'> & Pick<KeyRow, 'is_active'>

function entryOf(
  event: AuditEntry['event'],
  { id, account_id, name }: Pick<NewKey, 'id' | 'account_id' | 'name'>,
  { now, address }: AuditContext,
): AuditEntry {
  return { at: now, event, account_id, address, detail: `${id} "${name}"` }
}

/** Longest time that another process's change of a key or tier stays unseen in a file, in milliseconds. */
export const ACCESS_RECHECK_MS = 5

/**
 * Reads the version of keys and tiers from a file, once per request of the service. `total_changes()` shows
 * changes of this connection at once and needs no lock. Other processes (the command line, a second server)
 * show in `PRAGMA data_version`, which costs a read lock and is therefore queried only every few milliseconds.
 * That delay is harmless: a request may take longer to arrive.
 */
export function openAccessVersion(db: Db): AccessVersion {
  const ownChanges = db.prepare<[], number>('SELECT total_changes()').pluck()
  const dataVersion = openDataVersion(db)
  const read = db
    .prepare<[], AccessVersionRow['version']>('SELECT version FROM access_version')
    .pluck()
  let own = Number.NaN
  let others = Number.NaN
  let checkedAt = Number.NEGATIVE_INFINITY
  let version = 0
  return {
    get() {
      const now = performance.now()
      const changes = ownChanges.get() ?? 0
      if (changes === own && now - checkedAt < ACCESS_RECHECK_MS) return version
      checkedAt = now
      const found = dataVersion()
      if (changes !== own || found !== others) {
        // Noted before the version is read: a commit in between is noticed by the next check.
        own = changes
        others = found
        version = read.get() ?? 0
      }
      return version
    },
    // Own changes show at once.
    forget: () => {},
  }
}
