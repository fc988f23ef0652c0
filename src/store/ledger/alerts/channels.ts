import type { ChannelKind, ChannelStop } from '#rules/alerts/channel-kinds.ts'
import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'
import type { AlertChannelRow } from '../schema/alerts.ts'

/** A channel that delivers the alerts of an account. Times are epoch milliseconds; `target` is encrypted. */
export type Channel = Omit<
  AlertChannelRow,
  'is_paused' | 'target_hash' | 'failures' | 'failing_since'
> & {
  is_paused: boolean
}

export type NewAlertChannel = Pick<
  Channel,
  'id' | 'account_id' | 'kind' | 'host' | 'confirmed_at'
> & {
  target: Uint8Array
  target_hash: Uint8Array
}

/** Identifies a channel of an account. */
export type ChannelKey = { id: string; account_id: number }

/** Condition on `alert_channels`: messages are sent. */
export const ACTIVE_CHANNEL_SQL =
  '(is_paused = 0 AND disabled_for IS NULL AND confirmed_at IS NOT NULL)'

/** Channels of accounts. */
export type ChannelStore = {
  /**
   * Adds a channel. One with the same address is enabled again instead, and keeps its confirmation.
   *
   * @returns its id; undefined if the account has `max` channels
   */
  create(channel: NewAlertChannel, max: number, now: Date): Promise<string | undefined>
  /** Lists an account's channels, oldest first. */
  list(account_id: number): Promise<Channel[]>
  /** Returns an account's channel; undefined if not found. */
  get(key: ChannelKey): Promise<Channel | undefined>
  /** Pauses or resumes a channel; resuming also enables it. @returns it; undefined if not found */
  setPaused(key: ChannelKey, is_paused: boolean, now: Date): Promise<Channel | undefined>
  /** Deletes a channel with its messages. @returns it; undefined if not found */
  delete(key: ChannelKey): Promise<Channel | undefined>
  /** Confirms the address of a channel. @returns its kind; undefined if not found */
  confirm(id: string, now: Date): Promise<ChannelKind | undefined>
  /** Ends a channel for its receiver, with its waiting messages. @returns its kind; undefined if not found */
  unsubscribe(id: string, now: Date): Promise<ChannelKind | undefined>
  /** Returns the hour (UTC) of an account's daily digest; undefined for single messages. */
  getDigestHour(account_id: number): Promise<number | undefined>
  setDigestHour(account_id: number, hour: number | undefined): Promise<void>
}

