import {
  type TProperties as Fields,
  type Static,
  type TObject,
  type TSchema,
  Type,
} from '@sinclair/typebox'
import type { Elysia } from 'elysia'
import type { UsageCounter } from '#actions/accounts/record-usage.ts'
import type { CollectionOwner } from '#actions/collections/manage-collections.ts'
import { createPriceChooser } from '#actions/pricing/choose-prices.ts'
import type { Deps } from '#deps.ts'
import { type Feature, lowestTier } from '#rules/accounts/tiers.ts'
import { ANSWER_DEADLINE_SECONDS, remainingScans } from '#rules/photos/scans.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { PAID_RESPONSE_SECONDS_MAX } from '#rules/x402/payment-timeouts.ts'
import type { BodySource } from '../input/body-source.ts'
import { jsonObject } from '../input/json-body.ts'
import { pagePhotoBody } from '../input/page-photo-body.ts'
import {
  PHOTO_MAX_BYTES,
  photoBodyMaxBytes,
  photoContent,
  readPhotoBody,
} from '../input/photo-body.ts'
import type { ReserveBytes } from '../input/read-body.ts'
import { fieldReader, queryParams } from '../input/validation.ts'
import type { ApiDocument } from '../openapi/document.ts'
import type { Access } from '../openapi/operation.ts'
import { NotesMetaSchema } from '../schemas/members.ts'
import { after } from './after.ts'
import { type AnswerOptions, applyOptions, createOptionReaders } from './answer-options.ts'
import type { Authenticators } from './authenticators.ts'
import type {
  AccountInput,
  CatalogInput,
  EndpointSpec,
  RequestInput,
  SessionRequirements,
} from './endpoint-spec.ts'
import type { BodySpec, DeclaredInput, Endpoints } from './endpoints.ts'
import { createMemberIncluder } from './included-members.ts'
import type { PaymentOffer } from './payment-offer.ts'
import type { Authenticator, PathParams, Pipeline, Route } from './pipeline.ts'
import type { PrincipalQuota } from './quota.ts'
import type { Principal, RequestContext } from './request-context.ts'
import type { Answer, Responses } from './responses.ts'
import type { UploadMemory } from './upload-memory.ts'

type EndpointContext = {
  document: ApiDocument
  pipeline: Pipeline
  authenticators: Authenticators
  responses: Responses
  quota: PrincipalQuota
  usage: UsageCounter
  clientAddress: (request: Request) => string
  offer: PaymentOffer
  uploads: UploadMemory
}

