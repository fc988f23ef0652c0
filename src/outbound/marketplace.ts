// The mirror that the catalog is read from. It is somebody's free service: one request at a time,
// a pause after each, a name that says who asks, and nothing fetched twice that has not changed.
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { setTimeout as sleepFor } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { readPublishTime } from '#rules/upstream.ts'

/** What the mirror said of a file, to ask later whether it has changed. */
export type Validator = { etag: string | null; last_modified: string | null }

export type Fetched =
  | { status: 'fresh'; text: string; validator: Validator }
  | { status: 'unchanged' }
  | { status: 'missing' }

export type MarketplaceOptions = {
  /** Root of a tcgcsv-shaped mirror: `https://…`, `http://…` or `file:///…`. */
  upstreamUrl: string
  /** Says who asks and where to complain; mirrors refuse blank and generic ones. */
  userAgent: string
  /** Rest after each request; a folder needs none. */
  pauseMs?: number
  /** For one attempt, its body included. */
  timeoutMs?: number
  /** Further attempts after the first, on faults that may pass. */
  retries?: number
  /** Rest before the first retry; doubled for each one after. */
  backoffMs?: number
  /** What a file may hold after unpacking. */
  fileBytesMax?: number
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
  log?: (event: string, facts: Record<string, string | number>) => void
}

export type Marketplace = ReturnType<typeof openMarketplace>

/** The mirror did not give what was asked for. `path` is the file, the message a plain sentence. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'

  constructor(
    readonly path: string,
    sentence: string,
    options?: ErrorOptions,
  ) {
    super(`${path}: ${sentence}`, options)
  }
}

/**
 * Opens a mirror; nothing is fetched yet.
 *
 * @throws Error when the address is none, or of a kind that is not read
 */
export function openMarketplace(options: MarketplaceOptions) {
  const closing = new AbortController()
  const root = rootOf(options.upstreamUrl)
  const ask =
    root.protocol === 'file:' ? openFolder(root, options) : openWeb(root, options, closing)

  /**
   * One file below the root, unless it is as `known` says.
   *
   * @throws UpstreamError when the mirror cannot be asked, refuses, or gives too much
   */
  async function file(path: string, known?: Validator): Promise<Fetched> {
    if (!PATH.test(path))
      throw new UpstreamError(path, 'this is no path below the root of the mirror.')
    if (closing.signal.aborted) throw stopped(path)
    return ask(path, known)
  }

  return {
    file,

    /**
     * When the mirror last published prices.
     *
     * @throws UpstreamError when it does not tell
     */
    async publishTime(): Promise<Date> {
      const fetched = await file(PUBLISH_TIME)
      if (fetched.status !== 'fresh') {
        throw new UpstreamError(
          PUBLISH_TIME,
          'there is no such file; is UPSTREAM_URL the root of a mirror?',
        )
      }
      try {
        return readPublishTime(fetched.text)
      } catch (cause) {
        throw new UpstreamError(PUBLISH_TIME, messageOf(cause), { cause })
      }
    },

    games: () => 'tcgplayer/categories',
    sets: (gameId: number) => `tcgplayer/${gameId}/groups`,
    products: (gameId: number, setId: number) => `tcgplayer/${gameId}/${setId}/products`,
    prices: (gameId: number, setId: number) => `tcgplayer/${gameId}/${setId}/prices`,

    /** Ends what is in flight; whoever waits for it gets an UpstreamError. */
    close(): void {
      closing.abort()
    },
  }
}

const PUBLISH_TIME = 'last-updated.txt'

// Plain names, none of them hidden, "." or "..": nothing of this can lead out of the root.
const PATH = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/

const PAUSE_MS = 100
const TIMEOUT_MS = 30_000
const RETRIES = 5
const BACKOFF_MS = 500
const BACKOFF_MS_MAX = 60_000
// The mirror shuts out who asks too much for ten minutes; waiting longer than that helps nobody.
const RETRY_AFTER_MS_MAX = 600_000
const FILE_BYTES_MAX = 256 * 1024 * 1024
const REDIRECTS_MAX = 5

type Ask = (path: string, known: Validator | undefined) => Promise<Fetched>

/** What one attempt came to; `again`: the fault may pass, and the mirror may have said when. */
type Attempt = Fetched | { status: 'again'; why: string; waitMs: number }

