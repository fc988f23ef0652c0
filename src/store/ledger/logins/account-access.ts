import { type AuditContext, openAuditWriter } from '../audit.ts'
import type { LedgerEngine } from '../engine/operation.ts'
import type { AccessVersion } from '../keys.ts'
import type { AccountRow, KeyRow } from '../schema/accounts.ts'
import type { AlertChannelRow } from '../schema/alerts.ts'
import type { ListRow } from '../schema/collections.ts'

/** Active key of an account. */
export type AccessKey = Pick<KeyRow, 'id' | 'name' | 'key_prefix' | 'last4' | 'created_at'>

/** Channel of an account, webhooks included. `secret` is its encrypted address, `url` that of a webhook. */
export type AccessChannel = Pick<
  AlertChannelRow,
  'id' | 'account_id' | 'kind' | 'url' | 'secret' | 'created_at'
>

/** Collection of an account that has a link, and when the link was created. */
export type AccessShare = Pick<ListRow, 'id' | 'name'> & { created_at: number }

/** How much of each was ended. */
export type EndedAccess = { keys: number; channels: number; shares: number; logins: number }

/** Ways to an account that outlive its password: keys, channels, links of collections and of the login provider. */
export type AccountAccessStore = {
  /** Lists the active keys, oldest first. */
  listKeys(account_id: number): Promise<AccessKey[]>
  /** Lists all channels, oldest first. */
  listChannels(account_id: number): Promise<AccessChannel[]>
  /** Lists the collections that have a link, oldest link first. */
  listShares(account_id: number): Promise<AccessShare[]>
  /**
   * Deactivates all keys, deletes all channels with their messages and webhooks, ends the links of all collections, and
   * removes all links to the login provider, unless the account has no password.
   */
  end(account_id: number, context: AuditContext): Promise<EndedAccess>
}

export function openAccountAccessStore(
  engine: LedgerEngine,
  access: AccessVersion,
): AccountAccessStore {
  const { query, transact } = engine
  const write = openAuditWriter(engine)
  const keys = engine.prepare<[number], AccessKey>(
    `SELECT id, name, key_prefix, last4, created_at FROM keys
      WHERE account_id = ? AND is_active = 1 ORDER BY created_at, id`,
  )
  const channels = engine.prepare<[number], AccessChannel>(
    `SELECT id, account_id, kind, url, secret, created_at FROM alert_channels
      WHERE account_id = ? ORDER BY created_at, id`,
  )
  const shares = engine.prepare<[number], AccessShare>(
    `SELECT lists.id, name, collection_shares.created_at FROM collection_shares
       JOIN lists ON lists.id = collection_id
      WHERE account_id = ? AND deleted_at IS NULL ORDER BY collection_shares.created_at, lists.id`,
  )
  const hashOf = engine.prepare<[number], Pick<AccountRow, 'password_hash'>>(
    'SELECT password_hash FROM accounts WHERE id = ?',
  )
  const endKeys = engine.prepare<[number], Pick<KeyRow, 'id' | 'name'>>(
    'UPDATE keys SET is_active = 0 WHERE account_id = ? AND is_active = 1 RETURNING id, name',
  )
  const endChannels = engine.prepare<[number], Pick<AlertChannelRow, 'id' | 'kind'>>(
    'DELETE FROM alert_channels WHERE account_id = ? RETURNING id, kind',
  )
  const endShares = engine.prepare<[number]>(
    `DELETE FROM collection_shares WHERE collection_id IN
       (SELECT id FROM lists WHERE account_id = ?)`,
  )
  const endLogins = engine.prepare<[number]>('DELETE FROM identities WHERE account_id = ?')

  return {
    listKeys: (account_id) => query(keys.all(account_id)),
    listChannels: (account_id) => query(channels.all(account_id)),
    listShares: (account_id) => query(shares.all(account_id)),
    async end(account_id, { now, address }) {
      const entry = { at: now, account_id, address }
      const ended = await transact(
        function* () {
          const endedKeys = yield* endKeys.all(account_id)
          for (const { id, name } of endedKeys) {
            yield* write({ ...entry, event: 'key_revoked', detail: `${id} "${name}"` })
          }
          const endedChannels = yield* endChannels.all(account_id)
          for (const { id, kind } of endedChannels) {
            if (kind === 'webhook') yield* write({ ...entry, event: 'webhook_deleted', detail: id })
          }
          const endedShares = yield* endShares.run(account_id)
          const hasPassword = (yield* hashOf.get(account_id))?.password_hash !== ''
          const logins = hasPassword ? yield* endLogins.run(account_id) : 0
          if (logins > 0) yield* write({ ...entry, event: 'provider_unlinked' })
          return {
            keys: endedKeys.length,
            channels: endedChannels.length,
            shares: endedShares,
            logins,
          }
        },
        { account: account_id, isDurable: true },
      )
      access.forget()
      return ended
    },
  }
}
