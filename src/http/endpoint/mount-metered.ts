import { type TProperties as Fields, Type } from '@sinclair/typebox'
import { createPriceChooser } from '#actions/pricing/choose-prices.ts'
import type { Deps } from '#deps.ts'
import { type Feature, lowestTier } from '#rules/accounts/tiers.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { BodySource } from '../input/body-source.ts'
import { NotesMetaSchema } from '../schemas/members.ts'
import { after } from './after.ts'
import { type AnswerOptions, applyOptions, createOptionReaders } from './answer-options.ts'
import { type AnySpec, type EndpointContext, holdBody, inputReader } from './endpoint-context.ts'
import type { CatalogInput, RequestInput } from './endpoint-spec.ts'
import { createMemberIncluder } from './included-members.ts'
import type { Authenticator } from './pipeline.ts'
import type { Principal, RequestContext } from './request-context.ts'
import type { Answer } from './responses.ts'

/** Returns a function that mounts endpoints of the catalog, which are cached and may cost quota. */
export function createMeteredMount(shared: EndpointContext) {
  const { deps, document, pipeline, authenticators, responses, quota, usage, declared } = shared
  const { accessPolicy } = deps.config
  const createOptionReader = createOptionReaders()
  const choosePrices = createPriceChooser(deps)
  const includeMembers = createMemberIncluder(deps)

  /** Checks the input, charges quota, answers. Synchronous if possible. */
  return function mountMetered<P extends Fields, Q extends Fields, Body>(
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
        return holdBody(shared, context, body, async (reserve) =>
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
}

/** Options with the tag of the catalog that answers. */
type ReadOptions = AnswerOptions & { tag: string }

/** Adds to the tag of a catalog the view of its prices. */
function addView(tag: string, { view }: Deps['catalog']): string {
  return view === undefined ? tag : `${tag}-${view.variant}`
}

type AnyMetered = { credits: number; answer(): Answer | Promise<Answer> }

/** @throws ServiceError RATE_LIMIT_EXCEEDED if a visitor has received too much data today */
function receive(principal: Principal | undefined, answer: Answer): void | Promise<void> {
  if (principal === undefined || !('quotaAccount' in principal)) return
  if ('volume' in answer && answer.volume !== undefined) {
    return principal.quotaAccount.receive(answer.volume)
  }
}

function quotaExceeded(credits: number): ServiceError {
  return new ServiceError(
    'RATE_LIMIT_EXCEEDED',
    credits === 1
      ? 'The daily quota is used up. It resets at midnight UTC.'
      : `This costs ${credits} requests of the daily quota, and fewer are left. It resets at midnight UTC.`,
  )
}
