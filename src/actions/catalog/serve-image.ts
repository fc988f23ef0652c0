import type { Deps } from '#deps.ts'
import { createSemaphore } from '#outbound/net/semaphore.ts'
import {
  PICTURE_SIZES,
  PICTURE_WIDTHS,
  type PictureSize,
  pictureKey,
} from '#rules/catalog/image-sizes.ts'
import { cardNotFound, ServiceError } from '#rules/primitives/errors.ts'
import { createImageFailures } from './image-failures.ts'

/** What has a picture. */
export type ImageSubject =
  | { kind: 'card'; id: number }
  | { kind: 'set'; id: number }
  | { kind: 'game'; slug: string }

type ShowDeps = Pick<Deps, 'catalog' | 'cardPictures' | 'pictureFiles' | 'log' | 'now'>

type Sizes = Record<PictureSize, Uint8Array<ArrayBuffer>>

/**
 * Shows the pictures that the catalog names: from the disk, or else fetched from wherever they are, once
 * for all who ask and for both sizes, made smaller, and kept.
 *
 * @param options how long somebody waits for a picture, in milliseconds
 */
export function createImageServer(deps: ShowDeps, { waitMsMax = WAIT_MS_MAX } = {}) {
  const { pictureFiles, log, now } = deps
  const places = createSemaphore(AT_ONCE_MAX)
  const underWay = new Map<string, Promise<Sizes>>()
  const faults = createImageFailures(now)

  /** The same fetch for everybody who asks for this picture while it lasts. */
  function fetched(address: string): Promise<Sizes> {
    const known = underWay.get(address)
    if (known !== undefined) return known
    faults.check(address)
    if (underWay.size >= AT_ONCE_MAX + WAITING_MAX) {
      throw later('Too many pictures are being fetched. Ask again in a few seconds.')
    }
    const begun = inTurn(address).finally(() => underWay.delete(address))
    underWay.set(address, begun)
    return begun
  }

  async function inTurn(address: string): Promise<Sizes> {
    const leave = await places.acquire()
    try {
      // It may have come, here or to another process, since somebody looked.
      return (await kept(address)) ?? (await make(address))
    } finally {
      leave()
    }
  }

  async function kept(address: string): Promise<Sizes | undefined> {
    const small = await pictureFiles.get(pictureKey(address, 'small'), now())
    const large = small && (await pictureFiles.get(pictureKey(address, 'large'), now()))
    return large && { small, large }
  }

  async function make(address: string): Promise<Sizes> {
    const made = await madeSmaller(await original(address), address)
    await keep(address, made)
    return made
  }

  /** @throws ServiceError NOT_FOUND, UNAVAILABLE */
  async function original(address: string): Promise<Uint8Array> {
    const answer = await deps.cardPictures.fetch(address, null)
    if (answer.status === 'fresh') return answer.bytes
    // Nothing was said to be known already.
    if (answer.status === 'unchanged') throw new Error(`${address} is unchanged since never`)
    log.debug('picture not fetched', { address, why: answer.why })
    if (answer.status === 'missing') throw faults.record(address, 'missing')
    throw answer.restMs === undefined
      ? faults.record(address, 'unreachable')
      : faults.hostBackoff(answer.restMs)
  }

  async function madeSmaller(image: Uint8Array, address: string): Promise<Sizes> {
    // Loaded when the first picture is made: a server that shows none does not need it.
    const { createThumbnails } = await import('#vision/image/thumbnail.ts')
    const widths = PICTURE_SIZES.map((size) => PICTURE_WIDTHS[size])
    try {
      const [small, large] = await createThumbnails(image, widths)
      if (small === undefined || large === undefined) throw new Error('a size was not made')
      return { small, large }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      log.debug('picture not read', { address, why: error.message })
      throw faults.record(address, 'missing')
    }
  }

  /** What cannot be kept is shown all the same. */
  async function keep(address: string, made: Sizes): Promise<void> {
    const warn = (error: unknown) => log.warn('pictures not kept', { error })
    const writes = PICTURE_SIZES.map((size) =>
      pictureFiles.put(pictureKey(address, size), made[size], now()),
    )
    await Promise.all(writes).catch(warn)
    void pictureFiles.sweep().catch(warn)
  }

  return {
    /**
     * The picture as WebP.
     *
     * @throws ServiceError NOT_FOUND where there is none; UNAVAILABLE while it cannot be fetched
     */
    async get(subject: ImageSubject, size: PictureSize): Promise<Uint8Array<ArrayBuffer>> {
      const address = addressOf(deps, subject)
      const stored = await pictureFiles.get(pictureKey(address, size), now())
      if (stored !== undefined) return stored
      const made = await unlessLate(fetched(address), waitMsMax)
      return made[size]
    },
  }
}

/** Less than the pause after which the server closes a connection on which nothing is said. */
const WAIT_MS_MAX = 20_000

const AT_ONCE_MAX = 4
const WAITING_MAX = 64

function addressOf({ catalog }: ShowDeps, subject: ImageSubject): string {
  const address = addressIn(catalog, subject)
  if (address === undefined) throw noSuch(subject)
  if (address !== null) return address
  throw new ServiceError('NOT_FOUND', `This ${subject.kind} has no picture: show its name.`)
}

function addressIn({ pictureUrls }: Deps['catalog'], subject: ImageSubject) {
  switch (subject.kind) {
    case 'card':
      return pictureUrls.getForCard(subject.id)
    case 'set':
      return pictureUrls.getForSet(subject.id)
    case 'game':
      return pictureUrls.getForGame(subject.slug)
  }
}

function noSuch(subject: ImageSubject): ServiceError {
  if (subject.kind === 'card') return cardNotFound(subject.id)
  const { kind } = subject
  const name = kind === 'set' ? `id ${subject.id}` : `slug "${subject.slug}"`
  return new ServiceError('NOT_FOUND', `No ${kind} has the ${name}. GET /v1/${kind}s lists them.`)
}

/** The fetch goes on for whoever asks again. */
async function unlessLate<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: Timer | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(later('The picture takes long to come. Ask again soon.')), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function later(message: string): ServiceError {
  return new ServiceError('UNAVAILABLE', message, { retryAfter: 5 })
}
