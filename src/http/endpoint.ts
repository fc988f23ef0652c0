import type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox'
import type { Elysia } from 'elysia'
import type { UsageCounter } from '#actions/count-usage.ts'
import { type Caller, openCallers } from '#actions/identify-caller.ts'
import type { Spender, Spending } from '#actions/spend-request.ts'
import type { Deps } from '#deps.ts'
import { ServiceError } from '#rules/errors.ts'
import type { Quota } from '#rules/quota.ts'
import { type Feature, lowestTier, reaches, tierName } from '#rules/tiers.ts'
import { type Answer, bodyOf, errorAnswer, STATUS, visibleError } from './envelope.ts'
import { type HeaderKind, type HeaderMaker, isKnownTag, preflight, setCors } from './headers.ts'
import { textReader } from './inputs.ts'
import type { RequestMeter } from './meter.ts'
import { operationOf } from './openapi.ts'

/** What an endpoint declares: who may ask, what a request may carry, and the one call that answers. */
export type EndpointSpec<P extends TProperties, Q extends TProperties> = {
  tag: string
  summary: string
  description?: string
  params?: P
  query?: Q
  /** The shape of `data`, for the API document. */
  reply: TSchema
  /** The shape of `meta`, where there is one. */
  meta?: TSchema
}

export type Ask<P extends TProperties, Q extends TProperties> = {
  params: Static<TObject<P>>
  query: Static<TObject<Q>>
}

type PublicSpec<P extends TProperties, Q extends TProperties> = EndpointSpec<P, Q> & {
  answer(ask: Ask<P, Q>): Answer
}

type KeyedSpec<P extends TProperties, Q extends TProperties> = EndpointSpec<P, Q> & {
  answer(ask: Ask<P, Q> & { caller: Caller }): Answer
}

/** What all doors of one app share. */
export type Surroundings = {
  meter: RequestMeter
  requestId: () => string
  headers: HeaderMaker
  spending: Counted
  usage: UsageCounter
}

/** What doors ask of the quota. Where nothing is counted there is no quota to show. */
type Counted = {
  spend(caller: Spender): Admission | Promise<Admission>
  refund(caller: Spender, charged: Quota): Quota | undefined
  look(caller: Spender): Promise<Quota | undefined>
}
type Admission = { admitted: Spending['admitted']; quota: Quota | undefined }

/**
 * The doors of the catalog. Every request goes the same way, and each step refuses in its own words:
 * who asks (401) - may they (403) - is it well formed (400) - is there quota (429) - the answer.
 * A malformed request is therefore not charged, and what fails on our side is given back.
 *
 * The way is one plain function rather than a chain of framework hooks: it is the hot path.
 */
