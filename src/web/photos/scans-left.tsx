import { Link } from 'wouter'
import { api } from '../api.ts'
import { Skeleton } from '../components/skeleton.tsx'
import { plural } from '../format.ts'
import { useQuery } from '../hooks/use-query.ts'
import { usePhotoSession } from './photo-session.ts'

export function ScansLeft() {
  const { scansLeft } = usePhotoSession()
  const result = useQuery(scansLeft === undefined ? 'scans left' : undefined, (signal) =>
    api.get('/v1/identify/usage', { signal }),
  )
  const usage = result.data?.data
  const isTrial = scansLeft === undefined && usage?.trial_pending === true
  const left = scansLeft ?? usage?.balance
  if (left === undefined && result.state === 'failed') return null
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
