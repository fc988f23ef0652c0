import { ServiceError } from './errors.ts'
import { isVisible } from './plain-text.ts'
import { isAllowedAddress, type WebhookNetwork } from './public-address.ts'

/** Maximum length of a webhook URL. */
export const WEBHOOK_URL_CHARACTERS_MAX = 2_048

/**
 * Parses and normalizes a webhook URL: without fragment and without a trailing dot of the host. The
 * host is resolved at each attempt, not here.
 *
 * @throws ServiceError INVALID_WEBHOOK_URL if nothing may be sent there
 */
export function parseWebhookUrl(text: string, network: WebhookNetwork): URL {
  // The parser would silently remove some of them.
  if (!isVisible(text)) throw invalid('The URL must not contain invisible characters.')
  const url = URL.parse(text)
  if (url === null) throw invalid('The URL must be absolute, such as https://example.com/alerts.')
  checkProtocol(url, network)
  if (url.username !== '' || url.password !== '') {
    throw invalid('The URL must not contain a user name or password. Verify the signature instead.')
  }
  url.hash = ''
  const literal = ipLiteral(url)
  if (literal === undefined) url.hostname = readName(url.hostname, network)
  else if (!isAllowedAddress(literal, network)) throw invalid(PRIVATE)
  if (Math.max(text.length, url.href.length) > WEBHOOK_URL_CHARACTERS_MAX) {
    throw invalid(`The URL must be at most ${WEBHOOK_URL_CHARACTERS_MAX} characters long.`)
  }
  return url
}

/** Returns the IP address in a URL without brackets; undefined if the URL has a host name. */
export function ipLiteral({ hostname }: URL): string | undefined {
  if (hostname.startsWith('[')) return hostname.slice(1, -1)
  return /^\d+(\.\d+){3}$/.test(hostname) ? hostname : undefined
}

/** Returns the key by which attempts are limited: host name or IP address, and port. */
export function hostOf(url: string): string {
  return new URL(url).host
}

function checkProtocol({ protocol }: URL, network: WebhookNetwork): void {
  if (protocol === 'https:') return
  if (network === 'public') throw invalid('The URL must begin with https://.')
  if (protocol !== 'http:') throw invalid('The URL must begin with https:// or http://.')
}

/** Removes the trailing dot of a host name and checks it. */
function readName(hostname: string, network: WebhookNetwork): string {
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname
  if (name === 'localhost' && network === 'loopback-ok') return name
  const labels = name.split('.')
  if (labels.includes('') || name.length > NAME_CHARACTERS_MAX) {
    throw invalid('The URL must contain a full host name, such as https://example.com/alerts.')
  }
  if (labels.length === 1 || LOCAL_ENDS.has(labels.at(-1) ?? '')) throw invalid(PRIVATE)
  return name
}

function invalid(sentence: string): ServiceError {
  return new ServiceError('INVALID_WEBHOOK_URL', sentence)
}

const PRIVATE = 'The URL is in a private network. Use a public address.'

/** Maximum length of a host name (RFC 1035). */
const NAME_CHARACTERS_MAX = 253

/** Top-level names that are never public: reserved for local networks or other systems. */
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
