import { Link, useLocation } from 'wouter'
import type { PasswordReset } from '#client/endpoints.ts'
import * as texts from '#texts/accounts/reset-password.ts'
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
    <Page title={texts.passwordWasChanged} lead={texts.allSessionsHaveEndedLog}>
      <div className="panel stack">
        {reset.unlinked_logins > 0 && <p className="note">{texts.loginWasUnlinked}</p>}
        {items.length > 0 && (
          <>
            <p>{texts.theseStillWork}</p>
            <ul>
              {items.map(({ id, name, since }) => (
                <li key={id}>
                  {texts.itemSince({
                    name,
                    start: dayText(since),
                    small: (text) => <span className="small soft">{text}</span>,
                  })}
                </li>
              ))}
            </ul>
            <FormError error={end.error} />
            <Button className="danger wide" action={end}>
              {texts.endThemAllAndLogIn}
            </Button>
          </>
        )}
        <Link href="/login" className={`button wide ${items.length === 0 ? 'main' : ''}`}>
          {items.length === 0 ? texts.logIn : texts.keepThemAndLogIn}
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
            name: texts.loginWith(login_provider.label),
            since: login_provider.linked_at,
          },
        ]),
    ...keys.map(({ id, name, key_prefix, last4, created_at }) => {
      return { id, name: texts.apiKey({ name, keyPrefix: key_prefix, last4 }), since: created_at }
    }),
    ...channels.map(({ id, kind, name, created_at }) => {
      const kindName = kind === 'webhook' ? texts.webhook : CHANNEL_NAMES[kind].name
      const channel =
        name === null ? texts.unreadableChannel(kindName) : texts.channel({ kind: kindName, name })
      return { id, name: channel, since: created_at }
    }),
    ...shared_collections.map(({ id, name, created_at }) => {
      return { id, name: texts.linkOfTheCollection(name), since: created_at }
    }),
  ]
}