export function createEndpoints(app: Elysia, deps: Deps, shared: EndpointContext): Endpoints {
  const {
    document,
    pipeline,
    authenticators,
    responses,
    quota,
    usage,
    clientAddress,
    offer,
    uploads,
  } = shared
  const { accessPolicy } = deps.config
  const declared = new Map<string, DeclaredInput>()
  const createOptionReader = createOptionReaders()
  const choosePrices = createPriceChooser(deps)
  const includeMembers = createMemberIncluder(deps)

  /** Reserves the memory of a body until `use` has answered it. */
  function holdBody<Result>(
    { request, principal }: RequestContext,
    { bytesMax }: Pick<BodySource<unknown>, 'bytesMax'>,
    use: (reserve: ReserveBytes) => Promise<Result>,
  ): Promise<Result> {
    const account_id = principal && 'account_id' in principal ? principal.account_id : undefined
    return uploads.hold(request, { account_id, address: clientAddress(request), bytesMax }, use)
  }

  /** Mounts an endpoint of the catalog: checks the input, charges quota, answers. Synchronous if possible. */
  function mountMetered<P extends Fields, Q extends Fields, Body>(
    { method, path, access }: { method: 'GET' | 'POST'; path: string; access: 'public' | Feature },
    spec: AnySpec<P, Q> & { body?: BodySource<Body> },
    plan: (
      input: RequestInput<P, Q> & Pick<CatalogInput<P, Q>, 'view' | 'includes'>,
      principal: Principal | undefined,
      body: Body,
    ) => AnyMetered | Promise<AnyMetered>,
  ): void {
    const isPublic = access === 'public'
    const optionReader = createOptionReader(spec)
    const input = inputReader({ ...spec, query: optionReader.query as Q })
    const tier = isPublic ? undefined : lowestTier(access, accessPolicy)
    declared.set(`${method} ${path}`, { ...input.schemas, body: spec.body?.content })
    const meta = spec.meta ?? Type.Optional(NotesMetaSchema)
    const documented = { ...spec, ...input.schemas, meta, method, tier }
    const countUsage = usage.group(spec.tag.toLowerCase())
    const authenticate: Authenticator<Principal | undefined> = isPublic
      ? authenticators.optionalApiKey
      : authenticators.apiKey(access, method)

    function respond(context: RequestContext, { answer }: AnyMetered, options: ReadOptions) {
      return after(answer(), (answer) =>
        after(receive(context.principal, answer), () => {
          const complete = applyOptions(includeMembers(answer, options.includes), options)
          return method === 'GET'
            ? responses.cacheable(context, options.tag, complete)
            : responses.noStore(context, complete)
        }),
      )
    }

    /** Charges the planned price, and answers. */
    function charge(
      context: RequestContext,
      principal: Principal | undefined,
      planned: AnyMetered | Promise<AnyMetered>,
      options: ReadOptions,
    ): Response | Promise<Response> {
      // Public endpoints cost nothing, also with a key.
      if (principal === undefined) {
        return after(planned, (metered) => respond(context, metered, options))
      }
      return after(planned, (metered) =>
        after(quota.charge(principal, metered.credits), (charge) => {
          context.quota = charge.quota
          if (!charge.isAllowed) throw charge.refusal ?? quotaExceeded(metered.credits)
          context.credits = metered.credits
          return respond(context, metered, options)
        }),
      )
    }

    pipeline.mount({
      method,
      path,
      label: path,
      cors: 'public',
      isCompressible: true,
      detail: document.add({ ...documented, access: isPublic ? 'public' : 'key' }),
      authenticate,
      respond(context, principal, params) {
        const { request } = context
        const { body } = spec
        const unknown: string[] = []
        const sent = input.read(request, params, unknown)
        const { query, options: own } = optionReader.read(sent.query, unknown)
        // Read before the answer: a publication in between may make it newer than its tag, never older.
        const { tag } = deps.catalog.publication.getCurrent()
        const view = choosePrices(own.prices)
        const read = { ...sent, query, view, includes: own.includes }
        const options = { ...own, tag: addView(tag, view) }
        // Without a declared body none is read.
        if (body === undefined)
          return charge(context, principal, plan(read, principal, undefined as Body), options)
        return holdBody(context, body, async (reserve) =>
          charge(
            context,
            principal,
            plan(read, principal, await body.read(request, reserve)),
            options,
          ),
        )
      },
      finish({ principal, quota, credits }, { status }) {
        // A refunded 5xx does not count as usage.
        const isUse = credits > 0 && quota !== undefined && status < 500
        if (isUse && principal !== undefined && 'key_id' in principal) countUsage(principal, quota)
      },
    })
  }

  /** Mounts an endpoint that costs no quota and is never cached. */
  function mountAccount<P extends Fields, Q extends Fields, B extends Fields, Who>(
    route: AccountRoute<Who>,
    access: Access,
    spec: AnySpec<P, Q> & BodySpec<B> & SessionRequirements,
    answer: (input: AccountInput<P, Q, B>, who: Who, context: RequestContext) => Promise<Answer>,
  ): void {
    const body = spec.body && jsonObject(spec.body, spec.bodyBytesMax ?? JSON_BYTES_MAX, spec)
    const none = {} as Static<TObject<B>> // Without declared properties the body is not read.
    mountAccountBody(route, access, spec, body, (input, sent, who, context) =>
      answer({ ...input, body: sent ?? none }, who, context),
    )
  }

  /**
   * Mounts an endpoint with a body of any kind, or without one.
   *
   * @param accept rejects a request before its body is read
   */
  function mountAccountBody<P extends Fields, Q extends Fields, Body, Who>(
    route: AccountRoute<Who>,
    access: Access,
    spec: AnySpec<P, Q> & SessionRequirements,
    body: BodySource<Body> | undefined,
    answer: (
      input: ReadInput<P, Q>,
      body: Body | undefined,
      who: Who,
      context: RequestContext,
    ) => Promise<Answer>,
    accept: (
      who: Who,
      request: Request,
      input: ReadInput<P, Q>,
    ) => Promise<void> | undefined = () => undefined,
  ): void {
    const { needs, operator } = spec
    const { method } = route
    const tier = needs && lowestTier(needs, accessPolicy)
    const input = inputReader(spec)
    declared.set(`${method} ${route.path}`, { ...input.schemas, body: body?.content })
    pipeline.mount({
      ...route,
      detail: document.add({
        ...spec,
        ...input.schemas,
        method,
        access,
        tier,
        operator,
        body,
      }),
      async respond(context, who, params) {
        const { request } = context
        const read = {
          ...input.read(request, params),
          clientAddress: clientAddress(request),
          userAgent: request.headers.get('user-agent'),
        }
        const run = async (body: Body | undefined) =>
          responses.noStore(context, await answer(read, body, who, context), spec.status)
        if (body === undefined) return run(undefined)
        await accept(who, request, read)
        return holdBody(context, body, async (reserve) => run(await body.read(request, reserve)))
      },
    })
  }

  /** Adds the scan balance to the response of a known account; keeps the one of the answer. */
  async function addScanBalance(
    { principal }: RequestContext,
    { headers }: Response,
  ): Promise<void> {
    if (principal === undefined || !('account_id' in principal)) return
    // Another photo may have taken a scan since the answer.
    if (headers.has('x-scans-remaining')) return
    try {
      const account = await deps.ledger.accounts.getScans(principal.account_id)
      headers.set('x-scans-remaining', String(remainingScans(account)))
    } catch (error) {
      // The response itself says what failed, if anything did.
      deps.log.warn('scan balance not added', { error })
    }
  }

  return {
    declared,
    getPublic: (path, spec) =>
      mountMetered({ method: 'GET', path, access: 'public' }, spec, (input) => ({
        credits: 1,
        answer: () => spec.answer(input),
      })),
    get: (path, feature, spec) =>
      mountMetered({ method: 'GET', path, access: feature }, spec, (input, principal) => ({
        credits: 1,
        answer: () => spec.answer({ ...input, principal: required(principal) }),
      })),
    getMetered: (path, feature, spec) =>
      mountMetered({ method: 'GET', path, access: feature }, spec, (input, principal) =>
        spec.plan({ ...input, principal: required(principal) }),
      ),
    post: (path, feature, spec) =>
      mountMetered({ method: 'POST', path, access: feature }, spec, (input, principal, body) =>
        spec.plan({ ...input, body, principal: required(principal) }),
      ),
    optionalSession: (method, path, spec) =>
      mountAccount(
        { method, path, ...PRIVATE, authenticate: authenticators.optionalSession },
        'optional session',
        spec,
        (input, session) => spec.answer({ ...input, session }),
      ),
    session(method, path, spec) {
      const { needs, operator } = spec
      const tier = needs && lowestTier(needs, accessPolicy)
      const authenticate = authenticators.session({ tier, operator })
      mountAccount(
        { method, path, ...PRIVATE, authenticate },
        'session',
        spec,
        (input, session, { quota }) => spec.answer({ ...input, session, quota: required(quota) }),
      )
    },
    apiKeyOrSession: (method, path, spec) =>
      mountAccount(
        {
          method,
          path,
          cors: 'public or trusted',
          authenticate: authenticators.apiKeyOrSession,
          finish: addScanBalance,
        },
        'key or session',
        spec,
        (input, { account_id }) => spec.answer({ ...input, account_id }),
      ),
    account: (method, path, spec) =>
      mountAccount(
        { method, path, cors: 'public or trusted', authenticate: authenticators.apiKeyOrSession },
        'account',
        spec,
        (input, owner) => spec.answer({ ...input, ...ownerOf(owner) }),
      ),
    accountUpload: (path, spec) =>
      mountAccountBody(
        {
          method: 'POST',
          path,
          cors: 'public or trusted',
          authenticate: authenticators.apiKeyOrSession,
        },
        'account',
        spec,
        spec.upload,
        (input, body, owner, { request }) => {
          app.server?.timeout(request, spec.secondsMax)
          return spec.answer({ ...input, ...ownerOf(owner), body: required(body) })
        },
      ),
    pagePhoto: (path, spec) =>
      mountAccountBody(
        {
          method: 'POST',
          path,
          cors: 'public or trusted',
          authenticate: authenticators.apiKeyOrSession,
          finish: addScanBalance,
        },
        'key or session',
        { ...spec, query: spec.options },
        pagePhotoBody(spec.options),
        ({ clientAddress, params }, body, { account_id }, { request }) => {
          app.server?.timeout(request, spec.secondsMax)
          const { photo, options } = required(body)
          return spec.answer({ account_id, clientAddress, params, photo, options, request })
        },
        ({ account_id }, request, { params, clientAddress }) =>
          spec.accept({ account_id, request, params, clientAddress }),
      ),
    photo(path, spec) {
      const options = fieldReader(spec.options)
      const names = Object.keys(spec.options)

      async function readPhoto(request: Request, reserve: ReserveBytes, seconds: number) {
        const body = await readPhotoBody(request, names, reserve)
        // The server closes connections that are idle for 30 s; a photo may take longer.
        app.server?.timeout(request, seconds)
        const inQuery = queryParams(request) ?? []
        // An option in both places is refused like one that is twice in the query.
        return { photo: body.photo, options: options.query([...inQuery, ...body.options]) }
      }

      pipeline.mount({
        method: 'POST',
        path,
        cors: 'public or trusted',
        detail: document.add({
          ...spec,
          method: 'POST',
          access: 'key or payment',
          params: fieldReader(NO_FIELDS).schema,
          query: options.schema,
          body: photoContent(options.schema),
        }),
        authenticate: authenticators.photoPayment,
        async respond(context, payer) {
          const { request } = context
          const { account_id } = payer
          const address = clientAddress(request)
          await spec.accept({ payer, request, clientAddress: address })
          const isPaid = account_id === undefined
          const body = { account_id, address, bytesMax: photoBodyMaxBytes(PHOTO_MAX_BYTES) }
          // The photo is held while it waits for the reader.
          return uploads.hold(
            request,
            isPaid ? { ...body, busyCode: 'PAYMENT_UNAVAILABLE' } : body,
            async (reserve) => {
              const seconds = isPaid ? PAID_RESPONSE_SECONDS_MAX : ANSWER_DEADLINE_SECONDS
              const read = await readPhoto(request, reserve, seconds)
              return responses.noStore(
                context,
                await spec.answer({ ...read, payer, request, clientAddress: address }),
              )
            },
          )
        },
        async finish(context, response) {
          if (context.error !== undefined) offer.addTo(response.headers, context.error)
          await addScanBalance(context, response)
        },
      })
    },
  }
}

