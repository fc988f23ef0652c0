import { useSearch } from 'wouter'
import type { CurrentAccount } from '#client/endpoints.ts'
import * as texts from '#texts/accounts/security.ts'
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
      <h2 id="login-provider">{texts.loginProvider}</h2>
      <ProviderProblem search={search} />
      <p>
        {linked_at === null
          ? texts.linkThisAccount(label)
          : texts.linkedToSince({ label, linkedAt: dayText(linked_at) })}
      </p>
      {!me.has_password && <p className="small soft">{texts.accountHasNoPassword(label)}</p>}
      <FormError error={link.error ?? unlink.error} />
      {(linked_at === null || me.has_password) && (
        <div className="row">
          {linked_at === null ? (
            <Button action={link}>{texts.linkTo(label)}</Button>
          ) : (
            <Button action={unlink}>{texts.unlink}</Button>
          )}
        </div>
      )}
    </section>
  )
}
