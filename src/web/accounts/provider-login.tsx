import { useEffect } from 'react'
import { useLocation } from 'wouter'
import * as texts from '#texts/accounts/login.ts'
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
        {texts.logInWith(label)}
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
      {PROBLEMS[problem] ?? texts.providerLoginFailed}
    </p>
  )
}

const PROBLEMS: Readonly<Record<string, string>> = {
  EMAIL_UNCONFIRMED: texts.confirmYourEmailFirst,
  EMAIL_TAKEN: texts.accountExists,
  IDENTITY_TAKEN: texts.loginIsLinkedToAnother,
  INVITATION_REQUIRED: texts.noAccountIsLinkedButInvited,
  LOGIN_PROVIDER_UNAVAILABLE: texts.loginProviderDoesNotAnswer,
  REGISTRATION_CLOSED: texts.noAccountIsLinked,
  SESSION_REQUIRED: texts.sessionHasChanged,
  TOO_MANY_ATTEMPTS: texts.tooManyAccountsWereCreated,
}
