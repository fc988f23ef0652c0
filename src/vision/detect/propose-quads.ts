// Proposes places of cards in a photo of several cards: far more than it shows, and several for most cards.
import type { ImagePyramid, Region, Size } from '../image/rectify.ts'
import type { Network } from '../runtime/model.ts'
import { type Detection, detectRegion, listTiles } from './detect-cards.ts'

/**
 * If all cards lie in a part of the photo smaller than this share, they are detected again in that part, enlarged.
 */
const ZOOM_MAX = 0.75
/** Room around that part, as a share of its longer side. */
const ZOOM_MARGIN = 0.1

/**
 * Returns detections in the whole photo, upright and rotated by 90 degrees, best first. They are sufficient if the
 * cards do not overlap.
 */
export function proposeQuads(detector: Network, pyramid: ImagePyramid): Detection[] {
  const found = detectTurned(detector, pyramid, wholeOf(pyramid), [0, 1])
  return found.length > 0 ? found : detectTurned(detector, pyramid, wholeOf(pyramid), [2, 3])
}

/**
 * Returns detections in all rotations, in the part of the photo with cards, and in tiles of this part, where cards
 * are larger.
 */
export function proposeMoreQuads(
  detector: Network,
  pyramid: ImagePyramid,
  known: readonly Detection[],
): Detection[] {
  const whole = wholeOf(pyramid)
  const turned = detectTurned(detector, pyramid, whole, [2, 3])
  const part = encloseDetections([...known, ...turned], whole)
  const isSmall = Math.max(part.width, part.height) < ZOOM_MAX * Math.max(whole.width, whole.height)
  const zoomed = isSmall ? detectTurned(detector, pyramid, part, [0, 1, 2, 3]) : []
  const tiled = listTiles(part).flatMap((tile) => detectTurned(detector, pyramid, tile, [0, 1]))
  return bestFirst([...turned, ...zoomed, ...tiled])
}

function detectTurned(
  detector: Network,
  pyramid: ImagePyramid,
  region: Region,
  turns: readonly number[],
): Detection[] {
  return bestFirst(turns.flatMap((turn) => detectRegion(detector, pyramid, region, turn)))
}

const bestFirst = (detections: readonly Detection[]) =>
  detections.toSorted((one, other) => other.score - one.score)

export function sizeOf(pyramid: ImagePyramid): Size {
  const { width, height } = pyramid(0)
  return { width, height }
}

const wholeOf = (pyramid: ImagePyramid): Region => ({ left: 0, top: 0, ...sizeOf(pyramid) })

/** Returns the part of the photo that encloses all detections, with some room. */
export function encloseDetections(detections: readonly Detection[], whole: Region): Region {
  const corners = detections.flatMap(({ quad }) => quad)
  const xs = corners.map(({ x }) => x)
  const ys = corners.map(({ y }) => y)
  const [left, right] = [Math.min(...xs), Math.max(...xs)]
  const [top, bottom] = [Math.min(...ys), Math.max(...ys)]
  const margin = ZOOM_MARGIN * Math.max(right - left, bottom - top)
  const from = { left: Math.max(0, left - margin), top: Math.max(0, top - margin) }
  return {
    ...from,
    width: Math.min(whole.width, right + margin) - from.left,
    height: Math.min(whole.height, bottom + margin) - from.top,
  }
}
