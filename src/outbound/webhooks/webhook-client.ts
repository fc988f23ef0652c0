// Client for webhooks: one POST to a URL chosen by a user. It connects to public addresses only
// (rules/primitives/public-address.ts), once and within a time limit, and does not trust the
// response.
import { ATTEMPT_TIMEOUT_MS, RETRY_AFTER_MS_MAX } from '#rules/alerts/retry-schedule.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { isAllowedAddress, type WebhookNetwork } from '#rules/primitives/public-address.ts'
import { ipLiteral, parseWebhookUrl } from '#rules/primitives/webhook-url.ts'
import packageJson from '../../../package.json'
import { abortable, type HostLookup, resolveHost } from '../net/dns.ts'
import { retryAfterMs } from '../net/http-client.ts'
import { BlockedError, describeFailure, describeStatus, isNotConnected } from './delivery-errors.ts'

/** Result of one delivery attempt. */
export type AttemptOutcome = {
  /** Status of the response; null if there was none. */
  status: number | null
  /** Reason why the attempt failed, for the webhook's owner; null if it succeeded. */
  error: string | null
  latency_ms: number
  /** Delay that the receiver asked for; 0 if none. */
  retry_after_ms: number
  /** Beginning of the response's text; null if there was none. */
  answer: string | null
}

/** A signed message and its receiver. */
export type WebhookMessage = {
  url: string
  headers: Readonly<Record<string, string>>
  body: string
}

/** Client that delivers webhook messages. */
export type WebhookClient = {
  /** Sends one message within the time limit, or until `signal` aborts. Never throws. */
  post(message: WebhookMessage, signal?: AbortSignal): Promise<AttemptOutcome>
}

/** Network policy and limits of the client. */
export type WebhookClientOptions = {
  network: WebhookNetwork
  /** Timeout of one attempt, from the DNS lookup to the end of the response. */
  timeoutMs?: number
  lookup?: HostLookup
  /** PEM certificate of the only trusted authority, instead of the system's. */
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
    const response = await send(url, message, { ...options, ending })
    const { status } = response
    const error = describeStatus(status)
    return {
      status,
      error,
      retry_after_ms: error === null ? 0 : Math.round(retryAfterMs(response, RETRY_AFTER_MS_MAX)),
      answer: excerpt(await readBeginning(response)),
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

type SendContext = WebhookClientOptions & { ending: AbortSignal }

/** Tries the receiver's addresses in turn until a connection opens. */
async function send(url: URL, message: WebhookMessage, context: SendContext): Promise<Response> {
  const addresses = await resolveAddresses(url, context)
  for (const [index, address] of addresses.entries()) {
    try {
      return await sendTo(address, url, message, context)
    } catch (cause) {
      // Once a connection was open, the message may have arrived. The retry schedule repeats it.
      const isLast = index === addresses.length - 1
      if (isLast || context.ending.aborted || !isNotConnected(cause)) throw cause
    }
  }
  throw new BlockedError('unknown')
}

/** Resolves the host once, so the checked addresses are used. IPv4 comes first: more reach it. */
async function resolveAddresses(url: URL, context: SendContext): Promise<string[]> {
  const literal = ipLiteral(url)
  // Checked together with the URL.
  if (literal !== undefined) return [literal]
  const { lookup = resolveHost } = context
  const found = await abortable(lookup(url.hostname), context.ending)
  const addresses = [...new Set(found.map(({ address }) => address))]
  // A private address among public ones is an attack or a mistake.
  if (!addresses.every((address) => isAllowedAddress(address, context.network))) {
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
  const target = new URL(url)
  target.hostname = address.includes(':') ? `[${address}]` : address
  return fetch(target, {
    method: 'POST',
    headers: { ...headers, ...FIXED_HEADERS, host: url.host },
    body,
    redirect: 'manual',
    // A reused connection may belong to another host name or hold the rest of another response.
    keepalive: false,
    decompress: false,
    tls: {
      // Regardless of the environment.
      rejectUnauthorized: true,
      ...(ipLiteral(url) === undefined && { serverName: url.hostname }),
      ...(ca !== undefined && { ca }),
    },
    signal: ending,
  })
}

const FIXED_HEADERS = {
  'content-type': 'application/json',
  'user-agent': `Cardstock/${packageJson.version} (price alerts)`,
  'accept-encoding': 'identity',
}

/** Reads the first bytes of a response. It may be endless or break off; its status still counts. */
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
