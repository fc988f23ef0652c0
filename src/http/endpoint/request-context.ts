import type { ApiKeyPrincipal } from '#actions/accounts/authenticate-api-key.ts'
import type { PagePrincipal } from '#actions/accounts/authorize-page-request.ts'
import type { SessionPrincipal } from '#actions/accounts/manage-sessions.ts'
import { historyDepth, type Quota } from '#rules/accounts/tiers.ts'
import type { ServiceError } from '#rules/primitives/errors.ts'
import type { PaymentPayload } from '#rules/x402/x402-protocol.ts'
import type { CorsPolicy } from './headers.ts'

/** Payment for one photo, without an account. */
export type PaymentPrincipal = { kind: 'payment'; payment: PaymentPayload }

/** Owner of the quota that a request uses. */
export type QuotaPrincipal = ApiKeyPrincipal | SessionPrincipal | PagePrincipal

/** Returns the days of history that a request may show; undefined for all. */
export function historyDaysOf(principal: ApiKeyPrincipal | PagePrincipal): number | undefined {
  return principal.kind === 'page' ? principal.historyDays : historyDepth(principal.tier)
}

/** State of a request in the pipeline. */
export type RequestContext = {
  readonly request: Request
  /** Sent as X-Request-Id, and logged with errors. */
  readonly id: string
  readonly cors: CorsPolicy
  /** True if the response belongs to a browser session: no cache may store it. */
  isPrivate: boolean
  /** True if the dashboard sent the request, without an API key: other origins may not read it. */
  isDashboard: boolean
  /** Undefined before the authentication, and for senders without an account. */
  principal: QuotaPrincipal | undefined
  /** Sent with the response; undefined if nothing is counted. */
  quota: Quota | undefined
  /** Credits charged so far. */
  credits: number
  /** Reason for the failure of the request. */
  error: ServiceError | undefined
}
