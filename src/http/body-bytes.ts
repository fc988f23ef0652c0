/**
 * A request's body, read no further than it may be long. What says that it is longer is not read at
 * all; what does not say so is cut off where the limit is passed.
 *
 * @param refuse throws what the caller is told: the body is too large, or ended before it was complete
 */
export async function bodyBytes(
  request: Request,
  bytesMax: number,
  refuse: (why: 'too large' | 'incomplete') => never,
): Promise<Uint8Array> {
  if (request.body === null) return new Uint8Array()
  if (Number(request.headers.get('content-length') ?? 0) > bytesMax) refuse('too large')
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    // Leaving the loop early lets go of the stream: the rest is not read.
    for await (const chunk of request.body) {
      length += chunk.length
      if (length > bytesMax) break
      chunks.push(chunk)
    }
  } catch {
    refuse('incomplete')
  }
  if (length > bytesMax) refuse('too large')
  return Buffer.concat(chunks)
}
