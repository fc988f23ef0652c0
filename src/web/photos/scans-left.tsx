import { Link } from 'wouter'
import { api } from '../api.ts'
import { Skeleton } from '../components/skeleton.tsx'
import { plural } from '../format.ts'
import { useQuery } from '../hooks/use-query.ts'
import { usePhotoSession } from './photo-session.ts'

/** How many photos the account can still have read. */
export function ScansLeft() {
  const { scansLeft } = usePhotoSession()
  const asked = useQuery(scansLeft === undefined ? 'scans left' : undefined, (signal) =>
    api.get('/v1/identify/usage', { signal }),
  )
  const told = asked.data?.data
  const isTrial = scansLeft === undefined && told?.trial_pending === true
  const left = scansLeft ?? told?.balance
  if (left === undefined && asked.state === 'failed') return null
  return (
    <Link className="scans-left" href="/account/scans">
      {isTrial ? (
        '25 free scans'
      ) : left === undefined ? (
        <Skeleton width="6rem" />
      ) : (
        `${plural(left, 'scan')} left`
      )}
    </Link>
  )
}
