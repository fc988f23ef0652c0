/** Who sends a byte now and then holds what was read for no longer: 8 MB in it are 0.6 Mbit a second. */
const SENT_WITHIN_MS = 120_000

/**
 * A request's body, read no further than it may be long. What says that it is longer is not read at
 * all; what does not say so is cut off where the limit is passed, and what comes too slowly, too.
 *
 * @param refuse throws what the caller is told: the body is too large, or ended before it was complete
 */
export async function readRequestBody(
  request: Request,
  bytesMax: number,
  refuse: (why: 'too large' | 'incomplete') => never,
  withinMs = SENT_WITHIN_MS,
): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array()
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) refuse('too large')
  const chunks: Uint8Array[] = []
  let length = 0
  let isLate = false
  const end = performance.now() + withinMs
  try {
    // Leaving the loop early lets go of the stream: the rest is not read.
    for await (const chunk of request.body) {
      length += chunk.length
      isLate = performance.now() > end
      if (length > bytesMax || isLate) break
      chunks.push(chunk)
    }
  } catch {
    refuse('incomplete')
  }
  if (length > bytesMax) refuse('too large')
  if (isLate) refuse('incomplete')
  return Buffer.concat(chunks)
}
