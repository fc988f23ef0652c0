import { useSearch } from 'wouter'
import type { CurrentAccount } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { FormError } from '../components/form-error.tsx'
import { dayText } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { useSession } from '../session.ts'
import { ProviderProblem } from './provider-login.tsx'

type ProviderLinkProps = {
  me: CurrentAccount
  provider: NonNullable<CurrentAccount['login_provider']>
}

/** Links the account to the login provider, or ends the link. */
export function ProviderLink({ me, provider: { label, linked_at } }: ProviderLinkProps) {
  const { refresh } = useSession()
  const search = useSearch()
  const link = useAction(async () => {
    const { data } = await api.post('/v1/auth/provider', { body: { link: true } })
    location.assign(data.url)
  })
  const unlink = useAction(async () => {
    await api.delete('/v1/auth/provider')
    await refresh()
  })
  return (
    <section className="panel stack" aria-labelledby="login-provider">
      <h2 id="login-provider">Login provider</h2>
      <ProviderProblem search={search} />
      <p>
        {linked_at === null
          ? `Link this account to log in with ${label} instead of the password.`
          : `Linked to ${label} since ${dayText(linked_at)}.`}
      </p>
      {!me.has_password && (
        <p className="small soft">
          This account has no password. You can log in only with {label}.
        </p>
      )}
      <FormError error={link.error ?? unlink.error} />
      {(linked_at === null || me.has_password) && (
        <div className="row">
          {linked_at === null ? (
            <Button action={link}>Link to {label}</Button>
          ) : (
            <Button action={unlink}>Unlink</Button>
          )}
        </div>
      )}
    </section>
  )
}
