import { useState } from 'react'
import { useLocation } from 'wouter'
import type { CurrentAccount } from '#client/endpoints.ts'
import * as texts from '#texts/accounts/security.ts'
import { type ApiError, api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Field } from '../components/field.tsx'
import { FormError } from '../components/form-error.tsx'
import { PasswordField } from '../components/login-fields.tsx'
import { useAction } from '../hooks/use-action.ts'
import { useRequiredFields } from '../hooks/use-required-fields.ts'
import { useSession } from '../session.ts'

/** Offers all data of the account as a file, and the deletion of the account. */
export function AccountData({ me }: { me: CurrentAccount }) {
  const [isDeleting, setDeleting] = useState(false)
  return (
    <section className="panel stack" aria-labelledby="account-data">
      <h2 id="account-data">{texts.yourData}</h2>
      <p className="soft">{texts.dataLead}</p>
      <div className="row">
        <a className="button" href="/v1/auth/export" download="cardstock-account.json">
          {texts.exportMyData}
        </a>
        <Button className="danger" onClick={() => setDeleting(true)}>
          {texts.deleteAccount}
        </Button>
      </div>
      {isDeleting && <DeleteAccountDialog me={me} onClose={() => setDeleting(false)} />}
    </section>
  )
}

type DeleteAccountDialogProps = { me: CurrentAccount; onClose: () => void }

function DeleteAccountDialog({ me, onClose }: DeleteAccountDialogProps) {
  const { leave } = useSession()
  const [, go] = useLocation()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const required = useRequiredFields()
  const remove = useAction(async () => {
    const proof = me.has_password ? { password } : {}
    await api.post('/v1/auth/delete', { body: { email, ...proof } })
    await leave()
    go('/')
  })
  const field = remove.error && fieldOf(remove.error)
  return (
    <Dialog title={texts.deleteYourAccount} onClose={onClose}>
      <form
        className="stack"
        noValidate
        onSubmit={required.submitTo(remove)}
        aria-label={texts.deleteAccount}
      >
        <p>{texts.deletedAtOnce}</p>
        <p>{texts.paymentsStay}</p>
        {field === undefined && <FormError error={remove.error} />}
        <Field
          label={texts.emailOfThisAccount}
          name="email"
          type="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          value={email}
          onChange={({ target }) => setEmail(target.value)}
          hint={me.email}
          error={
            required.errorOf('email', texts.email, email) ??
            (field === 'email' ? texts.notTheEmail : undefined)
          }
        />
        {me.has_password && (
          <PasswordField
            label={texts.password}
            name="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={({ target }) => setPassword(target.value)}
            error={
              required.errorOf('password', texts.password, password) ??
              (field === 'password' ? texts.wrongPassword : undefined)
            }
          />
        )}
        {/* Cancel comes first, so that an extra Enter does nothing. */}
        <div className="row end">
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" className="danger" isBusy={remove.isRunning}>
            {texts.deleteAccount}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

function fieldOf({ code, message }: ApiError): 'email' | 'password' | undefined {
  if (code !== 'INVALID_CREDENTIALS') return undefined
  return message.startsWith('This is not the e-mail') ? 'email' : 'password'
}
