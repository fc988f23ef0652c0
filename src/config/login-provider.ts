import { isLoopbackHost } from '#rules/primitives/public-address.ts'
import { type Environment, HTTP, type SettingReader } from './setting-reader.ts'

/** OpenID Connect provider with which people log in. */
export type LoginProviderSettings = {
  /** URL that the provider reports as its own. */
  issuer: string
  clientId: string
  clientSecret: string
  /** Name of the provider on the button. */
  label: string
}

/** Reads the settings of the login provider; undefined if none is set. */
export function readLoginProvider(
  env: Environment,
  read: SettingReader,
): LoginProviderSettings | undefined {
  // With its trailing slash, if it has one: the provider must report exactly the same URL.
  const issuer = read.url('OIDC_ISSUER', HTTP) && env.OIDC_ISSUER
  const clientId = env.OIDC_CLIENT_ID || undefined
  const clientSecret = env.OIDC_CLIENT_SECRET || undefined
  const label = read.match(
    'OIDC_LABEL',
    /^[^\p{C}<>&"]{1,40}$/u,
    'a name of up to 40 characters such as Example Login',
    'single sign-on',
  )
  if (issuer === undefined) {
    if (clientId !== undefined || clientSecret !== undefined) {
      read.fault(
        'OIDC_CLIENT_ID and OIDC_CLIENT_SECRET require OIDC_ISSUER, the URL of the provider.',
      )
    }
    return undefined
  }
  if (clientId === undefined || clientSecret === undefined) {
    read.fault(
      'OIDC_ISSUER requires OIDC_CLIENT_ID and OIDC_CLIENT_SECRET. Register this server with the provider.',
    )
  }
  const { protocol, hostname } = new URL(issuer)
  if (protocol === 'http:' && !isLoopbackHost(hostname)) {
    read.fault('OIDC_ISSUER is not encrypted. Use an https:// URL, or one on this machine.')
  }
  return { issuer, clientId: clientId ?? '', clientSecret: clientSecret ?? '', label }
}
