/** Placeholder tiles that reserve space for the layout. */
import * as texts from '#texts/frame.ts'

export function TileSkeleton({ count = 12, wide = false }: { count?: number; wide?: boolean }) {
  return (
    <div className={wide ? 'tiles wide' : 'tiles'} role="status" aria-label={texts.loading}>
      {Array.from({ length: count }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are identical
        <div key={at} className="tile" aria-hidden="true">
          <div className={wide ? 'tile-art fan' : 'tile-art'}>
            <span className="art skeleton" />
          </div>
          <div className="tile-text">
            <Skeleton width="80%" />
            <Skeleton width="50%" />
          </div>
        </div>
      ))}
    </div>
  )
}

type SkeletonProps = { width?: string; height?: string | undefined }

/** Placeholder for one line. */
export function Skeleton({ width = '100%', height = '1.25rem' }: SkeletonProps) {
  return <span className="skeleton" style={{ display: 'block', width, height }} />
}

/** Placeholder for a table or text. */
export function LineSkeleton({ count = 6 }: { count?: number }) {
  return <PanelSkeleton lines={Array.from({ length: count }, (_, at) => [90 - ((at * 17) % 40)])} />
}

type PanelSkeletonProps = { lines: readonly (readonly [percent: number, height?: string])[] }

/** Placeholder for a panel with lines of these widths and heights. */
export function PanelSkeleton({ lines }: PanelSkeletonProps) {
  return (
    <div className="panel stack" role="status" aria-label={texts.loading}>
      {lines.map(([percent, height], at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders do not move
        <Skeleton key={at} width={`${percent}%`} height={height} />
      ))}
    </div>
  )
}

/** Placeholder of ranked price movers. */
export function MoverSkeleton({ count = 10 }: { count?: number }) {
  return (
    <div className="movers" role="status" aria-label={texts.loading}>
      {Array.from({ length: count }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders are identical
        <div key={at} className="mover" aria-hidden="true">
          <span className="mover-art">
            <span className="art skeleton" />
          </span>
          <span className="mover-text">
            <Skeleton width="min(14rem, 80%)" />
            <Skeleton width="min(14rem, 60%)" />
          </span>
        </div>
      ))}
    </div>
  )
}