function rootOf(upstreamUrl: string): URL {
  const root = URL.parse(upstreamUrl.endsWith('/') ? upstreamUrl : `${upstreamUrl}/`)
  if (root === null || !['https:', 'http:', 'file:'].includes(root.protocol)) {
    throw new Error('The address of the mirror must begin with https://, http:// or file:///.')
  }
  return root
}

function openWeb(root: URL, options: MarketplaceOptions, closing: AbortController): Ask {
  const { retries = RETRIES, backoffMs = BACKOFF_MS, pauseMs = PAUSE_MS } = options
  const { sleep = sleepUntil, timeoutMs = TIMEOUT_MS } = options
  let turn: Promise<unknown> = Promise.resolve()
  let restedFrom = Number.NEGATIVE_INFINITY

  async function rest(path: string, ms: number): Promise<void> {
    // A sleep that ends early was woken by the closing.
    await sleep(ms, closing.signal).catch(() => undefined)
    if (closing.signal.aborted) throw stopped(path)
  }

  async function attempt(path: string, known: Validator | undefined): Promise<Attempt> {
    const remaining = restedFrom + pauseMs - performance.now()
    if (remaining > 0) await rest(path, remaining)
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)])
    try {
      const response = await follow(path, new URL(path, root), signal, headersOf(options, known))
      return await judge(path, response, known, options)
    } catch (cause) {
      if (closing.signal.aborted) throw stopped(path)
      if (cause instanceof UpstreamError) throw cause
      return { status: 'again', why: whyNetwork(cause, timeoutMs), waitMs: 0 }
    } finally {
      restedFrom = performance.now()
    }
  }

  async function persist(path: string, known: Validator | undefined): Promise<Fetched> {
    for (let tries = 1; ; tries++) {
      if (closing.signal.aborted) throw stopped(path)
      const result = await attempt(path, known)
      if (result.status !== 'again') return result
      if (tries > retries) {
        throw new UpstreamError(path, `${result.why}; given up after ${tries} attempts.`)
      }
      const waitMs = Math.max(result.waitMs, backoff(backoffMs, tries))
      options.log?.('upstream_retry', { path, why: result.why, tries, wait_ms: Math.round(waitMs) })
      await rest(path, waitMs)
    }
  }

  return (path, known) => {
    const mine = turn.then(() => persist(path, known))
    // The next one's turn comes whatever became of this one.
    turn = mine.catch(() => undefined)
    return mine
  }
}

/** Doubles with each try; the random half keeps many installations from coming back at once. */
function backoff(firstMs: number, tries: number): number {
  return Math.min(firstMs * 2 ** (tries - 1), BACKOFF_MS_MAX) * (0.5 + Math.random() / 2)
}

function headersOf(options: MarketplaceOptions, known: Validator | undefined): Headers {
  const headers = new Headers({ 'User-Agent': options.userAgent, Accept: 'application/json, */*' })
  if (known?.etag) headers.set('If-None-Match', known.etag)
  if (known?.last_modified) headers.set('If-Modified-Since', known.last_modified)
  return headers
}

