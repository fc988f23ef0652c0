import { createServer } from 'node:http'
import Provider from 'oidc-provider'
import { findFreePort } from '../free-port.ts'

/** A person known to the provider. */
export type Person = { sub: string; email?: string; email_verified?: boolean }

export type OidcServer = Awaited<ReturnType<typeof startOidcServer>>

/**
 * Starts a certified OpenID Connect provider on this machine. It shows no forms: everybody is the person that the
 * test has chosen, and agrees.
 *
 * @param redirectUri URL to which the provider may redirect browsers
 */
export async function startOidcServer(redirectUri: string) {
  const port = await findFreePort()
  const issuer = `http://127.0.0.1:${port}`
  const client = { clientId: 'cardstock', clientSecret: 'a secret of the provider' }
  let person: Person = { sub: 'nobody' }
  const people = new Map<string, Person>()
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [redirectUri],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: ['a key of the cookies'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: async () => ({ email_verified: false, ...people.get(sub), sub }),
    }),
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/interaction/')) return answer(request, response)
    people.set(person.sub, person)
    void provider.interactionFinished(request, response, { login: { accountId: person.sub } })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))

  return {
    settings: { issuer, ...client, label: 'Example Login' },
    /** Chooses the person who logs in next. */
    become(next: Person): void {
      person = next
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
