import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { BellIcon } from '../components/icons.tsx'
import { plural } from '../format.ts'
import { apiQuery, pollQuery } from '../query-client.ts'
import { useSession } from '../session.ts'

/** Link to the alerts, with the number of unread notifications. Only for people with an account. */
export function Bell() {
  const { me } = useSession()
  const { data } = useQuery({
    ...pollQuery(apiQuery('/v1/notifications', { query: { per_page: 1 } }), () => POLL_MS),
    enabled: me != null,
  })
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

const POLL_MS = 60_000
const SHOWN_MAX = 99
