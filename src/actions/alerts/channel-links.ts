import { timingSafeEqual } from 'node:crypto'
import type { Deps } from '#deps.ts'
import type { ChannelKind } from '#rules/alerts/channel-kinds.ts'
import { ServiceError } from '#rules/primitives/errors.ts'

type LinkDeps = Pick<Deps, 'config' | 'secrets'>

/** Returns the page that ends a channel. Only its messages have the link. */
export function unsubscribeUrl(deps: LinkDeps, channelId: string): string {
  return `${deps.config.publicUrl}/unsubscribe/${unsubscribeToken(deps, channelId)}`
}

/** Returns the URL that mail programs call to unsubscribe. */
export function oneClickUrl(deps: LinkDeps, channelId: string): string {
  return `${deps.config.publicUrl}/v1/unsubscribe/${unsubscribeToken(deps, channelId)}`
}

/** Returns the page that confirms the address of a channel. */
export function confirmUrl({ config, secrets }: LinkDeps, channelId: string, now: Date): string {
  const until = Math.floor((now.getTime() + CONFIRM_MS) / 1000)
  const mac = encode(secrets.hash(`confirm ${channelId} ${until}`))
  return `${config.publicUrl}/confirm/${channelId}.${until}.${mac}`
}

/**
 * Ends the channel of a link, which then gets no more messages. A mail address must be confirmed again before further
 * use.
 *
 * @returns the kind of the channel
 * @throws ServiceError NOT_FOUND
 */
export async function unsubscribe(
  { ledger, now, secrets }: Pick<Deps, 'ledger' | 'now' | 'secrets'>,
  token: string,
): Promise<ChannelKind> {
  const [id = '', mac = ''] = token.split('.')
  const isValid = isEqual(mac, encode(secrets.hash(`unsubscribe ${id}`)))
  const kind = isValid ? await ledger.channels.unsubscribe(id, now()) : undefined
  if (kind !== undefined) return kind
  throw new ServiceError('NOT_FOUND', 'This link belongs to no channel. It may have been deleted.')
}

/** Confirms the mail address of a link. @returns the kind of the channel @throws ServiceError NOT_FOUND */
export async function confirmChannel(
  { ledger, now, secrets }: Pick<Deps, 'ledger' | 'now' | 'secrets'>,
  token: string,
): Promise<ChannelKind> {
  const [id = '', until = '', mac = ''] = token.split('.')
  const isValid = isEqual(mac, encode(secrets.hash(`confirm ${id} ${until}`)))
  const isCurrent = isValid && Number(until) * 1000 > now().getTime()
  const kind = isCurrent ? await ledger.channels.confirm(id, now()) : undefined
  if (kind !== undefined) return kind
  throw new ServiceError(
    'NOT_FOUND',
    'This link is wrong or has expired. Send a new mail from your alerts.',
  )
}

function unsubscribeToken({ secrets }: LinkDeps, channelId: string): string {
  return `${channelId}.${encode(secrets.hash(`unsubscribe ${channelId}`))}`
}

function isEqual(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function encode(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}

const CONFIRM_MS = 3 * 86_400_000
