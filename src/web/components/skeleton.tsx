/** What stands where tiles will be, so that nothing moves when they come. */
export function TileSkeleton({ count = 12, wide = false }: { count?: number; wide?: boolean }) {
  return (
    <div className={wide ? 'tiles wide' : 'tiles'} role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bones are all alike
        <div key={at} className="tile" aria-hidden="true">
          <div className={wide ? 'tile-art fan' : 'tile-art'}>
            <span className="art bone" />
          </div>
          <div className="tile-words">
            <Skeleton width="80%" />
            <Skeleton width="50%" />
          </div>
        </div>
      ))}
    </div>
  )
}

/** One line that is still to come. */
export function Skeleton({
  width = '100%',
  height = '1.25rem',
}: {
  width?: string
  height?: string
}) {
  return <span className="bone" style={{ display: 'block', width, height }} />
}

/** Lines where a table or a text will be. */
export function LineSkeleton({ count = 6 }: { count?: number }) {
  return (
    <div className="panel stack" role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bones are all alike
        <Skeleton key={at} width={`${90 - ((at * 17) % 40)}%`} />
      ))}
    </div>
  )
}
