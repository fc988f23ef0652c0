import type { DocumentDecoration, Elysia } from 'elysia'
import type { Quota } from '#rules/accounts/tiers.ts'
import { ERRORS, ServiceError } from '#rules/primitives/errors.ts'
import type { ServedCatalog } from '#store/served-catalog.ts'
import type { MetricsRegistry, RequestTimer } from '../metrics/registry.ts'
import { after } from './after.ts'
import { createCompressor } from './compression.ts'
import { isDownload } from './download.ts'
import type { Drain } from './drain.ts'
import type { FailureTranslator } from './envelope.ts'
import type { CorsPolicy } from './headers.ts'
import type { PrincipalQuota } from './quota.ts'
import type { RequestContext } from './request-context.ts'
import { NOT_FOUND_MESSAGE } from './request-target.ts'
import type { Responses } from './responses.ts'
import { isDashboardRequest } from './session-gate.ts'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Path parameters from Elysia: null if one could not be decoded, undefined for a static path. */
export type PathParams = Readonly<Record<string, string | null>> | undefined

/** A request that Elysia has found a route for. */
type RoutedRequest = { request: Request; params: PathParams }

/** Identifies the sender of a request, or throws the ServiceError that refuses it. */
export type Authenticator<Who> = (context: RequestContext) => Who | Promise<Who>

/** Serves a method of a path. */
export type Route<Who> = {
  method: Method
  path: string
  /** Undefined: the route is not in the API document. */
  detail?: DocumentDecoration
  /** Default: `none`. */
  cors?: CorsPolicy
  /** True if each response belongs to a browser session. */
  isPrivate?: boolean
  /**
   * True if responses never contain a secret; only then are they compressed. An attacker's page can make a browser
   * send requests. If a response repeated their text beside a secret, its compressed length would reveal how much
   * they have in common (BREACH). So responses with API keys, webhook secrets, session cookies or account data are
   * never compressed. The catalog and the documentation contain none of these.
   */
  isCompressible?: boolean
  /** Label in the request metrics, by default method and path; null if the route is not counted. */
  label?: string | null
  authenticate: Authenticator<Who>
  respond(context: RequestContext, who: Who, params: PathParams): Response | Promise<Response>
  /** Renders a failure in a format other than JSON. */
  renderFailure?(context: RequestContext, error: ServiceError): Response | Promise<Response>
  /** Runs last, after successes and failures. */
  finish?(context: RequestContext, response: Response, status: number): void | Promise<void>
}

/** Audience of the responses of a route. */
type Audience = Pick<Route<never>, 'cors' | 'isPrivate'>

export type Pipeline = {
  /** Serves a route, and HEAD on its path. */
  mount<Who>(route: Route<Who>): void
  /** Serves a page or file to everyone. */
  mountPage(path: string, respond: RespondToPage, options?: PageOptions): void
  /** Serves OPTIONS and 405 on all paths. Call it after the last `mount`. */
  mountOtherMethods(): void
}

export type RespondToPage = (
  request: Request,
  params: Readonly<Record<string, string>>,
  context: RequestContext,
) => Response | Promise<Response>

type PageOptions = Pick<
  Route<undefined>,
  'cors' | 'label' | 'isCompressible' | 'renderFailure' | 'finish'
>

type PipelineContext = {
  app: Elysia
  metrics: MetricsRegistry
  createRequestId: () => string
  /** Returns the error for a request that does not match a route exactly. */
  checkTarget: (request: Request) => ServiceError | undefined
  quota: PrincipalQuota
  responses: Responses
  translateFailure: FailureTranslator
  drain: Drain
  /** Renders the page for a path that does not exist; undefined for clients that expect JSON. */
  renderNotFound: (request: Request, requestId: string) => Promise<Response> | undefined
  /** Lets each request read one version of the catalog; undefined if there is a single file, with its own versions. */
  servedCatalog: Pick<ServedCatalog, 'pin'> | undefined
}

/**
 * Serves every route the same way: authenticate, respond, compress, count. A failure of any step becomes an error
 * response with the caller's quota; a request that failed with a 5xx is refunded.
 *
 * The pipeline is plain functions, not framework hooks: it is the hot path (docs/decisions/0005).
 */
