// Predicts the places of further cards from the cards that were found.
import { asQuad, type Point, type Quad, rotateQuad, sideLengths } from '../image/rectify.ts'
import { coveredShare } from './overlap.ts'

/**
 * Distance from the center of a card to that of its neighbor, along both axes of the card, as shares of its sides.
 */
type Step = { across: number; down: number }

/** Gaps between the cards of a page, as a share of a card's sides, if no neighbor shows the gap. */
const GAP = 0.09
/** Maximum distance of a neighbor, as a share of a card's side. */
const STEP_MAX = 1.6

/** Returns the places beside a card in all four directions, at the distance of its nearest neighbors. */
export function listNeighborQuads(quad: Quad, others: readonly Quad[]): Quad[] {
  const steps = others.filter((other) => other !== quad).map((other) => stepTo(quad, other))
  const across = nearest(
    steps.filter(({ down }) => Math.abs(down) < 0.3).map(({ across }) => Math.abs(across)),
  )
  const down = nearest(
    steps.filter(({ across }) => Math.abs(across) < 0.3).map(({ down }) => Math.abs(down)),
  )
  return [
    { across, down: 0 },
    { across: -across, down: 0 },
    { across: 0, down },
    { across: 0, down: -down },
  ].map((step) => moveQuad(quad, step))
}

function nearest(distances: readonly number[]): number {
  const near = distances.filter((distance) => distance > 0.9 && distance < STEP_MAX)
  return near.length === 0 ? 1 + GAP : Math.min(...near)
}

/** Steps of a fan whose steps are unknown: neighbors overlap by 10 to 65 %. The refiner corrects an eighth of a side. */
export const FAN_STEPS: readonly Step[] = [0.4, 0.55, 0.7, 0.85].flatMap((step) => [
  { across: step, down: 0 },
  { across: 0, down: step },
])

/** Returns the steps between overlapping cards, each once. */
export function listFanSteps(quads: readonly Quad[]): Step[] {
  const steps: Step[] = []
  for (const [index, quad] of quads.entries()) {
    for (const other of quads.slice(index + 1)) {
      const step = stepTo(quad, other)
      const isKnown = steps.some(
        ({ across, down }) =>
          Math.hypot(
            Math.abs(across) - Math.abs(step.across),
            Math.abs(down) - Math.abs(step.down),
          ) < 0.1,
      )
      if (!isKnown && coveredShare(quad, [other]) > OVERLAP_MIN) steps.push(step)
    }
  }
  return steps
}

/** Minimum overlap in a fan, because a smaller overlap may be an error of the corners. */
const OVERLAP_MIN = 0.06

/** Returns the quads one step before and after a card, for each step. */
export function listStackedQuads(quad: Quad, steps: readonly Step[]): Quad[] {
  return steps.flatMap(({ across, down }) => [
    moveQuad(quad, { across, down }),
    moveQuad(quad, { across: -across, down: -down }),
  ])
}

/** Moves a quad by shares of its own sides. */
export function moveQuad(quad: Quad, { across, down }: Step): Quad {
  const { right, below } = axesOf(quad)
  return asQuad(
    quad.map(({ x, y }) => ({
      x: x + across * right.x + down * below.x,
      y: y + across * right.y + down * below.y,
    })),
  )
}

/** Returns the step from one quad to another, in shares of the sides of the first. */
export function stepTo(quad: Quad, other: Quad): Step {
  const { right, below } = axesOf(quad)
  const [from, to] = [centerOf(quad), centerOf(other)]
  const move = { x: to.x - from.x, y: to.y - from.y }
  const determinant = right.x * below.y - right.y * below.x
  return {
    across: (move.x * below.y - move.y * below.x) / determinant,
    down: (right.x * move.y - right.y * move.x) / determinant,
  }
}

export function centerOf(quad: Quad): Point {
  return {
    x: quad.reduce((sum, { x }) => sum + x / 4, 0),
    y: quad.reduce((sum, { y }) => sum + y / 4, 0),
  }
}

