// Overlaps of convex quads.
import {
  isWithin,
  type Point,
  project,
  type Quad,
  signedArea,
  unitSquareTo,
} from '../image/rectify.ts'

/** Returns the intersection over union of the areas of two convex quads. */
export function intersectionOverUnion(one: Quad, other: Quad): number {
  const shared = sharedArea(one, other)
  return shared / (Math.abs(signedArea(one)) + Math.abs(signedArea(other)) - shared)
}

/** Points per side of a quad at which its covered share is measured. */
const SAMPLES = 20

/** Returns the share of a quad that others cover. Parts under several of them count once. */
export function coveredShare(quad: Quad, others: readonly Quad[]): number {
  const near = others.filter((other) => sharedArea(quad, other) > 0)
  if (near.length === 0) return 0
  const toQuad = unitSquareTo(quad)
  let covered = 0
  for (let row = 0; row < SAMPLES; row++) {
    for (let column = 0; column < SAMPLES; column++) {
      const at = { x: (column + 0.5) / SAMPLES, y: (row + 0.5) / SAMPLES }
      const point = project(toQuad, at)
      if (near.some((other) => isWithin(other, point))) covered++
    }
  }
  return covered / SAMPLES ** 2
}

/** Covered share below which a card is compared as a whole, because a smaller share may be an error of the corners. */
const COVERED_MIN = 0.05

/** Returns true if so much of a card is covered that only its visible part can be compared. */
export function isCovered(quad: Quad, others: readonly Quad[]): boolean {
  return coveredShare(quad, others) >= COVERED_MIN
}

function sharedArea(one: Quad, other: Quad): number {
  // Most cards of a page do not overlap, and clipping takes a hundred times as long as this check.
  return areApart(one, other) ? 0 : Math.abs(signedArea(clip(one, other)))
}

/** Returns true if the bounding boxes of two quads do not overlap. */
function areApart(one: Quad, other: Quad): boolean {
  return areApartAlong(one, other, 'x') || areApartAlong(one, other, 'y')
}

function areApartAlong(one: Quad, other: Quad, axis: keyof Point): boolean {
  const [ownLow, ownHigh] = rangeOf(one, axis)
  const [low, high] = rangeOf(other, axis)
  return ownHigh <= low || high <= ownLow
}

function rangeOf([a, b, c, d]: Quad, axis: keyof Point): [low: number, high: number] {
  const [p, q, r, s] = [a[axis], b[axis], c[axis], d[axis]]
  return [Math.min(p, q, r, s), Math.max(p, q, r, s)]
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
