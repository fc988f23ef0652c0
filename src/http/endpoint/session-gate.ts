import { authenticateSession } from '#actions/accounts/authenticate-session.ts'
import type { Deps } from '#deps.ts'
import { parseSessionToken } from '#rules/accounts/sessions.ts'
import { isCrossOrigin, isSameOrigin, type RequestOrigin } from '#rules/primitives/cross-origin.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Session } from '#store/ledger/sessions.ts'

/** Lets sessions in: cookies that a browser sends of its own accord, whoever's page asks it to. */
export function createSessionGate(deps: Deps) {
  const { corsOrigins, publicUrl } = deps.config

  /** Undefined where nobody is logged in. */
  async function sessionOf({ headers }: Request): Promise<Session | undefined> {
    const token = parseSessionToken(headers.get('cookie'))
    return token === undefined ? undefined : authenticateSession(deps, token)
  }

  return {
    sessionOf,
    /** @throws ServiceError CROSS_ORIGIN_REJECTED */
    assertOwnPage(request: Request): void {
      if (!isCrossOrigin(originOf(request), corsOrigins)) return
      throw new ServiceError(
        'CROSS_ORIGIN_REJECTED',
        'A page of another origin sent this. The operator can allow its origin in CORS_ORIGINS.',
      )
    },
    /** Whether it says that one of our own pages sent it. Where there is a key, that counts. */
    isOfPage({ headers }: Request): boolean {
      return !headers.get('x-api-key') && headers.get(PAGE_HEADER) === '1'
    },
    /**
     * The session of what says so; undefined where nobody is logged in.
     *
     * @throws ServiceError CROSS_ORIGIN_REJECTED
     */
    async pageSessionOf(request: Request): Promise<Session | undefined> {
      if (isSameOrigin(originOf(request), publicUrl)) return sessionOf(request)
      throw new ServiceError(
        'CROSS_ORIGIN_REJECTED',
        'A page of another origin sent this as if it were ours. Send an API key in X-API-Key instead.',
      )
    },
  }
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
 * Sent by our own pages with each request, so that it can do what a cookie alone must not. A page of
 * another origin could send it only after asking first, and no preflight of ours allows it.
 */
const PAGE_HEADER = 'x-cardstock-page'
