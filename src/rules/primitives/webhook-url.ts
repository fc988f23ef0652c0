import { ServiceError } from './errors.ts'
import { isAllowedAddress, type WebhookNetwork } from './public-address.ts'

/** A longer address is nobody's. */
export const WEBHOOK_URL_CHARACTERS_MAX = 2_048

/**
 * The address of a receiver, as it is kept and posted to: without a fragment, and without the dot that
 * may end a name. Where its name leads to is looked up for each attempt, not here.
 *
 * @throws ServiceError INVALID_WEBHOOK_URL where nothing may be sent there
 */
export function parseWebhookUrl(text: string, network: WebhookNetwork): URL {
  const url = URL.parse(text)
  if (url === null) {
    throw invalid('Give the whole address of your receiver, such as https://example.com/alerts.')
  }
  checkProtocol(url, network)
  if (url.username !== '' || url.password !== '') {
    throw invalid('Leave out user and password: check the signature of what comes, instead.')
  }
  url.hash = ''
  const literal = ipLiteral(url)
  if (literal === undefined) url.hostname = readName(url.hostname, network)
  else if (!isAllowedAddress(literal, network)) throw invalid(PRIVATE)
  if (Math.max(text.length, url.href.length) > WEBHOOK_URL_CHARACTERS_MAX) {
    throw invalid(`Give an address of at most ${WEBHOOK_URL_CHARACTERS_MAX} characters.`)
  }
  return url
}

/** The IP address that stands in place of a name, without brackets; undefined: there is a name. */
export function ipLiteral({ hostname }: URL): string | undefined {
  if (hostname.startsWith('[')) return hostname.slice(1, -1)
  return /^\d+(\.\d+){3}$/.test(hostname) ? hostname : undefined
}

/** What attempts at one receiver's machine are counted by: its name or IP address, and its port. */
export function hostOf(url: string): string {
  return new URL(url).host
}

function checkProtocol({ protocol }: URL, network: WebhookNetwork): void {
  if (protocol === 'https:') return
  if (network === 'public') throw invalid('Give an address that begins with https://.')
  if (protocol !== 'http:') throw invalid('Give an address that begins with https:// or http://.')
}

/** The name without the dot at its end, which says only that nothing follows. */
function readName(hostname: string, network: WebhookNetwork): string {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
  if (name === 'localhost' && network === 'loopback-ok') return name
  const labels = name.split('.')
  if (labels.includes('') || name.length > NAME_CHARACTERS_MAX) {
    throw invalid('Give an address with a complete name in it, such as https://example.com/alerts.')
  }
  if (labels.length === 1 || LOCAL_ENDS.has(labels.at(-1) ?? '')) throw invalid(PRIVATE)
  return name
}

function invalid(sentence: string): ServiceError {
  return new ServiceError('INVALID_WEBHOOK_URL', sentence)
}

const PRIVATE =
  'Give an address that the whole internet can reach: this one leads into a private network.'

/** Of names, in letters of the name system (RFC 1035). */
const NAME_CHARACTERS_MAX = 253

/** Names that end so are never public: they are kept for use within a network, or for other systems. */
const LOCAL_ENDS: ReadonlySet<string> = new Set([
  'localhost',
  'local',
  'internal',
  'lan',
  'home',
  'corp',
  'arpa',
  'onion',
])
