// Client for webhooks: one POST to a URL chosen by a user. It connects to public addresses only
// (rules/primitives/public-address.ts), once and within a time limit, and does not trust the
// response.

import { RETRY_AFTER_MS_MAX } from '#rules/alerts/retry-schedule.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { isAllowedAddress, type WebhookNetwork } from '#rules/primitives/public-address.ts'
import { parseWebhookUrl } from '#rules/primitives/webhook-url.ts'
import packageJson from '../../../package.json'
import { retryAfterMs } from '../net/http-client.ts'
import { fetchPinned } from '../net/pinned-fetch.ts'
import { type HostLookup, resolveAddresses } from '../net/ssrf-guard.ts'
import { BlockedError, describeFailure, describeStatus } from './delivery-errors.ts'

/** Result of one delivery attempt. */
export type AttemptOutcome = {
  /** Status of the response; null if there was none. */
  status: number | null
  /** Reason why the attempt failed, for the webhook's owner; null if it succeeded. */
  error: string | null
  latency_ms: number
  /** Delay that the receiver asked for; 0 if none. */
  retry_after_ms: number
  /** Beginning of the response's text; null if there was no text, or if it is not shown. */
  answer: string | null
}

/** A message and its receiver. */
export type WebhookMessage = {
  url: string
  headers: Readonly<Record<string, string>>
  /** JSON, unless the headers name another type. */
  body: string | Uint8Array<ArrayBuffer>
}

/** Client that delivers webhook messages. */
export type WebhookClient = {
  /** Sends one message within the time limit, or until `signal` aborts. Never throws. */
  post(message: WebhookMessage, signal?: AbortSignal): Promise<AttemptOutcome>
}

/** Time limit of one attempt, from the DNS lookup to the end of the response. */
export const ATTEMPT_TIMEOUT_MS = 15_000

/** Network policy and limits of the client. */
export type WebhookClientOptions = {
  network: WebhookNetwork
  /**
   * True if the webhook's owner may read responses of this machine. Responses could expose internal services, so
   * enable this only if nobody else can reach the installation. Default: false.
   */
  quotesLoopback?: boolean
  /** Default: ATTEMPT_TIMEOUT_MS. */
  timeoutMs?: number
  lookup?: HostLookup
  /** PEM certificate of the only trusted authority, instead of the system's authorities. */
  ca?: string
}

/** Opens the client; nothing is requested yet. */
export function openWebhookClient(options: WebhookClientOptions): WebhookClient {
  const { timeoutMs = ATTEMPT_TIMEOUT_MS } = options

  async function attempt(
    message: WebhookMessage,
    ending: AbortSignal,
  ): Promise<Omit<AttemptOutcome, 'latency_ms'>> {
    ending.throwIfAborted()
    // The network setting may have changed since the webhook was created.
    const url = parseWebhookUrl(message.url, options.network)
    const addresses = await checkedAddresses(url, options, ending)
    const response = await fetchPinned(url, addresses, {
      method: 'POST',
      headers: { ...FIXED_HEADERS, ...message.headers },
      body: message.body,
      // A reused connection may contain the rest of another response.
      keepalive: false,
      decompress: false,
      ca: options.ca,
      signal: ending,
    })
    const { status } = response
    const error = describeStatus(status)
    const isQuoted = options.quotesLoopback === true || addresses.every(isPublic)
    const beginning = await readBeginning(response)
    return {
      status,
      error,
      retry_after_ms: error === null ? 0 : Math.round(retryAfterMs(response, RETRY_AFTER_MS_MAX)),
      answer: isQuoted ? excerpt(beginning) : null,
    }
  }

  return {
    async post(message, signal) {
      const started = performance.now()
      const deadline = AbortSignal.timeout(timeoutMs)
      const ending = signal === undefined ? deadline : AbortSignal.any([deadline, signal])
      const outcome = await attempt(message, ending).catch((cause: unknown) => {
        const details = { hostname: URL.parse(message.url)?.hostname ?? '', timeoutMs }
        const why = ending.aborted ? (deadline.aborted ? 'late' : 'stopped') : cause
        const error = why instanceof ServiceError ? why.message : describeFailure(why, details)
        return { status: null, error, retry_after_ms: 0, answer: null }
      })
      return { ...outcome, latency_ms: Math.round(performance.now() - started) }
    },
  }
}

/** @throws BlockedError unless all addresses of the host are allowed */
async function checkedAddresses(
  url: URL,
  { network, lookup }: WebhookClientOptions,
  signal: AbortSignal,
): Promise<string[]> {
  const addresses = await resolveAddresses(url, { lookup, signal })
  if (addresses.length === 0) throw new BlockedError('unknown')
  // A private address among public ones is an attack or a mistake.
  if (addresses.every((address) => isAllowedAddress(address, network))) return addresses
  throw new BlockedError('private')
}

function isPublic(address: string): boolean {
  return isAllowedAddress(address, 'public')
}

const FIXED_HEADERS = {
  'content-type': 'application/json',
  'user-agent': `Cardstock/${packageJson.version} (price alerts)`,
  'accept-encoding': 'identity',
}

/** Reads the first bytes of a response. The status counts even if the response is endless or interrupted. */
async function readBeginning(response: Response): Promise<Uint8Array> {
  const reader = response.body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    while (size < ANSWER_BYTES_MAX) {
      const chunk = await reader?.read()
      if (chunk?.value === undefined) break
      chunks.push(chunk.value)
      size += chunk.value.length
    }
  } catch {
    // Uses the bytes read so far.
  }
  await reader?.cancel().catch(() => undefined)
  return Buffer.concat(chunks)
}

const ANSWER_BYTES_MAX = 16 * 1024

function excerpt(bytes: Uint8Array): string | null {
  const text = new TextDecoder().decode(bytes.subarray(0, ANSWER_BYTES_MAX))
  const plain = text.replace(/\p{Cc}/gu, ' ').trim()
  return plain === '' ? null : plain.slice(0, ANSWER_CHARACTERS_MAX).toWellFormed()
}

const ANSWER_CHARACTERS_MAX = 256
