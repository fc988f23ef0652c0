import type { Elysia } from 'elysia'
import type { UsageCounter } from '#actions/accounts/record-usage.ts'
import { runForSender } from '#actions/cooperative-loop.ts'
import type { Deps } from '#deps.ts'
import { lowestTier } from '#rules/accounts/tiers.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { BodySource, StoredBodySource } from '../input/read-body.ts'
import { fieldReader, queryParams } from '../input/validation.ts'
import type { ApiDocument } from '../openapi/document.ts'
import type { DocumentedEndpoint } from '../openapi/operation.ts'
import { after } from './after.ts'
import type { AnyPrincipal, Authenticators } from './authenticators.ts'
import {
  type Charge,
  type Declaration,
  type Endpoint,
  type EndpointName,
  isCatalogAuth,
} from './declaration.ts'
import { createAccountExchanges, createCatalogExchanges, type Exchange } from './exchanges.ts'
import type { PaymentOffer } from './payment-offer.ts'
import type { Method, PathParams, Pipeline } from './pipeline.ts'
import type { PrincipalQuota } from './quota.ts'
import type { RequestContext } from './request-context.ts'
import type { Answer, Responses } from './responses.ts'
import type { Uploader, UploadMemory } from './upload-memory.ts'

/** Parts of the server that serve endpoints. */
type EndpointParts = {
  app: Elysia
  document: ApiDocument
  pipeline: Pipeline
  authenticators: Authenticators
  responses: Responses
  quota: PrincipalQuota
  usage: UsageCounter
  clientAddress: (request: Request) => string
  offer: PaymentOffer
  uploads: UploadMemory
  /** Limits the disk space of stored bodies. */
  storedUploads: UploadMemory
  /** Receives the fields of each endpoint. */
  declared: Map<string, DeclaredInput>
}

/** Fields of an endpoint, from which MCP tools build their requests. */
export type DeclaredInput = Pick<DocumentedEndpoint, 'params' | 'query' | 'body'>

/** An endpoint with any declaration; its own type states what `respond` receives. */
type AnyEndpoint = Declaration & {
  entryId?: string
  accept?(request: AnyRequest): void | Promise<void>
  secondsMax?: number | ((principal: AnyPrincipal) => number)
  respond(request: AnyRequest): Answer | Promise<Answer>
}

type Place = { name: EndpointName; method: Method; path: string }

type AnyRequest = {
  params: object
  query: object
  principal: AnyPrincipal
  body: unknown
  charge: Charge | undefined
}

/**
 * Creates the function by which routes declare their endpoints. It serves each in the same order: authenticate,
 * validate, `accept`, read the body, charge, `respond`. It only awaits what is asynchronous, because this is the hot
 * path.
 */
