import { useRef, useState } from 'react'
import * as texts from '#texts/accounts/security.ts'
import { type ApiError, api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { FormError } from '../components/form-error.tsx'
import { NewPasswordField, PasswordField } from '../components/login-fields.tsx'
import { Page } from '../components/page.tsx'
import { useAction } from '../hooks/use-action.ts'
import { useRequiredFields } from '../hooks/use-required-fields.ts'
import { useSession } from '../session.ts'
import { AccountData } from './account-data.tsx'
import { ProviderLink } from './provider-link.tsx'
import { Sessions } from './sessions.tsx'

/** Shows the sessions, changes the password, and exports or deletes the account. */
export function SecurityView() {
  const { me } = useSession()
  return (
    <Page title={texts.security} lead={me?.email}>
      {me && (
        <div className="stack">
          <Sessions sessions={me.sessions} />
          {me.has_password && <Password email={me.email} />}
          {me.login_provider && <ProviderLink me={me} provider={me.login_provider} />}
          <AccountData me={me} />
        </div>
      )}
    </Page>
  )
}

function Password({ email }: { email: string }) {
  const { refresh } = useSession()
  const [current, setCurrent] = useState('')
  const [wanted, setWanted] = useState('')
  const [isDone, setDone] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const change = useAction(async () => {
    setDone(false)
    await api.post('/v1/auth/password', {
      body: { current_password: current, new_password: wanted },
    })
    setCurrent('')
    setWanted('')
    setDone(true)
    await refresh()
  })
  const required = useRequiredFields()
  const field = change.error && fieldOf(change.error)
  return (
    <form
      ref={form}
      className="panel stack"
      noValidate
      onSubmit={required.submitTo(change)}
      aria-labelledby="change-password"
    >
      <h2 id="change-password">{texts.changePassword}</h2>
      {field === undefined && <FormError error={change.error} />}
      {/* Password managers store the new password under this e-mail. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <PasswordField
        label={texts.currentPassword}
        name="current_password"
        autoComplete="current-password"
        required
        value={current}
        onChange={({ target }) => setCurrent(target.value)}
        error={
          required.errorOf('current_password', texts.currentPassword, current) ??
          (field === 'current' ? texts.wrongPassword : undefined)
        }
      />
      <NewPasswordField
        label={texts.newPassword}
        name="new_password"
        value={wanted}
        onChange={({ target }) => setWanted(target.value)}
        hint={texts.atLeast8CharactersAllOther}
        error={required.errorOf('new_password', texts.newPassword, wanted)}
        failure={field === 'new' ? change.error : undefined}
      />
      <div className="row">
        <Button type="submit" className="main" isBusy={change.isRunning}>
          {texts.changePassword}
        </Button>
        <p className="success-text" role="status">
          {isDone && texts.passwordChanged}
        </p>
      </div>
    </form>
  )
}

function fieldOf({ code, message }: ApiError): 'current' | 'new' | undefined {
  if (code === 'INVALID_CREDENTIALS' || message.startsWith('"current_password"')) return 'current'
  return message.startsWith('"new_password"') ? 'new' : undefined
}
