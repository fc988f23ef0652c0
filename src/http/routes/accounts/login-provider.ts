import { Type } from '@sinclair/typebox'
import {
  beginProviderLogin,
  finishProviderLogin,
  linkProvider,
  openPendingLogin,
  PENDING_MS,
  unlinkProvider,
} from '#actions/accounts/log-in-with-provider.ts'
import type { Deps } from '#deps.ts'
import { sessionCookie } from '#rules/accounts/sessions.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { jsonObject } from '../../input/json-body.ts'
import { namedObject } from '../../openapi/schemas.ts'
import type { Server } from '../../server.ts'

/** Login with an OpenID Connect provider, and linking of accounts to it. */
export function loginProviderRoutes(
  { endpoint, pipeline, gate, clientAddress, linkMails }: Server,
  deps: Deps,
): void {
  const isSecure = deps.config.publicUrl.startsWith('https:')

  /** The provider is another site, so the browser must send the cookie when it returns from there. */
  function pendingCookie(value: string, seconds: number) {
    const attributes = `Path=/auth; HttpOnly; SameSite=Lax; Max-Age=${seconds}`
    return `${PENDING_COOKIE}=${value}; ${attributes}${isSecure ? '; Secure' : ''}`
  }

  endpoint('POST /v1/auth/provider', {
    auth: 'optional session',
    id: 'beginProviderLogin',
    tag: 'Account',
    summary: 'Begin a login with the login provider',
    description:
      'Open the URL within ten minutes, with the cookie of the response. `link` links the account of the session to the login; if the server sends mail, once its address is confirmed.',
    body: jsonObject({
      link: Type.Optional(
        Type.Boolean({ description: 'Links the current account instead of logging in.' }),
      ),
    }),
    refusals: {
      401: 'Nobody is logged in, so there is no account to link.',
      403: 'The address of the account to link is not confirmed. A mail to confirm it was sent.',
      404: 'The server has no login provider.',
      429: 'Too many mails to confirm the address. Retry after the time in Retry-After.',
      503: 'The login provider does not answer, or the service is busy.',
    },
    returns: 'The page of the login provider.',
    headers: ['Set-Cookie'],
    reply: namedObject('ProviderLogin', {
      url: Type.String({ description: 'Page of the login provider.' }),
    }),
    async respond({ body: { link }, principal: session, clientAddress: address }) {
      if (link && session === undefined) throw new ServiceError('SESSION_REQUIRED', 'Log in first.')
      const begun = await beginProviderLogin(
        deps,
        linkMails,
        link && session ? { session, address } : undefined,
      )
      const cookie = pendingCookie(begun.pending, PENDING_MS / 1000)
      return { data: { url: begun.url }, headers: [['set-cookie', cookie]] as const }
    },
  })

  endpoint('DELETE /v1/auth/provider', {
    auth: 'session',
    id: 'unlinkProvider',
    tag: 'Account',
    summary: 'Unlink the login provider',
    refusals: {
      409: 'The account has no password, so nobody could log in afterwards.',
    },
    returns: 'The state of the link.',
    reply: namedObject('UnlinkedProvider', { is_linked: Type.Boolean() }),
    async respond({ principal: session, clientAddress }) {
      await unlinkProvider(deps, session, clientAddress)
      return { data: { is_linked: false } }
    },
  })

  /** Redirects the browser to the page that shows the outcome of the attempt. */
  async function finish(request: Request): Promise<{ to: string; cookies: string[] }> {
    const login = openPendingLogin(deps, readPending(request.headers.get('cookie')))
    const page = login?.link === undefined ? '/login' : '/account/security'
    try {
      if (login === undefined) throw new ServiceError('LOGIN_FAILED', 'The attempt has expired.')
      const client = {
        address: clientAddress(request),
        userAgent: request.headers.get('user-agent'),
      }
      const session = await gate.findSession(request)
      const callback = new URL(request.url)
      const begun = { callback, login, client, session }
      if (login.link !== undefined) {
        await linkProvider(deps, linkMails, begun)
        return { to: `${page}?linked=yes`, cookies: [] }
      }
      const token = await finishProviderLogin(deps, begun)
      return { to: `${page}?entered=yes`, cookies: [sessionCookie(token, isSecure)] }
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      deps.log.warn('login with the provider failed', { code: error.code, error: error.cause })
      return { to: `${page}?problem=${error.code}`, cookies: [] }
    }
  }

  pipeline.mountPage('/auth/callback', async (request, _, { id }) => {
    const { to, cookies } = await finish(request)
    const headers = new Headers({ 'cache-control': 'no-store', location: to, 'x-request-id': id })
    // An attempt can be used only once, regardless of its outcome.
    for (const cookie of [...cookies, pendingCookie('', 0)]) headers.append('set-cookie', cookie)
    return new Response(null, { status: 303, headers })
  })
}

const PENDING_COOKIE = 'login'

function readPending(cookies: string | null): string | undefined {
  return cookies
    ?.split(';')
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(`${PENDING_COOKIE}=`))
    ?.slice(PENDING_COOKIE.length + 1)
}
