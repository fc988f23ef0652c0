import { useEffect, useState } from 'react'
import { Link } from 'wouter'
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
      aria-label="Create the operator’s account"
    >
      <div>
        <h2>Create your account</h2>
        <p className="soft">
          It is the operator’s account, which can change settings and see the server’s status.
        </p>
      </div>
      {isTaken && <Taken />}
      {field === undefined && !isTaken && <FormError error={creating.error} />}
      {isTokenShown && (
        <Field
          label="Setup token"
          name="token"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
          value={token}
          onChange={({ target }) => setToken(target.value)}
          hint="The server printed it when it started, in a line that begins with “Set it up”."
          error={
            required.errorOf('token', 'Setup token', token) ??
            (field === 'token' ? 'This token is wrong. Copy it from the server’s log.' : undefined)
          }
        />
      )}
      <EmailField
        value={email}
        onChange={({ target }) => setEmail(target.value)}
        error={
          required.errorOf('email', 'E-mail', email) ??
          (field === 'email' && creating.error ? emailError(creating.error) : undefined)
        }
      />
      <NewPasswordField
        label="Password"
        name="password"
        value={password}
        onChange={({ target }) => setPassword(target.value)}
        error={required.errorOf('password', 'Password', password)}
        failure={field === 'password' ? creating.error : undefined}
      />
      <p>
        <Button type="submit" className="main" isBusy={creating.isRunning}>
          {creating.isRunning ? 'Creating account…' : 'Create account'}
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
        This server already has an operator. <Link href="/login?to=/setup">Log in</Link> with that
        account to continue.
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
  return code === 'EMAIL_TAKEN'
    ? 'This e-mail already has an account. Use another one.'
    : 'Enter a valid e-mail address.'
}
