import { createFairQueue, type FairQueue } from '#concurrency/fair-queue.ts'
import { ServiceError } from '#rules/primitives/errors.ts'

/** Client that waits for an image, and the image's host. */
export type ImageJob = { client: string; host: string }

/**
 * Creates a queue in which clients take turns, so that nobody delays another client by more than one fetch. A slow
 * host cannot take all places. The newest job of a client goes first, because older jobs may be for a page that the
 * client has left. If too many jobs wait, the client's oldest one is dropped; a client without a waiting job is
 * refused.
 *
 * @param limits maximum number of concurrent fetches, in total and per host, and of waiting jobs, in total and per
 * client
 */
export function createImageQueue(limits: {
  total: number
  perHost: number
  waiting: number
  waitingPerClient: number
}): Pick<FairQueue<ImageJob>, 'run'> {
  return createFairQueue<ImageJob>({
    turns: ({ client }) => [client],
    newestFirst: true,
    atOnce: limits.total,
    limits: ({ host }) => [[host, limits.perHost]],
    findRefused(job, { waitingCount, waitingInLine }) {
      const own = waitingInLine(job)
      const isFull = waitingCount() >= limits.waiting || own.length >= limits.waitingPerClient
      return isFull ? (own.at(-1) ?? job) : undefined
    },
    refusal: () => tryLater('Too many images are being fetched. Try again in a few seconds.'),
  })
}

/** Creates the error for an image that a later request may find. */
export function tryLater(message: string): ServiceError {
  return new ServiceError('UNAVAILABLE', message, { retryAfter: 5 })
}
