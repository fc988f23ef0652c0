import * as texts from '#texts/components/controls.ts'
import type { ApiError } from '../api.ts'
import { clockText } from '../clock-text.ts'
import { fieldMessage } from '../field-message.ts'
import { agoText } from '../format.ts'
import { loginUrl, requiresLogin, UNREACHABLE } from './error-message.tsx'

/** Shows the error of a form or an action. */
export function FormError({ error }: { error: ApiError | undefined }) {
  if (error === undefined) return null
  if (requiresLogin(error)) return <LoggedOut />
  return (
    <div className="note bad form-error" role="alert">
      <p>{formErrorText(error)}</p>
      {error.requestId !== undefined && error.status >= 500 && (
        <p className="small">{texts.sendThisId(<code>{error.requestId}</code>)}</p>
      )}
    </div>
  )
}

/** Opens the login in a new tab to keep the form. */
function LoggedOut() {
  return (
    <div className="note wait form-error" role="alert">
      <p>
        {texts.youAreLoggedOut((text) => (
          <a href={loginUrl()} target="_blank" rel="noopener">
            {text}
          </a>
        ))}
      </p>
    </div>
  )
}

/** Adds the retry time in the local time zone. */
function formErrorText(error: ApiError): string {
  const { code, retryAfter } = error
  const message = fieldMessage(error, texts.aValue)
  if (code === 'NETWORK') return UNREACHABLE
  if (retryAfter === undefined) return message
  const then = new Date(Date.now() + retryAfter * 1_000).toISOString()
  const when =
    retryAfter < 60 ? texts.inAMinute : texts.whenAt({ when: agoText(then), time: clockText(then) })
  if (code === 'TOO_MANY_ATTEMPTS') return texts.tooManyAttempts(when)
  return texts.tryAgainWhen({ message, when })
}
