// Client of the mirror from which the catalog is read. Mirrors are free services: send one request
// at a time, pause between requests, identify yourself, and fetch only files that changed.
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { setTimeout as sleepFor } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { errorMessage } from '#rules/primitives/system-error-code.ts'
import { parsePublishTime } from '#rules/sync/upstream.ts'
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

/** Cache validators of a file, for conditional requests. */
export type CacheValidator = { etag: string | null; last_modified: string | null }

/** Result of a conditional request. */
export type FetchResult =
  | { status: 'fresh'; text: string; validator: CacheValidator }
  | { status: 'unchanged' }
  | { status: 'missing' }

/** Address and limits of a mirror. */
export type MarketplaceOptions = {
  /** Root of a tcgcsv-shaped mirror: `https://…`, `http://…` or `file:///…`. */
  upstreamUrl: string
  /** Identifies the client and a contact; mirrors reject blank and generic values. */
  userAgent: string
  /** Pause after each request; not used for folders. */
  pauseMs?: number
  /** Timeout of one attempt, including the body. */
  timeoutMs?: number
  /** Number of retries after transient errors. */
  retries?: number
  /** Delay before the first retry; doubled for each further one. */
  backoffMs?: number
  /** Maximum size of a file after decompression. */
  fileBytesMax?: number
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
  log?: (event: string, facts: Record<string, string | number>) => void
}

/** Client of a mirror. */
export type Marketplace = {
  /** Fetches a file below the root unless it still has the validators in `known`. @throws UpstreamError */
  fetchFile(path: string, known?: CacheValidator): Promise<FetchResult>
  /** Fetches the time at which the mirror last published prices. @throws UpstreamError */
  fetchPublishTime(): Promise<Date>
  /** Returns the path of the list of games. */
  gamesPath(): string
  /** Returns the path of a game's sets. */
  setsPath(gameId: number): string
  /** Returns the path of a set's products. */
  productsPath(gameId: number, setId: number): string
  /** Returns the path of a set's prices. */
  pricesPath(gameId: number, setId: number): string
  /** Cancels requests in progress and waiting ones; each rejects with an UpstreamError. */
  close(): void
}

/** The mirror did not return the file `path`. The message is a full sentence for the operator. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'

  constructor(
    readonly path: string,
    problem: string,
    options?: ErrorOptions,
  ) {
    super(`${path}: ${problem}`, options)
  }
}

/**
 * Opens a mirror; nothing is fetched yet.
 *
 * @throws Error if the URL is invalid or its scheme is not supported
 */
export function openMarketplace(options: MarketplaceOptions): Marketplace {
  const closing = new AbortController()
  const root = parseRoot(options.upstreamUrl)
  const fetchPath =
    root.protocol === 'file:' ? openFolder(root, options) : openWeb(root, options, closing)

  async function fetchFile(path: string, known?: CacheValidator): Promise<FetchResult> {
    if (!PATH.test(path))
      throw new UpstreamError(path, 'the path is not below the root of the mirror.')
    if (closing.signal.aborted) throw stopped(path)
    return fetchPath(path, known)
  }

  return {
    fetchFile,

    async fetchPublishTime() {
      const result = await fetchFile(PUBLISH_TIME)
      if (result.status !== 'fresh') {
        const problem = 'the file does not exist. Use the address of the folder that contains it.'
        throw new UpstreamError(PUBLISH_TIME, problem)
      }
      try {
        return parsePublishTime(result.text)
      } catch (cause) {
        throw new UpstreamError(PUBLISH_TIME, errorMessage(cause), { cause })
      }
    },

    gamesPath: () => 'tcgplayer/categories',
    setsPath: (gameId) => `tcgplayer/${gameId}/groups`,
    productsPath: (gameId, setId) => `tcgplayer/${gameId}/${setId}/products`,
    pricesPath: (gameId, setId) => `tcgplayer/${gameId}/${setId}/prices`,

    close() {
      closing.abort()
    },
  }
}

const PUBLISH_TIME = 'last-updated.txt'

// Plain names, none of them hidden, "." or "..", so no path leads out of the root.
const PATH = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/

const PAUSE_MS = 100
const TIMEOUT_MS = 30_000
const RETRIES = 5
const BACKOFF_MS = 500
/** Five times the largest of 3,500 files of the mirror, which has 1.7 MB. A sync needs a multiple of it. */
const FILE_BYTES_MAX = 8 * 1024 * 1024

type FetchPath = (path: string, known: CacheValidator | undefined) => Promise<FetchResult>

/** Result of one attempt. `retry` is a transient error; the mirror may have set the delay. */
type Attempt = FetchResult | { status: 'retry'; why: string; waitMs: number }

function parseRoot(upstreamUrl: string): URL {
  const root = URL.parse(upstreamUrl.endsWith('/') ? upstreamUrl : `${upstreamUrl}/`)
  if (root === null || !['https:', 'http:', 'file:'].includes(root.protocol)) {
    throw new Error('UPSTREAM_URL must begin with https://, http:// or file:///.')
  }
  return root
}

