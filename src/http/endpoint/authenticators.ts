import {
  type ApiKeyPrincipal,
  createApiKeyAuthenticator,
} from '#actions/accounts/authenticate-api-key.ts'
import type { PageAuthorizer } from '#actions/accounts/authorize-page-request.ts'
import type { QuotaOwner } from '#actions/accounts/charge-quota.ts'
import type { Deps } from '#deps.ts'
import { assertTierAtLeast, type Feature, lowestTier, type Tier } from '#rules/accounts/tiers.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { PaymentPayload } from '#rules/x402/x402-protocol.ts'
import type { Session } from '#store/ledger/sessions.ts'
import { after } from './after.ts'
import { readApiKey } from './api-key.ts'
import { type PaymentOffer, paymentRequired } from './payment-offer.ts'
import type { Authenticator } from './pipeline.ts'
import type { PrincipalQuota } from './quota.ts'
import type { Principal, RequestContext } from './request-context.ts'
import { isDashboardRequest, type SessionGate } from './session-gate.ts'

/** Pays for a photo: an account with a scan, or anyone with a payment for this photo. */
export type PhotoPayer =
  | { account_id: number; payment?: undefined }
  | { payment: PaymentPayload; account_id?: undefined }

export type Authenticators = {
  /** Admits everyone; responses to a known API key tell its quota, which is not charged. */
  optionalApiKey: Authenticator<undefined>
  /** Requires an API key of any tier. Charges nothing. */
  anyApiKey: Authenticator<ApiKeyPrincipal>
  /** Requires an API key, or the dashboard, whose tier includes a feature. */
  apiKey(feature: Feature, method: 'GET' | 'POST'): Authenticator<Principal>
  /** Admits everyone; undefined if nobody is logged in. */
  optionalSession: Authenticator<Session | undefined>
  /** Requires a session, of a tier or of an operator if given. */
  session(requires: { tier: Tier | undefined; operator: true | undefined }): Authenticator<Session>
  apiKeyOrSession: Authenticator<QuotaOwner>
  /** Requires an API key, a session of the dashboard or a payment. */
  photoPayment: Authenticator<PhotoPayer>
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

  /** The responses to an account tell its quota, which is not charged. */
  async function identify<Owner extends QuotaOwner>(
    context: RequestContext,
    owner: Owner,
  ): Promise<Owner> {
    context.principal = owner
    context.quota = await quota.get(owner)
    return owner
  }

  /** Identifies the sender of a public request, who is served in any case. */
  async function recognize(context: RequestContext, key: string): Promise<undefined> {
    try {
      await identify(context, await authenticateApiKey(key))
    } catch (error) {
      context.principal = undefined
      if (!(error instanceof ServiceError)) deps.log.warn('key not read', { error })
    }
  }

  return {
    optionalApiKey(context) {
      const key = readApiKey(context.request)
      return key === null ? undefined : recognize(context, key)
    },
    anyApiKey: async (context) =>
      identify(context, await authenticateApiKey(readApiKey(context.request))),
    apiKey(feature, method) {
      const tier = lowestTier(feature, deps.config.accessPolicy)

      function identifyPrincipal(context: RequestContext): Principal | Promise<Principal> {
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
        after(identifyPrincipal(context), (principal) => {
          context.principal = principal
          assertTierAtLeast(principal.tier, tier)
          return principal
        })
    },
    optionalSession: ({ request }) => gate.findTrustedSession(request),
    session:
      ({ tier, operator }) =>
      async (context) => {
        const session = await gate.findTrustedSession(context.request)
        if (session === undefined) throw new ServiceError('SESSION_REQUIRED', LOG_IN)
        await identify(context, session)
        if (operator && !session.is_operator)
          throw new ServiceError('OPERATOR_REQUIRED', NO_OPERATOR)
        if (tier !== undefined) assertTierAtLeast(session.tier, tier)
        return session
      },
    async apiKeyOrSession(context) {
      const { request } = context
      const key = readApiKey(request)
      if (key !== null) return identify(context, await authenticateApiKey(key))
      const session = await gate.findTrustedSession(request)
      if (session === undefined) {
        throw new ServiceError('API_KEY_REQUIRED', KEY_OR_SESSION)
      }
      context.isPrivate = true
      return identify(context, session)
    },
    async photoPayment(context) {
      const { request } = context
      const key = readApiKey(request)
      context.isDashboard = isDashboardRequest(request)
      const payment = await offer.read(request)
      if (payment !== undefined) return { payment }
      if (key === null && offer.isRequested(request)) throw paymentRequired()
      const session = context.isDashboard ? await gate.findDashboardSession(request) : undefined
      const { account_id } = await identify(context, session ?? (await authenticateApiKey(key)))
      return { account_id }
    },
  }
}

const LOG_IN = 'Log in first: POST /v1/auth/login, then send the session cookie of its response.'

const KEY_OR_SESSION =
  'Send your API key in the X-API-Key header or as Authorization: Bearer, or log in.'

const NO_OPERATOR =
  'Operators only. An administrator can make you one: bun run admin account operator --email E.'
