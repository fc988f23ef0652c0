// Overlaps of convex quads.
import { type Point, type Quad, signedArea } from '../image/rectify.ts'

/** Returns the intersection over union of two convex quads. */
export function intersectionOverUnion(one: Quad, other: Quad): number {
  const shared = sharedArea(one, other)
  return shared / (Math.abs(signedArea(one)) + Math.abs(signedArea(other)) - shared)
}

/** Returns the share of a quad that others cover, at most 1. Parts under several of them count several times. */
export function coveredShare(quad: Quad, others: readonly Quad[]): number {
  const covered = others.reduce((sum, other) => sum + sharedArea(quad, other), 0)
  return Math.min(1, covered / Math.abs(signedArea(quad)))
}

function sharedArea(one: Quad, other: Quad): number {
  return Math.abs(signedArea(clip(one, other)))
}

/** Clips a polygon to a convex quad (Sutherland and Hodgman). */
function clip(polygon: readonly Point[], quad: Quad): Point[] {
  let rest = [...polygon]
  for (const [index, from] of quad.entries()) {
    const to = quad[(index + 1) % 4] ?? from
    const side = ({ x, y }: Point) =>
      (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x)
    rest = rest.flatMap((point, at) => {
      const before = rest.at(at - 1) ?? point
      const [here, there] = [side(point), side(before)]
      if (here >= 0 === there >= 0) return here >= 0 ? [point] : []
      const share = there / (there - here)
      const crossing = {
        x: before.x + share * (point.x - before.x),
        y: before.y + share * (point.y - before.y),
      }
      return here >= 0 ? [crossing, point] : [crossing]
    })
  }
  return rest
}
