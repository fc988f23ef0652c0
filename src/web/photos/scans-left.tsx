import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import * as texts from '#texts/photos/camera.ts'
import { Skeleton } from '../components/skeleton.tsx'
import { apiQuery } from '../query-client.ts'
import { usePhotoSession } from './photo-session.ts'

export function ScansLeft() {
  const { scansLeft } = usePhotoSession()
  const result = useQuery({ ...apiQuery('/v1/identify/usage'), enabled: scansLeft === undefined })
  const usage = result.data?.data
  const isTrial = scansLeft === undefined && usage?.trial_pending === true
  const left = scansLeft ?? usage?.balance
  if (left === undefined && result.isError) return null
  return (
    <Link className="scans-left" href="/account/scans">
      {isTrial ? (
        texts.freeScans
      ) : left === undefined ? (
        <Skeleton width="6rem" />
      ) : (
        texts.scansLeft(left)
      )}
    </Link>
  )
}
