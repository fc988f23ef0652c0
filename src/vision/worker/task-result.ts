import type { PageCut } from '#rules/photos/page-cut.ts'
import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import type { ReaderResult } from './protocol.ts'

/** Returns the observation of a task that reads a card. */
export function observationOf(result: ReaderResult): PhotoObservation {
  if (result.kind === 'read') return result.observation
  throw new Error('The reader cut a photo that it should read.')
}

/** Returns the cards of a task that cuts a page. */
export function cutOf(result: ReaderResult): PageCut {
  if (result.kind === 'cut') return result.cut
  throw new Error('The reader read a photo that it should cut.')
}
