import { Link } from 'wouter'
import type { ApiError } from '../api.ts'

/** What went wrong, in the API's own words, and what can be done about it. */
export function ErrorMessage({ error, again }: { error: ApiError; again?: () => void }) {
  const needsLogin = requiresLogin(error)
  const isTier = error.code === 'TIER_REQUIRED'
  const isNoFault = needsLogin || isTier || error.code === 'RATE_LIMIT_EXCEEDED'
  return (
    <div className={`note ${isNoFault ? 'wait' : 'bad'}`} role="alert">
      <div>
        <h2>{errorHeading(error)}</h2>
        <p>
          {needsLogin ? 'It is free, and takes an e-mail address and a password.' : error.message}
        </p>
        {error.requestId !== undefined && error.status >= 500 && (
          <p className="small soft">
            If it stays so, tell whoever runs this service this number:{' '}
            <code>{error.requestId}</code>
          </p>
        )}
      </div>
      <div className="row">
        {needsLogin && (
          <Link className="button main" href={loginUrl()}>
            Log in or register
          </Link>
        )}
        {isTier && (
          <Link className="button main" href="/account/plan">
            See the plans
          </Link>
        )}
        {again !== undefined && !needsLogin && !isTier && error.status !== 404 && (
          <button type="button" className="button" onClick={again}>
            Try again
          </button>
        )}
      </div>
    </div>
  )
}

/** Whether it helps to log in. */
export function requiresLogin({ code }: ApiError): boolean {
  return ['SESSION_REQUIRED', 'API_KEY_REQUIRED'].includes(code)
}

/** Where to log in, and come back here. */
export function loginUrl(): string {
  return `/login?to=${encodeURIComponent(location.pathname + location.search)}`
}

function errorHeading(error: ApiError): string {
  const { status, code } = error
  if (requiresLogin(error)) return 'Log in to see this'
  return HEADINGS[code] ?? BY_STATUS[status] ?? 'This did not work'
}

const HEADINGS: Readonly<Record<string, string>> = {
  RATE_LIMIT_EXCEEDED: 'That is all for today',
  TOO_MANY_ATTEMPTS: 'Too many attempts',
  TIER_REQUIRED: 'Your plan does not have this',
  IDENTIFY_REGION_UNAVAILABLE: 'Not offered where you are',
  NETWORK: 'The server cannot be reached',
}

const BY_STATUS: Readonly<Record<number, string>> = {
  404: 'There is no such thing here',
  500: 'Something went wrong on our side',
  503: 'The service is busy',
}
