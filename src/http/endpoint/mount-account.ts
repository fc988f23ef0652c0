import type { TProperties as Fields, Static, TObject } from '@sinclair/typebox'
import { lowestTier } from '#rules/accounts/tiers.ts'
import type { BodySource } from '../input/body-source.ts'
import { jsonObject } from '../input/json-body.ts'
import type { Access } from '../openapi/operation.ts'
import { type AnySpec, type EndpointContext, holdBody, inputReader } from './endpoint-context.ts'
import type { AccountInput, RequestInput, SessionRequirements } from './endpoint-spec.ts'
import type { BodySpec } from './endpoints.ts'
import type { Route } from './pipeline.ts'
import type { RequestContext } from './request-context.ts'
import type { Answer } from './responses.ts'

/** Returns functions that mount endpoints for accounts, which cost no quota and are never cached. */
export function createAccountMounts(shared: EndpointContext) {
  const { deps, document, pipeline, responses, clientAddress, declared } = shared
  const { accessPolicy } = deps.config

  /** Mounts an endpoint with a JSON body, or without a body. */
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
        return holdBody(shared, context, body, async (reserve) =>
          run(await body.read(request, reserve)),
        )
      },
    })
  }

  return { mountAccount, mountAccountBody }
}

/** Input of an endpoint for accounts, before its body is read. */
type ReadInput<P extends Fields, Q extends Fields> = RequestInput<P, Q> &
  Pick<AccountInput<P, Q, Fields>, 'clientAddress' | 'userAgent'>

type AccountRoute<Who> = Pick<
  Route<Who>,
  'method' | 'path' | 'cors' | 'isPrivate' | 'authenticate' | 'finish'
>

/** E-mail addresses, passwords and names are short. */
const JSON_BYTES_MAX = 16_384
