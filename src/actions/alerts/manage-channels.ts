import { randomUUID } from 'node:crypto'
import type { Deps } from '#deps.ts'
import { isEmailAddress, mailboxOf } from '#rules/accounts/email-address.ts'
import { type AccountLimits, tierLimits, tierName } from '#rules/accounts/tiers.ts'
import {
  type ChannelKind,
  type ChannelTarget,
  channelStatus,
  describeTarget,
  type PushKeys,
} from '#rules/alerts/channel-kinds.ts'
import { isPushKeys } from '#rules/alerts/push-encryption.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { hostOf, parseWebhookUrl } from '#rules/primitives/webhook-url.ts'
import type { Channel, ChannelKey } from '#store/ledger/alerts/channels.ts'
import type { RowPage, RowWindow } from '#store/rows.ts'
import { isKnownPlace } from '../accounts/manage-sessions.ts'
import { confirmationLimits, mailLimits, tooManyAttempts } from '../accounts/rate-limits.ts'
import { NO_MAIL_SERVER, targetContext } from './send-message.ts'

export type ChannelDeps = Pick<Deps, 'config' | 'ledger' | 'mailer' | 'now' | 'secrets'>

export type ChannelInput = {
  kind: ChannelKind
  address: string
  /** Access token of an ntfy topic. */
  token?: string | undefined
  /** Keys of a push subscription. */
  keys?: PushKeys | undefined
}

/** A channel as its owner sees it. */
export type OwnChannel = Channel & {
  status: ReturnType<typeof channelStatus>
  /** Undefined if the server can no longer decrypt the address. */
  name: string | undefined
}

/**
 * Adds a channel, or enables the existing one with the same address again. A mail address gets a confirmation link.
 *
 * @param clientAddress IP address of the client
 * @throws ServiceError VALIDATION_ERROR, INVALID_WEBHOOK_URL, CHANNEL_UNAVAILABLE, TOO_MANY_CHANNELS, or
 * TOO_MANY_ATTEMPTS with the time to wait
 */
export async function addChannel(
  deps: ChannelDeps,
  { account_id, tier, is_unlimited }: AccountLimits & { account_id: number },
  input: ChannelInput,
  clientAddress: string,
): Promise<OwnChannel> {
  const { ledger, secrets, now } = deps
  const { kind } = input
  const { target, host } = parseTarget(deps, input)
  const { channels: max } = tierLimits({ tier, is_unlimited })
  const id = `ch_${randomUUID().replaceAll('-', '')}`
  const stored = await ledger.channels.create(
    {
      id,
      account_id,
      kind,
      host,
      secret: secrets.seal(JSON.stringify(target), targetContext(account_id, kind)),
      address_hash: secrets.hash(`channel ${kind} ${target.address.toLowerCase()}`),
      confirmed_at: kind === 'email' ? null : now().getTime(),
    },
    max,
    now(),
  )
  if (stored === undefined) {
    throw new ServiceError(
      'TOO_MANY_CHANNELS',
      `The ${tierName(tier)} tier includes ${max} channels. Delete one, or choose a higher plan.`,
    )
  }
  const key = { id: stored, account_id }
  const channel = await getChannel(deps, key)
  if (channel.status === 'unconfirmed') await requestChannelConfirmation(deps, key, clientAddress)
  return channel
}

/** Returns a page of an account's channels, oldest first. */
export async function listChannels(
  deps: Pick<Deps, 'ledger' | 'secrets'>,
  accountId: number,
  page: RowWindow,
): Promise<RowPage<OwnChannel>> {
  const { rows, total } = await deps.ledger.channels.list(accountId, page)
  return { rows: rows.map((channel) => renderOwnChannel(deps, channel)), total }
}

/** @throws ServiceError NOT_FOUND, also for a channel of another account */
export async function getChannel(
  deps: Pick<Deps, 'ledger' | 'secrets'>,
  key: ChannelKey,
): Promise<OwnChannel> {
  return requireChannel(deps, await deps.ledger.channels.get(key))
}

/** Pauses or resumes a channel; resuming also enables it. @throws ServiceError NOT_FOUND */
export async function pauseChannel(
  deps: Pick<Deps, 'ledger' | 'now' | 'secrets'>,
  key: ChannelKey,
  isPaused: boolean,
): Promise<OwnChannel> {
  return requireChannel(deps, await deps.ledger.channels.setPaused(key, isPaused, deps.now()))
}