function openWeb(root: URL, options: MarketplaceOptions, closing: AbortController): FetchPath {
  const { retries = RETRIES, backoffMs: firstMs = BACKOFF_MS, pauseMs = PAUSE_MS } = options
  const { timeoutMs = TIMEOUT_MS } = options
  const { sleep = (ms, signal) => sleepFor(ms, undefined, { signal }) } = options
  const guard = createMirrorGuard(root)
  let queue: Promise<unknown> = Promise.resolve()
  let lastRequestAt = Number.NEGATIVE_INFINITY

  async function pause(path: string, ms: number): Promise<void> {
    // Closing rejects the sleep early.
    await sleep(ms, closing.signal).catch(() => undefined)
    if (closing.signal.aborted) throw stopped(path)
  }

  async function tryOnce(path: string, known: CacheValidator | undefined): Promise<Attempt> {
    const remaining = lastRequestAt + pauseMs - performance.now()
    if (remaining > 0) await pause(path, remaining)
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)])
    try {
      const headers = requestHeaders(options, known)
      const response = await fetchWithRedirects(new URL(path, root), { headers, signal, guard })
      return await interpret(path, response, known, options)
    } catch (cause) {
      if (closing.signal.aborted) throw stopped(path)
      if (cause instanceof UpstreamError) throw cause
      if (cause instanceof WebError) {
        throw new UpstreamError(path, `the mirror ${cause.message}`, { cause })
      }
      const why = describeNetworkError(cause, 'the mirror', timeoutMs)
      return { status: 'retry', why, waitMs: 0 }
    } finally {
      lastRequestAt = performance.now()
    }
  }

  const fetchWithRetries: FetchPath = async (path, known) => {
    for (let tries = 1; ; tries++) {
      if (closing.signal.aborted) throw stopped(path)
      const result = await tryOnce(path, known)
      if (result.status !== 'retry') return result
      if (tries > retries) {
        const after = tries === 1 ? '' : `; gave up after ${tries} attempts`
        throw new UpstreamError(path, `${result.why}${after}.`)
      }
      const waitMs = Math.max(result.waitMs, backoffMs(firstMs, tries))
      options.log?.('upstream_retry', { path, why: result.why, tries, wait_ms: Math.round(waitMs) })
      await pause(path, waitMs)
    }
  }

  return (path, known) => {
    const result = queue.then(() => fetchWithRetries(path, known))
    // The queue continues even if this request fails.
    queue = result.catch(() => undefined)
    return result
  }
}

function requestHeaders(options: MarketplaceOptions, known: CacheValidator | undefined): Headers {
  const headers = new Headers({ 'User-Agent': options.userAgent, Accept: 'application/json, */*' })
  if (known?.etag) headers.set('If-None-Match', known.etag)
  if (known?.last_modified) headers.set('If-Modified-Since', known.last_modified)
  return headers
}

async function interpret(
  path: string,
  response: Response,
  known: CacheValidator | undefined,
  options: MarketplaceOptions,
): Promise<Attempt> {
  const { status } = response
  const { fileBytesMax = FILE_BYTES_MAX } = options
  if (status === 200) return readFresh(path, response, known, fileBytesMax)
  await response.body?.cancel()
  if (status === 304 && known !== undefined) return { status: 'unchanged' }
  if (status === 404) return { status: 'missing' }
  if (isTransient(status)) {
    const why = `the mirror responded with ${status}`
    return { status: 'retry', why, waitMs: retryAfterMs(response) }
  }
  if (status === 401 || status === 403) {
    const refused = `the mirror refused the request (${status}). It may reject the user agent`
    const remedy = 'or this IP address, or the file may be restricted. Check its website.'
    throw new UpstreamError(path, `${refused} "${options.userAgent}" ${remedy}`)
  }
  throw new UpstreamError(path, `the mirror responded with ${status}, which is not expected.`)
}

async function readFresh(
  path: string,
  response: Response,
  known: CacheValidator | undefined,
  bytesMax: number,
): Promise<FetchResult> {
  const validator = {
    etag: response.headers.get('etag'),
    last_modified: response.headers.get('last-modified'),
  }
  // Some mirrors send entity tags but ignore If-None-Match.
  if (validator.etag !== null && validator.etag === known?.etag) {
    await response.body?.cancel()
    return { status: 'unchanged' }
  }
  const body = await readBody(response, bytesMax)
  if (body === undefined) throw tooLarge(path, bytesMax)
  return { status: 'fresh', text: decode(path, body), validator }
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new UpstreamError(path, 'the file is not valid UTF-8.', { cause })
  }
}

/** Opens a folder with the mirror's layout. Entity tags consist of size and modification time. */
function openFolder(root: URL, options: MarketplaceOptions): FetchPath {
  const bytesMax = options.fileBytesMax ?? FILE_BYTES_MAX
  const folder = fileURLToPath(root)

  return async (path, known) => {
    try {
      const home = await realpath(folder).catch(() => undefined)
      if (home === undefined) throw new UpstreamError(path, `the folder ${folder} does not exist.`)
      const real = await realpath(join(home, path))
      if (!real.startsWith(home.endsWith(sep) ? home : home + sep)) {
        throw new UpstreamError(path, 'the link leads out of the folder of the mirror.')
      }
      const info = await stat(real, { bigint: true })
      if (!info.isFile()) return { status: 'missing' }
      const etag = `"${info.size.toString(36)}-${info.mtimeNs.toString(36)}"`
      if (known?.etag === etag) return { status: 'unchanged' }
      if (info.size > bytesMax) throw tooLarge(path, bytesMax)
      const validator = { etag, last_modified: info.mtime.toUTCString() }
      return { status: 'fresh', text: decode(path, await readFile(real)), validator }
    } catch (cause) {
      if (cause instanceof UpstreamError) throw cause
      const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
      if (code === 'ENOENT' || code === 'ENOTDIR') return { status: 'missing' }
      throw new UpstreamError(path, `the file cannot be read (${errorMessage(cause)}).`, { cause })
    }
  }
}

function stopped(path: string): UpstreamError {
  return new UpstreamError(path, 'not fetched, because Cardstock is stopping.')
}

function tooLarge(path: string, bytesMax: number): UpstreamError {
  return new UpstreamError(path, `the file is larger than ${bytesMax} bytes.`)
}
