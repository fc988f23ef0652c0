import type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox'
import type { Elysia } from 'elysia'
import type { Deps } from '#deps.ts'
import type { Quota } from '#rules/accounts/quota.ts'
import { expiredSessionCookie, sessionCookie } from '#rules/accounts/sessions.ts'
import { assertTierAtLeast, type Feature, lowestTier } from '#rules/accounts/tiers.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Session } from '#store/ledger/sessions.ts'
import { readJsonBody } from '../input/json-body.ts'
import { bodyReader, fieldReader, queryParams } from '../input/validation.ts'
import { errorResponse, renderBody, toPublicError } from './envelope.ts'
import { setTrustedCors } from './headers.ts'
import { type EndpointContext, withoutBody } from './key-endpoints.ts'
import { accountOperation } from './openapi.ts'
import { createSessionGate } from './session-gate.ts'

export type AccountMethod = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** What an account endpoint declares. */
type AccountSpec<P extends TProperties, Q extends TProperties, B extends TProperties> = {
  tag: string
  summary: string
  description?: string
  params?: P
  query?: Q
  body?: B
  /** That of a body without needed members one of them is needed all the same. */
  needsOne?: true
  /** Of a success; 200 unless it says otherwise. */
  status?: 200 | 201 | 202
  /** What else it may refuse, by the status; the usual ones are known. */
  refusals?: Readonly<Record<number, string>>
  /** The shape of `data`, for the API document. */
  reply: TSchema
  /** The shape of `meta`, where there is one. */
  meta?: TSchema
}

export type SessionRequest<P extends TProperties, Q extends TProperties, B extends TProperties> = {
  params: Static<TObject<P>>
  query: Static<TObject<Q>>
  body: Static<TObject<B>>
  /** Where the request comes from. */
  address: string
}

/** What an account endpoint answers. */
export type AccountAnswer = {
  data: unknown
  /** Of a list: its paging. */
  meta?: object
  /** The token of the session that begins; null ends the browser's session. */
  session?: string | null
}

type OpenSpec<P extends TProperties, Q extends TProperties, B extends TProperties> = AccountSpec<
  P,
  Q,
  B
> & {
  answer(ask: SessionRequest<P, Q, B> & { session: Session | undefined }): Promise<AccountAnswer>
}

type SessionSpec<P extends TProperties, Q extends TProperties, B extends TProperties> = AccountSpec<
  P,
  Q,
  B
> & {
  /** What the account's tier must reach; nothing where it is not given. */
  needs?: Feature
  /** Only for accounts that are marked as operator. */
  operator?: true
  answer(ask: SessionRequest<P, Q, B> & { session: Session; quota: Quota }): Promise<AccountAnswer>
}

type AccountSurroundings = Pick<
  EndpointContext,
  'meter' | 'requestId' | 'headers' | 'clientAddress'
> & {
  /** An account's quota, without charging it. */
  look(account: { account_id: number; tier: Session['tier'] }): Promise<Quota>
}

/**
 * The doors of accounts, for browsers with a session. Every request goes the same way: does its own
 * page send it (403) - who is logged in (401) - may they (403) - is it well formed (415, 413, 400) -
 * the answer.
 */