export function openChannelStore(engine: LedgerEngine): ChannelStore {
  const { query, transact } = engine
  const columns = `id, account_id, kind, target, host, confirmed_at, is_paused, disabled_for, last_error,
    created_at, updated_at`
  const find = engine.prepare<[ChannelKey], StoredChannel>(
    `SELECT ${columns} FROM alert_channels WHERE id = @id AND account_id = @account_id`,
  )
  const list = engine.prepare<[number], StoredChannel>(
    `SELECT ${columns} FROM alert_channels WHERE account_id = ? ORDER BY created_at, kind, id`,
  )
  const countOthers = engine.prepare<[NewAlertChannel], { channels: number }>(
    `SELECT count(*) AS channels FROM alert_channels WHERE account_id = @account_id
        AND NOT (kind = @kind AND target_hash = @target_hash)`,
  )
  const add = engine.prepare<[NewAlertChannel & { at: number }], { id: string }>(
    `INSERT INTO alert_channels
       (id, account_id, kind, target, target_hash, host, confirmed_at, created_at, updated_at)
     VALUES (@id, @account_id, @kind, @target, @target_hash, @host, @confirmed_at, @at, @at)
     ON CONFLICT (account_id, kind, target_hash) DO UPDATE SET target = excluded.target,
       host = excluded.host, confirmed_at = coalesce(alert_channels.confirmed_at, excluded.confirmed_at),
       is_paused = 0, disabled_for = NULL, last_error = NULL, failures = 0, failing_since = NULL,
       updated_at = excluded.updated_at
     RETURNING id`,
  )
  const pause = engine.prepare<[number, string]>(
    'UPDATE alert_channels SET is_paused = 1, updated_at = ? WHERE id = ?',
  )
  const resume = engine.prepare<[number, string]>(
    `UPDATE alert_channels SET is_paused = 0, disabled_for = NULL, last_error = NULL, failures = 0,
       failing_since = NULL, updated_at = ? WHERE id = ?`,
  )
  const remove = engine.prepare<[string]>('DELETE FROM alert_channels WHERE id = ?')
  const confirm = engine.prepare<[number, string], { kind: ChannelKind }>(
    'UPDATE alert_channels SET confirmed_at = coalesce(confirmed_at, ?) WHERE id = ? RETURNING kind',
  )
  const unsubscribe = engine.prepare<[{ id: string; at: number }], { kind: ChannelKind }>(
    `UPDATE alert_channels SET disabled_for = 'unsubscribed', updated_at = @at,
       confirmed_at = CASE WHEN kind = 'email' THEN NULL ELSE confirmed_at END
      WHERE id = @id RETURNING kind`,
  )
  const discard = prepareDiscard(engine)
  const hourOf = engine.prepare<[number], { digest_hour: number | null }>(
    'SELECT digest_hour FROM alert_preferences WHERE account_id = ?',
  )
  const putHour = engine.prepare<[number, number | null]>(
    `INSERT INTO alert_preferences (account_id, digest_hour) VALUES (?, ?)
     ON CONFLICT (account_id) DO UPDATE SET digest_hour = excluded.digest_hour`,
  )

  function* findChannel(key: ChannelKey): LedgerOperation<Channel | undefined> {
    const row = yield* find.get(key)
    return row && toChannel(row)
  }

  return {
    create: (channel, max, now) =>
      transact(
        function* () {
          const others = yield* countOthers.get(channel)
          if ((others?.channels ?? 0) >= max) return undefined
          return (yield* add.get({ ...channel, at: now.getTime() }))?.id
        },
        { account: channel.account_id },
      ),
    list: async (account_id) => (await query(list.all(account_id))).map(toChannel),
    get: (key) => query(findChannel(key)),
    setPaused: (key, is_paused, now) =>
      transact(function* () {
        if ((yield* find.get(key)) === undefined) return undefined
        yield* (is_paused ? pause : resume).run(now.getTime(), key.id)
        if (is_paused) yield* discard(key.id)
        return yield* findChannel(key)
      }),
    delete: (key) =>
      transact(function* () {
        const before = yield* findChannel(key)
        if (before !== undefined) yield* remove.run(key.id)
        return before
      }),
    confirm: async (id, now) => (await query(confirm.get(now.getTime(), id)))?.kind,
    unsubscribe: (id, now) =>
      transact(
        function* () {
          const channel = yield* unsubscribe.get({ id, at: now.getTime() })
          if (channel !== undefined) yield* discard(id)
          return channel?.kind
        },
        { isDurable: true },
      ),
    getDigestHour: async (account_id) =>
      (await query(hourOf.get(account_id)))?.digest_hour ?? undefined,
    setDigestHour: async (account_id, hour) =>
      void (await query(putHour.run(account_id, hour ?? null))),
  }
}

/** Prepares the deletion of what a channel has not sent. The caller provides the transaction. */
export function prepareDiscard(engine: LedgerEngine): (id: string) => LedgerOperation<number> {
  const discard = engine.prepare<[string]>(
    "DELETE FROM channel_messages WHERE channel_id = ? AND state = 'pending'",
  )
  return (id) => discard.run(id)
}

type StoredChannel = Omit<Channel, 'is_paused'> & Pick<AlertChannelRow, 'is_paused'>

function toChannel(row: StoredChannel): Channel {
  return { ...row, is_paused: row.is_paused === 1 }
}

/** Reason for which a channel stops by itself. */
export type StoppedFor = Exclude<ChannelStop, 'unsubscribed'>