async function follow(
  path: string,
  start: URL,
  signal: AbortSignal,
  headers: Headers,
): Promise<Response> {
  let url = start
  for (let hops = 0; hops <= REDIRECTS_MAX; hops++) {
    const response = await fetch(url, { headers, signal, redirect: 'manual' })
    if (!REDIRECTS.has(response.status)) return response
    await response.body?.cancel()
    url = nextHop(path, url, response.headers.get('location'))
  }
  throw new UpstreamError(path, `the mirror redirects more than ${REDIRECTS_MAX} times.`)
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

function nextHop(path: string, from: URL, location: string | null): URL {
  const next = location === null ? null : URL.parse(location, from)
  if (next === null) throw new UpstreamError(path, 'the mirror redirects without saying where to.')
  const isSafe =
    next.protocol === 'https:' || (next.protocol === 'http:' && from.protocol === 'http:')
  if (isSafe) return next
  throw new UpstreamError(
    path,
    `the mirror redirects to ${next.protocol}//, which is not followed.`,
  )
}

/** What a response means. */
async function judge(
  path: string,
  response: Response,
  known: Validator | undefined,
  options: MarketplaceOptions,
): Promise<Attempt> {
  const { status } = response
  if (status === 200) return receive(path, response, known, options.fileBytesMax ?? FILE_BYTES_MAX)
  await response.body?.cancel()
  if (status === 304 && known !== undefined) return { status: 'unchanged' }
  if (status === 404) return { status: 'missing' }
  if (status === 429 || status === 408 || status >= 500) {
    return { status: 'again', why: `the mirror answers ${status}`, waitMs: retryAfter(response) }
  }
  if (status === 401 || status === 403) {
    throw new UpstreamError(
      path,
      `the mirror refuses us (${status}). It may not accept the user agent "${options.userAgent}", ` +
        'or it has closed this file or shut out this address; see its own pages.',
    )
  }
  throw new UpstreamError(path, `the mirror answers ${status}, which means nothing here.`)
}

async function receive(
  path: string,
  response: Response,
  known: Validator | undefined,
  bytesMax: number,
): Promise<Fetched> {
  const validator = {
    etag: response.headers.get('etag'),
    last_modified: response.headers.get('last-modified'),
  }
  // Some mirrors tag their files but do not look at the tag they are asked with.
  if (validator.etag !== null && validator.etag === known?.etag) {
    await response.body?.cancel()
    return { status: 'unchanged' }
  }
  return {
    status: 'fresh',
    text: decode(path, await readBody(path, response, bytesMax)),
    validator,
  }
}

/** The unpacked body; stops reading where it grows beyond the limit. */
async function readBody(path: string, response: Response, bytesMax: number): Promise<Uint8Array> {
  const reader = response.body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const chunk = await reader?.read()
    if (chunk?.value === undefined) return Buffer.concat(chunks, size)
    size += chunk.value.length
    chunks.push(chunk.value)
    if (size <= bytesMax) continue
    await reader?.cancel()
    throw tooLarge(path, bytesMax)
  }
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new UpstreamError(path, 'the file is no UTF-8 text.', { cause })
  }
}

/** Milliseconds that the mirror asks to be left alone for, from seconds or a date; 0 when none. */
function retryAfter(response: Response): number {
  const header = response.headers.get('retry-after') ?? ''
  // Against the mirror's own clock where it tells it, which may differ from ours.
  const now = Date.parse(response.headers.get('date') ?? '') || Date.now()
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now
  return Number.isNaN(ms) ? 0 : Math.min(Math.max(ms, 0), RETRY_AFTER_MS_MAX)
}

function whyNetwork(cause: unknown, timeoutMs: number): string {
  if (!(cause instanceof Error)) return 'the connection failed'
  if (cause.name === 'TimeoutError') return `the mirror took more than ${timeoutMs} ms`
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name
  return `the connection failed or was cut off (${code})`
}

/** A folder in the mirror's layout. Its entity tags are made of size and time of change. */
function openFolder(root: URL, options: MarketplaceOptions): Ask {
  const bytesMax = options.fileBytesMax ?? FILE_BYTES_MAX
  const folder = fileURLToPath(root)

  return async (path, known) => {
    try {
      const home = await realpath(folder).catch(() => undefined)
      if (home === undefined) throw new UpstreamError(path, `there is no folder ${folder}.`)
      const real = await realpath(join(home, path))
      if (!real.startsWith(home.endsWith(sep) ? home : home + sep)) {
        throw new UpstreamError(path, 'this links to a place outside the folder of the mirror.')
      }
      const facts = await stat(real, { bigint: true })
      if (!facts.isFile()) return { status: 'missing' }
      const etag = `"${facts.size.toString(36)}-${facts.mtimeNs.toString(36)}"`
      if (known?.etag === etag) return { status: 'unchanged' }
      if (facts.size > bytesMax) throw tooLarge(path, bytesMax)
      const text = decode(path, await readFile(real))
      return {
        status: 'fresh',
        text,
        validator: { etag, last_modified: facts.mtime.toUTCString() },
      }
    } catch (cause) {
      if (cause instanceof UpstreamError) throw cause
      const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
      if (code === 'ENOENT' || code === 'ENOTDIR') return { status: 'missing' }
      throw new UpstreamError(path, `the file cannot be read (${messageOf(cause)}).`, { cause })
    }
  }
}

function sleepUntil(ms: number, signal: AbortSignal): Promise<unknown> {
  return sleepFor(ms, undefined, { signal })
}

function stopped(path: string): UpstreamError {
  return new UpstreamError(path, 'not fetched, because Cardstock is closing the mirror.')
}

function tooLarge(path: string, bytesMax: number): UpstreamError {
  return new UpstreamError(path, `the file is larger than ${bytesMax} bytes.`)
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