export function createSessionEndpoints(app: Elysia, deps: Deps, surroundings: AccountSurroundings) {
  const { meter, requestId, headers: make, look, clientAddress } = surroundings
  const { publicUrl, corsOrigins } = deps.config
  const isSecure = publicUrl.startsWith('https:')
  const { assertOwnPage, sessionOf } = createSessionGate(deps)
  const methodsOf = new Map<string, Set<string>>()

  type Visit = { request: Request; id: string; session: Session | undefined; quota?: Quota }

  function mount<P extends TProperties, Q extends TProperties, B extends TProperties>(
    method: AccountMethod,
    path: string,
    access: 'open' | 'session',
    spec: AccountSpec<P, Q, B> & { needs?: Feature; operator?: true },
    answer: (ask: SessionRequest<P, Q, B>, visit: Visit) => Promise<AccountAnswer>,
  ): void {
    const params = fieldReader(spec.params ?? ({} as P))
    const query = fieldReader(spec.query ?? ({} as Q))
    const body = bodyReader(spec.body ?? ({} as B), spec)
    const needed = spec.needs && lowestTier(spec.needs, deps.config.accessPolicy)
    const count = meter.endpoint(`${method} ${path}`)

    async function respond(visit: Visit, found: Record<string, string>): Promise<Response> {
      const { request } = visit
      assertOwnPage(request)
      visit.session = await sessionOf(request)
      if (access === 'session') {
        if (visit.session === undefined) throw sessionRequired()
        visit.quota = await look(visit.session)
        if (spec.operator && !visit.session.is_operator) throw operatorRequired()
        if (needed !== undefined) assertTierAtLeast(visit.session.tier, needed)
      }
      const ask = {
        params: params.path(found),
        query: query.query(queryParams(request)),
        // Without fields of its own it does not look at a body at all.
        body:
          spec.body === undefined ? body.read({}) : body.read(await readJsonBody(request, body)),
        address: clientAddress(request),
      }
      return success(visit, spec.status ?? 200, await answer(ask, visit))
    }

    async function handle(request: Request, found: Record<string, string>): Promise<Response> {
      const started = performance.now()
      const visit: Visit = { request, id: requestId(), session: undefined }
      const response = await respond(visit, found).catch((error) => failure(visit, error))
      count(response.status, performance.now() - started)
      return response
    }

    const detail = accountOperation({
      ...spec,
      method,
      access,
      needed,
      params: params.schema,
      query: query.schema,
      body: spec.body && { schema: body.schema, isOptional: body.isOptional },
    })
    // The body is read here, once it is known who sends it, and no further than it may be long.
    const route = { detail, parse: 'none' } as const
    app.route(method, path, ({ request, params }) => handle(request, { ...params }), route)
    offer(method, path)
    if (method !== 'GET') return
    const head = async (request: Request, found: object) =>
      withoutBody(await handle(request, { ...found }))
    app.head(path, ({ request, params }) => head(request, params), HIDDEN)
    offer('HEAD', path)
  }

  /** Mounts, once for a path, what answers the methods that it does not have. */
  function offer(method: string, path: string): void {
    const known = methodsOf.get(path)
    const methods = known ?? new Set<string>()
    methodsOf.set(path, methods.add(method))
    if (known !== undefined) return
    const allowed = () => [...methods, 'OPTIONS'].join(', ')
    app.options(path, ({ request }) => preflight(request, allowed()), HIDDEN)
    app.all(path, ({ request }) => methodNotAllowed(request, allowed()), HIDDEN)
    // A server that listens keeps HEAD out of `all`; where there is a GET, its own HEAD takes its place.
    app.head(path, ({ request }) => methodNotAllowed(request, allowed()), HIDDEN)
  }

  function success(visit: Visit, status: number, { session, ...answer }: AccountAnswer): Response {
    const headers = headersOf(visit)
    if (session === null) headers.append('set-cookie', expiredSessionCookie(isSecure))
    else if (session !== undefined) headers.append('set-cookie', sessionCookie(session, isSecure))
    return new Response(renderBody(answer, visit.quota), { status, headers })
  }

  function failure(visit: Visit, thrown: unknown): Response {
    const error = toPublicError(deps.log, visit.id, thrown)
    return errorResponse(error, visit.quota, headersOf(visit))
  }

  function headersOf({ request, id, quota }: Visit): Headers {
    const headers =
      quota === undefined
        ? make.plain('session')
        : make.withQuota('session', quota, deps.now().getTime())
    headers.set('x-request-id', id)
    if (corsOrigins.length > 0) headers.append('vary', 'Origin')
    const origin = request.headers.get('origin')
    if (origin !== null && corsOrigins.includes(origin)) setTrustedCors(headers, origin)
    return headers
  }

  function preflight(request: Request, methods: string): Response {
    const headers = headersOf({ request, id: requestId(), session: undefined })
    headers.set('allow', methods)
    if (headers.has('access-control-allow-origin')) {
      headers.set('access-control-allow-methods', methods)
      headers.set('access-control-allow-headers', 'Content-Type')
      headers.set('access-control-max-age', '86400')
    }
    return new Response(null, { status: 204, headers })
  }

  function methodNotAllowed(request: Request, methods: string): Response {
    const error = new ServiceError('METHOD_NOT_ALLOWED', `This address takes ${methods}.`)
    const response = failure({ request, id: requestId(), session: undefined }, error)
    response.headers.set('allow', methods)
    return response
  }

  return {
    /** An endpoint that anyone may ask; it is told of a session where there is one. */
    open<
      P extends TProperties = NoFields,
      Q extends TProperties = NoFields,
      B extends TProperties = NoFields,
    >(method: AccountMethod, path: string, spec: OpenSpec<P, Q, B>): void {
      mount(method, path, 'open', spec, (ask, { session }) => spec.answer({ ...ask, session }))
    },
    /** An endpoint for whoever is logged in. */
    session<
      P extends TProperties = NoFields,
      Q extends TProperties = NoFields,
      B extends TProperties = NoFields,
    >(method: AccountMethod, path: string, spec: SessionSpec<P, Q, B>): void {
      mount(method, path, 'session', spec, (ask, { session, quota }) => {
        // It is only reached with a session, whose quota was looked up.
        if (session === undefined || quota === undefined) throw new Error(`no session at ${path}`)
        return spec.answer({ ...ask, session, quota })
      })
    },
  }
}

export type SessionEndpoints = ReturnType<typeof createSessionEndpoints>

type NoFields = Record<never, never>

const HIDDEN = { detail: { hide: true } }

function sessionRequired(): ServiceError {
  return new ServiceError(
    'SESSION_REQUIRED',
    'Log in first: POST /v1/auth/login, and send the session cookie that it answers.',
  )
}

function operatorRequired(): ServiceError {
  return new ServiceError(
    'OPERATOR_REQUIRED',
    'This is for operators. Whoever runs the service marks an account as one: bun run admin account operator --email E.',
  )
}
