import { LRUCache } from 'lru-cache'
import type { Deps } from '#deps.ts'
import {
  PICTURE_SIZES,
  PICTURE_WIDTHS,
  type PictureSize,
  pictureKey,
} from '#rules/catalog/picture-url.ts'
import { cardNotFound, ServiceError } from '#rules/primitives/errors.ts'
import { createImageQueue, tryLater } from './image-queue.ts'

/** Item of the catalog that may have an image. */
export type ImageSubject = { kind: 'card' | 'set'; id: number } | { kind: 'game'; slug: string }

type ImageDeps = Pick<Deps, 'catalog' | 'cardPictures' | 'files' | 'log' | 'now'>

type Sizes = Record<PictureSize, Uint8Array<ArrayBuffer>>

export type ImageServer = {
  /**
   * Returns an image as WebP.
   *
   * @param client key of the client; clients take turns
   * @throws ServiceError NOT_FOUND if the item has no image; UNAVAILABLE while it cannot be fetched
   */
  get(subject: ImageSubject, size: PictureSize, client: string): Promise<Uint8Array<ArrayBuffer>>
  /**
   * Returns a stored image. Otherwise returns undefined at once and fetches the image in the background for a later
   * request.
   *
   * @throws ServiceError NOT_FOUND if the item has no image; UNAVAILABLE if it could not be fetched
   */
  getStored(
    subject: ImageSubject,
    size: PictureSize,
    client: string,
  ): Promise<Uint8Array<ArrayBuffer> | undefined>
}

/**
 * Serves the catalog's images from the cache on disk. A missing image is fetched from its source, once for all
 * waiting requests, and stored in both sizes.
 *
 * @param options maximum wait of a request for an image, in milliseconds
 */
export function createImageServer(deps: ImageDeps, { waitMsMax = WAIT_MS_MAX } = {}): ImageServer {
  const { log, now } = deps
  const pictureFiles = deps.files.pictures
  const queue = createImageQueue(QUEUE_LIMITS)
  const pending = new Map<string, Promise<Sizes>>()
  const failures = createImageFailures(now)
  /** Latest images that could not be stored on the disk, for later requests. */
  const unstored = new LRUCache<string, Sizes>({ max: UNSTORED_MAX })

  function fetchOnce(url: string, client: string): Promise<Sizes> {
    const known = pending.get(url)
    if (known !== undefined) return known
    failures.check(url)
    const job = { client, host: URL.parse(url)?.host ?? '' }
    const begun = queue.run(job, () => fetchNow(url)).finally(() => pending.delete(url))
    pending.set(url, begun)
    return begun
  }

  async function fetchNow(url: string): Promise<Sizes> {
    // Another request or process may have stored it in the meantime.
    const stored = await readSizes(url)
    if (stored !== undefined) return stored
    const sizes = await resize(await fetchOriginal(url), url)
    await store(url, sizes)
    // Stored before the fetch counts as finished, so that no request starts another fetch in between.
    if ((await readSizes(url)) === undefined) unstored.set(url, sizes)
    return sizes
  }

  async function readSizes(url: string): Promise<Sizes | undefined> {
    const small = await pictureFiles.get(pictureKey(url, 'small'), now())
    const large = small && (await pictureFiles.get(pictureKey(url, 'large'), now()))
    return large && { small, large }
  }

  /** @throws ServiceError NOT_FOUND, UNAVAILABLE */
  async function fetchOriginal(url: string): Promise<Uint8Array> {
    const answer = await deps.cardPictures.fetch(url, null)
    if (answer.status === 'fresh') return answer.bytes
    if (answer.status === 'unchanged') {
      throw new Error(`unexpected 304 for ${url}: no validator was sent`)
    }
    log.debug('failed to fetch image', { url, why: answer.why })
    if (answer.status === 'missing') throw failures.record(url, 'missing')
    throw answer.restMs === undefined
      ? failures.record(url, 'unreachable')
      : failures.hostBackoff(answer.restMs)
  }

  async function resize(image: Uint8Array, url: string): Promise<Sizes> {
    // Imported with the first image: many processes never need it.
    const { createThumbnails } = await import('#vision/image/thumbnail.ts')
    const widths = PICTURE_SIZES.map((size) => PICTURE_WIDTHS[size])
    try {
      const [small, large] = await createThumbnails(image, widths)
      if (small === undefined || large === undefined)
        throw new Error('createThumbnails returned too few sizes')
      return { small, large }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      log.debug('failed to decode image', { url, why: error.message })
      throw failures.record(url, 'missing')
    }
  }

  /** Does not throw: an image that cannot be stored can still be served. */
  async function store(url: string, sizes: Sizes): Promise<void> {
    const warn = (error: unknown) => log.warn('failed to store images', { error })
    const writes = PICTURE_SIZES.map((size) =>
      pictureFiles.put(pictureKey(url, size), sizes[size], now()),
    )
    await Promise.all(writes).catch(warn)
    void pictureFiles.sweep().catch(warn)
  }

  async function fetchInBackground(url: string, client: string): Promise<void> {
    try {
      await fetchOnce(url, client)
    } catch (error) {
      // Failures of the source are cached, and the next request reports them.
      if (!(error instanceof ServiceError)) log.warn('failed to fetch image', { url, error })
    }
  }

  return {
    async get(subject, size, client) {
      const url = requireUrl(deps, subject)
      const stored = await pictureFiles.get(pictureKey(url, size), now())
      if (stored !== undefined) return stored
      const sizes = await withTimeout(fetchOnce(url, client), waitMsMax)
      return sizes[size]
    },
    async getStored(subject, size, client) {
      const url = requireUrl(deps, subject)
      const stored = await pictureFiles.get(pictureKey(url, size), now())
      const bytes = stored ?? unstored.get(url)?.[size]
      if (bytes !== undefined) return bytes
      failures.check(url)
      void fetchInBackground(url, client)
      return undefined
    },
  }
}

