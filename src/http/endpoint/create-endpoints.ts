import type { Elysia } from 'elysia'
import type { CollectionOwner } from '#actions/collections/manage-collections.ts'
import type { Deps } from '#deps.ts'
import { lowestTier } from '#rules/accounts/tiers.ts'
import { pagePhotoBody } from '../input/page-photo-body.ts'
import { addScanBalance, type EndpointContext, required } from './endpoint-context.ts'
import type { Endpoints } from './endpoints.ts'
import { createAccountMounts } from './mount-account.ts'
import { createMeteredMount } from './mount-metered.ts'
import { createPhotoMount } from './mount-photo.ts'
import type { RequestContext } from './request-context.ts'

/** Creates the functions by which routes declare their endpoints. */
export function createEndpoints(
  app: Elysia,
  deps: Deps,
  given: Omit<EndpointContext, 'app' | 'deps' | 'declared'>,
): Endpoints {
  const shared: EndpointContext = { ...given, app, deps, declared: new Map() }
  const { authenticators } = shared
  const { accessPolicy } = deps.config
  const mountMetered = createMeteredMount(shared)
  const { mountAccount, mountAccountBody } = createAccountMounts(shared)
  const addBalance = (context: RequestContext, response: Response) =>
    addScanBalance(deps, context, response)

  return {
    declared: shared.declared,
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
          finish: addBalance,
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
          finish: addBalance,
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
    photo: createPhotoMount(shared),
  }
}

const PRIVATE = { cors: 'trusted', isPrivate: true } as const

/** The account of a key or session, without what only some of them have. */
function ownerOf({ account_id, tier }: CollectionOwner): CollectionOwner {
  return { account_id, tier }
}
