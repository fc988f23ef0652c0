/** Claims that a lying provider makes instead of the true ones. */
export type Lie = {
  iss?: string
  sub?: string
  nonce?: string
  aud?: string
  exp?: number
  /** Seconds from now at which the token is issued. */
  issuedIn?: number
  unsigned?: true
}

/**
 * Starts an OpenID Connect provider that can lie everywhere: in its description and in its ID tokens. It redirects
 * everybody back with the request's nonce as the code.
 */
export async function startLyingProvider() {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(
    { ...RS256, modulusLength: 2_048, publicExponent: new Uint8Array([1, 0, 1]) },
    true,
    ['sign', 'verify'],
  )
  let lie: Lie = {}
  let described: string | undefined
  let issuer = ''

  async function signToken(nonce: string): Promise<string> {
    const { issuedIn = 0, unsigned, ...claimed } = lie
    const seconds = Math.floor(Date.now() / 1000) + issuedIn
    const claims = {
      iss: issuer,
      sub: 'liar',
      aud: 'cardstock',
      iat: seconds,
      exp: seconds + 60,
      nonce,
      email: 'liar@example.com',
      email_verified: true,
      ...claimed,
    }
    const text = [{ alg: 'RS256', kid: 'key' }, claims].map(encode).join('.')
    const signed = await crypto.subtle.sign(RS256, privateKey, Buffer.from(text))
    return `${text}.${(unsigned ? Buffer.from('nothing') : Buffer.from(signed)).toString('base64url')}`
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request): Promise<Response> {
      const { pathname } = new URL(request.url)
      if (pathname === '/.well-known/openid-configuration') {
        return Response.json({
          issuer: described ?? issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/keys`,
        })
      }
      if (pathname === '/keys') {
        const key = await crypto.subtle.exportKey('jwk', publicKey)
        return Response.json({ keys: [{ ...key, kid: 'key', use: 'sig' }] })
      }
      const nonce = new URLSearchParams(await request.text()).get('code') ?? ''
      const id_token = await signToken(nonce)
      return Response.json({ access_token: 'token', token_type: 'bearer', id_token })
    },
  })
  issuer = `http://127.0.0.1:${server.port}`

  return {
    settings: { issuer, clientId: 'cardstock', clientSecret: 'secret', label: 'Example Login' },
    /** Makes these claims from now on. */
    lieWith(next: Lie): void {
      lie = next
    },
    /** Calls itself by another URL. */
    describeAs(url: string): void {
      described = url
    },
    close: () => server.stop(true),
  }
}

const RS256 = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' }

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url')
}
