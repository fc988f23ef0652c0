import type { CardPlacement, PageCut } from '#rules/photos/page-cut.ts'
import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import type { ReaderState } from '#rules/photos/reader-state.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { PhotoSender } from './photo-queue.ts'

/** Reads photos, in threads of this process or on photo workers. */
export type PhotoReader = {
  /**
   * Returns the observations on one photo.
   *
   * @throws ServiceError INVALID_IMAGE if the photo cannot be decoded; TOO_MANY_ATTEMPTS if two of its payer
   *   are waiting; IDENTIFY_UNAVAILABLE if the queue is full, a timeout expires, or the photo crashes its thread;
   *   ClientLeft as soon as its client leaves
   */
  read(photo: Uint8Array, request: CardRequest): Promise<PhotoObservation>
  /**
   * Finds the cards in a photo of several cards, and cuts it into photos of one card each. Each of these takes its
   * own turn to be read.
   *
   * @throws ServiceError as `read`
   */
  cut(photo: Uint8Array, request: ReadingRequest): Promise<PageCut>
  /**
   * Rejects a payer whose next photo would be rejected, before it is uploaded.
   *
   * @throws ServiceError TOO_MANY_ATTEMPTS if two of its photos are waiting
   */
  assertRoom(payer: string): void
  /** Returns the current state, for readyz and metrics. */
  state(): ReaderState
  /** Rejects all pending photos, and closes the threads or connections. */
  close(): Promise<void>
}

/** Request to read one card. */
export type CardRequest = ReadingRequest & {
  /** Place of the card in a photo that was cut out of a page. The limit of the payer was checked with the page. */
  placement?: CardPlacement
}

export type ReadingRequest = {
  /** Game to which the search is restricted. */
  gameId: number | undefined
  sender: PhotoSender
  /** Aborts when the client leaves. A photo that still waits leaves the queue then. */
  clientSignal?: AbortSignal | undefined
}

/** Creates the reader of commands and of servers with IDENTIFY_WORKERS=0. It rejects every photo. */
export function createDisabledReader(): PhotoReader {
  async function refuse(): Promise<never> {
    throw new ServiceError(
      'IDENTIFY_UNAVAILABLE',
      'Photo identification is disabled on this server.',
      { retryAfter: 3_600 },
    )
  }
  return {
    read: refuse,
    cut: refuse,
    assertRoom() {},
    // Ready, because a server without photo identification is complete.
    state: () => ({ ready: true, threads: 0, waiting: 0, reading: 0, replaced: 0, pictures: 0 }),
    close: async () => {},
  }
}

export const SHUTTING_DOWN = 'The service is shutting down.'

/** Seconds until a crashed thread is replaced or a full queue is shorter. */
export const READER_RETRY_SECONDS = 2

/** Returns the error for a photo that no thread or worker could read. */
export function readerUnavailable(problem: string): ServiceError {
  return new ServiceError('IDENTIFY_UNAVAILABLE', `${problem} Try again in a few seconds.`, {
    retryAfter: READER_RETRY_SECONDS,
  })
}
