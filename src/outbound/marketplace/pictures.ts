// Client for card images, at the URLs of the catalog. Image hosts are third parties: limit concurrency, pause between
// requests, identify yourself, and back off when requested.

import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { setTimeout as sleepFor } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createFairQueue } from '#concurrency/fair-queue.ts'
import type { Config } from '#config.ts'
import packageJson from '../../../package.json' with { type: 'json' }
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
import { createSsrfGuard } from '../net/ssrf-guard.ts'

/** Result of a conditional request for an image. */
export type PictureResult =
  | { status: 'fresh'; bytes: Uint8Array; etag: string | null }
  | { status: 'unchanged' }
  /** The image does not exist, or has an unsupported size or kind. */
  | { status: 'missing'; why: string }
  /**
   * The host could not be reached, so nothing is known about the image. `restMs`: no request was sent, because the
   * host is in back-off for this long.
   */
  | { status: 'unreachable'; why: string; restMs?: number }

/** Client for the images of a catalog. */
export type CardPictures = {
  /** Fetches the image at a URL of the catalog, unless its entity tag is unchanged. */
  fetch(address: string, etag: string | null): Promise<PictureResult>
  /** Cancels all requests. */
  close(): void
}

/** Sources and limits of the client. */
export type CardPicturesOptions = {
  /** Identifies the client and a contact. */
  userAgent: string
  /** Folders for relative and `file:` URLs; nothing outside them is read. */
  folders: readonly string[]
  /** Maximum number of concurrent requests to all hosts together. */
  atOnceMax?: number
  /** Minimum time between two requests to the same host. */
  pauseMs?: number
  /** Timeout of one attempt, including the body. */
  timeoutMs?: number
  /** Number of retries after transient errors. */
  retries?: number
  /** Back-off of a host after the first error; doubled after each further one. */
  backoffMs?: number
  pictureBytesMax?: number
  /** Maximum time to wait for a host in back-off; unlimited by default. */
  patienceMs?: number
  /** Checks each URL before the request. */
  guard?: UrlGuard
  sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

/** Opens the client; nothing is fetched yet. */
export function openCardPictures(options: CardPicturesOptions): CardPictures {
  const closing = new AbortController()
  const web = openWeb(options, closing.signal)
  const folders = openFolders(options)

  return {
    fetch(address, etag) {
      const url = URL.parse(address)
      if (url === null) return folders((home) => join(home, address), etag)
      if (url.protocol === 'https:' || url.protocol === 'http:') return web(url, etag)
      if (url.protocol === 'file:') return folders(() => fileURLToPath(url), etag)
      return Promise.resolve({ status: 'missing', why: `${url.protocol} is not supported` })
    },
    close() {
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

type Attempt = PictureResult | { status: 'retry'; why: string; waitMs: number }

function openWeb(options: CardPicturesOptions, closing: AbortSignal) {
  const { timeoutMs = TIMEOUT_MS, retries = RETRIES, backoffMs: firstMs = BACKOFF_MS } = options
  const { pictureBytesMax = PICTURE_BYTES_MAX, patienceMs = Infinity, guard } = options
  const queue = createFairQueue<URL>({ atOnce: options.atOnceMax ?? AT_ONCE_MAX })
  const schedule = createHostSchedule(options, closing)

  async function tryOnce(url: URL, etag: string | null): Promise<Attempt> {
    const signal = AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)])
    const headers = new Headers({ 'User-Agent': options.userAgent, Accept: 'image/*' })
    if (etag !== null) headers.set('If-None-Match', etag)
    try {
      const response = await fetchWithRedirects(url, { headers, signal, guard })
      return await interpret(response, etag, pictureBytesMax)
    } catch (cause) {
      if (cause instanceof WebError) return { status: 'missing', why: `the host ${cause.message}` }
      return { status: 'retry', why: describeNetworkError(cause, 'the host', timeoutMs), waitMs: 0 }
    }
  }

  async function fetchWithRetries(url: URL, etag: string | null): Promise<PictureResult> {
    for (let tries = 1; ; tries++) {
      const restMs = schedule.waitMs(url.host)
      if (restMs > patienceMs)
        return { status: 'unreachable', why: 'the host is backing off', restMs }
      await schedule.waitForTurn(url.host)
      if (closing.aborted) return { status: 'unreachable', why: 'Cardstock is stopping' }
      const result = await tryOnce(url, etag)
      if (result.status !== 'retry') return result
      const isLast = tries > retries
      schedule.delay(url.host, Math.max(result.waitMs, isLast ? 0 : backoffMs(firstMs, tries)))
      if (isLast) return { status: 'unreachable', why: result.why }
    }
  }

  return (url: URL, etag: string | null): Promise<PictureResult> =>
    queue.run(url, () => fetchWithRetries(url, etag))
}

async function interpret(
  response: Response,
  etag: string | null,
  bytesMax: number,
): Promise<Attempt> {
  const { status } = response
  if (status === 200) {
    const bytes = await readBody(response, bytesMax)
    return bytes === undefined
      ? { status: 'missing', why: `the image is larger than ${bytesMax} bytes` }
      : { status: 'fresh', bytes, etag: response.headers.get('etag') }
  }
  await response.body?.cancel()
  if (status === 304 && etag !== null) return { status: 'unchanged' }
  const why = `the host responded with ${status}`
  if (isTransient(status)) {
    return { status: 'retry', why, waitMs: retryAfterMs(response) }
  }
  // Image hosts also answer 403 for missing images, so this alone does not end a run.
  return { status: 'missing', why }
}

/** Schedules the requests to each host. */
function createHostSchedule(
  {
    pauseMs = PAUSE_MS,
    sleep = (ms, signal) => sleepFor(ms, undefined, { signal }),
  }: CardPicturesOptions,
  closing: AbortSignal,
) {
  const nextAt = new Map<string, number>()
  const waitMs = (host: string) => (nextAt.get(host) ?? 0) - performance.now()

  return {
    /** Milliseconds until a request to a host may start; 0 or less means now. */
    waitMs,
    /** Resolves when a request may start, or when the client closes. */
    async waitForTurn(host: string): Promise<void> {
      for (;;) {
        const wait = waitMs(host)
        if (wait <= 0) break
        // Closing rejects the sleep early.
        await sleep(wait, closing).catch(() => undefined)
        if (closing.aborted) return
      }
      nextAt.set(host, performance.now() + pauseMs)
    },
    /** Delays all further requests to a host. */
    delay(host: string, ms: number): void {
      nextAt.set(host, Math.max(nextAt.get(host) ?? 0, performance.now() + ms))
    },
  }
}

/** Reads images from folders. Entity tags consist of size and modification time. */
function openFolders({ folders, pictureBytesMax = PICTURE_BYTES_MAX }: CardPicturesOptions) {
  async function read(
    folder: string,
    pathIn: (home: string) => string,
    etag: string | null,
  ): Promise<PictureResult | undefined> {
    const home = await realpath(folder)
    const real = await realpath(pathIn(home))
    if (!real.startsWith(home.endsWith(sep) ? home : home + sep)) return undefined
    const info = await stat(real, { bigint: true })
    if (!info.isFile()) return undefined
    const found = `"${info.size.toString(36)}-${info.mtimeNs.toString(36)}"`
    if (found === etag) return { status: 'unchanged' }
    if (info.size > pictureBytesMax) {
      return { status: 'missing', why: `the image is larger than ${pictureBytesMax} bytes` }
    }
    return { status: 'fresh', bytes: await readFile(real), etag: found }
  }

  return async (pathIn: (home: string) => string, etag: string | null): Promise<PictureResult> => {
    for (const folder of folders) {
      // A file that cannot be read in one folder may exist in the next.
      const found = await read(folder, pathIn, etag).catch(() => undefined)
      if (found !== undefined) return found
    }
    return { status: 'missing', why: 'the file does not exist in the allowed folders' }
  }
}

/** Folder of the sample's images, whose URLs in the catalog are relative. */
const SAMPLE = join(import.meta.dir, '../../../data/sample')

/** Opens the client for the images of the configured catalog. */
export function openCatalogPictures(
  { publicUrl, upstreamUrl }: Pick<Config, 'publicUrl' | 'upstreamUrl'>,
  options: Partial<CardPicturesOptions> = {},
): CardPictures {
  return openCardPictures({
    userAgent: `Cardstock/${packageJson.version} (+${publicUrl})`,
    folders: upstreamUrl?.startsWith('file:') ? [fileURLToPath(upstreamUrl), SAMPLE] : [SAMPLE],
    guard: createSsrfGuard(upstreamUrl),
    ...options,
  })
}

/**
 * Opens the client for images in pages, for which people wait. A slow image is requested again later. The queue of
 * waiting requests limits the requests to a host.
 *
 * @param read returns the current settings, because the operator can change the mirror
 */
export function openPagePictures(
  read: () => Pick<Config, 'publicUrl' | 'upstreamUrl'>,
): CardPictures {
  return openCatalogPictures(read(), {
    guard: (url, signal) => createSsrfGuard(read().upstreamUrl)(url, signal),
    atOnceMax: 8,
    timeoutMs: 8_000,
    retries: 1,
    patienceMs: 3_000,
  })
}
