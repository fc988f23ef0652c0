import type { Static, TObject, TProperties } from '@sinclair/typebox'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { BodySource } from './endpoint-spec.ts'
import { readRequestBody } from './read-body.ts'
import { bodyReader } from './validation.ts'

/**
 * A body that is a JSON object of these properties.
 *
 * @param bytesMax how long it may be
 */
export function jsonObject<B extends TProperties>(
  properties: B,
  bytesMax: number,
): BodySource<Static<TObject<B>>> {
  const reader = bodyReader(properties)
  return {
    content: { 'application/json': reader.schema },
    async read(request) {
      const value = await readJsonBody(request, reader, bytesMax)
      const body = reader.read(value)
      if (isDeeper(value, LEVELS_MAX)) {
        throw new ServiceError('VALIDATION_ERROR', 'The body is nested too deeply.')
      }
      return body
    },
  }
}

/** What is answered as it was sent can be read to any depth, and written only as deep as the stack goes. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  const members = Array.isArray(value) ? value : Object.values(value)
  return levels === 0 || members.some((member) => isDeeper(member, levels - 1))
}

/** More than any request has, also in members that are not ours. */
const LEVELS_MAX = 20

/**
 * The JSON of a request's body, read no further than it may be long. Only what is labelled
 * `application/json` is read: pages of other origins cannot send that label unasked.
 *
 * @returns undefined when there is no body
 * @throws ServiceError UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE or VALIDATION_ERROR
 */
async function jsonBody(request: Request, bytesMax: number): Promise<unknown> {
  const bytes = await readRequestBody(request, bytesMax, (why) => refuse(why, bytesMax))
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

/**
 * The same, an empty object where a body need not come.
 *
 * @throws ServiceError VALIDATION_ERROR also when one is needed and there is none
 */
export async function readJsonBody(
  request: Request,
  { isOptional }: { isOptional: boolean },
  bytesMax = BYTES_MAX,
): Promise<unknown> {
  const value = await jsonBody(request, bytesMax)
  if (value !== undefined) return value
  if (isOptional) return {}
  throw new ServiceError('VALIDATION_ERROR', 'The body is missing: send a JSON object.')
}

function refuse(why: 'too large' | 'incomplete', bytesMax: number): never {
  throw why === 'too large'
    ? new ServiceError('BODY_TOO_LARGE', `The body may have at most ${bytesMax} bytes.`)
    : new ServiceError('VALIDATION_ERROR', 'The body ended before it was complete.')
}

/** Addresses, passwords and names are short. */
const BYTES_MAX = 16_384