export function createEndpoint(deps: Deps, parts: EndpointParts): Endpoint {
  const { app, document, pipeline, authenticators, quota, clientAddress, declared } = parts
  const { uploads, storedUploads } = parts
  const openCatalog = createCatalogExchanges(deps, parts)
  const openAccount = createAccountExchanges(deps, parts)

  /** Charges the quota of a request. @throws ServiceError RATE_LIMIT_EXCEEDED */
  function charge(context: RequestContext, credits: number): void | Promise<void> {
    const { principal } = context
    if (principal === undefined) throw new Error('a request without a quota cannot be charged')
    return after(quota.charge(principal, credits), (charge) => {
      context.quota = charge.quota
      if (!charge.isAllowed) throw charge.refusal ?? quotaExceeded(credits)
      context.credits = credits
    })
  }

  /** Returns the key of the sender who takes turns with others. */
  function senderOf(principal: AnyPrincipal, request: Request): string {
    const hasAccount = principal !== undefined && 'account_id' in principal
    return hasAccount ? `${principal.account_id}` : clientAddress(request)
  }

  /** Reads a body, and reserves its memory until the response, or only until it is stored. */
  function readBody(
    { request, principal: owner }: RequestContext,
    principal: AnyPrincipal,
    source: BodySource<unknown> | StoredBodySource,
    respond: (body: unknown) => Response | Promise<Response>,
  ): Promise<Response> {
    const account_id = owner === undefined || owner.kind === 'page' ? undefined : owner.account_id
    const { bytesMax } = source
    const uploader = { account_id, address: clientAddress(request), bytesMax }
    const isPaid = principal?.kind === 'payment'
    const body: typeof uploader & Uploader = isPaid
      ? { ...uploader, busyCode: 'PAYMENT_UNAVAILABLE' }
      : uploader
    if ('isStored' in source) return respondToStored(request, body, source, respond)
    return uploads.hold(request, body, async (reserve) =>
      respond(await source.read(request, reserve)),
    )
  }

  function respondToStored(
    request: Request,
    body: Uploader & { bytesMax: number },
    { read }: StoredBodySource,
    respond: (body: unknown) => Response | Promise<Response>,
  ): Promise<Response> {
    return storedUploads.hold(request, body, async (reserveDisk) => {
      const file = await uploads.hold(request, body, async (reserve) => {
        const bytes = await read(request, reserve)
        reserveDisk(bytes.length)
        return deps.files.uploads.put(bytes)
      })
      try {
        return await respond(file)
      } finally {
        file.close()
      }
    })
  }

  function serve<Read extends object>(
    { name, method, path }: Place,
    endpoint: AnyEndpoint,
    exchange: Exchange<Read>,
  ): void {
    const { needs, cost, body, accept, secondsMax, respond } = endpoint
    const params = fieldReader(endpoint.params ?? {})
    const query = fieldReader(exchange.query)
    const fields = { params: params.schema, query: query.schema, body }
    declared.set(name, fields)

    function answerRequest(
      context: RequestContext,
      principal: AnyPrincipal,
      inPath: PathParams,
    ): Response | Promise<Response> {
      const { request } = context
      const unknown: string[] = []
      const pathParams = params.path(inPath)
      const read = exchange.read(context, query.query(queryParams(request), unknown), unknown)
      const received: AnyRequest & Read = {
        ...read,
        params: pathParams,
        principal,
        body: undefined,
        charge: undefined,
      }
      let isCharged = cost !== 'counted'
      if (!isCharged) {
        received.charge = (credits) => {
          isCharged = true
          return charge(context, credits)
        }
      }

      /** Responds to the request once its body is read. */
      function answer(): Response | Promise<Response> {
        const charged = typeof cost === 'number' ? charge(context, cost) : undefined
        return after(charged, () =>
          after(respond(received), (answer) => {
            if (!isCharged) throw new Error(`${name} charged nothing`)
            return exchange.send(context, read, answer)
          }),
        )
      }

      return after(accept?.(received), () => {
        if (body === undefined) return answer()
        return readBody(context, principal, body, (value) => {
          received.body = value
          if (secondsMax !== undefined) {
            const seconds = typeof secondsMax === 'number' ? secondsMax : secondsMax(principal)
            app.server?.timeout(request, seconds)
          }
          return answer()
        })
      })
    }

    pipeline.mount({
      ...exchange.route,
      method,
      path,
      detail: document.add({
        ...endpoint,
        ...fields,
        ...(exchange.meta && { meta: exchange.meta }),
        method,
        tier: needs && lowestTier(needs, deps.config.accessPolicy),
      }),
      authenticate: authenticators.forEndpoint(endpoint, method),
      respond: (context, principal, inPath) =>
        runForSender(
          () => senderOf(principal, context.request),
          () => answerRequest(context, principal, inPath),
        ),
    })
  }

  function endpoint(name: EndpointName, endpoint: AnyEndpoint): void {
    const [method, path] = name.split(' ') as [Method, string]
    const place = { name, method, path }
    if (isCatalogAuth(endpoint.auth)) serve(place, endpoint, openCatalog(endpoint, place))
    else serve(place, endpoint, openAccount(endpoint, place))
  }

  // A declaration types the requests and answers of its functions, which are unknown here.
  return endpoint as unknown as Endpoint
}

function quotaExceeded(credits: number): ServiceError {
  return new ServiceError(
    'RATE_LIMIT_EXCEEDED',
    credits === 1
      ? 'The daily quota is used up. It resets at midnight UTC.'
      : `This costs ${credits} requests of the daily quota, and fewer are left. It resets at midnight UTC.`,
  )
}
