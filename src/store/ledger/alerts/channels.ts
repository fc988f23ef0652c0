import { isTierAtLeast, TIERS } from '#rules/accounts/tiers.ts'
import type { ChannelKind, ChannelStop } from '#rules/alerts/channel-kinds.ts'
import type { RowPage, RowWindow } from '../../rows.ts'
import type { LedgerEngine, LedgerOperation } from '../engine/operation.ts'
import { type OwnedRow, openOwnedRows } from '../engine/owned-rows.ts'
import { type AlertChannelRow, alertChannels } from '../schema/alerts.ts'

/** A channel that delivers the alerts of an account. Times are epoch milliseconds; `secret` is its encrypted address. */
export type Channel = Pick<
  AlertChannelRow,
  | 'id'
  | 'account_id'
  | 'secret'
  | 'host'
  | 'confirmed_at'
  | 'disabled_for'
  | 'last_error'
  | 'created_at'
  | 'updated_at'
> & { kind: ChannelKind; is_paused: boolean }

export type NewAlertChannel = Pick<
  Channel,
  'id' | 'account_id' | 'kind' | 'host' | 'confirmed_at'
> & {
  secret: Uint8Array
  address_hash: Uint8Array
}

/** Identifies a channel of an account. */
export type ChannelKey = { id: string; account_id: number }

/** Reason why the server stops a channel. */
export type StoppedFor = Exclude<ChannelStop, 'unsubscribed'>

/** Condition on `alert_channels`: messages are sent. */
export const ACTIVE_CHANNEL_SQL =
  '(is_paused = 0 AND disabled_for IS NULL AND confirmed_at IS NOT NULL)'

/** Lowest tier whose webhooks receive alerts. */
export const ALERTS_TIER = 'pro'

const ALERT_TIERS = TIERS.filter((tier) => isTierAtLeast(tier, ALERTS_TIER))
  .map((tier) => `'${tier}'`)
  .join(', ')

/** Condition on `accounts`: webhooks are below the required tier. */
export const BELOW_TIER_SQL = `tier NOT IN (${ALERT_TIERS})`

/** Condition on `alert_channels`: paused or disabled. */
export const STOPPED_SQL = '(alert_channels.is_paused = 1 OR disabled_for IS NOT NULL)'

/** Channels of accounts for their own alerts. Channels of webhooks belong to `openRuleStore`. */
export type ChannelStore = {
  /**
   * Adds a channel. If one with the same address exists, enables it again and keeps its confirmation.
   *
   * @returns its id; undefined if the account has `max` channels
   */
  create(channel: NewAlertChannel, max: number, now: Date): Promise<string | undefined>
  /** Lists an account's channels, oldest first: those of a page, or all. */
  list(account_id: number, page?: RowWindow): Promise<RowPage<Channel>>
  /** Returns an account's channel; undefined if not found. */
  get(key: ChannelKey): Promise<Channel | undefined>
  /** Pauses or resumes a channel; resuming also enables it. @returns the channel; undefined if not found */
  setPaused(key: ChannelKey, is_paused: boolean, now: Date): Promise<Channel | undefined>
  /** Deletes a channel with its messages. @returns the channel; undefined if not found */
  delete(key: ChannelKey): Promise<Channel | undefined>
  /** Confirms the address of a channel. @returns its kind; undefined if not found */
  confirm(id: string, now: Date): Promise<ChannelKind | undefined>
  /** Ends a channel on behalf of its receiver, with its waiting messages. @returns its kind; undefined if not found */
  unsubscribe(id: string, now: Date): Promise<ChannelKind | undefined>
  /** Returns the hour (UTC) of an account's daily digest; undefined for single messages. */
  getDigestHour(account_id: number): Promise<number | undefined>
  setDigestHour(account_id: number, hour: number | undefined): Promise<void>
}

