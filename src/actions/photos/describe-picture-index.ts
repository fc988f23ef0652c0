import type { Deps } from '#deps.ts'
import { estimateIndexEnd, PACE_MS } from '#rules/photos/picture-index/pace.ts'

/** Returns how many pictures photos are compared with, and when the others will be indexed. */
export function describePictureIndex({
  catalog,
  config,
  now,
}: Pick<Deps, 'catalog' | 'config' | 'now'>) {
  const { cards, tried } = catalog.pictures.measureCoverage()
  const waiting = Math.max(0, cards - tried)
  const pace = catalog.pictures.measurePace(new Date(now().getTime() - PACE_MS))
  return {
    // A replica gets the index from the bucket.
    is_enabled: config.indexPictures || config.service.isReplica,
    cards,
    waiting,
    indexed: catalog.pictures.count(),
    ready_at: estimateIndexEnd(waiting, pace, now())?.toISOString() ?? null,
  }
}