/** Less than the idle timeout of the server's connections. */
const WAIT_MS_MAX = 20_000

/** Some megabytes, and more images than a page shows. */
const UNSTORED_MAX = 64

/**
 * Four at once per host, which is this client's limit for a host. A slow host leaves the other four places to other
 * hosts.
 */
const QUEUE_LIMITS = { total: 8, perHost: 4, waiting: 256, waitingPerClient: 32 }

function requireUrl({ catalog }: ImageDeps, subject: ImageSubject): string {
  const url = findUrl(catalog, subject)
  if (url === undefined) throw notFound(subject)
  if (url !== null) return url
  throw new ServiceError('NOT_FOUND', `This ${subject.kind} has no image. Show its name instead.`)
}

function findUrl({ pictures }: Deps['catalog'], subject: ImageSubject) {
  if (subject.kind === 'game') return pictures.getForGame(subject.slug)
  const { kind, id } = subject
  return kind === 'card' ? pictures.getForCard(id) : pictures.getForSet(id)
}

function notFound(subject: ImageSubject): ServiceError {
  if (subject.kind === 'card') return cardNotFound(subject.id)
  const { kind } = subject
  const name = subject.kind === 'game' ? `slug "${subject.slug}"` : `id ${subject.id}`
  return new ServiceError('NOT_FOUND', `No ${kind} has the ${name}. GET /v1/${kind}s lists them.`)
}

/** The work continues after the timeout, so that a later request finds its result. */
async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: Timer | undefined
  const late = new Promise<never>((_, reject) => {
    const error = tryLater('The image is still being fetched. Try again in a few seconds.')
    timer = setTimeout(reject, ms, error)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/** `missing`: the host has no readable image; `unreachable`: the host does not answer. */
type ImageFailure = 'missing' | 'unreachable'

/** Caches failed fetches, so that not every request retries the image's host. */
type ImageFailures = {
  /** @throws ServiceError NOT_FOUND or UNAVAILABLE while this image is not retried */
  check(url: string): void
  /** @returns the error to throw */
  record(url: string, failure: ImageFailure): ServiceError
  /** @returns the error for an image that was not fetched because its host requested a pause */
  hostBackoff(restMs: number): ServiceError
}

function createImageFailures(now: () => Date): ImageFailures {
  const known = new LRUCache<string, ImageFailure>({
    max: KNOWN_MAX,
    // Each entry has its own lifetime.
    ttl: 1,
    ttlResolution: 0,
    perf: { now: () => now().getTime() },
  })

  return {
    check(url) {
      const failure = known.get(url)
      if (failure !== undefined) throw failureError(failure, known.getRemainingTTL(url))
    },
    record(url, failure) {
      known.set(url, failure, { ttl: PAUSE_MS[failure] })
      return failureError(failure, PAUSE_MS[failure])
    },
    hostBackoff: (restMs) => failureError('unreachable', restMs),
  }
}

/** Time until a retry: a day, or ten minutes. */
const PAUSE_MS: Record<ImageFailure, number> = { missing: 86_400_000, unreachable: 600_000 }

/** Some megabytes of URLs. */
const KNOWN_MAX = 10_000

function failureError(failure: ImageFailure, leftMs: number): ServiceError {
  return failure === 'missing'
    ? new ServiceError('NOT_FOUND', 'Image not found at its source. Show the name instead.')
    : new ServiceError(
        'UNAVAILABLE',
        'The image source is unavailable. Retry after the time in Retry-After.',
        { retryAfter: Math.ceil(leftMs / 1_000) },
      )
}
