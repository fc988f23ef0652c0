import {
  type ApiKeyPrincipal,
  createApiKeyAuthenticator,
} from '#actions/accounts/authenticate-api-key.ts'
import type { PageAuthorizer, PagePrincipal } from '#actions/accounts/authorize-page-request.ts'
import type { SessionPrincipal } from '#actions/accounts/manage-sessions.ts'
import type { Deps } from '#deps.ts'
import { assertTierAtLeast, type Feature, lowestTier } from '#rules/accounts/tiers.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { after } from './after.ts'
import { readApiKey } from './api-key.ts'
import type { Auth, Declaration, Principals } from './declaration.ts'
import { type PaymentOffer, paymentRequired } from './payment-offer.ts'
import type { Authenticator, Method } from './pipeline.ts'
import type { PrincipalQuota } from './quota.ts'
import type { RequestContext } from './request-context.ts'
import { isDashboardRequest, type SessionGate } from './session-gate.ts'

/** Principal of a request to any endpoint. */
export type AnyPrincipal = Principals[Auth]

/** Authenticates the requests of an endpoint. */
export type EndpointAuthenticator = Authenticator<AnyPrincipal>

export type Authenticators = {
  /** Returns the authenticator of an endpoint. */
  forEndpoint(endpoint: Pick<Declaration, 'auth' | 'needs'>, method: Method): EndpointAuthenticator
  /** Requires an API key of any tier. Charges nothing. */
  anyApiKey: Authenticator<ApiKeyPrincipal>
}

type AuthenticationContext = {
  quota: PrincipalQuota
  authorizePage: PageAuthorizer
  clientAddress: (request: Request) => string
  gate: SessionGate
  offer: PaymentOffer
}

export function createAuthenticators(
  deps: Deps,
  { quota, authorizePage, clientAddress, gate, offer }: AuthenticationContext,
): Authenticators {
  const authenticateApiKey = createApiKeyAuthenticator(deps)

  /** Identifies an account. Its responses state its quota, which is not charged. */
  async function identify<Owner extends ApiKeyPrincipal | SessionPrincipal>(
    context: RequestContext,
    owner: Owner,
  ): Promise<Owner> {
    context.principal = owner
    context.quota = await quota.get(owner)
    return owner
  }

  /** Identifies the sender of a public request, which is allowed in any case. */
  async function recognize(context: RequestContext, key: string): Promise<undefined> {
    try {
      await identify(context, await authenticateApiKey(key))
    } catch (error) {
      context.principal = undefined
      if (!(error instanceof ServiceError)) deps.log.warn('key not read', { error })
    }
  }

  /** Accepts API keys and the dashboard if the tier includes a feature. */
  function authenticateByTier(feature: Feature, method: Method): EndpointAuthenticator {
    const tier = lowestTier(feature, deps.config.accessPolicy)

    function identifyPrincipal(context: RequestContext) {
      const { request } = context
      const key = readApiKey(request)
      if (key !== null || !isDashboardRequest(request)) return authenticateApiKey(key)
      context.isDashboard = true
      const address = clientAddress(request)
      return gate
        .findDashboardSession(request)
        .then((session) => authorizePage({ session, address, method, feature }))
    }

    return (context) =>
      after(identifyPrincipal(context), (principal: ApiKeyPrincipal | PagePrincipal) => {
        context.principal = principal
        assertTierAtLeast(principal.tier, tier)
        return principal
      })
  }

  /** Requires a session, whose tier must include the feature if one is given. */
  function requireSession(feature: Feature | undefined): Authenticator<SessionPrincipal> {
    const tier = feature && lowestTier(feature, deps.config.accessPolicy)
    return async (context) => {
      const session = await gate.findTrustedSession(context.request)
      if (session === undefined) throw new ServiceError('SESSION_REQUIRED', LOG_IN)
      await identify(context, session)
      if (tier !== undefined) assertTierAtLeast(session.tier, tier)
      return session
    }
  }

  const requireAnySession = requireSession(undefined)

  async function requireOperator(context: RequestContext): Promise<SessionPrincipal> {
    const session = await requireAnySession(context)
    if (!session.is_operator) throw new ServiceError('OPERATOR_REQUIRED', NO_OPERATOR)
    return session
  }

  async function requireAccount(context: RequestContext) {
    const { request } = context
    const key = readApiKey(request)
    if (key !== null) return identify(context, await authenticateApiKey(key))
    const session = await gate.findTrustedSession(request)
    if (session === undefined) throw new ServiceError('API_KEY_REQUIRED', KEY_OR_SESSION)
    context.isPrivate = true
    return identify(context, session)
  }

  async function requirePayer(context: RequestContext): Promise<Principals['payer']> {
    const { request } = context
    const key = readApiKey(request)
    context.isDashboard = isDashboardRequest(request)
    const payment = await offer.read(request)
    if (payment !== undefined) return { kind: 'payment', payment }
    if (key === null && offer.isRequested(request)) throw paymentRequired()
    const session = context.isDashboard ? await gate.findDashboardSession(request) : undefined
    return identify(context, session ?? (await authenticateApiKey(key)))
  }

  return {
    anyApiKey: async (context) =>
      identify(context, await authenticateApiKey(readApiKey(context.request))),
    forEndpoint({ auth, needs }, method) {
      switch (auth) {
        case 'anyone':
          return (context) => {
            const key = readApiKey(context.request)
            return key === null ? undefined : recognize(context, key)
          }
        case 'key':
          if (needs === undefined) throw new Error('an endpoint for keys names its feature')
          return authenticateByTier(needs, method)
        case 'optional session':
          return ({ request }) => gate.findTrustedSession(request)
        case 'session':
          return requireSession(needs)
        case 'operator':
          return requireOperator
        case 'account':
          return requireAccount
        case 'payer':
          return requirePayer
      }
    },
  }
}

const LOG_IN = 'Log in first: POST /v1/auth/login, then send the session cookie of its response.'

const KEY_OR_SESSION =
  'Send your API key in the X-API-Key header or as Authorization: Bearer, or log in.'

const NO_OPERATOR =
  'Operators only. An administrator can make you one: bun run admin account operator --email E.'
