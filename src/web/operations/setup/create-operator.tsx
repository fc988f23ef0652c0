import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import * as texts from '#texts/operations/setup.ts'
import type { ApiError } from '../../api.ts'
import { api } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { EmailField, NewPasswordField } from '../../components/login-fields.tsx'
import { useAction } from '../../hooks/use-action.ts'
import { useRequiredFields } from '../../hooks/use-required-fields.ts'
import { rememberLogin } from '../../session.ts'

/** Creates the account of the operator, who proves ownership of the server with a token. */
export function CreateOperator({ onCreated }: { onCreated: () => Promise<void> }) {
  const { token, setToken, isFromLink } = useToken()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const required = useRequiredFields()
  const creating = useAction(async () => {
    await api.post('/v1/auth/setup', { body: { token: token.trim(), email, password } })
    rememberLogin()
    await onCreated()
  })
  const field = creating.error && fieldOf(creating.error)
  const isTaken = creating.error?.code === 'SETUP_DONE'
  const isTokenShown = !isFromLink || field === 'token'
  return (
    <form
      className="panel stack"
      noValidate
      onSubmit={required.submitTo(creating)}
      aria-label={texts.createTheOperatorsAccount}
    >
      <div>
        <h2>{texts.createYourAccount}</h2>
        <p className="soft">{texts.operatorAccountLead}</p>
      </div>
      {isTaken && <Taken />}
      {field === undefined && !isTaken && <FormError error={creating.error} />}
      {isTokenShown && (
        <Field
          label={texts.setupToken}
          name="token"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          value={token}
          onChange={({ target }) => setToken(target.value)}
          hint={texts.serverPrintedItWhen}
          error={
            required.errorOf('token', texts.setupToken, token) ??
            (field === 'token' ? texts.tokenIsWrongCopy : undefined)
          }
        />
      )}
      <EmailField
        value={email}
        onChange={({ target }) => setEmail(target.value)}
        error={
          required.errorOf('email', texts.email, email) ??
          (field === 'email' && creating.error ? emailError(creating.error) : undefined)
        }
      />
      <NewPasswordField
        label={texts.password}
        name="password"
        value={password}
        onChange={({ target }) => setPassword(target.value)}
        error={required.errorOf('password', texts.password, password)}
        failure={field === 'password' ? creating.error : undefined}
      />
      <p>
        <Button type="submit" className="main" isBusy={creating.isRunning}>
          {creating.isRunning ? texts.creatingAccount : texts.createAccount}
        </Button>
      </p>
    </form>
  )
}

/** Explains that the server already has an operator. */
function Taken() {
  return (
    <div className="note wait form-error" role="alert">
      <p>
        {texts.serverAlreadyHasAnOperator((text) => (
          <Link href="/login?to=/setup">{text}</Link>
        ))}
      </p>
    </div>
  )
}

/**
 * Reads the token from the fragment of the URL, which browsers never send, and removes it from the URL, so that it
 * appears neither in the history nor in bookmarks. The link may be opened while this page is shown.
 */
function useToken() {
  const [token, setToken] = useState(readToken)
  const [isFromLink, setFromLink] = useState(token !== '')
  useEffect(() => {
    const take = () => {
      const linked = readToken()
      if (linked === '') return
      setToken(linked)
      setFromLink(true)
      history.replaceState(history.state, '', location.pathname)
    }
    take()
    addEventListener('hashchange', take)
    return () => removeEventListener('hashchange', take)
  }, [])
  return { token, setToken, isFromLink }
}

function readToken(): string {
  return new URLSearchParams(location.hash.slice(1)).get('token') ?? ''
}

function fieldOf({ code, message }: ApiError): 'token' | 'email' | 'password' | undefined {
  if (code === 'SETUP_TOKEN_INVALID') return 'token'
  if (code === 'EMAIL_TAKEN') return 'email'
  if (code !== 'VALIDATION_ERROR') return undefined
  if (message.startsWith('"token"')) return 'token'
  return message.startsWith('"email"') ? 'email' : 'password'
}

function emailError({ code }: ApiError): string {
  return code === 'EMAIL_TAKEN' ? texts.emailHasAnAccount : texts.enterAValidEmailAddress
}
