import { type FormEvent, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import { ApiError, api } from '../api.ts'
import { BusyButton } from '../components/busy-button.tsx'
import { Field } from '../components/field.tsx'
import { FormError } from '../components/form-error.tsx'
import { Page } from '../components/page.tsx'
import { PasswordField } from '../components/password-field.tsx'
import { useAction } from '../hooks/use-action.ts'
import { isServerPage, localPath } from '../return-path.ts'
import { rememberLogin, useSession } from '../session.tsx'

export type LoginMode = 'login' | 'register'

/** Logging in, and registering: one form, so that what was typed stays when the other one is opened. */
export function LoginView({ way: mode }: { way: LoginMode }) {
  const { me, refresh } = useSession()
  const [, go] = useLocation()
  const search = useSearch()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const form = useRef<HTMLFormElement>(null)
  // Who comes here may have been logged out without this page knowing.
  useEffect(() => void refresh(), [refresh])
  const asked = localPath(new URLSearchParams(search).get('to'), location.origin)
  const words = TEXTS[mode]
  const other = `/${words.other}${search === '' ? '' : `?${search}`}`

  const enter = useAction(async () => {
    try {
      if (mode === 'register') {
        await api.post('/v1/auth/register', { body: { email, password } })
        // From here on there is an account: what still fails is a matter of logging in.
        go(`/login${search === '' ? '' : `?${search}`}`, { replace: true })
      }
      await api.post('/v1/auth/login', { body: { email, password } })
    } catch (error) {
      inputOf(form.current, error)?.focus()
      throw error
    }
    rememberLogin()
    const to = asked ?? words.to
    if (isServerPage(to)) {
      location.assign(to)
      return
    }
    await refresh()
    go(to, { replace: true })
  })

  const send = (event: FormEvent) => {
    event.preventDefault()
    void enter.start()
  }
  const faultAt = (field: string) => {
    return enter.error && fieldOf(enter.error) === field ? enter.error : undefined
  }
  return (
    <div className="entry">
      <Page key={mode} title={words.title} lead={words.lead}>
        {me && <p className="note">You are logged in as {me.email}.</p>}
      </Page>
      <form ref={form} className="panel stack" noValidate onSubmit={send} aria-label={words.title}>
        {enter.error && fieldOf(enter.error) === undefined && <FormError error={enter.error} />}
        <Field
          label="E-mail address"
          name="email"
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          required
          value={email}
          onChange={({ target }) => setEmail(target.value)}
          error={faultAt('email')?.message}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete={words.autoComplete}
          required
          value={password}
          onChange={({ target }) => setPassword(target.value)}
          hint={words.hint}
          error={faultAt('password')?.message}
        />
        <BusyButton type="submit" className="main wide" isBusy={enter.isRunning}>
          {enter.isRunning ? words.doing : words.deed}
        </BusyButton>
      </form>
      <p className="entry-other">
        {words.question}{' '}
        <Link href={other} onClick={enter.clearError}>
          {TEXTS[words.other].deed}
        </Link>
      </p>
    </div>
  )
}

const TEXTS = {
  login: {
    title: 'Log in',
    lead: 'To your keys, your quota and your scans.',
    autoComplete: 'current-password',
    hint: undefined,
    deed: 'Log in',
    doing: 'Logging in …',
    to: '/account',
    other: 'register',
    question: 'New here?',
  },
  register: {
    title: 'Open an account',
    lead: 'It is free: 100 requests a day, and 25 scans to try.',
    autoComplete: 'new-password',
    hint: 'At least 8 characters. A few words that belong to nothing are best.',
    deed: 'Register',
    doing: 'Registering …',
    to: '/account/keys',
    other: 'login',
    question: 'You have an account?',
  },
} as const

/** Which field a refusal is about; undefined: none of them. */
function fieldOf({ code, message }: ApiError): 'email' | 'password' | undefined {
  if (code === 'EMAIL_TAKEN') return 'email'
  if (code === 'INVALID_CREDENTIALS') return 'password'
  if (code !== 'VALIDATION_ERROR') return undefined
  if (message.startsWith('"email"')) return 'email'
  return message.startsWith('"password"') ? 'password' : undefined
}

/** Where to mend what was refused. */
function inputOf(form: HTMLFormElement | null, error: unknown): HTMLElement | null {
  const field = error instanceof ApiError ? fieldOf(error) : undefined
  return field === undefined ? null : (form?.querySelector(`input[name="${field}"]`) ?? null)
}