export function openChannelStore(engine: LedgerEngine): ChannelStore {
  const { query, transact } = engine
  const rows = openOwnedRows<StoredChannel, typeof alertChannels>(engine, alertChannels, {
    select: `id, account_id, kind, secret, host, confirmed_at, is_paused, disabled_for, last_error, created_at,
        updated_at
      FROM alert_channels`,
    where: "kind <> 'webhook'",
    order: 'created_at, kind, id',
  })
  const countOthers = engine.prepare<[NewAlertChannel], { channels: number }>(
    `SELECT count(*) AS channels FROM alert_channels
      WHERE account_id = @account_id AND kind <> 'webhook'
        AND NOT (kind = @kind AND address_hash = @address_hash)`,
  )
  const add = engine.prepare<[NewAlertChannel & { at: number }], { id: string }>(
    `INSERT INTO alert_channels
       (id, account_id, kind, secret, address_hash, host, confirmed_at, created_at, updated_at)
     VALUES (@id, @account_id, @kind, @secret, @address_hash, @host, @confirmed_at, @at, @at)
     ON CONFLICT (account_id, kind, address_hash) DO UPDATE SET secret = excluded.secret,
       host = excluded.host, confirmed_at = coalesce(alert_channels.confirmed_at, excluded.confirmed_at),
       is_paused = 0, disabled_for = NULL, last_error = NULL, failures = 0, failing_since = NULL,
       updated_at = excluded.updated_at
     RETURNING id`,
  )
  const setPaused = prepareChannelPause(engine)
  const confirm = engine.prepare<[number, string], StoredKind>(
    'UPDATE alert_channels SET confirmed_at = coalesce(confirmed_at, ?) WHERE id = ? RETURNING kind',
  )
  const unsubscribe = engine.prepare<[{ id: string; at: number }], StoredKind>(
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
    async list(account_id, page) {
      const { rows: listed, total } = await rows.list({ account_id }, page)
      return { rows: listed.map(toChannel), total }
    },
    async get(key) {
      const channel = await rows.get(key)
      return channel && toChannel(channel)
    },
    async setPaused(key, is_paused, now) {
      const channel = await rows.update(key, function* () {
        yield* setPaused(key.id, is_paused, now)
        if (is_paused) yield* discard(key.id)
      })
      return channel && toChannel(channel)
    },
    async delete(key) {
      const channel = await rows.delete(key)
      return channel && toChannel(channel)
    },
    async confirm(id, now) {
      const channel = await query(confirm.get(now.getTime(), id))
      return channel && toKind(channel)
    },
    unsubscribe: (id, now) =>
      transact(
        function* () {
          const channel = yield* unsubscribe.get({ id, at: now.getTime() })
          if (channel !== undefined) yield* discard(id)
          return channel && toKind(channel)
        },
        { isDurable: true },
      ),
    getDigestHour: async (account_id) =>
      (await query(hourOf.get(account_id)))?.digest_hour ?? undefined,
    setDigestHour: async (account_id, hour) =>
      void (await query(putHour.run(account_id, hour ?? null))),
  }
}

/** Prepares the pausing and resuming of a channel; resuming also enables it. The caller provides the transaction. */
export function prepareChannelPause(
  engine: LedgerEngine,
): (id: string, is_paused: boolean, now: Date) => LedgerOperation<number> {
  const pause = engine.prepare<[number, string]>(
    'UPDATE alert_channels SET is_paused = 1, updated_at = ? WHERE id = ?',
  )
  const resume = engine.prepare<[number, string]>(
    `UPDATE alert_channels SET is_paused = 0, disabled_for = NULL, last_error = NULL, failures = 0,
       failing_since = NULL, updated_at = ? WHERE id = ?`,
  )
  return (id, is_paused, now) => (is_paused ? pause : resume).run(now.getTime(), id)
}

/** Prepares the deletion of a channel's unsent messages. The caller provides the transaction. */
export function prepareDiscard(engine: LedgerEngine): (id: string) => LedgerOperation<number> {
  const discard = engine.prepare<[string]>(
    "DELETE FROM alert_messages WHERE channel_id = ? AND state = 'pending'",
  )
  return (id) => discard.run(id)
}

/** Makes waiting messages due now. The caller provides the transaction. */
export type MessageResumer = {
  /** Resumes the messages of a webhook. */
  ofWebhook(id: string, now: Date): LedgerOperation<number>
  /** Resumes the messages of all webhooks of an account. */
  ofAccount(id: number, now: Date): LedgerOperation<number>
}

export function resumeMessages(engine: LedgerEngine): MessageResumer {
  const prepareResume = <Of extends string | number>(channelIds: string) =>
    engine.prepare<[{ of: Of; at: number }]>(
      `UPDATE alert_messages INDEXED BY alert_messages_waiting SET next_at = clock(@at)
        WHERE state = 'pending' AND owner IS NULL AND next_at > clock(@at) AND channel_id IN (${channelIds})`,
    )
  const ofWebhook = prepareResume<string>('@of')
  const ofAccount = prepareResume<number>(
    "SELECT id FROM alert_channels WHERE account_id = @of AND kind = 'webhook'",
  )

  return {
    ofWebhook: (id, now) => ofWebhook.run({ of: id, at: now.getTime() }),
    ofAccount: (id, now) => ofAccount.run({ of: id, at: now.getTime() }),
  }
}

type StoredKind = Pick<AlertChannelRow, 'kind'>

type StoredChannel = Omit<Channel, 'kind' | 'is_paused'> &
  StoredKind &
  Pick<AlertChannelRow, 'is_paused'>

function toChannel(row: OwnedRow<StoredChannel>): Channel {
  return { ...row, kind: toKind(row) }
}

function toKind({ kind }: StoredKind): ChannelKind {
  return kind as ChannelKind // The channels of webhooks are neither listed nor have links.
}
