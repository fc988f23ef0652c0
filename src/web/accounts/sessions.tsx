import { useLocation } from 'wouter'
import type { CurrentAccount } from '#client/endpoints.ts'
import * as texts from '#texts/accounts/security.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { FormError } from '../components/form-error.tsx'
import { agoText, dateTimeText, dayText } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { useSession } from '../session.ts'

type SessionEntry = CurrentAccount['sessions'][number]

/** Shows the browsers in which the account is logged in, and ends their sessions. */
export function Sessions({ sessions }: { sessions: readonly SessionEntry[] }) {
  const { logOut, refresh } = useSession()
  const [, go] = useLocation()
  const leaving = useAction(async (from: 'here' | 'everywhere') => {
    await logOut(from)
    go('/')
  })
  const endOne = useAction(async (session_id: string) => {
    await api.delete('/v1/auth/sessions/{session_id}', { path: { session_id } })
    await refresh()
  })
  const endOthers = useAction(async () => {
    await api.delete('/v1/auth/sessions')
    await refresh()
  })
  return (
    <section className="panel stack" aria-labelledby="sessions">
      <h2 id="sessions">{texts.sessions}</h2>
      <ul className="stack tight sessions">
        {sessions.map((session) => (
          <SessionItem
            key={session.id}
            session={session}
            isBusy={endOne.isRunning}
            onEnd={() => void endOne.start(session.id)}
          />
        ))}
      </ul>
      <FormError error={leaving.error ?? endOne.error ?? endOthers.error} />
      <div className="row">
        <Button isBusy={leaving.isRunning} onClick={() => void leaving.start('here')}>
          {texts.logOutOfThisBrowser}
        </Button>
        {sessions.length > 1 && <Button action={endOthers}>{texts.endAllOtherSessions}</Button>}
        <Button
          className="danger"
          isBusy={leaving.isRunning}
          onClick={() => void leaving.start('everywhere')}
        >
          {texts.logOutEverywhere}
        </Button>
      </div>
    </section>
  )
}

type SessionItemProps = { session: SessionEntry; isBusy: boolean; onEnd: () => void }

function SessionItem({ session, isBusy, onEnd }: SessionItemProps) {
  const { browser, network, created_at, last_seen_at, expires_at, is_current } = session
  const name = browser === '' ? texts.unknownBrowser : browser
  return (
    <li>
      <div>
        <p>
          {name} {is_current && <span className="tag good">{texts.thisBrowser}</span>}
        </p>
        <p className="small soft">
          {network === ''
            ? texts.since(dateTimeText(created_at))
            : texts.sinceFrom({ start: dateTimeText(created_at), network })}
        </p>
        <p className="small soft">
          {texts.lastActiveExpires({
            lastSeenAt: agoText(last_seen_at),
            expiresAt: dayText(expires_at),
          })}
        </p>
      </div>
      {!is_current && (
        <Button isBusy={isBusy} onClick={onEnd} aria-label={texts.endTheSessionOf(name)}>
          {texts.end}
        </Button>
      )}
    </li>
  )
}