const PRIVATE = { cors: 'trusted', isPrivate: true } as const

/** Input of an endpoint for accounts, before its body is read. */
type ReadInput<P extends Fields, Q extends Fields> = RequestInput<P, Q> &
  Pick<AccountInput<P, Q, Fields>, 'clientAddress' | 'userAgent'>

type AccountRoute<Who> = Pick<
  Route<Who>,
  'method' | 'path' | 'cors' | 'isPrivate' | 'authenticate' | 'finish'
>

/** The account of a key or session, without what only some of them have. */
function ownerOf({ account_id, tier }: CollectionOwner): CollectionOwner {
  return { account_id, tier }
}

/** E-mail addresses, passwords and names are short. */
const JSON_BYTES_MAX = 16_384

type AnySpec<P extends Fields, Q extends Fields> = Omit<
  EndpointSpec<P, Q, TSchema, TSchema>,
  'entryId'
> & { entryId?: string }

/** Options with the tag of the catalog that answers. */
type ReadOptions = AnswerOptions & { tag: string }

/** Adds to the tag of a catalog the view of its prices. */
function addView(tag: string, { view }: Deps['catalog']): string {
  return view === undefined ? tag : `${tag}-${view.variant}`
}

type AnyMetered = { credits: number; answer(): Answer | Promise<Answer> }

