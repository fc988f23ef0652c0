import { ServiceError } from '#rules/primitives/errors.ts'

/**
 * Reads the API key of a request: from `X-API-Key`, or from `Authorization` with the scheme Bearer. Other credentials
 * in `Authorization` belong to a proxy and are ignored, unless they look like an API key.
 *
 * @returns the unchecked key; null without one
 * @throws ServiceError VALIDATION_ERROR for two different keys, of which one is a mistake
 */
export function readApiKey({ headers }: Request): string | null {
  const inHeader = headers.get('x-api-key')
  const authorization = headers.get('authorization')
  if (authorization === null && !inHeader?.includes(',')) return inHeader || null
  const keys = new Set([...splitKeys(inHeader), ...bearerKeys(authorization)])
  if (keys.size > 1) throw new ServiceError('VALIDATION_ERROR', TWO_KEYS)
  return keys.values().next().value ?? null
}

/** Returns true if a request has at least one API key. */
export function hasApiKey({ headers }: Request): boolean {
  return Boolean(headers.get('x-api-key')) || bearerKeys(headers.get('authorization')).length > 0
}

/** The server joins repeated headers with commas, which no key contains. */
function splitKeys(header: string | null): string[] {
  return (header ?? '')
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '')
}

/** Returns the texts in `Authorization` that look like an API key, after any scheme. */
function bearerKeys(authorization: string | null): string[] {
  return authorization === null ? [] : (authorization.match(LIKE_API_KEY) ?? [])
}

const LIKE_API_KEY = /(?<![^\s,="])tcg_live_[^\s,"]*/g

const TWO_KEYS =
  'The request has two different API keys. Send one, in X-API-Key or as Authorization: Bearer.'
