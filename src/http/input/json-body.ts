import type { Static, TObject, TProperties } from '@sinclair/typebox'
import { nextTurn } from '#actions/cooperative-loop.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { type BodySource, type ReserveBytes, readRequestBody } from './read-body.ts'
import { type BodyReader, bodyReader } from './validation.ts'

/** Declares a JSON object as the body. It may be missing if no member is required. */
export function jsonObject<B extends TProperties>(
  properties: B,
  bytesMax = JSON_BYTES_MAX,
): BodySource<Static<TObject<B>>> {
  return jsonBody(bodyReader(properties), bytesMax)
}

/** Declares a JSON object with at least one of its optional members as the body. */
export function jsonChanges<B extends TProperties>(properties: B): BodySource<Static<TObject<B>>> {
  return jsonBody(bodyReader(properties, { needsOne: true }), JSON_BYTES_MAX)
}

function jsonBody<B extends TProperties>(
  reader: BodyReader<B>,
  bytesMax: number,
): BodySource<Static<TObject<B>>> {
  const { schema, isOptional } = reader
  return {
    content: { 'application/json': schema },
    isOptional,
    bytesMax,
    async read(request, reserve) {
      const sent = await readJsonBody(request, { bytesMax, reserve })
      if (sent === undefined && !isOptional)
        throw invalid('The body is missing. Send a JSON object.')
      const value = sent === undefined ? {} : sent
      const body = reader.read(value)
      if (isDeeper(value, LEVELS_MAX)) throw invalid('The body is nested too deeply.')
      return body
    },
  }
}

/** Enough for e-mail addresses, passwords and names, which are short. */
const JSON_BYTES_MAX = 16_384

/**
 * Returns true if a value is nested too deeply. Parsing has no limit, but rendering a part of the body in the
 * response is recursive.
 */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  const members = Array.isArray(value) ? value : Object.values(value)
  return levels === 0 || members.some((member) => isDeeper(member, levels - 1))
}

/** More levels than any declared body has. */
const LEVELS_MAX = 20

/**
 * Parses the body, reading at most `bytesMax`. Requires `application/json`: pages of other origins cannot
 * send that type without a preflight.
 *
 * @returns undefined without a body
 * @throws ServiceError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE or VALIDATION_ERROR
 */
export async function readJsonBody(
  request: Request,
  limits: { bytesMax: number; reserve: ReserveBytes },
): Promise<unknown> {
  const bytes = await readRequestBody(request, limits, (why) => refuse(why, limits.bytesMax))
  if (bytes.length === 0) return undefined
  const [type] = (request.headers.get('content-type') ?? '').toLowerCase().split(';', 1)
  if (type?.trim() !== 'application/json') {
    throw new ServiceError(
      'UNSUPPORTED_MEDIA_TYPE',
      'Send the body as JSON, with the header Content-Type: application/json.',
    )
  }
  // The bodies of many clients are parsed one in each turn of the event loop.
  if (bytes.length > SMALL_BYTES_MAX) await nextTurn()
  return decodeJson(bytes, invalid)
}

/** Bodies up to this size are parsed in a tenth of a millisecond. */
const SMALL_BYTES_MAX = 16_384

/** Parses a body that must be JSON in UTF-8. */
export function decodeJson(bytes: Uint8Array, createError: (message: string) => Error): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw createError('The body is not valid JSON.')
  }
}

function refuse(why: 'too large' | 'incomplete', bytesMax: number): never {
  throw why === 'too large'
    ? new ServiceError('BODY_TOO_LARGE', `The body may have at most ${bytesMax} bytes.`)
    : invalid('The body ended before it was complete.')
}

function invalid(message: string): ServiceError {
  return new ServiceError('VALIDATION_ERROR', message)
}
