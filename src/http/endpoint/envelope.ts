import type { Log } from '#log.ts'
import type { Quota } from '#rules/accounts/quota.ts'
import type { Volume } from '#rules/accounts/visitors.ts'
import { type ErrorCode, ServiceError } from '#rules/primitives/errors.ts'
import type { StorageFault } from '#rules/primitives/storage-fault.ts'
import type { StorageHealth } from '#store/memory/storage-health.ts'

/** HTTP status of each error. A code without one does not compile. */
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
  INVITATION_REQUIRED: 403,
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
  REGISTRATION_CLOSED: 403,
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

/** Answer of an endpoint before it is rendered. */
export type JsonBody = {
  data: unknown
  /** Paging, or other facts about `data`. */
  meta?: unknown
  /** Distinguishes representations of one catalog version, such as the history depth of a tier. */
  variant?: string
  /** Further response headers. */
  headers?: readonly (readonly [name: string, value: string])[]
  /** Amount of catalog data, if visitors can receive the answer. */
  volume?: Volume | undefined
}

/**
 * JSON text that the store or an action has rendered, sent as it is. Parsing it to check its type would
 * cost more than the request, so the caller of `jsonText` asserts `Data`. The contract tests check the
 * text against the schema (test/contract/responses.test.ts).
 */
export type JsonText<Data> = {
  json: string
  /** Never set: ties the text to the type of its data, so that it fits no other schema. */
  type?: Data
}

export function jsonText<Data>(json: string): JsonText<Data> {
  return { json }
}

/** Joins rendered members to an array. */
export function jsonArray<Member>(members: readonly string[]): JsonText<Member[]> {
  return { json: `[${members.join(',')}]` }
}

/** Renders a success: `data`, `meta` if there is one, `rate_limit` if an account is known. */
export function renderBody({ data, meta }: JsonBody, quota: Quota | undefined): string {
  return `{"data":${renderData(data)}${renderMeta(meta)}${renderQuota(quota)}}`
}

/** Builds the response of an error, with Retry-After if the error knows it. */
export function errorResponse(
  error: ServiceError,
  quota: Quota | undefined,
  headers: Headers,
): Response {
  const { message, code, retryAfter, meta } = error
  if (retryAfter !== undefined) headers.set('retry-after', String(retryAfter))
  const body = `{"error":${JSON.stringify({ message, code })}${renderMeta(meta)}${renderQuota(quota)}}`
  return new Response(body, { status: STATUS[code], headers })
}

/** Turns anything that was thrown into the error that the client may see. */
export type FailureTranslator = (request_id: string, thrown: unknown) => ServiceError

/** Creates the translator, which also logs what the operator should know. */
export function createFailureTranslator(log: Log, health: StorageHealth): FailureTranslator {
  return (request_id, thrown) => {
    if (thrown instanceof ServiceError) {
      const { cause } = thrown
      if (cause !== undefined) log.warn('request refused', { request_id, error: cause })
      return thrown
    }
    const recorded = health.record(thrown)
    if (recorded === undefined) {
      log.error('request failed', { request_id, error: thrown })
      return new ServiceError('INTERNAL_ERROR', 'Internal error. Try again later.')
    }
    const { fault, isNews } = recorded
    if (isNews) log.error('storage failed', { request_id, fault, error: thrown })
    return new ServiceError('UNAVAILABLE', UNAVAILABLE_MESSAGE, {
      retryAfter: RETRY_SECONDS[fault],
    })
  }
}

const UNAVAILABLE_MESSAGE =
  'The service cannot read or write its data right now. Try again after the time in Retry-After.'

/** Seconds after which a retry may succeed. */
const RETRY_SECONDS: Record<StorageFault, number> = {
  busy: 1,
  damaged: 300,
  denied: 60,
  exhausted: 5,
  full: 30,
  misplaced: 60,
  readonly: 60,
  unreachable: 30,
}

function renderMeta(meta: unknown): string {
  return meta === undefined ? '' : `,"meta":${JSON.stringify(meta)}`
}

function renderData(data: unknown): string {
  return isJsonText(data) ? data.json : JSON.stringify(data)
}

function isJsonText(data: unknown): data is JsonText<unknown> {
  return (
    typeof data === 'object' && data !== null && 'json' in data && typeof data.json === 'string'
  )
}

// Not `JSON.stringify`: these three members are in every response to an account.
function renderQuota(quota: Quota | undefined): string {
  if (quota === undefined) return ''
  const { daily_limit, daily_remaining, daily_reset } = quota
  return `,"rate_limit":{"daily_limit":${daily_limit},"daily_remaining":${daily_remaining},"daily_reset":"${daily_reset}"}`
}