export function openDoors(app: Elysia, deps: Deps, surroundings: Surroundings) {
  const { meter, requestId, headers: make, spending, usage } = surroundings
  const callerOf = openCallers(deps)

  type Visit = {
    request: Request
    id: string
    caller: Caller | undefined
    /** Set once the request is charged. */
    quota: Quota | undefined
  }

  function mount<P extends TProperties, Q extends TProperties>(
    path: string,
    access: 'public' | Feature,
    spec: EndpointSpec<P, Q>,
    answer: (ask: Ask<P, Q>, caller: Caller | undefined) => Answer,
  ): void {
    const params = textReader(spec.params ?? (NO_FIELDS as P))
    const query = textReader(spec.query ?? (NO_FIELDS as Q))
    const needed = access === 'public' ? undefined : lowestTier(access, deps.config.accessPolicy)
    const count = meter.endpoint(path)
    const use = usage.group(spec.tag.toLowerCase())

    function respond(visit: Visit, path: PathParams): Response | Promise<Response> {
      const { caller } = visit
      if (caller !== undefined && needed !== undefined && !reaches(caller.tier, needed)) {
        throw new ServiceError(
          'TIER_REQUIRED',
          `This needs the ${tierName(needed)} subscription or higher; yours is ${tierName(caller.tier)}.`,
        )
      }
      const ask: Ask<P, Q> = {
        params: params.path(path),
        query: query.query(queryOf(visit.request.url)),
      }
      if (caller === undefined) return success(visit, () => answer(ask, undefined))
      return after(spending.spend(caller), ({ admitted, quota }) => {
        if (!admitted) {
          // Not charged: the refusal shows the quota as it is, and a refund would be a gift.
          return failure(visit, quotaExceeded(), quota)
        }
        visit.quota = quota
        return success(visit, () => answer(ask, caller))
      })
    }

    function handle(request: Request, path: PathParams): Response | Promise<Response> {
      const started = performance.now()
      const visit: Visit = { request, id: requestId(), caller: undefined, quota: undefined }
      const reply = guarded(visit, () => {
        if (needed === undefined) return respond(visit, path)
        return after(callerOf(request.headers.get('x-api-key')), (caller) => {
          visit.caller = caller
          return respond(visit, path)
        })
      })
      return after(reply, (response) => {
        count(response.status, performance.now() - started)
        // What failed on our side was given back: it was no use.
        if (visit.caller !== undefined && visit.quota !== undefined && response.status < 500) {
          use(visit.caller, visit.quota)
        }
        return response
      })
    }

    const detail = operationOf(
      {
        ...spec,
        access,
        params: params.schema,
        query: query.schema,
        meta: spec.meta,
      },
      deps.config.accessPolicy,
    )
    app.get(path, ({ request, params }) => handle(request, params), { detail })
    app.head(path, ({ request, params }) => after(handle(request, params), withoutBody), HIDDEN)
    app.options(path, () => preflight(), HIDDEN)
    app.all(path, ({ request }) => methodNotAllowed(request), HIDDEN)
  }

  function success(visit: Visit, make: () => Answer): Response {
    // Asked before the answer is made: it may be newer than its tag says, and must never be older.
    const { version } = deps.catalog.publication.current()
    const answer = make()
    const headers = headersOf(visit.caller === undefined ? 'public' : 'keyed', visit, visit.quota)
    const tag = answer.variant === undefined ? `"v${version}"` : `"v${version}-${answer.variant}"`
    headers.set('etag', tag)
    if (isKnownTag(visit.request.headers.get('if-none-match'), tag)) {
      return new Response(null, { status: 304, headers })
    }
    return new Response(bodyOf(answer, visit.quota), { headers })
  }

  function failure(visit: Visit, error: ServiceError, quota: Quota | undefined): Response {
    const headers = headersOf('unkept', visit, quota)
    const response = errorAnswer(error, quota, headers)
    if (quota !== undefined && error.code === 'RATE_LIMIT_EXCEEDED') {
      const seconds = make.secondsToReset(quota, deps.now().getTime())
      response.headers.set('retry-after', String(seconds))
    }
    return response
  }

  function headersOf(kind: HeaderKind, visit: Visit, quota: Quota | undefined) {
    const headers =
      quota === undefined ? make.plain(kind) : make.counted(kind, quota, deps.now().getTime())
    headers.set('x-request-id', visit.id)
    if (visit.request.headers.has('origin')) setCors(headers)
    return headers
  }

  function guarded(visit: Visit, way: () => Response | Promise<Response>) {
    try {
      const reply = way()
      return reply instanceof Promise ? reply.catch((error) => refuse(visit, error)) : reply
    } catch (error) {
      return refuse(visit, error)
    }
  }

  /** What was thrown, as an answer: with the caller's quota, and with our own failures given back. */
  function refuse(visit: Visit, thrown: unknown): Response | Promise<Response> {
    const error = visibleError(thrown)
    const { caller, quota } = visit
    if (error !== thrown) deps.log.error('request failed', { request_id: visit.id, error: thrown })
    if (caller === undefined) return failure(visit, error, undefined)
    if (quota === undefined) {
      return spending.look(caller).then((seen) => failure(visit, error, seen))
    }
    return failure(visit, error, STATUS[error.code] >= 500 ? spending.refund(caller, quota) : quota)
  }

  function methodNotAllowed(request: Request): Response {
    const error = new ServiceError('METHOD_NOT_ALLOWED', 'Use GET on this address.')
    const visit = { request, id: requestId(), caller: undefined, quota: undefined }
    const refused = failure(visit, error, undefined)
    refused.headers.set('allow', 'GET, HEAD, OPTIONS')
    return refused
  }

  return {
    /** An endpoint that anyone may ask. */
    open<P extends TProperties = NoFields, Q extends TProperties = NoFields>(
      path: string,
      spec: PublicSpec<P, Q>,
    ): void {
      mount(path, 'public', spec, (ask) => spec.answer(ask))
    },
    /** An endpoint for callers with a key whose tier reaches the feature. */
    keyed<P extends TProperties = NoFields, Q extends TProperties = NoFields>(
      path: string,
      feature: Feature,
      spec: KeyedSpec<P, Q>,
    ): void {
      mount(path, feature, spec, (ask, caller) => {
        // A keyed endpoint is only reached through `callerOf`.
        if (caller === undefined) throw new Error(`no caller at ${path}`)
        return spec.answer({ ...ask, caller })
      })
    },
  }
}

export type Doors = ReturnType<typeof openDoors>

/** What Elysia found in the path, null for what it could not decode; undefined where it has none. */
type PathParams = Record<string, string | null> | undefined

type NoFields = Record<never, never>

const NO_FIELDS: NoFields = {}

const HIDDEN = { detail: { hide: true } }

/** Goes on at once where there is nothing to wait for: a promise costs more than a look-up. */
function after<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}

function queryOf(url: string): Iterable<[string, string]> | undefined {
  const at = url.indexOf('?')
  return at < 0 ? undefined : new URLSearchParams(url.slice(at + 1))
}

/** The answer to HEAD: everything but the body, its length included. */
export async function withoutBody(response: Response): Promise<Response> {
  const { status, headers } = response
  if (status !== 304)
    headers.set('content-length', String((await response.arrayBuffer()).byteLength))
  return new Response(null, { status, headers })
}

function quotaExceeded(): ServiceError {
  return new ServiceError(
    'RATE_LIMIT_EXCEEDED',
    'The daily quota is used up. It resets at midnight UTC.',
  )
}
