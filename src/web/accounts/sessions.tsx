import { useLocation } from 'wouter'
import type { CurrentAccount } from '#client/endpoints.ts'
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
      <h2 id="sessions">Sessions</h2>
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
          Log out of this browser
        </Button>
        {sessions.length > 1 && <Button action={endOthers}>End all other sessions</Button>}
        <Button
          className="danger"
          isBusy={leaving.isRunning}
          onClick={() => void leaving.start('everywhere')}
        >
          Log out everywhere
        </Button>
      </div>
    </section>
  )
}

type SessionItemProps = { session: SessionEntry; isBusy: boolean; onEnd: () => void }

function SessionItem({ session, isBusy, onEnd }: SessionItemProps) {
  const { browser, network, created_at, last_seen_at, expires_at, is_current } = session
  const name = browser === '' ? 'Unknown browser' : browser
  return (
    <li>
      <div>
        <p>
          {name} {is_current && <span className="tag good">This browser</span>}
        </p>
        <p className="small soft">
          Since {dateTimeText(created_at)}
          {network !== '' && `, from ${network}`}
        </p>
        <p className="small soft">
          Last active {agoText(last_seen_at)}, expires {dayText(expires_at)}
        </p>
      </div>
      {!is_current && (
        <Button isBusy={isBusy} onClick={onEnd} aria-label={`End the session of ${name}`}>
          End
        </Button>
      )}
    </li>
  )
}