/** Returns the mean vector of the two horizontal sides, and that of the two vertical sides. */
function axesOf([topLeft, topRight, bottomRight, bottomLeft]: Quad): {
  right: Point
  below: Point
} {
  /** Returns the mean of the vectors from `a` to `b` and from `c` to `d`. */
  const meanVector = (a: Point, b: Point, c: Point, d: Point) => ({
    x: (b.x - a.x + d.x - c.x) / 2,
    y: (b.y - a.y + d.y - c.y) / 2,
  })
  return {
    right: meanVector(topLeft, topRight, bottomLeft, bottomRight),
    below: meanVector(topLeft, bottomLeft, topRight, bottomRight),
  }
}

/** Ratio of height to width of a card. */
export const CARD_RATIO = 88 / 63
/** Ratio of height to width above which a quad is too narrow for a card, even for a tilted one. */
const NARROW = 1.65

/** A way to complete a quad: the side that is kept, and the turns of the card on it. */
export type QuadCompletion = {
  /** Quarter turns that bring the kept side to the top. */
  side: Quarters
  /** Distance of the opposite side, as a share of the kept one. */
  ratio: number
  /** Quarter turns of the completed quad, so that the top of the card is the first side. */
  turns: Quarters
}

type Quarters = 0 | 1 | 2 | 3

/** Completes an upright card from its top. */
export const FROM_TOP: QuadCompletion = { side: 0, ratio: CARD_RATIO, turns: 0 }

/**
 * Lists ways to complete a quad that ends at fingers: each side may be the visible one. The other side of a narrow quad
 * is hidden, or its lower side lies on fingers. Any other may be the upper part of a card, wider than high, that was
 * taken for a card on its side.
 */
export function listCompletions(quad: Quad): QuadCompletion[] {
  const { top, right, bottom, left } = sideLengths(quad)
  const isNarrow = left + right > NARROW * (top + bottom)
  const beside = isNarrow ? 1 / CARD_RATIO : CARD_RATIO
  return [
    FROM_TOP,
    { side: 1, ratio: beside, turns: isNarrow ? 3 : 0 },
    { side: 3, ratio: beside, turns: isNarrow ? 1 : 0 },
    { side: 2, ratio: CARD_RATIO, turns: 2 },
  ]
}

/** Returns a quad with the proportions of a card that keeps one side of a quad, and the directions beside it. */
export function completeQuad(quad: Quad, completion: QuadCompletion): Quad {
  return extendSide(quad, completion, 0)
}

/** Completes a quad whose other corners are guesses: the sides beside the kept one run halfway to the perpendicular. */
export function completeSquarer(quad: Quad, completion: QuadCompletion): Quad {
  return extendSide(quad, completion, 1)
}

/** @param weight of the perpendicular direction, relative to that of a side */
function extendSide(quad: Quad, { side, ratio, turns }: QuadCompletion, weight: number): Quad {
  const [topLeft, topRight, bottomRight, bottomLeft] = rotateQuad(quad, side)
  const across = { x: topRight.x - topLeft.x, y: topRight.y - topLeft.y }
  const width = Math.hypot(across.x, across.y)
  const below = (from: Point, to: Point): Point => {
    const length = Math.hypot(to.x - from.x, to.y - from.y)
    const x = (to.x - from.x) / length - (weight * across.y) / width
    const y = (to.y - from.y) / length + (weight * across.x) / width
    const share = (ratio * width) / Math.hypot(x, y)
    return { x: from.x + share * x, y: from.y + share * y }
  }
  const kept: Quad = [topLeft, topRight, below(topRight, bottomRight), below(topLeft, bottomLeft)]
  return rotateQuad(kept, turns)
}

/** Returns the same completion for a quad whose first side is the top of the card. */
export function ofUpright({ ratio, turns }: QuadCompletion): QuadCompletion {
  return { side: BACK[turns], ratio, turns }
}

/** Quarter turns that undo some quarter turns. */
const BACK = [0, 3, 2, 1] as const
