import { useRef, useState } from 'react'
import { Link, useLocation, useSearch } from 'wouter'
import * as texts from '#texts/accounts/login.ts'
import { ApiError, api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Field } from '../components/field.tsx'
import { FormError } from '../components/form-error.tsx'
import {
  EmailField,
  PASSWORD_HINT,
  PasswordField,
  passwordError,
} from '../components/login-fields.tsx'
import { Page } from '../components/page.tsx'
import { useAction } from '../hooks/use-action.ts'
import { useRequiredFields } from '../hooks/use-required-fields.ts'
import { isServerPage, localPath } from '../return-path.ts'
import { rememberLogin, useSession } from '../session.ts'
import { RequestConfirmation } from './confirm-email.tsx'
import { ProviderLogin, ProviderProblem, useArrival } from './provider-login.tsx'
import { useOffers } from './queries.ts'
import { useFragment } from './use-fragment.ts'

// This page has its parts: another file would take another request.
export { ConfirmEmailView } from './confirm-email.tsx'

export type LoginMode = 'login' | 'register'

/** Shows the login or the registration form. Switching between them keeps the input. */
export function LoginView({ mode }: { mode: LoginMode }) {
  const { me, refresh } = useSession()
  const [, go] = useLocation()
  const search = useSearch()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [invitation, setInvitation] = useState(useFragment('invitation'))
  const offers = useOffers().data?.data
  const registration = offers?.registration
  const isInvited = mode === 'register' && (registration === 'invite' || invitation !== '')
  const form = useRef<HTMLFormElement>(null)
  useArrival(search)
  const returnPath = returnPathOf(search)
  const words = TEXTS[mode]
  const otherUrl = `/${words.other}${search === '' ? '' : `?${search}`}`

  const enter = useAction(async () => {
    try {
      if (mode === 'register') {
        const code = isInvited ? { invitation } : {}
        await api.post('/v1/auth/register', { body: { email, password, ...code } })
        // The account exists now, so that a later failure belongs to the login form.
        go(`/login${search === '' ? '' : `?${search}`}`, { replace: true })
      }
      await api.post('/v1/auth/login', { body: { email, password } })
    } catch (error) {
      inputOf(form.current, error)?.focus()
      throw error
    }
    rememberLogin()
    const to = returnPath ?? words.to
    if (isServerPage(to)) {
      location.assign(to)
      return
    }
    await refresh()
    go(to, { replace: true })
  })

  const required = useRequiredFields()
  const errorAt = (field: LoginField, label: string, value: string) => {
    const missing = required.errorOf(field, label, value)
    if (missing !== undefined) return missing
    return enter.error && fieldOf(enter.error) === field
      ? fieldError(enter.error, field)
      : undefined
  }
  if (mode === 'register' && registration === 'closed') return <ClosedView to={otherUrl} />
  return (
    <div className="login">
      <Page key={mode} title={words.title} lead={words.lead}>
        {me && <p className="note">{texts.youAreLoggedInAs(me.email)}</p>}
        <ProviderProblem search={search} />
        {new URLSearchParams(search).get('changed') === 'password' && (
          <p className="note" role="status">
            {texts.passwordWasChanged}
          </p>
        )}
      </Page>
      <form
        ref={form}
        className="panel stack"
        noValidate
        onSubmit={required.submitTo(enter)}
        aria-label={words.title}
      >
        {enter.error && fieldOf(enter.error) === undefined && <FormError error={enter.error} />}
        {enter.error?.code === 'EMAIL_UNCONFIRMED' && <RequestConfirmation email={email} />}
        <EmailField
          value={email}
          onChange={({ target }) => setEmail(target.value)}
          error={errorAt('email', texts.email, email)}
        />
        <PasswordField
          label={texts.password}
          name="password"
          autoComplete={words.autoComplete}
          required
          value={password}
          onChange={({ target }) => setPassword(target.value)}
          hint={words.hint}
          error={errorAt('password', texts.password, password)}
        />
        {mode === 'login' && offers?.has_password_reset && (
          <p className="small">
            <Link href="/reset-password">{texts.forgotYourPassword}</Link>
          </p>
        )}
        {isInvited && (
          <Field
            label={texts.invitation}
            name="invitation"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
            value={invitation}
            onChange={({ target }) => setInvitation(target.value)}
            hint={texts.invitationHint}
            error={errorAt('invitation', texts.invitation, invitation)}
          />
        )}
        <Button type="submit" className="main wide" isBusy={enter.isRunning}>
          {enter.isRunning ? words.busy : words.submit}
        </Button>
      </form>
      {offers?.login_provider && <ProviderLogin label={offers.login_provider} to={returnPath} />}
      <p className="login-other">
        {words.question((text) => (
          <Link href={otherUrl} onClick={enter.clearError}>
            {text}
          </Link>
        ))}
      </p>
    </div>
  )
}

function returnPathOf(search: string): string | undefined {
  return localPath(new URLSearchParams(search).get('to'), location.origin)
}

/** Explains that nobody can create an account. */
function ClosedView({ to }: { to: string }) {
  return (
    <div className="login">
      <Page title={texts.registrationIsClosed} lead={texts.operatorCreatesAccounts}>
        <p className="note">{texts.getAnAccount}</p>
      </Page>
      <p className="login-other">
        {texts.alreadyHaveAnAccount((text) => (
          <Link href={to}>{text}</Link>
        ))}
      </p>
    </div>
  )
}

const TEXTS = {
  login: {
    title: texts.logIn,
    lead: texts.logInLead,
    autoComplete: 'current-password',
    hint: undefined,
    submit: texts.logIn,
    busy: texts.loggingIn,
    to: '/account',
    other: 'register',
    question: texts.newHere,
  },
  register: {
    title: texts.createAccount,
    lead: texts.registerLead,
    autoComplete: 'new-password',
    hint: PASSWORD_HINT,
    submit: texts.createAccount,
    busy: texts.creatingAccount,
    to: '/account/keys',
    other: 'login',
    question: texts.alreadyHaveAnAccount,
  },
} as const

type LoginField = 'email' | 'password' | 'invitation'

/** The message below a field. */
function fieldError(error: ApiError, field: LoginField): string {
  if (field === 'invitation') {
    return texts.invitationIsNotValid
  }
  if (error.code === 'INVALID_CREDENTIALS') return texts.wrongEmailOrPassword
  if (error.code === 'EMAIL_TAKEN') return texts.emailHasAnAccount
  return field === 'email' ? texts.enterAValidEmailAddress : passwordError(error, texts.password)
}

/** Returns the field that an error refers to; undefined if it names no field. */
function fieldOf({ code, message }: ApiError): LoginField | undefined {
  if (code === 'INVITATION_REQUIRED') return 'invitation'
  if (code === 'EMAIL_TAKEN') return 'email'
  if (code === 'INVALID_CREDENTIALS') return 'password'
  if (code !== 'VALIDATION_ERROR') return undefined
  if (message.startsWith('"email"')) return 'email'
  return message.startsWith('"password"') ? 'password' : undefined
}

/** Returns the input to focus after an error. */
function inputOf(form: HTMLFormElement | null, error: unknown): HTMLElement | null {
  const field = error instanceof ApiError ? fieldOf(error) : undefined
  return field === undefined ? null : (form?.querySelector(`input[name="${field}"]`) ?? null)
}