export function createPipeline(context: PipelineContext): Pipeline {
  const { app, metrics, createRequestId, checkTarget, quota, responses } = context
  const { translateFailure, drain, renderNotFound, servedCatalog } = context
  const compress = createCompressor()
  const methodsByPath = new Map<string, { route: Audience; methods: Set<string> }>()

  function handle<Who>(
    route: Route<Who>,
    count: RequestTimer,
    { request, params }: RoutedRequest,
  ): Response | Promise<Response> {
    const started = performance.now()
    const context = createContext(request, route)
    const { isCompressible = false, finish } = route
    const response = recover(context, route, params)
    const sent = isCompressible
      ? after(response, (response) => compress(request, response))
      : response
    const finished = after(sent, (response) => {
      const { status } = response
      count(status, performance.now() - started)
      if (drain.isDraining()) response.headers.set('connection', 'close')
      return after(finish?.(context, response, status), () => response)
    })
    if (!(finished instanceof Promise)) return finished
    // Elysia catches only what is thrown at once.
    return finished.catch((error) =>
      responses.failure(context, translateFailure(context.id, error)),
    )
  }

  /** Authenticates the sender, and responds. */
  function run<Who>(
    context: RequestContext,
    { authenticate, respond }: Route<Who>,
    params: PathParams,
  ): Response | Promise<Response> {
    return after(authenticate(context), (who: Who) => respond(context, who, params))
  }

  const begin: typeof run =
    servedCatalog === undefined
      ? run
      : (context, route, params) => servedCatalog.pin(() => run(context, route, params))

  /** @throws ServiceError if the request is not addressed to the route exactly */
  function createContext(request: Request, route: Audience): RequestContext {
    const problem = checkTarget(request)
    if (problem !== undefined) throw problem
    const { cors = 'none', isPrivate = false } = route
    return {
      request,
      id: createRequestId(),
      cors,
      isPrivate,
      isDashboard: false,
      principal: undefined,
      quota: undefined,
      credits: 0,
      error: undefined,
    }
  }

  function recover<Who>(
    context: RequestContext,
    route: Route<Who>,
    params: PathParams,
  ): Response | Promise<Response> {
    try {
      const held = drain.waitForTurn()
      const response =
        held === undefined
          ? begin(context, route, params)
          : held.then(() => begin(context, route, params))
      if (!(response instanceof Promise)) return response
      return response.catch((error) => fail(context, route, error))
    } catch (error) {
      return fail(context, route, error)
    }
  }

  function fail<Who>(
    context: RequestContext,
    { renderFailure }: Route<Who>,
    thrown: unknown,
  ): Response | Promise<Response> {
    const error = translateFailure(context.id, thrown)
    context.error = error
    if (renderFailure !== undefined) return renderFailure(context, error)
    return after(quotaAfter(error, context), (quota) => {
      context.quota = quota
      return responses.failure(context, error)
    })
  }

  function renderPageFailure(
    context: RequestContext,
    error: ServiceError,
  ): Response | Promise<Response> {
    const page =
      error.code === 'NOT_FOUND' ? renderNotFound(context.request, context.id) : undefined
    return page ?? responses.failure(context, error)
  }

  function quotaAfter(
    error: ServiceError,
    { principal, quota: charged, credits }: RequestContext,
  ): Quota | undefined | Promise<Quota | undefined> {
    if (principal === undefined) return undefined
    // If the ledger failed, the error is sent without the quota.
    if (charged === undefined) {
      return error.code === 'UNAVAILABLE' ? undefined : quota.get(principal).catch(() => undefined)
    }
    if (credits === 0 || ERRORS[error.code].status < 500) return charged
    const refunded = quota.refund(principal, charged, credits)
    return refunded instanceof Promise ? refunded.catch(() => charged) : refunded
  }

  function allow(method: string, path: string, route: Audience): void {
    const known = methodsByPath.get(path)
    if (known === undefined) methodsByPath.set(path, { route, methods: new Set([method]) })
    else known.methods.add(method)
  }

  /** Serves OPTIONS on a path, and refuses unsupported methods. */
  function mountRefusals(path: string, route: Audience, methods: ReadonlySet<string>): void {
    const refuse = (request: Request) => {
      const context = createContext(request, route)
      context.isDashboard = isDashboardRequest(request)
      return responses.methodNotAllowed(context, [...methods])
    }
    app.options(
      path,
      ({ request }) => responses.preflight(createContext(request, route), [...methods]),
      HIDDEN,
    )
    // Uses the methods one by one, because Bun's router does not know `all`.
    for (const method of METHODS.filter((method) => !methods.has(method))) {
      app.route(method, path, ({ request }) => refuse(request), HIDDEN)
    }
  }

  function mount<Who>(route: Route<Who>): void {
    const { method, path, detail = HIDDEN.detail, label = `${method} ${path}` } = route
    const count = label === null ? () => {} : metrics.endpoint(label)
    // Elysia reads the source of a handler: it prepares what the handler names, and awaits what looks like a call. It
    // sees no source of a bound function, so it prepares little and awaits nothing.
    const serve = handle.bind(undefined, route, count)
    app.route(method, path, serve, { detail })
    allow(method, path, route)
    if (method !== 'GET') return
    app.head(path, ({ request, params }) => after(serve({ request, params }), withoutBody), HIDDEN)
    allow('HEAD', path, route)
  }

  return {
    mount,
    mountOtherMethods() {
      for (const [path, { route, methods }] of methodsByPath) mountRefusals(path, route, methods)
    },
    mountPage(path, respond, options) {
      mount({
        renderFailure: renderPageFailure,
        ...options,
        method: 'GET',
        path,
        authenticate: anyone,
        respond: (context, _, params) => respond(context.request, decoded(params), context),
      })
    },
  }
}

/** @throws ServiceError NOT_FOUND for a path that is not percent-encoded correctly */
function decoded(params: PathParams): Record<string, string> {
  const entries = Object.entries(params ?? {}).map(([name, value]): [string, string] => {
    if (value === null) throw new ServiceError('NOT_FOUND', NOT_FOUND_MESSAGE)
    return [name, value]
  })
  return Object.fromEntries(entries)
}

/** Authenticates nobody: the endpoint is public. */
export const anyone: Authenticator<undefined> = () => undefined

const HIDDEN = { detail: { hide: true } }

/** Methods that Bun routes, without OPTIONS, which every path has. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Removes the body for HEAD, and sets the length that it would have. */
async function withoutBody(response: Response): Promise<Response> {
  const { status, headers } = response
  // A file has not been read yet; the server omits its body.
  if (isDownload(headers)) return response
  if (status !== 304) {
    headers.set('content-length', String((await response.arrayBuffer()).byteLength))
  }
  return new Response(null, { status, headers })
}
