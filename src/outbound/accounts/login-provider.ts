// Logs people in with an OpenID Connect provider: authorization code with PKCE, state and nonce.
import * as oauth from 'oauth4webapi'
import type { LoginProviderSettings } from '#config/login-provider.ts'
import { ServiceError } from '#rules/primitives/errors.ts'

/** Secrets of one login attempt. The browser holds them until the provider redirects it back. */
export type LoginAttempt = { state: string; nonce: string; verifier: string }

/** A person whom the provider has identified. */
export type ProviderIdentity = {
  issuer: string
  /** Permanent identifier of the person at the provider. */
  subject: string
  /** Address that the provider has confirmed; undefined without one. */
  email: string | undefined
}

/** Client of the provider. */
export type LoginProvider = {
  /** URL that the provider reports as its own. */
  issuer: string
  label: string
  /** Returns the provider's page on which an attempt begins. @throws ServiceError LOGIN_PROVIDER_UNAVAILABLE */
  begin(redirectUri: string): Promise<{ url: string; attempt: LoginAttempt }>
  /**
   * Identifies the person for whom the provider has redirected a browser back.
   *
   * @param callback URL to which it was redirected
   * @throws ServiceError LOGIN_PROVIDER_UNAVAILABLE, or LOGIN_FAILED if the response does not match the attempt
   */
  finish(callback: URL, redirectUri: string, attempt: LoginAttempt): Promise<ProviderIdentity>
}

/** Opens the client; nothing is requested yet. */
export function openLoginProvider(
  { issuer, clientId, clientSecret, label }: LoginProviderSettings,
  { timeoutMs = TIMEOUT_MS } = {},
): LoginProvider {
  const issuerUrl = new URL(issuer)
  const client: oauth.Client = { client_id: clientId, [oauth.clockTolerance]: CLOCK_TOLERANCE_S }
  const options = () => ({
    signal: AbortSignal.timeout(timeoutMs),
    // The settings allow it only on this machine.
    [oauth.allowInsecureRequests]: issuerUrl.protocol === 'http:',
  })
  let known: { server: oauth.AuthorizationServer; until: number } | undefined

  /** Fetches the provider's metadata. Its issuer must equal the one in the settings. */
  async function discover(): Promise<oauth.AuthorizationServer> {
    const now = performance.now()
    if (known !== undefined && now < known.until) return known.server
    const response = await oauth.discoveryRequest(issuerUrl, options())
    const server = await oauth.processDiscoveryResponse(issuerUrl, response)
    known = { server, until: now + DISCOVERY_MS }
    return server
  }

  async function identify(
    server: oauth.AuthorizationServer,
    parameters: URLSearchParams,
    redirectUri: string,
    { nonce, verifier }: LoginAttempt,
  ): Promise<ProviderIdentity> {
    const grant = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authenticate(server, clientSecret),
      parameters,
      redirectUri,
      verifier,
      options(),
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, grant, {
      expectedNonce: nonce,
      requireIdToken: true,
    })
    await oauth.validateApplicationLevelSignature(server, grant, options())
    const claims = oauth.getValidatedIdTokenClaims(tokens)
    if (claims === undefined) throw new Error('the provider sent no ID token')
    assertPlausible(claims)
    const info =
      claims.email === undefined && server.userinfo_endpoint !== undefined
        ? await readUserInfo(server, tokens.access_token, claims.sub)
        : claims
    return { issuer, subject: claims.sub, email: confirmedEmail(info) }
  }

  /** Many providers return the address only here. */
  async function readUserInfo(server: oauth.AuthorizationServer, token: string, subject: string) {
    const response = await oauth.userInfoRequest(server, client, token, options())
    return oauth.processUserInfoResponse(server, client, subject, response)
  }

  return {
    issuer,
    label,
    async begin(redirectUri) {
      const server = await discover().catch(throwUnavailable)
      const attempt = {
        state: oauth.generateRandomState(),
        nonce: oauth.generateRandomNonce(),
        verifier: oauth.generateRandomCodeVerifier(),
      }
      if (server.authorization_endpoint === undefined) throwUnavailable(new Error('no endpoint'))
      const url = new URL(server.authorization_endpoint ?? issuer)
      for (const [name, value] of Object.entries({
        client_id: clientId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'openid email',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
      })) {
        url.searchParams.set(name, value)
      }
      return { url: url.href, attempt }
    },
    async finish(callback, redirectUri, attempt) {
      const server = await discover().catch(throwUnavailable)
      try {
        const parameters = oauth.validateAuthResponse(server, client, callback, attempt.state)
        return await identify(server, parameters, redirectUri, attempt)
      } catch (cause) {
        throw isNetworkError(cause) ? unavailable(cause) : loginFailed(cause)
      }
    },
  }
}

/** Timeout of one request to the provider. */
const TIMEOUT_MS = 10_000

/** Time for which the provider's metadata is cached. */
const DISCOVERY_MS = 10 * 60_000

/** Difference between the clocks of the provider and of this machine that is tolerated. */
const CLOCK_TOLERANCE_S = 30

/** Checks what the library does not: that the token names a person, and is not from the future. */
function assertPlausible({ sub, iat }: oauth.IDToken): void {
  if (sub.trim() === '') throw new Error('the ID token names nobody: its sub is empty')
  if (iat > Date.now() / 1000 + CLOCK_TOLERANCE_S) {
    throw new Error('the ID token is from the future: its iat is later than now')
  }
}

/** Sends the secret in the header, which every provider must support unless its metadata excludes it. */
function authenticate(server: oauth.AuthorizationServer, secret: string): oauth.ClientAuth {
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_basic')
    ? oauth.ClientSecretBasic(secret)
    : oauth.ClientSecretPost(secret)
}

/** Anybody can enter any address at a provider, so only a confirmed one proves that it belongs to the person. */
function confirmedEmail({ email, email_verified }: oauth.UserInfoResponse | oauth.IDToken) {
  return typeof email === 'string' && email_verified === true ? email : undefined
}

function isNetworkError(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  // The library throws its own errors for every invalid response of a provider.
  const isAnswer = 'code' in cause && String(cause.code).startsWith('OAUTH_')
  const isRefusal =
    cause instanceof oauth.AuthorizationResponseError ||
    cause instanceof oauth.ResponseBodyError ||
    cause instanceof oauth.WWWAuthenticateChallengeError
  return !isAnswer && !isRefusal && (cause.name === 'TimeoutError' || 'code' in cause)
}

function throwUnavailable(cause: unknown): never {
  throw unavailable(cause)
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError(
    'LOGIN_PROVIDER_UNAVAILABLE',
    'The login provider does not respond correctly. Log in with your password, or try again in a minute.',
    { retryAfter: 60, cause },
  )
}

function loginFailed(cause: unknown): ServiceError {
  return new ServiceError(
    'LOGIN_FAILED',
    "The login with the provider was canceled, or the provider's response is not valid. Start again.",
    { cause },
  )
}
