import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { FormError } from '../components/form-error.tsx'
import { useAction } from '../hooks/use-action.ts'
import { isServerPage, localPath } from '../return-path.ts'
import { rememberLogin, useSession } from '../session.ts'

/** Key of the page that a visitor wanted to see before the login provider took over. */
const RETURN_KEY = 'cardstock.return'

/** Logs in with the login provider of the server, which is another site. */
export function ProviderLogin({ label, to }: { label: string; to: string | undefined }) {
  const begin = useAction(async () => {
    const { data } = await api.post('/v1/auth/provider', { body: {} })
    sessionStorage.setItem(RETURN_KEY, to ?? '')
    location.assign(data.url)
  })
  return (
    <div className="stack login-provider">
      <FormError error={begin.error} />
      <Button className="wide" action={begin}>
        Log in with {label}
      </Button>
    </div>
  )
}

/** Logs in a visitor whom the login provider has sent back, or fetches the session again. */
export function useArrival(search: string): void {
  const { refresh } = useSession()
  const [, go] = useLocation()
  const hasEntered = new URLSearchParams(search).get('entered') === 'yes'
  useEffect(() => {
    if (!hasEntered) {
      // The session may have ended without this page noticing.
      void refresh()
      return
    }
    rememberLogin()
    const to = localPath(sessionStorage.getItem(RETURN_KEY) || null, location.origin) ?? '/account'
    sessionStorage.removeItem(RETURN_KEY)
    if (isServerPage(to)) location.assign(to)
    else void refresh().then(() => go(to, { replace: true }))
  }, [hasEntered, refresh, go])
}

/** Explains why the login provider has sent somebody back without a session or a link. */
export function ProviderProblem({ search }: { search: string }) {
  const problem = new URLSearchParams(search).get('problem')
  if (problem === null) return null
  return (
    <p className="note" role="alert">
      {PROBLEMS[problem] ?? 'The login with the provider did not work. Start again.'}
    </p>
  )
}

const PROBLEMS: Readonly<Record<string, string>> = {
  EMAIL_UNCONFIRMED:
    'Confirm your e-mail first: a mail with a link is on its way. Then link the login again.',
  EMAIL_TAKEN:
    'An account with this e-mail already exists. Log in with its password, then link the provider on the security page.',
  IDENTITY_TAKEN: 'This login is linked to another account, or your account to another login.',
  INVITATION_REQUIRED:
    'No account is linked to this login. Create one with your invitation, then link it on the security page.',
  LOGIN_PROVIDER_UNAVAILABLE:
    'The login provider does not answer. Log in with your password, or try again in a minute.',
  REGISTRATION_CLOSED:
    'No account is linked to this login. Log in with your password, then link it on the security page.',
  SESSION_REQUIRED: 'Your session has changed in the meantime. Link the account again.',
  TOO_MANY_ATTEMPTS: 'Too many accounts were created from your network. Try again in an hour.',
}
