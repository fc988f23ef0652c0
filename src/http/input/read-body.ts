/** Maximum upload time (slow-loris limit): 8 MB within it is 0.6 Mbit/s. */
const UPLOAD_TIMEOUT_MS = 120_000

/**
 * Reads the body of a request. A body that is declared too large is not read at all; others are cut off at
 * the limit of size or time.
 *
 * @param refuse throws the error for a body that is too large or incomplete
 */
export async function readRequestBody(
  request: Request,
  bytesMax: number,
  refuse: (why: 'too large' | 'incomplete') => never,
  timeoutMs = UPLOAD_TIMEOUT_MS,
): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array()
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) refuse('too large')
  const chunks: Uint8Array[] = []
  let length = 0
  let isLate = false
  const deadline = performance.now() + timeoutMs
  try {
    // Leaving the loop early cancels the stream: the rest is not read.
    for await (const chunk of request.body) {
      length += chunk.length
      isLate = performance.now() > deadline
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
