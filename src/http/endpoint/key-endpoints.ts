import type { TProperties } from '@sinclair/typebox'
import type { Elysia } from 'elysia'
import { createApiKeyAuthenticator } from '#actions/accounts/authenticate-api-key.ts'
import type { PageAuthorizer, PageRequest } from '#actions/accounts/authorize-page-request.ts'
import type { UsageCounter } from '#actions/accounts/record-usage.ts'
import type { Deps } from '#deps.ts'
import { assertTierAtLeast, type Feature, lowestTier } from '#rules/accounts/tiers.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type {
  BodySource,
  BodySpec,
  EndpointSpec,
  KeyedSpec,
  MeteredAnswer,
  MeteredSpec,
  PublicSpec,
  RequestInput,
} from '../input/endpoint-spec.ts'
import { fieldReader, queryParams } from '../input/validation.ts'
import type { MetricsRegistry } from '../metrics/registry.ts'
import { STATUS, toPublicError } from './envelope.ts'
import { preflight, type ResponseHeaders } from './headers.ts'
import { operationOf } from './openapi.ts'
import { createPrincipalQuota, type Principal, type QuotaSource } from './quota.ts'
import { createResponses, type RequestContext } from './responses.ts'
import { createSessionGate } from './session-gate.ts'

/** What all doors of one app share. */
export type EndpointContext = {
  meter: MetricsRegistry
  requestId: () => string
  headers: ResponseHeaders
  spending: QuotaSource
  usage: UsageCounter
  admitPage: PageAuthorizer
  clientAddress(request: Request): string
}

/**
 * The doors of the catalog. Every request goes the same way, and each step refuses in its own words:
 * who asks (401) - may they (403) - is it well formed (400) - is there quota (429) - the answer.
 * A malformed request is therefore not charged, and what fails on our side is given back.
 *
 * The way is one plain function rather than a chain of framework hooks: it is the hot path.
 */
