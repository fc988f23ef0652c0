// Client of the files below a root, on the web or in a folder. Mirrors are free services: send one request
// at a time, pause between requests, identify yourself, and fetch only files that changed.
import { setTimeout as sleepFor } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  backoffMs,
  describeNetworkError,
  fetchWithRedirects,
  isTransient,
  retryAfterMs,
  WebError,
} from '../net/http-client.ts'
import { createMirrorGuard } from '../net/ssrf-guard.ts'
import {
  type CacheValidator,
  type FetchedFile,
  type FetchPath,
  type Receive,
  tooLarge,
  UpstreamError,
} from './fetched-file.ts'
import { openFolder } from './folder-files.ts'

/** Address and limits of a root. */
export type RootFilesOptions = {
  /** Root of the files: `https://…`, `http://…` or `file:///…`. */
  rootUrl: string
  /** Name of the setting with the root, for messages. */
  setting: string
  /** Identifies the client and a contact; mirrors reject blank and generic values. */
  userAgent: string
  /** HTTP statuses that mean that a file does not exist. */
  missingStatuses?: readonly number[]
  /** Pause after each request; not used for folders. */
  pauseMs?: number | undefined
  /** Timeout of one attempt, including the body. */
  timeoutMs?: number | undefined
  /** Number of retries after transient errors. */
  retries?: number | undefined
  /** Delay before the first retry; doubled for each further one. */
  backoffMs?: number | undefined
  /** Maximum size of a file after decompression. */
  fileBytesMax: number
  sleep?: ((ms: number, signal: AbortSignal) => Promise<unknown>) | undefined
  log?: ((event: string, facts: Record<string, string | number>) => void) | undefined
}

/** Client of the files below a root. */
export type RootFiles = {
  fetch: FetchPath
  /** Cancels requests in progress and waiting ones; each rejects with an UpstreamError. */
  close(): void
}

/**
 * Opens a root; nothing is fetched yet.
 *
 * @throws Error if the URL is invalid or its scheme is not supported
 */
export function openRootFiles(options: RootFilesOptions): RootFiles {
  const closing = new AbortController()
  const root = parseRoot(options)
  const fetchPath =
    root.protocol === 'file:'
      ? openFolder(fileURLToPath(root), options.fileBytesMax)
      : openWeb(root, options, closing)
  return {
    async fetch(path, known, receive) {
      if (!PATH.test(path))
        throw new UpstreamError(path, 'the path is not below the root of the mirror.')
      if (closing.signal.aborted) throw stopped(path)
      return fetchPath(path, known, receive)
    },
    close() {
      closing.abort()
    },
  }
}

// Plain names except hidden ones, "." and "..", so that no path leaves the root.
const PATH = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/

const PAUSE_MS = 100
const TIMEOUT_MS = 30_000
const RETRIES = 5
const BACKOFF_MS = 500

/** Result of one attempt. `retry` is a transient error; the mirror may have requested a delay. */
type Attempt<T> = FetchedFile<T> | { status: 'retry'; why: string; waitMs: number }

function parseRoot({ rootUrl, setting }: RootFilesOptions): URL {
  const root = URL.parse(rootUrl.endsWith('/') ? rootUrl : `${rootUrl}/`)
  if (root === null || !['https:', 'http:', 'file:'].includes(root.protocol)) {
    throw new Error(`${setting} must begin with https://, http:// or file:///.`)
  }
  return root
}

