// Card pictures, from wherever the catalog says that they are. It is somebody's server: few requests
// at once, a pause between them, a name that says who asks, and rest when it says that it is too much.
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { setTimeout as sleepFor } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  backoffMs,
  describeNetworkError,
  fetchWithRedirects,
  isTransient,
  readBody,
  retryAfterMs,
  type UrlGuard,
  WebError,
} from '../net/http-client.ts'
import { createSemaphore } from '../net/semaphore.ts'

export type PictureResult =
  | { status: 'fresh'; bytes: Uint8Array; etag: string | null }
  | { status: 'unchanged' }
  /** There is none at this address, or none of a size or kind that is read. */
  | { status: 'missing'; why: string }
  /** The place could not be asked: what it has is not known. `restMs`: it was not, and rests so long. */
  | { status: 'unreachable'; why: string; restMs?: number }

export type CardPictures = ReturnType<typeof openCardPictures>

export type CardPicturesOptions = {
  /** Says who asks and where to complain. */
  userAgent: string
  /** Where relative and `file:` addresses lead to; nothing outside of them is read. */
  folders: readonly string[]
  /** Requests under way, to all hosts together. */
  atOnceMax?: number
  /** From the begin of one request to the begin of the next, for each host. */
  pauseMs?: number
  /** For one attempt, its body included. */
  timeoutMs?: number
  /** Further attempts after the first, on faults that may pass. */
  retries?: number
  /** Rest of a host after the first fault; doubled for each one after. */
  backoffMs?: number
  pictureBytesMax?: number
  /** Who would wait longer for a host that rests does not wait; forever, unless it is given. */
  patienceMs?: number
  /** Judges each address before it is asked. */
  guard?: UrlGuard
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** Opens the way to the pictures; nothing is fetched yet. */
export function openCardPictures(options: CardPicturesOptions) {
  const closing = new AbortController()
  const web = openWeb(options, closing.signal)
  const folders = openFolders(options)

  return {
    /** The picture at an address of the catalog, unless it is tagged as `etag` says. */
    fetch(address: string, etag: string | null): Promise<PictureResult> {
      const url = URL.parse(address)
      if (url === null) return folders((home) => join(home, address), etag)
      if (url.protocol === 'https:' || url.protocol === 'http:') return web(url, etag)
      if (url.protocol === 'file:') return folders(() => fileURLToPath(url), etag)
      return Promise.resolve({ status: 'missing', why: `${url.protocol} is not read` })
    },
    /** Ends what is under way. */
    close(): void {
      closing.abort()
    },
  }
}

const AT_ONCE_MAX = 4
const PAUSE_MS = 100
const TIMEOUT_MS = 30_000
const RETRIES = 3
const BACKOFF_MS = 1_000
const PICTURE_BYTES_MAX = 10 * 1024 * 1024

type Attempt = PictureResult | { status: 'again'; why: string; waitMs: number }

function openWeb(options: CardPicturesOptions, closing: AbortSignal) {
  const { timeoutMs = TIMEOUT_MS, retries = RETRIES, backoffMs: firstMs = BACKOFF_MS } = options
  const { pictureBytesMax = PICTURE_BYTES_MAX, patienceMs = Infinity, guard } = options
  const places = createSemaphore(options.atOnceMax ?? AT_ONCE_MAX)
  const turns = openTurns(options, closing)

  async function attempt(url: URL, etag: string | null): Promise<Attempt> {
    const signal = AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)])
    const headers = new Headers({ 'User-Agent': options.userAgent, Accept: 'image/*' })
    if (etag !== null) headers.set('If-None-Match', etag)
    try {
      return await judge(
        await fetchWithRedirects(url, { headers, signal, guard }),
        etag,
        pictureBytesMax,
      )
    } catch (cause) {
      if (cause instanceof WebError) return { status: 'missing', why: `the host ${cause.message}` }
      return { status: 'again', why: describeNetworkError(cause, 'the host', timeoutMs), waitMs: 0 }
    }
  }

  async function persist(url: URL, etag: string | null): Promise<PictureResult> {
    for (let tries = 1; ; tries++) {
      const restMs = turns.waitMs(url.host)
      if (restMs > patienceMs) return { status: 'unreachable', why: 'the host rests', restMs }
      await turns.next(url.host)
      if (closing.aborted) return { status: 'unreachable', why: 'Cardstock is stopping' }
      const result = await attempt(url, etag)
      if (result.status !== 'again') return result
      const isLast = tries > retries
      turns.rest(url.host, Math.max(result.waitMs, isLast ? 0 : backoffMs(firstMs, tries)))
      if (isLast) return { status: 'unreachable', why: result.why }
    }
  }

  return async (url: URL, etag: string | null): Promise<PictureResult> => {
    const leave = await places.acquire()
    try {
      return await persist(url, etag)
    } finally {
      leave()
    }
  }
}

