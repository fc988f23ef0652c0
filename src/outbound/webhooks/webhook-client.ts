// The way out for price alerts: one POST to an address that a stranger chose. It goes to the world alone
// (rules/primitives/public-address.ts), once, in a limited time, and believes nothing of what comes back.
import { ATTEMPT_MS_MAX, RETRY_AFTER_MS_MAX } from '#rules/alerts/retry-schedule.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { isAllowedAddress, type WebhookNetwork } from '#rules/primitives/public-address.ts'
import { literalOf, readWebhookUrl } from '#rules/primitives/webhook-url.ts'
import packageJson from '../../../package.json'
import { type Lookup, lookUp, unlessEnded } from '../net/dns.ts'
import { retryAfterMs } from '../net/http-client.ts'
import { BlockedError, isUnopened, whyNoAnswer, whyNotCounted } from './delivery-errors.ts'

/** What became of one attempt to deliver a message. */
export type Outcome = {
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

export type Message = { url: string; headers: Readonly<Record<string, string>>; body: string }

export type WebhookDoor = {
  /** Never throws for what a receiver does. Ends within the limit of an attempt, or with `signal`. */
  post(message: Message, signal?: AbortSignal): Promise<Outcome>
}

export type WebhookDoorOptions = {
  network: WebhookNetwork
  /** For one attempt, from the look-up of the name to the end of the answer. */
  timeoutMs?: number
  lookup?: Lookup
  /** An authority in PEM that is trusted in place of those of the system. */
  ca?: string
}

export function openWebhookDoor(options: WebhookDoorOptions): WebhookDoor {
  const { timeoutMs = ATTEMPT_MS_MAX } = options

  async function attempt(
    message: Message,
    ending: AbortSignal,
  ): Promise<Omit<Outcome, 'latency_ms'>> {
    ending.throwIfAborted()
    // The network may be another one than when the watch was made.
    const url = readWebhookUrl(message.url, options.network)
    const response = await send(url, message, { ...options, ending })
    const { status } = response
    const error = whyNotCounted(status)
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
          ? whyNoAnswer(deadline.aborted ? 'late' : 'stopped', why)
          : sentenceOf(cause, why)
        return { status: null, error, retry_after_ms: 0, answer: null }
      })
      return { ...outcome, latency_ms: Math.round(performance.now() - started) }
    },
  }
}

function sentenceOf(cause: unknown, why: { hostname: string; timeoutMs: number }): string {
  return cause instanceof ServiceError ? cause.message : whyNoAnswer(cause, why)
}

type Way = WebhookDoorOptions & { ending: AbortSignal }

/** Tries the addresses of the receiver in turn, while no connection can be opened. */
async function send(url: URL, message: Message, way: Way): Promise<Response> {
  const addresses = await addressesOf(url, way)
  for (const [place, address] of addresses.entries()) {
    try {
      return await sendTo(address, url, message, way)
    } catch (cause) {
      // Whoever opened a connection may have the message by now; the schedule repeats it, not this.
      const isLast = place === addresses.length - 1
      if (isLast || way.ending.aborted || !isUnopened(cause)) throw cause
    }
  }
  throw new BlockedError('unknown')
}

/** Looked up once, so that what is judged is what is connected to. IPv4 first, which more can reach. */
async function addressesOf(url: URL, way: Way): Promise<string[]> {
  const literal = literalOf(url)
  // It was judged with the rest of the address.
  if (literal !== undefined) return [literal]
  const { lookup = lookUp } = way
  const found = await unlessEnded(lookup(url.hostname), way.ending)
  const addresses = [...new Set(found.map(({ address }) => address))]
  // One that is private among public ones is a trick, or a mistake of its owner.
  if (!addresses.every((address) => isAllowedAddress(address, way.network))) {
    throw new BlockedError('private')
  }
  const isIpv6 = (address: string) => address.includes(':')
  return addresses.sort((a, b) => Number(isIpv6(a)) - Number(isIpv6(b))).slice(0, ADDRESSES_MAX)
}

const ADDRESSES_MAX = 3

function sendTo(
  address: string,
  url: URL,
  { headers, body }: Message,
  { ending, ca }: Way,
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
      ...(literalOf(url) === undefined && { serverName: url.hostname }),
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
