import type { Log } from '#log.ts'
import type { Quota } from '#rules/accounts/tiers.ts'
import type { Volume } from '#rules/accounts/visitors.ts'
import { ERRORS, ServiceError } from '#rules/primitives/errors.ts'
import type { StorageFault } from '#rules/primitives/system-errors.ts'
import type { StorageHealth } from '#store/memory/storage-health.ts'

/** Unrendered answer of an endpoint. */
export type JsonBody = {
  data: unknown
  /** Paging, or other facts about `data`, possibly as `jsonText`. */
  meta?: unknown
  /** Distinguishes representations of one catalog version, such as the history depth of a tier. */
  variant?: string
  /** Further response headers. */
  headers?: readonly (readonly [name: string, value: string])[]
  /** Amount of catalog data, if visitors can receive the answer. */
  volume?: Volume | undefined
}

/**
 * Data in the form that the request needs: JSON text, which is sent unchanged, or objects. Checking its type would
 * cost more than the request, so the caller of `jsonText` asserts `Data`. The contract tests check answers against
 * the schema (test/contract/responses.test.ts).
 */
export type JsonText<Data> = {
  json: string | object
  /** Never set: ties the text to the type of its data, so that it matches no other schema. */
  type?: Data
}

export function jsonText<Data>(json: string | object): JsonText<Data> {
  return { json }
}

/** Creates an array of members that all have the same form. */
export function jsonArray<Member>(members: readonly (string | object)[]): JsonText<Member[]> {
  return { json: typeof members[0] === 'string' ? `[${members.join(',')}]` : members }
}

/** Renders a success: `data`, `meta` if there is one, `rate_limit` if an account is known. */
export function renderBody({ data, meta }: JsonBody, quota: Quota | undefined): string {
  return `{"data":${renderData(data)}${renderMeta(meta)}${renderQuota(quota)}}`
}

/** Builds the response of an error, with Retry-After if the error has it. */
export function errorResponse(
  error: ServiceError,
  quota: Quota | undefined,
  headers: Headers,
): Response {
  const { message, code, retryAfter, meta, current } = error
  if (retryAfter !== undefined) headers.set('retry-after', String(retryAfter))
  const body = `{"error":${JSON.stringify({ message, code, current })}${renderMeta(meta)}${renderQuota(quota)}}`
  return new Response(body, { status: ERRORS[code].status, headers })
}

/** Converts anything thrown to the error that the client may see. */
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
  return meta === undefined ? '' : `,"meta":${renderData(meta)}`
}

function renderData(data: unknown): string {
  const value = unwrapJson(data)
  return typeof value === 'string' && value !== data ? value : JSON.stringify(value)
}

/** Returns data or meta as objects: those of `jsonText`, parsed if they are text. */
export function readJson(data: unknown): unknown {
  const value = unwrapJson(data)
  return typeof value === 'string' && value !== data ? JSON.parse(value) : value
}

/** Returns the text or objects of `jsonText`; other data unchanged. */
export function unwrapJson(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'json' in data ? data.json : data
}

// Faster than `JSON.stringify`, because these three members are in every response to an account.
function renderQuota(quota: Quota | undefined): string {
  if (quota === undefined) return ''
  const { daily_limit, daily_remaining, daily_reset } = quota
  return `,"rate_limit":{"daily_limit":${daily_limit},"daily_remaining":${daily_remaining},"daily_reset":"${daily_reset}"}`
}
