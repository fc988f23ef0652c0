import { ServiceError } from '#rules/errors.ts'

/**
 * The JSON of a request's body, read no further than it may be long. Only what is labelled
 * `application/json` is read: pages of other origins cannot send that label unasked.
 *
 * @returns undefined when there is no body
 * @throws ServiceError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE or VALIDATION_ERROR
 */
export async function jsonBody(request: Request): Promise<unknown> {
  if (request.body === null) return undefined
  const bytes = await bytesOf(request.body, Number(request.headers.get('content-length') ?? 0))
  if (bytes.length === 0) return undefined
  const [type] = (request.headers.get('content-type') ?? '').toLowerCase().split(';', 1)
  if (type?.trim() !== 'application/json') {
    throw new ServiceError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the body as JSON, with the header Content-Type: application/json.',
    )
  }
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new ServiceError('VALIDATION_ERROR', 'The body is not valid JSON.')
  }
}

async function bytesOf(body: ReadableStream<Uint8Array>, told: number): Promise<Uint8Array> {
  if (told > BYTES_MAX) throw tooLarge()
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    // Leaving the loop early lets go of the stream: the rest is not read.
    for await (const chunk of body) {
      length += chunk.length
      if (length > BYTES_MAX) break
      chunks.push(chunk)
    }
  } catch {
    throw new ServiceError('VALIDATION_ERROR', 'The body ended before it was complete.')
  }
  if (length > BYTES_MAX) throw tooLarge()
  return Buffer.concat(chunks)
}

function tooLarge(): ServiceError {
  return new ServiceError('BODY_TOO_LARGE', `The body may have at most ${BYTES_MAX} bytes.`)
}

/** Addresses, passwords and names are short. */
const BYTES_MAX = 16_384
