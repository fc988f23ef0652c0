import { timingSafeEqual } from 'node:crypto'
import type { Deps } from '#deps.ts'

type LinkDeps = Pick<Deps, 'config' | 'secrets'>

/** Returns the page that ends a channel. Only its messages have the link. */
export function unsubscribeUrl(deps: LinkDeps, channelId: string): string {
  return `${deps.config.publicUrl}/unsubscribe/${unsubscribeToken(deps, channelId)}`
}

/** Returns the URL that mail programs unsubscribe with. */
export function oneClickUrl(deps: LinkDeps, channelId: string): string {
  return `${deps.config.publicUrl}/v1/unsubscribe/${unsubscribeToken(deps, channelId)}`
}

/** Returns the page that confirms the address of a channel. */
export function confirmUrl({ config, secrets }: LinkDeps, channelId: string, now: Date): string {
  const until = Math.floor((now.getTime() + CONFIRM_MS) / 1000)
  const mac = encode(secrets.hash(`confirm ${channelId} ${until}`))
  return `${config.publicUrl}/confirm/${channelId}.${until}.${mac}`
}

/** Returns the channel of a token; undefined if the token is wrong. */
export function readUnsubscribeToken({ secrets }: LinkDeps, token: string): string | undefined {
  const [id = '', mac = ''] = token.split('.')
  return isEqual(mac, encode(secrets.hash(`unsubscribe ${id}`))) ? id : undefined
}

/** Returns the channel of a token; undefined if the token is wrong or has expired. */
export function readConfirmToken(
  { secrets }: LinkDeps,
  token: string,
  now: Date,
): string | undefined {
  const [id = '', until = '', mac = ''] = token.split('.')
  if (!isEqual(mac, encode(secrets.hash(`confirm ${id} ${until}`)))) return undefined
  return Number(until) * 1000 > now.getTime() ? id : undefined
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
