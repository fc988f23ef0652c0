import { authenticateSession, type SessionPrincipal } from '#actions/accounts/manage-sessions.ts'
import type { Deps } from '#deps.ts'
import { parseSessionToken } from '#rules/accounts/sessions.ts'
import { isCrossOrigin, isSameOrigin, type RequestOrigin } from '#rules/primitives/cross-origin.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { hasApiKey } from './api-key.ts'

/**
 * Finds and checks sessions. Browsers send the session cookie automatically, regardless of the page that causes the
 * request.
 */
export type SessionGate = {
  /** Undefined if nobody is logged in. */
  findSession(request: Request): Promise<SessionPrincipal | undefined>
  /** Like `findSession`; throws CROSS_ORIGIN_REJECTED for a change by an origin outside CORS_ORIGINS. */
  findTrustedSession(request: Request): Promise<SessionPrincipal | undefined>
  /** Like `findSession`, for the dashboard; throws CROSS_ORIGIN_REJECTED for another origin. */
  findDashboardSession(request: Request): Promise<SessionPrincipal | undefined>
}

export function createSessionGate(deps: Pick<Deps, 'config' | 'ledger' | 'now'>): SessionGate {
  const { corsOrigins, publicUrl } = deps.config

  async function findSession({ headers }: Request): Promise<SessionPrincipal | undefined> {
    const token = parseSessionToken(headers.get('cookie'))
    return token === undefined ? undefined : authenticateSession(deps, token)
  }

  return {
    findSession,
    async findTrustedSession(request) {
      if (!isCrossOrigin(originOf(request), corsOrigins)) return findSession(request)
      throw crossOriginRejected('The operator can allow an origin in CORS_ORIGINS.')
    },
    async findDashboardSession(request) {
      if (isSameOrigin(originOf(request), publicUrl)) return findSession(request)
      throw crossOriginRejected('Use an API key instead.')
    },
  }
}

function crossOriginRejected(remedy: string): ServiceError {
  return new ServiceError('CROSS_ORIGIN_REJECTED', `Cross-origin request rejected. ${remedy}`)
}

/** Returns true if the dashboard claims to have sent a request. An API key takes precedence. */
export function isDashboardRequest(request: Request): boolean {
  return request.headers.get(DASHBOARD_HEADER) === '1' && !hasApiKey(request)
}

function originOf({ method, headers }: Request): RequestOrigin {
  return {
    method,
    site: headers.get('sec-fetch-site'),
    origin: headers.get('origin'),
    host: headers.get('host'),
  }
}

/**
 * Gives the dashboard more rights than a cookie alone. A page of another origin would need a preflight to send this
 * header, which is never allowed.
 */
const DASHBOARD_HEADER = 'x-cardstock-page'