function openWeb(root: URL, options: RootFilesOptions, closing: AbortController): FetchPath {
  const { retries = RETRIES, backoffMs: firstMs = BACKOFF_MS, pauseMs = PAUSE_MS } = options
  const { timeoutMs = TIMEOUT_MS, setting } = options
  const { sleep = (ms, signal) => sleepFor(ms, undefined, { signal }) } = options
  const guard = createMirrorGuard(root, { setting })
  let queue: Promise<unknown> = Promise.resolve()
  let lastRequestAt = Number.NEGATIVE_INFINITY

  async function pause(path: string, ms: number): Promise<void> {
    // Closing rejects the sleep early.
    await sleep(ms, closing.signal).catch(() => undefined)
    if (closing.signal.aborted) throw stopped(path)
  }

  async function tryOnce<T>(
    path: string,
    known: CacheValidator | undefined,
    receive: Receive<T>,
  ): Promise<Attempt<T>> {
    const remaining = lastRequestAt + pauseMs - performance.now()
    if (remaining > 0) await pause(path, remaining)
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)])
    try {
      const headers = requestHeaders(options, known)
      const url = new URL(path, root)
      const response = await fetchWithRedirects(url, { headers, signal, guard }).catch(interrupted)
      return await interpret(path, response, { known, options, receive })
    } catch (error) {
      if (closing.signal.aborted) throw stopped(path)
      if (!(error instanceof InterruptedError)) throw error
      const { cause } = error
      if (cause instanceof WebError) {
        throw new UpstreamError(path, `the mirror ${cause.message}`, { cause })
      }
      const why = describeNetworkError(cause, 'the mirror', timeoutMs)
      return { status: 'retry', why, waitMs: 0 }
    } finally {
      lastRequestAt = performance.now()
    }
  }

  async function fetchWithRetries<T>(
    path: string,
    known: CacheValidator | undefined,
    receive: Receive<T>,
  ): Promise<FetchedFile<T>> {
    for (let tries = 1; ; tries++) {
      if (closing.signal.aborted) throw stopped(path)
      const result = await tryOnce(path, known, receive)
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

  return (path, known, receive) => {
    const result = queue.then(() => fetchWithRetries(path, known, receive))
    // The queue continues even if this request fails.
    queue = result.catch(() => undefined)
    return result
  }
}

/** The connection failed, was refused or was interrupted; the reason is `cause`. */
class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
}

function interrupted(cause: unknown): never {
  throw new InterruptedError('the transfer was interrupted', { cause })
}

function requestHeaders(options: RootFilesOptions, known: CacheValidator | undefined): Headers {
  const headers = new Headers({ 'User-Agent': options.userAgent, Accept: 'application/json, */*' })
  if (known?.etag) headers.set('If-None-Match', known.etag)
  if (known?.last_modified) headers.set('If-Modified-Since', known.last_modified)
  return headers
}

async function interpret<T>(
  path: string,
  response: Response,
  { known, options, receive }: Reception<T>,
): Promise<Attempt<T>> {
  const { status } = response
  const { missingStatuses = [404] } = options
  if (status === 200) return receiveFresh(path, response, { known, options, receive })
  await response.body?.cancel()
  if (status === 304 && known !== undefined) return { status: 'unchanged' }
  if (missingStatuses.includes(status)) return { status: 'missing' }
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

type Reception<T> = {
  known: CacheValidator | undefined
  options: RootFilesOptions
  receive: Receive<T>
}

async function receiveFresh<T>(
  path: string,
  response: Response,
  { known, options, receive }: Reception<T>,
): Promise<FetchedFile<T>> {
  const validator = {
    etag: response.headers.get('etag'),
    last_modified: response.headers.get('last-modified'),
  }
  // Some mirrors send entity tags but ignore If-None-Match.
  if (validator.etag !== null && validator.etag === known?.etag) {
    await response.body?.cancel()
    return { status: 'unchanged' }
  }
  const content = await receive(readChunks(path, response, options.fileBytesMax))
  return { status: 'fresh', content, validator }
}

/** Reads a body up to the limit, and only as far as the receiver consumes it. */
async function* readChunks(
  path: string,
  response: Response,
  bytesMax: number,
): AsyncGenerator<Uint8Array> {
  const reader = response.body?.getReader()
  let size = 0
  try {
    for (;;) {
      const chunk = await reader?.read().catch(interrupted)
      if (chunk?.value === undefined) return
      size += chunk.value.length
      if (size > bytesMax) throw tooLarge(path, bytesMax)
      yield chunk.value
    }
  } finally {
    await reader?.cancel().catch(() => undefined)
  }
}

function stopped(path: string): UpstreamError {
  return new UpstreamError(path, 'not fetched, because Cardstock is stopping.')
}