/** What a response means. */
async function judge(response: Response, etag: string | null, bytesMax: number): Promise<Attempt> {
  const { status } = response
  if (status === 200) {
    const bytes = await readBody(response, bytesMax)
    return bytes === undefined
      ? { status: 'missing', why: `the picture is larger than ${bytesMax} bytes` }
      : { status: 'fresh', bytes, etag: response.headers.get('etag') }
  }
  await response.body?.cancel()
  if (status === 304 && etag !== null) return { status: 'unchanged' }
  if (isTransient(status)) {
    return { status: 'again', why: `the host answers ${status}`, waitMs: retryAfterMs(response) }
  }
  // Shut out from one picture, shut out from all: hosts that keep pictures answer 403 for one that
  // they do not have, too, so this alone does not end a run.
  return { status: 'missing', why: `the host answers ${status}` }
}

/** When each host may be asked next. */
function openTurns(
  { pauseMs = PAUSE_MS, sleep = sleepUntil }: CardPicturesOptions,
  closing: AbortSignal,
) {
  const nextAt = new Map<string, number>()
  const waitMs = (host: string) => (nextAt.get(host) ?? 0) - performance.now()

  return {
    /** Until a host may be asked; 0 or less: now. */
    waitMs,
    /** Resolves when it is one's turn, or when all ends. */
    async next(host: string): Promise<void> {
      for (;;) {
        const wait = waitMs(host)
        if (wait <= 0) break
        // A sleep that ends early was woken by the closing.
        await sleep(wait, closing).catch(() => undefined)
        if (closing.aborted) return
      }
      nextAt.set(host, performance.now() + pauseMs)
    },
    /** Leaves a host alone for a while, whoever wants something of it. */
    rest(host: string, ms: number): void {
      nextAt.set(host, Math.max(nextAt.get(host) ?? 0, performance.now() + ms))
    },
  }
}

function sleepUntil(ms: number, signal: AbortSignal): Promise<unknown> {
  return sleepFor(ms, undefined, { signal })
}

/** Pictures in folders. Their entity tags are made of size and time of change. */
function openFolders({ folders, pictureBytesMax = PICTURE_BYTES_MAX }: CardPicturesOptions) {
  async function read(
    folder: string,
    pathIn: (home: string) => string,
    etag: string | null,
  ): Promise<PictureResult | undefined> {
    const home = await realpath(folder)
    const real = await realpath(pathIn(home))
    if (!real.startsWith(home.endsWith(sep) ? home : home + sep)) return undefined
    const facts = await stat(real, { bigint: true })
    if (!facts.isFile()) return undefined
    const found = `"${facts.size.toString(36)}-${facts.mtimeNs.toString(36)}"`
    if (found === etag) return { status: 'unchanged' }
    if (facts.size > pictureBytesMax) {
      return { status: 'missing', why: `the picture is larger than ${pictureBytesMax} bytes` }
    }
    return { status: 'fresh', bytes: await readFile(real), etag: found }
  }

  return async (pathIn: (home: string) => string, etag: string | null): Promise<PictureResult> => {
    for (const folder of folders) {
      // What cannot be read in one folder may stand in the next.
      const found = await read(folder, pathIn, etag).catch(() => undefined)
      if (found !== undefined) return found
    }
    return { status: 'missing', why: 'there is no such file below the folders that are read' }
  }
}
