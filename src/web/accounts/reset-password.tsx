import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { PasswordReset } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { FormError } from '../components/form-error.tsx'
import { EmailField, NewPasswordField } from '../components/login-fields.tsx'
import { Page } from '../components/page.tsx'
import { useAction } from '../hooks/use-action.ts'
import { useRequiredFields } from '../hooks/use-required-fields.ts'
import { hasAccess, OtherAccess } from './other-access.tsx'
import { useFragment } from './use-fragment.ts'

/** Asks for the mail with a link, or for the new password once the link was opened. */
export function ResetPasswordView() {
  const token = useFragment('token')
  return <div className="login">{token ? <NewPassword token={token} /> : <RequestReset />}</div>
}

function RequestReset() {
  const [email, setEmail] = useState('')
  const [sentTo, setSentTo] = useState('')
  const required = useRequiredFields()
  const request = useAction(async () => {
    await api.post('/v1/auth/reset', { body: { email } })
    setSentTo(email)
  })
  const isInvalid = request.error?.code === 'VALIDATION_ERROR'
  return (
    <Page title="Forgot your password?" lead="You get a mail with a link to set a new one.">
      <form
        className="panel stack"
        noValidate
        onSubmit={required.submitTo(request)}
        aria-label="Forgot your password?"
      >
        {!isInvalid && <FormError error={request.error} />}
        <EmailField
          value={email}
          onChange={({ target }) => setEmail(target.value)}
          error={
            required.errorOf('email', 'E-mail', email) ??
            (isInvalid ? 'Enter a valid e-mail address.' : undefined)
          }
        />
        <Button type="submit" className="main wide" isBusy={request.isRunning}>
          Send the mail
        </Button>
        <p role="status">
          {sentTo !== '' &&
            `If ${sentTo} has an account, a mail is on its way. Its link works for one hour.`}
        </p>
      </form>
      <p className="login-other">
        Remembered it? <Link href="/login">Log in</Link>
      </p>
    </Page>
  )
}

function NewPassword({ token }: { token: string }) {
  const [password, setPassword] = useState('')
  const [done, setDone] = useState<PasswordReset>()
  const [, go] = useLocation()
  const required = useRequiredFields()
  const reset = useAction(async () => {
    const body = { token, new_password: password }
    const { data } = await api.post('/v1/auth/reset/password', { body })
    if (hasAccess(data)) setDone(data)
    else go('/login?changed=password')
  })
  if (done !== undefined) return <OtherAccess reset={done} password={password} />
  const isInvalid = reset.error?.code === 'VALIDATION_ERROR'
  return (
    <Page title="Set a new password" lead="It logs you out everywhere else.">
      <form
        className="panel stack"
        noValidate
        onSubmit={required.submitTo(reset)}
        aria-label="Set a new password"
      >
        {!isInvalid && <FormError error={reset.error} />}
        <NewPasswordField
          label="New password"
          name="new_password"
          value={password}
          onChange={({ target }) => setPassword(target.value)}
          error={required.errorOf('new_password', 'New password', password)}
          failure={isInvalid ? reset.error : undefined}
        />
        <Button type="submit" className="main wide" isBusy={reset.isRunning}>
          Set the password
        </Button>
      </form>
      {reset.error?.code === 'LINK_INVALID' && (
        <p className="login-other">
          {/* Without the token, the page asks for another mail. */}
          <a href="/reset-password">Request another mail</a>
        </p>
      )}
    </Page>
  )
}
