import { Skeleton } from '../components/skeleton.tsx'

export function ResultSkeleton() {
  return (
    <div className="match panel" aria-hidden="true">
      <div className="match-art">
        <span className="art skeleton" />
      </div>
      <div className="match-text">
        <Skeleton width="30%" />
        <Skeleton width="70%" height="2rem" />
        <Skeleton width="50%" />
        <Skeleton width="40%" height="2rem" />
        <Skeleton height="7rem" />
        <Skeleton width="60%" />
        <Skeleton width="45%" />
      </div>
    </div>
  )
}
