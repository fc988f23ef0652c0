import { readFile, stat } from 'node:fs/promises'
import { setTimeout as sleepFor } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { ServiceError } from '#rules/primitives/errors.ts'
import { errorMessage } from '#rules/primitives/system-errors.ts'
import {
  backoffMs,
  describeNetworkError,
  fetchWithRedirects,
  isTransient,
  readBody,
  retryAfterMs,
  WebError,
} from '../net/http-client.ts'
import { createMirrorGuard } from '../net/ssrf-guard.ts'

/** Address and limits of a file of reference rates. */
export type RateFileOptions = {
  /** `https://…` or `file:///…`. */
  url: string
  /** Identifies the client and a contact. */
  userAgent: string
  bytesMax: number
  /** Timeout of one attempt, including the body. */
  timeoutMs?: number
  /** Number of retries after transient errors. */
  retries?: number
  sleep?: (ms: number) => Promise<unknown>
}

const TIMEOUT_MS = 60_000
const RETRIES = 3
const BACKOFF_MS = 2_000

/**
 * Fetches a file of reference rates. Does not use `openRootFiles`, because the URL may have a query and any name, and
 * without an older copy no validators are sent.
 *
 * @throws ServiceError UNAVAILABLE with the reason
 */
export async function fetchRateFile(options: RateFileOptions): Promise<Uint8Array> {
  const url = new URL(options.url)
  if (url.protocol === 'file:') return readLocal(fileURLToPath(url), options.bytesMax)
  const { retries = RETRIES, sleep = sleepFor } = options
  for (let tries = 1; ; tries++) {
    const result = await tryOnce(url, options)
    if (result instanceof Uint8Array) return result
    if (tries > retries) throw unavailable(result.why)
    await sleep(Math.max(result.waitMs, backoffMs(BACKOFF_MS, tries)))
  }
}

/** A transient error; the server may have requested a delay. */
type Retry = { why: string; waitMs: number }

async function tryOnce(
  url: URL,
  { userAgent, bytesMax, timeoutMs = TIMEOUT_MS }: RateFileOptions,
): Promise<Uint8Array | Retry> {
  const signal = AbortSignal.timeout(timeoutMs)
  const headers = new Headers({ 'User-Agent': userAgent, Accept: '*/*' })
  const guard = createMirrorGuard(url, { setting: 'EXCHANGE_RATES_URL' })
  try {
    const response = await fetchWithRedirects(url, { headers, signal, guard })
    if (response.status === 200) {
      const body = await readBody(response, bytesMax)
      return body ?? Promise.reject(tooLarge(bytesMax))
    }
    await response.body?.cancel()
    const why = `the server responded with ${response.status}`
    if (isTransient(response.status)) return { why, waitMs: retryAfterMs(response) }
    throw unavailable(why)
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    if (cause instanceof WebError) throw unavailable(`the server ${cause.message}`)
    return { why: describeNetworkError(cause, 'the server', timeoutMs), waitMs: 0 }
  }
}

async function readLocal(path: string, bytesMax: number): Promise<Uint8Array> {
  try {
    const file = await stat(path)
    if (!file.isFile()) throw unavailable(`${path} is not a regular file`)
    if (file.size > bytesMax) throw tooLarge(bytesMax)
    return await readFile(path)
  } catch (cause) {
    if (cause instanceof ServiceError) throw cause
    throw unavailable(`the file cannot be read (${errorMessage(cause)})`)
  }
}

function tooLarge(bytesMax: number): ServiceError {
  return unavailable(`the file is larger than ${bytesMax} bytes`)
}

function unavailable(why: string): ServiceError {
  const message = `The exchange rates could not be fetched: ${why.replace(/\.$/, '')}. Check EXCHANGE_RATES_URL.`
  return new ServiceError('UNAVAILABLE', message)
}