/** @returns the deleted channel @throws ServiceError NOT_FOUND */
export async function deleteChannel(
  deps: Pick<Deps, 'ledger' | 'secrets'>,
  key: ChannelKey,
): Promise<OwnChannel> {
  return requireChannel(deps, await deps.ledger.channels.delete(key))
}

/**
 * Mails the confirmation link to an address.
 *
 * @param clientAddress IP address of the client
 * @throws ServiceError NOT_FOUND, CHANNEL_UNAVAILABLE, or TOO_MANY_ATTEMPTS with the time to wait
 */
export async function requestChannelConfirmation(
  deps: ChannelDeps,
  key: ChannelKey,
  clientAddress: string,
): Promise<OwnChannel> {
  const { ledger, now } = deps
  const channel = await getChannel(deps, key)
  if (channel.kind !== 'email' || channel.confirmed_at !== null) {
    throw new ServiceError(
      'CHANNEL_UNAVAILABLE',
      'This channel needs no confirmation. Send a test.',
    )
  }
  if (deps.mailer === undefined) throw new ServiceError('CHANNEL_UNAVAILABLE', NO_MAIL_SERVER)
  await countConfirmation(deps, key.account_id, mailboxOf(channel.name ?? ''), clientAddress)
  const message = {
    id: `${randomUUID()}.${key.id}`,
    channel_id: key.id,
    kind: 'confirmation' as const,
    body: NO_ALERTS,
    owner: null,
  }
  await ledger.messages.create(message, 0, now())
  return channel
}

/**
 * Counts a mail to an unconfirmed address. When others have used up the mails to a mailbox, its own account has those of
 * its place: an account with this address that has logged in from the client's network.
 *
 * @throws ServiceError TOO_MANY_ATTEMPTS
 */
async function countConfirmation(
  deps: ChannelDeps,
  accountId: number,
  mailbox: string,
  clientAddress: string,
): Promise<void> {
  const { ledger, secrets, now } = deps
  const hash = Buffer.from(secrets.hash(`address ${mailbox}`)).toString('hex')
  const limits = confirmationLimits(accountId, hash)
  const waitMs = await ledger.attempts.consume([...limits.account, ...limits.mailbox], now())
  if (waitMs === undefined) return
  const { email = '' } = (await ledger.accounts.getById(accountId)) ?? {}
  const isOwn = mailboxOf(email) === mailbox && (await isKnownPlace(deps, accountId, clientAddress))
  const own = [...limits.account, ...mailLimits(email, clientAddress).place]
  if (!isOwn || (await ledger.attempts.consume(own, now())) !== undefined) {
    throw tooManyAttempts(waitMs)
  }
}

const NO_ALERTS = '{"alerts":[],"total":0}'

function parseTarget(
  { config, mailer }: ChannelDeps,
  { kind, address, token, keys }: ChannelInput,
): { target: ChannelTarget; host: string } {
  if (kind === 'email') {
    if (mailer === undefined) throw new ServiceError('CHANNEL_UNAVAILABLE', NO_MAIL_SERVER)
    if (!isEmailAddress(address)) throw invalid('"address" must be an e-mail address.')
    return { target: { address }, host: mailer.host }
  }
  const { href, pathname } = parseWebhookUrl(address, config.webhookNetwork)
  if (kind === 'ntfy' && !/\/[\w-]{1,64}$/.test(pathname)) {
    throw invalid('"address" must be the URL of a topic, such as https://ntfy.sh/my-topic.')
  }
  if (kind === 'push' && (keys === undefined || !isPushKeys(keys))) {
    throw invalid('"keys" must be the keys of a push subscription.')
  }
  const target = {
    address: href,
    ...(kind === 'ntfy' && token !== undefined && { token }),
    ...(kind === 'push' && keys !== undefined && { keys }),
  }
  return { target, host: hostOf(href) }
}

function requireChannel(deps: Pick<Deps, 'secrets'>, channel: Channel | undefined): OwnChannel {
  if (channel !== undefined) return renderOwnChannel(deps, channel)
  throw new ServiceError('NOT_FOUND', 'This account has no such channel.')
}

function renderOwnChannel({ secrets }: Pick<Deps, 'secrets'>, channel: Channel): OwnChannel {
  const { kind, account_id, secret } = channel
  const text = secrets.open(secret, targetContext(account_id, kind))
  // addChannel has stored this text.
  const name = text === undefined ? undefined : describeTarget(kind, JSON.parse(text))
  return { ...channel, status: channelStatus(channel), name }
}

function invalid(sentence: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', sentence)
}
