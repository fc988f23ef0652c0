import { ServiceError } from '#rules/primitives/errors.ts'

export const SHUTTING_DOWN = 'The service is shutting down.'

/** Seconds until a crashed thread is replaced or a full queue is shorter. */
export const READER_RETRY_SECONDS = 2

/** Returns the error for a photo that nobody could read now. */
export function readerUnavailable(problem: string): ServiceError {
  return new ServiceError('IDENTIFY_UNAVAILABLE', `${problem} Try again in a few seconds.`, {
    retryAfter: READER_RETRY_SECONDS,
  })
}
