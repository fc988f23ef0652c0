import type { ApiError } from '../api.ts'
import { agoText, clockText } from '../format.ts'
import { loginUrl, requiresLogin } from './error-message.tsx'

/** Why something was not done, in the API's own words, beside what was to be done. */
export function FormError({ error }: { error: ApiError | undefined }) {
  if (error === undefined) return null
  if (requiresLogin(error)) return <LoggedOut />
  return (
    <div className="note bad refusal" role="alert">
      <p>{formErrorText(error)}</p>
      {error.requestId !== undefined && error.status >= 500 && (
        <p className="small">
          If it stays so, tell whoever runs this service this number: <code>{error.requestId}</code>
        </p>
      )}
    </div>
  )
}

/** In a tab of its own, so that what was typed stays here. */
function LoggedOut() {
  return (
    <div className="note wait refusal" role="alert">
      <p>
        You are not logged in any more.{' '}
        <a href={loginUrl()} target="_blank" rel="noopener">
          Log in in another tab
        </a>
        , then do this again: what you typed stays here.
      </p>
    </div>
  )
}

/** A wait is told by the reader's own clock. */
function formErrorText({ code, message, retryAfter }: ApiError): string {
  if (retryAfter === undefined) return message
  const then = new Date(Date.now() + retryAfter * 1_000).toISOString()
  const when = retryAfter < 60 ? 'in a minute' : `${agoText(then)}, at ${clockText(then)}`
  if (code === 'TOO_MANY_ATTEMPTS') return `Too many attempts. You can try again ${when}.`
  return `${message} You can try again ${when}.`
}
