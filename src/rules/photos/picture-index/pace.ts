/** Pictures that were indexed lately, and when. */
type IndexedLately = { count: number; first_at: string | null; last_at: string | null }

/** Milliseconds for which the pace counts. */
export const PACE_MS = 10 * 60_000

/** Milliseconds without a picture after which the index does not grow. A slow host takes some seconds for each. */
const SILENT_MS = 60_000

/** Minimum number of pictures that say how long the others take. */
const COUNT_MIN = 20

/**
 * Estimates when all pictures will have been tried, from the pace of the last ones. Undefined if none is waiting, or the
 * index does not grow.
 */
export function estimateIndexEnd(
  waiting: number,
  { count, first_at, last_at }: IndexedLately,
  now: Date,
): Date | undefined {
  if (waiting === 0 || count < COUNT_MIN || first_at === null || last_at === null) return undefined
  if (now.getTime() - Date.parse(last_at) > SILENT_MS) return undefined
  const msEach = (Date.parse(last_at) - Date.parse(first_at)) / (count - 1)
  return new Date(now.getTime() + waiting * msEach)
}
