import type { Log } from '#log.ts'
import type { Quota } from '#rules/accounts/quota.ts'
import { type ErrorCode, ServiceError } from '#rules/primitives/errors.ts'

/** The status of each error. A code without one does not compile. */
export const STATUS: Record<ErrorCode, number> = {
  API_KEY_REQUIRED: 401,
  BILLING_UNAVAILABLE: 503,
  BODY_TOO_LARGE: 413,
  CROSS_ORIGIN_REJECTED: 403,
  EMAIL_TAKEN: 409,
  IDENTIFY_REGION_UNAVAILABLE: 403,
  IDENTIFY_UNAVAILABLE: 503,
  INTERNAL_ERROR: 500,
  INVALID_API_KEY: 401,
  INVALID_CREDENTIALS: 401,
  INVALID_GAME: 400,
  INVALID_IMAGE: 400,
  INVALID_SIGNATURE: 400,
  INVALID_WEBHOOK_URL: 400,
  METHOD_NOT_ALLOWED: 405,
  NOT_FOUND: 404,
  OPERATOR_REQUIRED: 403,
  PAYMENT_INVALID: 400,
  PAYMENT_PENDING: 503,
  PAYMENT_REJECTED: 402,
  PAYMENT_REQUIRED: 402,
  PAYMENT_UNAVAILABLE: 503,
  PAYMENT_VERSION_UNSUPPORTED: 400,
  RANGE_NOT_SATISFIABLE: 416,
  RATE_LIMIT_EXCEEDED: 429,
  SCAN_BALANCE_EMPTY: 402,
  SESSION_REQUIRED: 401,
  SYNC_OFF: 409,
  SYNC_RUNNING: 409,
  TIER_REQUIRED: 403,
  TOO_MANY_ATTEMPTS: 429,
  TOO_MANY_ITEMS: 400,
  TOO_MANY_KEYS: 409,
  TOO_MANY_WEBHOOKS: 409,
  UNAVAILABLE: 503,
  UNSUPPORTED_MEDIA_TYPE: 415,
  VALIDATION_ERROR: 400,
  WEBHOOK_PAUSED: 409,
}

/** What a handler answers: a value, or JSON text that is ready to be sent. */
export type JsonAnswer = {
  data: unknown
  /** Paging, or what else the answer says about itself. */
  meta?: object
  /** Distinguishes representations of one catalog version, such as a tier's depth of history. */
  variant?: string
}

/** JSON that is already text. */
export type JsonText = { json: string }

export function jsonText(json: string): JsonText {
  return { json }
}

/** A JSON array of members that are already text. */
export function jsonArray(members: readonly string[]): JsonText {
  return { json: `[${members.join(',')}]` }
}

/** The body of a success: `data`, `meta` where there is one, `rate_limit` where a key was used. */
export function renderBody({ data, meta }: JsonAnswer, quota: Quota | undefined): string {
  const metaText = meta === undefined ? '' : `,"meta":${JSON.stringify(meta)}`
  return `{"data":${textOf(data)}${metaText}${quota === undefined ? '' : rateLimit(quota)}}`
}

/** The body of a failure. Anything but a ServiceError is our bug and tells nothing of itself. */
function errorBodyOf(error: ServiceError, quota: Quota | undefined): string {
  const { message, code } = error
  return `{"error":${JSON.stringify({ message, code })}${quota === undefined ? '' : rateLimit(quota)}}`
}

/** A failure's answer; when to come again is told where the error knows it. */
export function errorResponse(
  error: ServiceError,
  quota: Quota | undefined,
  headers: Headers,
): Response {
  if (error.retryAfter !== undefined) headers.set('retry-after', String(error.retryAfter))
  return new Response(errorBodyOf(error, quota), { status: STATUS[error.code], headers })
}

/** The error as the caller may see it; what the operator should know of it goes into the log. */
export function toPublicError(log: Log, request_id: string, thrown: unknown): ServiceError {
  if (!(thrown instanceof ServiceError)) {
    log.error('request failed', { request_id, error: thrown })
    return new ServiceError('INTERNAL_ERROR', 'Something went wrong on our side.')
  }
  if (thrown.cause !== undefined) log.warn('request refused', { request_id, error: thrown.cause })
  return thrown
}

function textOf(data: unknown): string {
  return isJsonText(data) ? data.json : JSON.stringify(data)
}

function isJsonText(data: unknown): data is JsonText {
  return (
    typeof data === 'object' && data !== null && 'json' in data && typeof data.json === 'string'
  )
}

// Written by hand: it is the same three members in every answer of the service.
function rateLimit({ daily_limit, daily_remaining, daily_reset }: Quota): string {
  return `,"rate_limit":{"daily_limit":${daily_limit},"daily_remaining":${daily_remaining},"daily_reset":"${daily_reset}"}`
}
