import { toApiError } from '../api-error.ts'

/** Sends a request that may be sent twice until it has an answer, at most four times within ten seconds. */
export async function repeated<T>(send: () => Promise<T>, waitMs = 400): Promise<T> {
  try {
    return await send()
  } catch (cause) {
    if (toApiError(cause).code !== 'NETWORK' || waitMs > WAIT_MS_MAX) throw cause
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    return repeated(send, 4 * waitMs)
  }
}

const WAIT_MS_MAX = 6_400
