import { Link, useLocation } from 'wouter'
import type { PasswordReset } from '#client/endpoints.ts'
import { CHANNEL_NAMES } from '../alerts/new-channel.tsx'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { FormError } from '../components/form-error.tsx'
import { Page } from '../components/page.tsx'
import { dayText } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { rememberLogin, useSession } from '../session.ts'

/** Returns true if something besides the password leads into an account, or has just been removed. */
export function hasAccess(reset: PasswordReset): boolean {
  return reset.unlinked_logins > 0 || listItems(reset).length > 0
}

type OtherAccessProps = { reset: PasswordReset; password: string }

/** Names what a new password does not end, and ends it with one button, which logs in first. */
export function OtherAccess({ reset, password }: OtherAccessProps) {
  const { refresh } = useSession()
  const [, go] = useLocation()
  const items = listItems(reset)
  const end = useAction(async () => {
    await api.post('/v1/auth/login', { body: { email: reset.email, password } })
    rememberLogin()
    await api.delete('/v1/auth/access')
    await refresh()
    go('/account', { replace: true })
  })
  return (
    <Page
      title="Your password was changed"
      lead="All sessions have ended. Log in with the new password."
    >
      <div className="panel stack">
        {reset.unlinked_logins > 0 && (
          <p className="note">
            A login of another site was unlinked: it was linked before this e-mail was confirmed.
          </p>
        )}
        {items.length > 0 && (
          <>
            <p>These still work. If one of them is not yours, end them all.</p>
            <ul>
              {items.map(({ id, name, since }) => (
                <li key={id}>
                  {name} <span className="small soft">since {dayText(since)}</span>
                </li>
              ))}
            </ul>
            <FormError error={end.error} />
            <Button className="danger wide" action={end}>
              End them all and log in
            </Button>
          </>
        )}
        <Link href="/login" className={`button wide ${items.length === 0 ? 'main' : ''}`}>
          {items.length === 0 ? 'Log in' : 'Keep them and log in'}
        </Link>
      </div>
    </Page>
  )
}

function listItems({ keys, channels, shared_collections, login_provider }: PasswordReset) {
  return [
    ...(login_provider === null
      ? []
      : [
          {
            id: 'login',
            name: `Login with ${login_provider.label}`,
            since: login_provider.linked_at,
          },
        ]),
    ...keys.map(({ id, name, key_prefix, last4, created_at }) => {
      return { id, name: `API key “${name}” (${key_prefix}…${last4})`, since: created_at }
    }),
    ...channels.map(({ id, kind, name, created_at }) => {
      const what = kind === 'webhook' ? 'Webhook' : CHANNEL_NAMES[kind].name
      return { id, name: `${what} ${name ?? 'with an unreadable address'}`, since: created_at }
    }),
    ...shared_collections.map(({ id, name, created_at }) => {
      return { id, name: `Link of the collection “${name}”`, since: created_at }
    }),
  ]
}
