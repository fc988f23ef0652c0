import { ServiceError } from '#rules/primitives/errors.ts'
import type { PhotoReader } from './reader.ts'

/** Stands where no photos are to be read: in commands, and where IDENTIFY_WORKERS is 0. */
export function createDisabledReader(): PhotoReader {
  return {
    async read() {
      throw new ServiceError('IDENTIFY_UNAVAILABLE', 'This service reads no photos.', {
        retryAfter: 3_600,
      })
    },
    // A server that reads no photos lacks nothing.
    state: () => ({ ready: true, waiting: 0, reading: 0, replaced: 0, pictures: 0 }),
    close: async () => {},
  }
}
