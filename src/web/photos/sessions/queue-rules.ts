import type { ApiError } from '#client/client.ts'

/**
 * Consequence of a failed photo: it is never sent again, all photos wait for a while, or all photos wait for a
 * person.
 */
export type SendFailure = { kind: 'refuse' } | { kind: 'wait'; ms: number } | { kind: 'stop' }

/** Maximum time between two attempts while the server cannot be reached, in seconds. */
const WAIT_MAX_S = 30

/** Status codes of photos that would fail again, and of server errors. */
const REFUSED = [400, 413, 415, 422, 500]

/**
 * Decides what a failure means for the photo and for the queue.
 *
 * @param attempt number of failures since the last success, from 0
 */
export function classifyFailure(
  { status, code, retryAfter }: Pick<ApiError, 'status' | 'code' | 'retryAfter'>,
  attempt: number,
): SendFailure {
  if (code === 'INVALID_IMAGE' || REFUSED.includes(status)) return { kind: 'refuse' }
  const isBusy = code === 'NETWORK' || status === 429 || status > 500
  if (!isBusy) return { kind: 'stop' }
  return { kind: 'wait', ms: 1_000 * (retryAfter ?? Math.min(WAIT_MAX_S, 2 ** attempt)) }
}

/**
 * Number of photos that are sent at the same time: one is uploaded while the other is read. A page of cards takes the
 * whole allowance of an account.
 */
const AT_ONCE_MAX = 2

type SendablePhoto = { isPage: boolean; isSending: boolean; problem?: string | undefined }

/** Returns the photo to be sent next; undefined if none may be sent. */
export function chooseNextPhoto<Photo extends SendablePhoto>(
  photos: readonly Photo[],
): Photo | undefined {
  const sending = photos.filter(({ isSending }) => isSending)
  if (sending.length >= AT_ONCE_MAX) return undefined
  const next = photos.find(({ isSending, problem }) => !isSending && problem === undefined)
  const isCrowded = next?.isPage === true && sending.some(({ isPage }) => isPage)
  return isCrowded ? undefined : next
}

/**
 * Returns a key for a photo. Keys sort by the time and the order in which photos were added.
 *
 * @param random an integer below 36^4, which distinguishes tabs
 */
export function photoKeyOf(time: number, index: number, random: number): string {
  const part = (value: number, length: number) => value.toString(36).padStart(length, '0')
  return `${part(time, 9)}-${part(index, 4)}-${part(random, 4)}`
}

/** Returns the key of a card that is cut from a page's photo. */
export function cutKeyOf(key: string, index: number): string {
  return `${key}-${String(index + 1).padStart(2, '0')}`
}
