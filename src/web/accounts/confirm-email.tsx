import { useState } from 'react'
import { Link } from 'wouter'
import * as texts from '#texts/accounts/login.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { FormError } from '../components/form-error.tsx'
import { Page } from '../components/page.tsx'
import { useAction } from '../hooks/use-action.ts'
import { useFragment } from './use-fragment.ts'

/** Confirms an address on a click: programs that only open the links of mails must not. */
export function ConfirmEmailView() {
  const token = useFragment('token')
  const [email, setEmail] = useState('')
  const confirm = useAction(async () => {
    setEmail((await api.post('/v1/auth/confirm', { body: { token } })).data.email)
  })
  return (
    <div className="login">
      <Page title={texts.confirmYourEmail} lead={texts.oneClick}>
        <div className="panel stack">
          <FormError error={confirm.error} />
          <p role="status">{email !== '' && texts.isConfirmed(email)}</p>
          {email === '' ? (
            <Button className="main wide" action={confirm}>
              {texts.confirm}
            </Button>
          ) : (
            <Link href="/login" className="button main wide">
              {texts.logIn}
            </Link>
          )}
        </div>
      </Page>
    </div>
  )
}

/** Offers another mail to an owner whose address is not confirmed. */
export function RequestConfirmation({ email }: { email: string }) {
  const [isSent, setSent] = useState(false)
  const request = useAction(async () => {
    await api.post('/v1/auth/confirmation', { body: { email } })
    setSent(true)
  })
  return (
    <div className="stack tight">
      <FormError error={request.error} />
      {isSent ? (
        <p role="status">{texts.anotherMailIsOnItsWay(email)}</p>
      ) : (
        <Button action={request}>{texts.sendTheMailAgain}</Button>
      )}
    </div>
  )
}
