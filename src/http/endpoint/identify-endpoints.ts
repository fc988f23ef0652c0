import type { Static, TObject, TProperties, TSchema } from '@sinclair/typebox'
import type { Elysia } from 'elysia'
import { createApiKeyAuthenticator } from '#actions/accounts/authenticate-api-key.ts'
import type { Deps } from '#deps.ts'
import type { Quota } from '#rules/accounts/quota.ts'
import type { Tier } from '#rules/accounts/tiers.ts'
import { ANSWER_DEADLINE_SECONDS, remainingScans } from '#rules/photos/scans.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { PAID_RESPONSE_SECONDS_MAX } from '#rules/x402/payment-timeouts.ts'
import { encodeHeader, type PaymentPayload, type Settlement } from '#rules/x402/x402-protocol.ts'
import { readJsonBody } from '../input/json-body.ts'
import { readPhotoBody } from '../input/photo-body.ts'
import { bodyReader, fieldReader, queryParams } from '../input/validation.ts'
import { errorResponse, renderBody, STATUS, toPublicError } from './envelope.ts'
import { preflight, setCors, setTrustedCors } from './headers.ts'
import { type EndpointContext, withoutBody } from './key-endpoints.ts'
import { accountOperation, type DocumentedAccount } from './openapi.ts'
import { createPaymentOffer, paymentRequired } from './payment-offer.ts'
import { createSessionGate } from './session-gate.ts'
import { createUploadSlots } from './upload-slots.ts'

/** What an endpoint of scans declares. */
type ScanSpec = {
  tag: string
  summary: string
  description?: string
  /** What else it may refuse, by the status; the usual ones are known. */
  refusals?: Readonly<Record<number, string>>
  /** The shapes of `data` and `meta`, for the API document. */
  reply: TSchema
  meta?: TSchema
}

type PhotoSpec<O extends TProperties> = ScanSpec & {
  /** What may stand in the query, or beside the photo. */
  options: O
  /** A photo of an account's. */
  answer(ask: PhotoAsk<O> & { account_id: number }): Promise<ScanAnswer>
  /** One that is paid by itself, whoever sends it. */
  paid(ask: PhotoAsk<O> & { payment: PaymentPayload }): Promise<ScanAnswer>
}

type PhotoAsk<O extends TProperties> = {
  photo: Uint8Array
  options: Static<TObject<O>>
  request: Request
}

type AccountSpec<P extends TProperties, B extends TProperties> = ScanSpec & {
  params?: P
  body?: B
  answer(ask: {
    account_id: number
    params: Static<TObject<P>>
    body: Static<TObject<B>>
  }): Promise<ScanAnswer>
}

export type ScanAnswer = {
  data: unknown
  meta?: { scans_remaining: number }
  /** How the photo was paid, where it was paid by itself. */
  settlement?: Settlement
}

/** Who asks, and how they said so. */
type Asker = { account_id: number; tier: Tier; by: 'key' | 'session' }

type ScanSurroundings = Pick<
  EndpointContext,
  'meter' | 'requestId' | 'headers' | 'clientAddress'
> & {
  /** An account's quota, without charging it. */
  look(account: { account_id: number; tier: Tier }): Promise<Quota>
}

/**
 * The doors of scans. They count against no quota, and every answer to an account that is known tells
 * its quota and its scans. The way: who asks, or what pays (401, 402) - only then is a body read - is it
 * well formed (400) - the answer.
 */
