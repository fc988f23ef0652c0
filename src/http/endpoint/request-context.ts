import type { ApiKeyPrincipal } from '#actions/accounts/authenticate-api-key.ts'
import type { PagePrincipal } from '#actions/accounts/authorize-page-request.ts'
import type { QuotaOwner } from '#actions/accounts/charge-quota.ts'
import type { Quota } from '#rules/accounts/quota.ts'
import { historyDepth } from '#rules/accounts/tiers.ts'
import type { ServiceError } from '#rules/primitives/errors.ts'
import type { CorsPolicy } from './headers.ts'

/** Owns the quota that a request uses: the account of a key or a session, or a dashboard visitor. */
export type Principal = ApiKeyPrincipal | QuotaOwner | PagePrincipal

/** Returns the days of history that a request may show; undefined: all. */
export function historyDaysOf(principal: Principal): number | undefined {
  return 'quotaAccount' in principal ? principal.historyDays : historyDepth(principal.tier)
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
  /** Undefined until authenticated, and on public endpoints. */
  principal: Principal | undefined
  /** Sent with the response; undefined if nothing is counted. */
  quota: Quota | undefined
  /** Credits charged so far. */
  credits: number
  /** Why the request failed. */
  error: ServiceError | undefined
}
