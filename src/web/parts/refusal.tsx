import type { ApiError } from '../api.ts'
import { agoText, clockText } from '../format.ts'

/** Why something was not done, in the API's own words, beside what was to be done. */
export function Refusal({ error }: { error: ApiError | undefined }) {
  if (error === undefined) return null
  return (
    <div className="note bad refusal" role="alert">
      <p>{refusalText(error)}</p>
      {error.requestId !== undefined && error.status >= 500 && (
        <p className="small">
          If it stays so, tell whoever runs this service this number: <code>{error.requestId}</code>
        </p>
      )}
    </div>
  )
}

/** A wait is told by the reader's own clock. */
function refusalText({ code, message, retryAfter }: ApiError): string {
  if (retryAfter === undefined) return message
  const then = new Date(Date.now() + retryAfter * 1_000).toISOString()
  const when = retryAfter < 60 ? 'in a minute' : `${agoText(then)}, at ${clockText(then)}`
  if (code === 'TOO_MANY_ATTEMPTS') return `Too many attempts. You can try again ${when}.`
  return `${message} You can try again ${when}.`
}