export function createIdentifyEndpoints(app: Elysia, deps: Deps, surroundings: ScanSurroundings) {
  const { meter, requestId, headers: make, look, clientAddress } = surroundings
  const { corsOrigins } = deps.config
  const { assertOwnPage, sessionOf, isOfPage, pageSessionOf } = createSessionGate(deps)
  const callerOf = createApiKeyAuthenticator(deps)
  const places = createUploadSlots(STRANGERS)
  const offer = createPaymentOffer(deps)

  type Visit = {
    request: Request
    id: string
    asker?: Asker
    quota?: Quota
    /** Whether a payment would do, too. */
    isPayable?: boolean
    /** Whether one of our own pages sends a photo. */
    isPage?: boolean
  }
  type Respond = (visit: Visit, found: object) => Promise<ScanAnswer>

  function mount(path: string, documented: DocumentedAccount, respond: Respond): void {
    const { method, photo } = documented
    const count = meter.endpoint(`${method} ${path}`)

    async function handle(request: Request, found: object): Promise<Response> {
      const started = performance.now()
      const visit: Visit = { request, id: requestId(), isPayable: photo !== undefined }
      const response = await respond(visit, found)
        .then((answer) => success(visit, answer))
        .catch((error) => failure(visit, error))
      await tellScans(visit, response)
      count(response.status, performance.now() - started)
      return response
    }

    const allowed = method === 'GET' ? 'GET, HEAD, OPTIONS' : `${method}, OPTIONS`
    const refused = (request: Request) => methodNotAllowed(request, allowed)
    // The body is read here, once it is known who sends it.
    const route = { detail: accountOperation(documented), parse: 'none' } as const
    app.route(method, path, ({ request, params }) => handle(request, { ...params }), route)
    app.options(path, ({ request }) => asked(request), HIDDEN)
    app.all(path, ({ request }) => refused(request), HIDDEN)
    app.head(
      path,
      async ({ request, params }) =>
        method === 'GET' ? withoutBody(await handle(request, { ...params })) : refused(request),
      HIDDEN,
    )
  }

  async function admit(visit: Visit, known: Promise<Asker>): Promise<Asker> {
    const asker = await known
    visit.asker = asker
    visit.quota = await look(asker)
    return asker
  }

  async function byKey({ headers }: Request): Promise<Asker> {
    const { account_id, tier } = await callerOf(headers.get('x-api-key'))
    return { account_id, tier, by: 'key' }
  }

  async function byKeyOrSession(request: Request): Promise<Asker> {
    if (request.headers.get('x-api-key')) return byKey(request)
    assertOwnPage(request)
    const session = await sessionOf(request)
    if (session === undefined) {
      throw new ServiceError('API_KEY_REQUIRED', 'Send your API key in X-API-Key, or log in.')
    }
    return { account_id: session.account_id, tier: session.tier, by: 'session' }
  }

  async function byKeyOrPage({ request, isPage }: Visit): Promise<Asker> {
    const session = isPage ? await pageSessionOf(request) : undefined
    if (session === undefined) return byKey(request)
    return { account_id: session.account_id, tier: session.tier, by: 'session' }
  }

  function success(visit: Visit, answer: ScanAnswer): Response {
    const headers = headersOf(visit)
    if (answer.settlement !== undefined) {
      headers.set('payment-response', encodeHeader(answer.settlement))
    }
    if (answer.meta !== undefined) {
      headers.set('x-scans-remaining', String(answer.meta.scans_remaining))
    }
    return new Response(renderBody(answer, visit.quota), { headers })
  }

  function failure(visit: Visit, thrown: unknown): Response {
    const error = toPublicError(deps.log, visit.id, thrown)
    const headers = headersOf(visit)
    if (visit.isPayable) offer.tell(headers, error)
    // What is to be paid is told to one caller, as the protocol's own servers do.
    if (STATUS[error.code] === 402) headers.set('cache-control', 'private, no-store')
    return errorResponse(error, visit.quota, headers)
  }

  /** What `meta` has told already stays: another photo may have taken a scan since. */
  async function tellScans({ asker }: Visit, { headers }: Response): Promise<void> {
    if (asker === undefined || headers.has('x-scans-remaining')) return
    try {
      const account = await deps.ledger.accounts.getScans(asker.account_id)
      headers.set('x-scans-remaining', String(remainingScans(account)))
    } catch (error) {
      // The answer itself says what went wrong, if anything did.
      deps.log.warn('scans not told', { error })
    }
  }

  function headersOf({ request, id, asker, quota, isPage = false }: Visit): Headers {
    const kind = isPage || asker?.by === 'session' ? 'session' : 'unkept'
    const headers =
      quota === undefined ? make.plain(kind) : make.withQuota(kind, quota, deps.now().getTime())
    headers.set('x-request-id', id)
    const origin = request.headers.get('origin')
    if (origin !== null && !isPage) allow(headers, origin)
    return headers
  }

  /** Any page may read what it was told with a key; with sessions only those that the operator names. */
  function allow(headers: Headers, origin: string): void {
    headers.append('vary', 'Origin')
    if (corsOrigins.includes(origin)) setTrustedCors(headers, origin)
    else setCors(headers)
  }

  function asked({ headers }: Request): Response {
    const response = preflight()
    const origin = headers.get('origin')
    if (origin !== null) allow(response.headers, origin)
    return response
  }

  function methodNotAllowed(request: Request, allowed: string): Response {
    const error = new ServiceError('METHOD_NOT_ALLOWED', `This address takes ${allowed}.`)
    const response = failure({ request, id: requestId() }, error)
    response.headers.set('allow', allowed)
    return response
  }

  return {
    /** An endpoint that takes a photo from callers with a key or a payment, and from our own pages. */
    photo<O extends TProperties>(path: string, spec: PhotoSpec<O>): void {
      const options = fieldReader(spec.options)
      const names = Object.keys(spec.options)
      const { schema } = options
      const documented = { method: 'POST', access: 'key', body: undefined } as const

      async function read(request: Request, seconds: number): Promise<PhotoAsk<O>> {
        const sent = await readPhotoBody(request, names)
        // The server closes connections that rest for 30 s; a photo may take longer.
        app.server?.timeout(request, seconds)
        const inQuery = queryParams(request) ?? []
        // An option that stands in both is given twice, and refused like one that is twice in the query.
        const read = options.query([...inQuery, ...sent.options])
        return { photo: sent.photo, options: read, request }
      }

      mount(
        path,
        { ...spec, ...documented, params: NO_FIELDS, query: schema, photo: schema },
        async (visit) => {
          const { request } = visit
          visit.isPage = isOfPage(request)
          const payment = await offer.in(request)
          if (payment !== undefined) {
            const reading = () => read(request, PAID_RESPONSE_SECONDS_MAX)
            return spec.paid({ ...(await places.run(clientAddress(request), reading)), payment })
          }
          if (!request.headers.get('x-api-key') && offer.isAskedFor(request))
            throw paymentRequired()
          const { account_id } = await admit(visit, byKeyOrPage(visit))
          return spec.answer({ ...(await read(request, ANSWER_DEADLINE_SECONDS)), account_id })
        },
      )
    },
    /** An endpoint for an account, be it known by a key or a session. */
    account<P extends TProperties = NoFields, B extends TProperties = NoFields>(
      method: 'GET' | 'POST',
      path: string,
      spec: AccountSpec<P, B>,
    ): void {
      const params = fieldReader(spec.params ?? ({} as P))
      const body = bodyReader(spec.body ?? ({} as B))
      const documented = { method, access: 'key or session', query: NO_FIELDS } as const
      mount(
        path,
        {
          ...spec,
          ...documented,
          params: params.schema,
          body: spec.body && { schema: body.schema, isOptional: body.isOptional },
        },
        async (visit, found) => {
          const { account_id } = await admit(visit, byKeyOrSession(visit.request))
          const { request } = visit
          return spec.answer({
            account_id,
            params: params.path({ ...found }),
            body:
              spec.body === undefined
                ? body.read({})
                : body.read(await readJsonBody(request, body)),
          })
        },
      )
    },
  }
}

export type IdentifyEndpoints = ReturnType<typeof createIdentifyEndpoints>

type NoFields = Record<never, never>

const NO_FIELDS = fieldReader({}).schema

const HIDDEN = { detail: { hide: true } }

/** Whoever signs anything is read, and 8 MB each are much: a quarter of a gigabyte at the most. */
const STRANGERS = { total: 32, perClient: 8 }