export function createKeyEndpoints(app: Elysia, deps: Deps, context: EndpointContext) {
  const { meter, requestId, headers, usage, admitPage, clientAddress } = context
  const callerOf = createApiKeyAuthenticator(deps)
  const charges = createPrincipalQuota(context.spending)
  const { isOfPage, pageSessionOf } = createSessionGate(deps)
  const replies = createResponses(deps, headers)

  function mount<P extends TProperties, Q extends TProperties, Body>(
    { method, path, access }: Place,
    spec: EndpointSpec<P, Q> & { body?: BodySource<Body> },
    planOf: (
      requestInput: RequestInput<P, Q>,
      caller: Principal | undefined,
      body: Body,
    ) => MeteredAnswer | Promise<MeteredAnswer>,
  ): void {
    const params = fieldReader(spec.params ?? (NO_FIELDS as P))
    const query = fieldReader(spec.query ?? (NO_FIELDS as Q))
    const needed = access === 'public' ? undefined : lowestTier(access, deps.config.accessPolicy)
    const asked = access === 'public' ? undefined : { method, feature: access }
    const count = meter.endpoint(path)
    const use = usage.group(spec.tag.toLowerCase())
    const allowed = method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS'

    function respond(
      requestContext: RequestContext,
      path: PathParams,
    ): Response | Promise<Response> {
      const { caller, request } = requestContext
      if (caller !== undefined && needed !== undefined) assertTierAtLeast(caller.tier, needed)
      const input: RequestInput<P, Q> = {
        params: params.path(path),
        query: query.query(queryParams(request)),
      }
      // Where no body is declared, none is asked for.
      const body = spec.body === undefined ? (undefined as Body) : spec.body.read(request)
      return after(
        after(body, (read) => planOf(input, caller, read)),
        (meteredAnswer) => perform(requestContext, meteredAnswer),
      )
    }

    function perform(visit: RequestContext, plan: MeteredAnswer): Response | Promise<Response> {
      const { caller } = visit
      if (caller === undefined) return answered(visit, plan)
      return after(charges.spend(caller, plan.credits), ({ isAllowed, quota, refusal }) => {
        if (!isAllowed) {
          // Not charged: the refusal shows the quota as it is, and a refund would be a gift.
          return replies.failure(visit, refusal ?? quotaExceeded(plan.credits), quota)
        }
        visit.quota = quota
        visit.credits = plan.credits
        return answered(visit, plan)
      })
    }

    function answered(visit: RequestContext, plan: MeteredAnswer): Response | Promise<Response> {
      const { tag } = deps.catalog.publication.getCurrent()
      return after(plan.answer(), (answer) =>
        method === 'GET' ? replies.cacheable(visit, tag, answer) : replies.unkept(visit, answer),
      )
    }

    function handle(request: Request, path: PathParams): Response | Promise<Response> {
      const started = performance.now()
      const visit = visitOf(request)
      const reply = guarded(visit, () => {
        if (asked === undefined) return respond(visit, path)
        return after(askerOf(visit, asked), (caller) => {
          visit.caller = caller
          return respond(visit, path)
        })
      })
      return after(reply, (response) => {
        count(response.status, performance.now() - started)
        // What failed on our side was given back: it was no use.
        const { caller, quota } = visit
        const isUse = quota !== undefined && response.status < 500
        if (isUse && caller !== undefined && 'key_id' in caller) use(caller, quota)
        return response
      })
    }

    const detail = operationOf(
      { ...spec, method, access, params: params.schema, query: query.schema },
      deps.config.accessPolicy,
    )
    if (method === 'GET') {
      app.get(path, ({ request, params }) => handle(request, params), { detail })
      app.head(path, ({ request, params }) => after(handle(request, params), withoutBody), HIDDEN)
    } else {
      // The body is read here, once it is known who sends it.
      const route = { detail, parse: 'none' } as const
      app.post(path, ({ request, params }) => handle(request, params), route)
      // A server that listens keeps HEAD out of `all`.
      app.head(path, ({ request }) => methodNotAllowed(request, allowed), HIDDEN)
    }
    app.options(path, () => preflight(), HIDDEN)
    app.all(path, ({ request }) => methodNotAllowed(request, allowed), HIDDEN)
  }

  function visitOf(request: Request, isPage = false): RequestContext {
    return { request, id: requestId(), caller: undefined, isPage, quota: undefined, credits: 0 }
  }

  function askerOf(visit: RequestContext, asked: Asked): Principal | Promise<Principal> {
    const { request } = visit
    const key = request.headers.get('x-api-key')
    if (key || !isOfPage(request)) return callerOf(key)
    visit.isPage = true
    const address = clientAddress(request)
    return pageSessionOf(request).then((session) => admitPage({ session, address, ...asked }))
  }

  function guarded(visit: RequestContext, way: () => Response | Promise<Response>) {
    try {
      const reply = way()
      return reply instanceof Promise ? reply.catch((error) => refuse(visit, error)) : reply
    } catch (error) {
      return refuse(visit, error)
    }
  }

  /** What was thrown, as an answer: with the caller's quota, and with our own failures given back. */
  function refuse(visit: RequestContext, thrown: unknown): Response | Promise<Response> {
    const error = toPublicError(deps.log, visit.id, thrown)
    const { caller, quota, credits } = visit
    if (caller === undefined) return replies.failure(visit, error, undefined)
    if (quota === undefined) {
      return charges.look(caller).then((seen) => replies.failure(visit, error, seen))
    }
    const isOurs = STATUS[error.code] >= 500
    return replies.failure(visit, error, isOurs ? charges.refund(caller, quota, credits) : quota)
  }

  function methodNotAllowed(request: Request, allowed: string): Response {
    const error = new ServiceError('METHOD_NOT_ALLOWED', `This address takes ${allowed}.`)
    const refused = replies.failure(visitOf(request, isOfPage(request)), error, undefined)
    refused.headers.set('allow', allowed)
    return refused
  }

  function getMetered<P extends TProperties = NoFields, Q extends TProperties = NoFields>(
    path: string,
    feature: Feature,
    spec: MeteredSpec<P, Q>,
  ): void {
    mount({ method: 'GET', path, access: feature }, spec, (ask, caller) =>
      spec.plan({ ...ask, caller: known(caller, path) }),
    )
  }

  return {
    /** An endpoint that anyone may ask. */
    getPublic<P extends TProperties = NoFields, Q extends TProperties = NoFields>(
      path: string,
      spec: PublicSpec<P, Q>,
    ): void {
      mount({ method: 'GET', path, access: 'public' }, spec, (ask) =>
        costing(1, () => spec.answer(ask)),
      )
    },
    /** An endpoint for callers with a key whose tier reaches the feature. */
    get<P extends TProperties = NoFields, Q extends TProperties = NoFields>(
      path: string,
      feature: Feature,
      spec: KeyedSpec<P, Q>,
    ): void {
      getMetered(path, feature, { ...spec, plan: (ask) => costing(1, () => spec.answer(ask)) })
    },
    /** The same for what has to be looked at before it is charged. */
    planned: getMetered,
    /** An endpoint that is asked with a body. */
    post<Body, P extends TProperties = NoFields, Q extends TProperties = NoFields>(
      path: string,
      feature: Feature,
      spec: BodySpec<P, Q, Body>,
    ): void {
      mount({ method: 'POST', path, access: feature }, spec, (ask, caller, body: Body) =>
        spec.plan({ ...ask, body, caller: known(caller, path) }),
      )
    },
  }
}

type Asked = Pick<PageRequest, 'method' | 'feature'>

type Place = { method: 'GET' | 'POST'; path: string; access: 'public' | Feature }

function costing(credits: number, answer: MeteredAnswer['answer']): MeteredAnswer {
  return { credits, answer }
}

/** A keyed endpoint is only reached through `askerOf`. */
function known(caller: Principal | undefined, path: string): Principal {
  if (caller === undefined) throw new Error(`no caller at ${path}`)
  return caller
}

export type KeyEndpoints = ReturnType<typeof createKeyEndpoints>

/** What Elysia found in the path, null for what it could not decode; undefined where it has none. */
type PathParams = Record<string, string | null> | undefined

type NoFields = Record<never, never>

const NO_FIELDS: NoFields = {}

const HIDDEN = { detail: { hide: true } }

/** Goes on at once where there is nothing to wait for: a promise costs more than a look-up. */
function after<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value)
}

/** The answer to HEAD: everything but the body, its length included where it is known. */
export async function withoutBody(response: Response): Promise<Response> {
  const { status, headers } = response
  // Of a file nothing was read, and the server leaves its body away.
  if (headers.has('content-disposition')) return response
  if (status !== 304) {
    headers.set('content-length', String((await response.arrayBuffer()).byteLength))
  }
  return new Response(null, { status, headers })
}

function quotaExceeded(credits: number): ServiceError {
  return new ServiceError(
    'RATE_LIMIT_EXCEEDED',
    credits === 1
      ? 'The daily quota is used up. It resets at midnight UTC.'
      : `This costs ${credits} requests of the daily quota, and fewer are left. It resets at midnight UTC.`,
  )
}
