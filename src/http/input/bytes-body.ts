import { Type } from '@sinclair/typebox'
import { ServiceError } from '#rules/primitives/errors.ts'
import { type BodySource, readRequestBody } from './read-body.ts'

/** Declares bytes of any kind as the body, sent as `application/octet-stream`. */
export function bytesBody(bytesMax: number): BodySource<Uint8Array> {
  const size = `${bytesMax / 1024 ** 2} MB`
  return {
    content: {
      'application/octet-stream': Type.String({
        format: 'binary',
        description: `At most ${size}.`,
      }),
    },
    bytesMax,
    async read(request, reserve) {
      const type = request.headers.get('content-type')?.toLowerCase().split(';', 1)[0]?.trim()
      if (type !== 'application/octet-stream') {
        throw new ServiceError(
          'UNSUPPORTED_MEDIA_TYPE',
          'Send the bytes as the body with Content-Type: application/octet-stream.',
        )
      }
      const bytes = await readRequestBody(request, { bytesMax, reserve }, (why) => {
        throw why === 'too large'
          ? new ServiceError(
              'BODY_TOO_LARGE',
              `The body is larger than ${size}. Send less at once.`,
            )
          : invalid('The body ended too early. Send it again.')
      })
      if (bytes.length === 0) throw invalid('The body is empty. Send the bytes.')
      return bytes
    },
  }
}

function invalid(message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', message)
}
