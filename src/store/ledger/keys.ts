import type { Tier } from '#rules/accounts/tiers.ts'
import type { Db } from '../db.ts'
import type { RowPage, RowWindow } from '../rows.ts'
import { type AuditContext, type AuditEntry, openAuditWriter } from './audit.ts'
import type { LedgerEngine } from './engine/operation.ts'
import { type NewRow, type OwnedRow, openOwnedRows } from './engine/owned-rows.ts'
import type { SqliteEngine } from './engine/sqlite-engine.ts'
import { type AccessVersionRow, type AccountRow, type KeyRow, keys } from './schema/accounts.ts'

/** Owner of a key. */
export type KeyOwner = {
  key_id: string
  account_id: number
  tier: Tier
  /** See `accountLimits`. */
  is_admitted: boolean
  is_active: boolean
}

/** Account of the keys, and the day of `requests_today`. */
export type KeyOwnerDay = { account_id: number; today: number }

export type NewKey = Omit<NewRow<typeof keys>, 'created_at'>

/** A key as its owner sees it: everything except the key itself. Times are epoch milliseconds. */
export type KeyRecord = OwnedRow<StoredKey>

type StoredKey = Pick<
  KeyRow,
  'id' | 'name' | 'key_prefix' | 'last4' | 'is_active' | 'created_at'
> & { last_used_at: number | null; requests_today: number; requests_total: number }

/** Version of keys and tiers, which grows with each change. */
export type AccessVersion = {
  /** Returns the version, or NaN if it is unknown, in which case every request must read the ledger. */
  get(): number
  /** Forgets the version, because this process has changed a key. */
  forget(): void
}

/** API keys, found by the hash of the key. */
export type KeyStore = {
  /** Creates a key; false if the account has `activeMax` active ones. */
  create(key: NewKey, activeMax: number, context: AuditContext): Promise<boolean>
  /** Returns the owner of a key; undefined if the key is unknown. */
  getOwner(keyHash: Uint8Array): Promise<KeyOwner | undefined>
  /** Deactivates a key permanently. @returns true if it exists, and belongs to the account if one is given */
  deactivate(id: string, context: AuditContext & { account_id?: number }): Promise<boolean>
  /** Lists an account's keys, oldest first. */
  list(owner: KeyOwnerDay, page?: RowWindow): Promise<RowPage<KeyRecord>>
  /** Returns one of an account's keys; undefined if not found. */
  get(key: KeyOwnerDay & Pick<KeyRow, 'id'>): Promise<KeyRecord | undefined>
  /** See `AccessVersion.get`. */
  getVersion(): number
}

export function openKeyStore(engine: LedgerEngine, access: AccessVersion): KeyStore {
  const { query, transact } = engine
  const write = openAuditWriter(engine)
  const owner = engine.prepare<[Uint8Array], StoredOwner>(
    `SELECT keys.id AS key_id, account_id, tier, is_admitted, is_active
       FROM keys JOIN accounts ON accounts.id = account_id WHERE key_hash = +?`,
  )
  const deactivate = engine.prepare<[string], Pick<KeyRow, 'account_id' | 'name'>>(
    'UPDATE keys SET is_active = 0 WHERE id = ? AND is_active = 1 RETURNING account_id, name',
  )
  const holder = engine.prepare<[string], Pick<KeyRow, 'account_id'>>(
    'SELECT account_id FROM keys WHERE id = ?',
  )
  const rows = openOwnedRows<StoredKey, typeof keys, { today: number }>(engine, keys, {
    select: `keys.id, name, key_prefix, last4, is_active, created_at, last_used_at,
            (SELECT coalesce(sum(requests), 0) FROM usage_by_key
              WHERE key_id = keys.id AND day = +@today) AS requests_today,
            coalesce(key_totals.requests, 0) AS requests_total
       FROM keys LEFT JOIN key_totals ON key_totals.key_id = keys.id`,
    limited: 'is_active = 1',
    order: 'created_at, keys.rowid',
  })

  return {
    create: (key, activeMax, context) =>
      rows.create({ ...key, created_at: context.now.getTime() }, activeMax, () =>
        write(entryOf('key_created', key, context)),
      ),
    async getOwner(keyHash) {
      const row = await query(owner.get(keyHash))
      return row && { ...row, is_admitted: row.is_admitted === 1, is_active: row.is_active === 1 }
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
    list: rows.list,
    get: rows.get,
    getVersion: access.get,
  }
}

type StoredOwner = Omit<KeyOwner, 'is_admitted' | 'is_active'> &
  Pick<AccountRow, 'is_admitted'> &
  Pick<KeyRow, 'is_active'>

function entryOf(
  event: AuditEntry['event'],
  { id, account_id, name }: Pick<NewKey, 'id' | 'account_id' | 'name'>,
  { now, address }: AuditContext,
): AuditEntry {
  return { at: now, event, account_id, address, detail: `${id} "${name}"` }
}

/** Maximum time in milliseconds until a change of a key or tier by another process is noticed. */
export const ACCESS_RECHECK_MS = 5

/**
 * Reads the version of keys and tiers from a file, for every request of the service. Changes by this process appear at
 * once, because each operation of the ledger may be one. Changes by other processes (the command line, a second
 * server) appear within a few milliseconds, because the lookup costs a read lock. That delay is harmless: a request
 * may take longer to arrive.
 */
export function openAccessVersion(
  db: Db,
  { countOperations }: Pick<SqliteEngine, 'countOperations'>,
): AccessVersion {
  const read = db
    .prepare<[], AccessVersionRow['version']>('SELECT version FROM access_version')
    .pluck()
  let seen = -1
  let checkedAt = Number.NEGATIVE_INFINITY
  let version = 0
  return {
    get() {
      const now = performance.now()
      const operations = countOperations()
      if (operations !== seen || now - checkedAt >= ACCESS_RECHECK_MS) {
        version = read.get() ?? 0
        seen = operations
        checkedAt = now
      }
      return version
    },
    // Changes of this process appear at once.
    forget: () => {},
  }
}
