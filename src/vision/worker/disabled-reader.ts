import { ServiceError } from '#rules/primitives/errors.ts'
import type { PhotoReader } from './photo-reader.ts'

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
