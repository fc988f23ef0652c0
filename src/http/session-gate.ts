import { admitSession } from '#actions/admit-session.ts'
import type { Deps } from '#deps.ts'
import { isCrossOrigin } from '#rules/cross-origin.ts'
import { ServiceError } from '#rules/errors.ts'
import { sessionTokenIn } from '#rules/sessions.ts'
import type { Session } from '#store/ledger/sessions.ts'

/** Lets sessions in: cookies that a browser sends of its own accord, whoever's page asks it to. */
export function openSessionGate(deps: Deps) {
  const { corsOrigins } = deps.config
  return {
    /** @throws ServiceError CROSS_ORIGIN_REJECTED */
    assertOwnPage({ method, headers }: Request): void {
      const from = {
        method,
        site: headers.get('sec-fetch-site'),
        origin: headers.get('origin'),
        host: headers.get('host'),
      }
      if (!isCrossOrigin(from, corsOrigins)) return
      throw new ServiceError(
        'CROSS_ORIGIN_REJECTED',
        'A page of another origin sent this. The operator can allow its origin in CORS_ORIGINS.',
      )
    },
    /** Undefined where nobody is logged in. */
    async sessionOf({ headers }: Request): Promise<Session | undefined> {
      const token = sessionTokenIn(headers.get('cookie'))
      return token === undefined ? undefined : admitSession(deps, token)
    },
  }
}