const NO_FIELDS = {}

/** Reads the path and the query as an endpoint declares them. */
function inputReader<P extends Fields, Q extends Fields>(spec: { params?: P; query?: Q }) {
  const params = fieldReader(spec.params ?? (NO_FIELDS as P))
  const query = fieldReader(spec.query ?? (NO_FIELDS as Q))
  return {
    schemas: { params: params.schema, query: query.schema },
    /** @param unknown receives the names of other parameters in the query */
    read: (request: Request, inPath: PathParams, unknown?: string[]): RequestInput<P, Q> => ({
      params: params.path(inPath),
      query: query.query(queryParams(request), unknown),
    }),
  }
}

/** @throws ServiceError RATE_LIMIT_EXCEEDED if a visitor has received too much data today */
function receive(principal: Principal | undefined, answer: Answer): void | Promise<void> {
  if (principal === undefined || !('quotaAccount' in principal)) return
  if ('volume' in answer && answer.volume !== undefined) {
    return principal.quotaAccount.receive(answer.volume)
  }
}

/** The authenticator of the endpoint has set it. */
function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the endpoint was reached without authentication')
  return value
}

function quotaExceeded(credits: number): ServiceError {
  return new ServiceError(
    'RATE_LIMIT_EXCEEDED',
    credits === 1
      ? 'The daily quota is used up. It resets at midnight UTC.'
      : `This costs ${credits} requests of the daily quota, and fewer are left. It resets at midnight UTC.`,
  )
}
