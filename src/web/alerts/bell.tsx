import { useEffect } from 'react'
import { Link } from 'wouter'
import { api } from '../api.ts'
import { BellIcon } from '../components/icons.tsx'
import { plural } from '../format.ts'
import { useLiveQuery } from '../hooks/use-live-query.ts'
import { useSession } from '../session.tsx'

/** Link to the alerts, with the number of unread notifications. Only for people with an account. */
export function Bell() {
  const { me } = useSession()
  const { data, refetch } = useLiveQuery(
    me ? `unread ${me.id}` : undefined,
    (signal) => api.get('/v1/notifications', { query: { per_page: 1 }, signal }),
    POLL_MS,
  )
  useEffect(() => {
    addEventListener(CHANGED, refetch)
    return () => removeEventListener(CHANGED, refetch)
  }, [refetch])
  if (!me) return null
  const unread = data?.meta.unread ?? 0
  const name = unread === 0 ? 'Alerts' : `Alerts, ${plural(unread, 'unread', 'unread')}`
  return (
    <Link className="button quiet bell" href="/alerts" aria-label={name} title={name}>
      <BellIcon />
      {unread > 0 && (
        <span className="bell-count" aria-hidden="true">
          {unread > SHOWN_MAX ? `${SHOWN_MAX}+` : unread}
        </span>
      )}
    </Link>
  )
}

/** Makes the bell count again: notifications were read. */
export function refreshBell(): void {
  dispatchEvent(new Event(CHANGED))
}

const CHANGED = 'cardstock:notifications'
const POLL_MS = 60_000
const SHOWN_MAX = 99
