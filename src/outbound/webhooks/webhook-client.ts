// The way out for price alerts: one POST to an address that a stranger chose. It goes to the world alone
// (rules/primitives/public-address.ts), once, in a limited time, and believes nothing of what comes back.
import { ATTEMPT_TIMEOUT_MS, RETRY_AFTER_MS_MAX } from '#rules/alerts/retry-schedule.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { isAllowedAddress, type WebhookNetwork } from '#rules/primitives/public-address.ts'
import { ipLiteral, parseWebhookUrl } from '#rules/primitives/webhook-url.ts'
import packageJson from '../../../package.json'
import { abortable, type HostLookup, resolveHost } from '../net/dns.ts'
import { retryAfterMs } from '../net/http-client.ts'
import { BlockedError, describeFailure, describeStatus, isNotConnected } from './delivery-errors.ts'

/** What became of one attempt to deliver a message. */
export type AttemptOutcome = {
  /** Of the answer; null: there was none. */
  status: number | null
  /** Why there was none, or why it does not count, in words for the watch's owner; null: it counts. */
  error: string | null
  latency_ms: number
  /** What the receiver asks to be left alone for; 0: nothing. */
  retry_after_ms: number
  /** How the answer begins, as far as it is text; null where there was none. */
  answer: string | null
}

export type WebhookMessage = {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

export type WebhookClient = {
  /** Never throws for what a receiver does. Ends within the limit of an attempt, or with `signal`. */
  post(webhookMessage: WebhookMessage, signal?: AbortSignal): Promise<AttemptOutcome>
}

export type WebhookClientOptions = {
  network: WebhookNetwork
  /** For one attempt, from the look-up of the name to the end of the answer. */
  timeoutMs?: number
  lookup?: HostLookup
  /** An authority in PEM that is trusted in place of those of the system. */
  ca?: string
}

export function openWebhookClient(options: WebhookClientOptions): WebhookClient {
  const { timeoutMs = ATTEMPT_TIMEOUT_MS } = options

  async function attempt(
    webhookMessage: WebhookMessage,
    ending: AbortSignal,
  ): Promise<Omit<AttemptOutcome, 'latency_ms'>> {
    ending.throwIfAborted()
    // The network may be another one than when the watch was made.
    const url = parseWebhookUrl(webhookMessage.url, options.network)
    const response = await send(url, webhookMessage, { ...options, ending })
    const { status } = response
    const error = describeStatus(status)
    return {
      status,
      error,
      retry_after_ms: error === null ? 0 : Math.round(retryAfterMs(response, RETRY_AFTER_MS_MAX)),
      answer: beginningOf(await readSome(response)),
    }
  }

  return {
    async post(message, signal) {
      const started = performance.now()
      const deadline = AbortSignal.timeout(timeoutMs)
      const ending = signal === undefined ? deadline : AbortSignal.any([deadline, signal])
      const outcome = await attempt(message, ending).catch((cause: unknown) => {
        const why = { hostname: URL.parse(message.url)?.hostname ?? '', timeoutMs }
        const error = ending.aborted
          ? describeFailure(deadline.aborted ? 'late' : 'stopped', why)
          : sentenceOf(cause, why)
        return { status: null, error, retry_after_ms: 0, answer: null }
      })
      return { ...outcome, latency_ms: Math.round(performance.now() - started) }
    },
  }
}

function sentenceOf(cause: unknown, why: { hostname: string; timeoutMs: number }): string {
  return cause instanceof ServiceError ? cause.message : describeFailure(cause, why)
}

type SendContext = WebhookClientOptions & { ending: AbortSignal }

/** Tries the addresses of the receiver in turn, while no connection can be opened. */
async function send(
  url: URL,
  webhookMessage: WebhookMessage,
  sendContext: SendContext,
): Promise<Response> {
  const addresses = await addressesOf(url, sendContext)
  for (const [place, address] of addresses.entries()) {
    try {
      return await sendTo(address, url, webhookMessage, sendContext)
    } catch (cause) {
      // Whoever opened a connection may have the message by now; the schedule repeats it, not this.
      const isLast = place === addresses.length - 1
      if (isLast || sendContext.ending.aborted || !isNotConnected(cause)) throw cause
    }
  }
  throw new BlockedError('unknown')
}

/** Looked up once, so that what is judged is what is connected to. IPv4 first, which more can reach. */
async function addressesOf(url: URL, sendContext: SendContext): Promise<string[]> {
  const literal = ipLiteral(url)
  // It was judged with the rest of the address.
  if (literal !== undefined) return [literal]
  const { lookup = resolveHost } = sendContext
  const found = await abortable(lookup(url.hostname), sendContext.ending)
  const addresses = [...new Set(found.map(({ address }) => address))]
  // One that is private among public ones is a trick, or a mistake of its owner.
  if (!addresses.every((address) => isAllowedAddress(address, sendContext.network))) {
    throw new BlockedError('private')
  }
  const isIpv6 = (address: string) => address.includes(':')
  return addresses.sort((a, b) => Number(isIpv6(a)) - Number(isIpv6(b))).slice(0, ADDRESSES_MAX)
}

const ADDRESSES_MAX = 3

function sendTo(
  address: string,
  url: URL,
  { headers, body }: WebhookMessage,
  { ending, ca }: SendContext,
): Promise<Response> {
  const place = new URL(url)
  place.hostname = address.includes(':') ? `[${address}]` : address
  return fetch(place, {
    method: 'POST',
    headers: { ...headers, ...OUR_HEADERS, host: url.host },
    body,
    redirect: 'manual',
    // A connection of another name, or what is left over of another answer, is no way to this receiver.
    keepalive: false,
    decompress: false,
    tls: {
      // Whatever the environment says of certificates.
      rejectUnauthorized: true,
      ...(ipLiteral(url) === undefined && { serverName: url.hostname }),
      ...(ca !== undefined && { ca }),
    },
    signal: ending,
  })
}

const OUR_HEADERS = {
  'content-type': 'application/json',
  'user-agent': `Cardstock/${packageJson.version} (price alerts)`,
  'accept-encoding': 'identity',
}

/** The first bytes of an answer. It may have no end, or break off: its status counts all the same. */
async function readSome(response: Response): Promise<Uint8Array> {
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
    // What came until then is what there is.
  }
  await reader?.cancel().catch(() => undefined)
  return Buffer.concat(chunks)
}

const ANSWER_BYTES_MAX = 16 * 1024

function beginningOf(bytes: Uint8Array): string | null {
  const text = new TextDecoder().decode(bytes.subarray(0, ANSWER_BYTES_MAX))
  const plain = text.replace(/\p{Cc}/gu, ' ').trim()
  return plain === '' ? null : plain.slice(0, ANSWER_CHARACTERS_MAX).toWellFormed()
}

const ANSWER_CHARACTERS_MAX = 256
