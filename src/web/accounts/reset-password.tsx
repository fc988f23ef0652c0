import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { PasswordReset } from '#client/endpoints.ts'
import * as texts from '#texts/accounts/reset-password.ts'
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
    <Page title={texts.forgotYourPassword} lead={texts.forgotLead}>
      <form
        className="panel stack"
        noValidate
        onSubmit={required.submitTo(request)}
        aria-label={texts.forgotYourPassword}
      >
        {!isInvalid && <FormError error={request.error} />}
        <EmailField
          value={email}
          onChange={({ target }) => setEmail(target.value)}
          error={
            required.errorOf('email', texts.email, email) ??
            (isInvalid ? texts.enterAValidEmailAddress : undefined)
          }
        />
        <Button type="submit" className="main wide" isBusy={request.isRunning}>
          {texts.sendTheMail}
        </Button>
        <p role="status">{sentTo !== '' && texts.mailIsOnItsWay(sentTo)}</p>
      </form>
      <p className="login-other">
        {texts.rememberedItLogIn((text) => (
          <Link href="/login">{text}</Link>
        ))}
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
    <Page title={texts.setANewPassword} lead={texts.itLogsYouOutEverywhereElse}>
      <form
        className="panel stack"
        noValidate
        onSubmit={required.submitTo(reset)}
        aria-label={texts.setANewPassword}
      >
        {!isInvalid && <FormError error={reset.error} />}
        <NewPasswordField
          label={texts.newPassword}
          name="new_password"
          value={password}
          onChange={({ target }) => setPassword(target.value)}
          error={required.errorOf('new_password', texts.newPassword, password)}
          failure={isInvalid ? reset.error : undefined}
        />
        <Button type="submit" className="main wide" isBusy={reset.isRunning}>
          {texts.setThePassword}
        </Button>
      </form>
      {reset.error?.code === 'LINK_INVALID' && (
        <p className="login-other">
          {/* Without the token, the page asks for another mail. */}
          <a href="/reset-password">{texts.requestAnotherMail}</a>
        </p>
      )}
    </Page>
  )
}
