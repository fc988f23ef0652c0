// Detects lines of text in a rectified picture: the network marks the core of each line, which is thinner and shorter
// than the line (DB, "Real-time Scene Text Detection with Differentiable Binarization").
import type { GrayImage } from '../image/gray.ts'
import { asQuad, type Point, type Quad } from '../image/rectify.ts'
import { type Network, sigmoid, toInput } from '../runtime/model.ts'

export type DetectedText = {
  /** Box from the ascenders to the descenders, even if the text has neither; in pixels of the rectified picture. */
  quad: Quad
  /** Mean probability of the core, 0 to 1. */
  score: number
  /** True if the text is read from the bottom to the top, or from the top to the bottom. */
  isSideways?: boolean
}

/** Logits of the cores, one for each pixel. */
export type CoreMap = { width: number; height: number; logitAt(x: number, y: number): number }

/** Minimum logit of a pixel of a core: a probability of 0.4. */
const LOGIT_MIN = -0.4
const SCORE_MIN = 0.6
/** Minimum length and height of a core, in pixels; less is noise. */
const CORE_MIN = 2
/** Distance from the core to the box, in units of area over perimeter: measured on rendered lines. */
const GROWTH = 1.13
/** Distance from the middle of the core to that of the box, in heights: descenders are rare. */
const DROP = 0.08
/** Thickness below which a core is a bridge between two texts, relative to its median. */
const BRIDGE = 0.4
/** Maximum slope; a rectified card has no steeper lines. */
const SLOPE_MAX = 0.2
/** Maximum ratio of height to length of a core; more is sideways text. */
const TALL_MAX = 3

/** @param picture whose sides are multiples of 32 */
export function detectText(detector: Network, { width, height, data }: GrayImage): DetectedText[] {
  const { text } = detector.run(toInput(data), { width, height })
  if (text === undefined) throw new Error('The text detector must have the output "text".')
  const stride = Number(detector.setting('stride'))
  const columns = width / stride
  // A cell has the logits of a square of pixels, row by row.
  const logitAt = (x: number, y: number) => {
    const cell = Math.trunc(y / stride) * columns + Math.trunc(x / stride)
    return text[cell * stride * stride + (y % stride) * stride + (x % stride)] ?? LOGIT_MIN
  }
  const map = { width, height, logitAt }
  return [...decodeText(map), ...decodeSideways(map)]
}

/** Decodes the lines that are read from the bottom of a picture to its top. Short lines may be upright as well. */
export function decodeSideways({ width, height, logitAt }: CoreMap): DetectedText[] {
  const turned: CoreMap = {
    width: height,
    height: width,
    logitAt: (x, y) => logitAt(y, height - 1 - x),
  }
  return decodeText(turned).map(({ quad, score }) => ({
    quad: asQuad(quad.map(({ x, y }) => ({ x: y, y: height - x }))),
    score,
    isSideways: true,
  }))
}

/** Returns the box of a text that was detected upside down, with its descenders at the other side. */
export function turnText([topLeft, topRight, bottomRight, bottomLeft]: Quad): Quad {
  const raise = (bottom: Point, top: Point) => (point: Point) => ({
    x: point.x + 2 * DROP * (top.x - bottom.x),
    y: point.y + 2 * DROP * (top.y - bottom.y),
  })
  const [left, right] = [raise(bottomLeft, topLeft), raise(bottomRight, topRight)]
  return [right(bottomRight), left(bottomLeft), left(topLeft), right(topRight)]
}

/** Pixels of a core in one row; `right` is beyond the last one. */
type Run = { y: number; left: number; right: number; score: number }
type Core = readonly Run[]
type FittedLine = DetectedText & { core: Core }

/** Decodes the map of one picture to lines. */
export function decodeText(map: CoreMap): DetectedText[] {
  const lines: FittedLine[] = []
  const fitted = largest(findCores(map))
    .flatMap(splitAtBridges)
    .flatMap((core) => fitLine(core) ?? [])
  for (const line of fitted.toSorted((one, other) => one.quad[0].x - other.quad[0].x)) {
    const before = lines.find((other) => continues(line, other))
    const joined = before && fitLine([...before.core, ...line.core])
    if (before && joined) lines[lines.indexOf(before)] = joined
    else lines.push(line)
  }
  return lines.map(({ quad, score }) => ({ quad, score }))
}

/** Cards have fewer texts; a pattern of dots may have thousands of cores. */
const CORES_MAX = 400

function largest(cores: readonly Core[]): readonly Core[] {
  if (cores.length <= CORES_MAX) return cores
  const areaOf = (core: Core) => core.reduce((sum, { left, right }) => sum + right - left, 0)
  return cores.toSorted((one, other) => areaOf(other) - areaOf(one)).slice(0, CORES_MAX)
}

/** Maximum gap within a text whose core has a hole, in heights, and maximum distance of both middles. */
const [GAP_MAX, OFFSET_MAX] = [0.25, 0.25]
/** Maximum ratio of the heights of both parts. */
const GROWTH_MAX = 1.5

/** Returns true if a line continues another one to the right: faint print may have several cores. */
function continues({ quad: [from, , , below] }: FittedLine, { quad }: FittedLine): boolean {
  const [, end, endBelow] = quad
  const [height, other] = [below.y - from.y, endBelow.y - end.y]
  return (
    Math.abs(from.x - end.x) < GAP_MAX * other &&
    Math.abs(from.y + below.y - end.y - endBelow.y) / 2 < OFFSET_MAX * other &&
    Math.max(height, other) < GROWTH_MAX * Math.min(height, other)
  )
}

/** Returns the connected areas over the minimum. */
function findCores(map: CoreMap): Core[] {
  const runs: Run[] = []
  // Index of an earlier run of the same core, or of the run itself.
  const parents: number[] = []
  const rootOf = (run: number): number => {
    let root = run
    while (parents[root] !== root) {
      // Halves the path.
      parents[root] = parents[parents[root] ?? root] ?? root
      root = parents[root] ?? root
    }
    parents[run] = root
    return root
  }
  let above = 0
  for (let y = 0; y < map.height; y++) {
    const start = runs.length
    for (const run of runsIn(map, y)) {
      const index = runs.push(run) - 1
      parents.push(index)
      // Runs that end before this one also end before the next one.
      while (above < start && (runs[above]?.right ?? 0) < run.left) above++
      for (let other = above; other < start && (runs[other]?.left ?? 0) <= run.right; other++) {
        parents[rootOf(other)] = rootOf(index)
      }
    }
    above = start
  }
  const groups = Map.groupBy(runs.keys(), rootOf)
  return [...groups.values()].map((group) => group.flatMap((index) => runs[index] ?? []))
}

function runsIn({ width, logitAt }: CoreMap, y: number): Run[] {
  const runs: Run[] = []
  let open: Run | undefined
  for (let x = 0; x < width; x++) {
    const logit = logitAt(x, y)
    if (logit < LOGIT_MIN) {
      open = undefined
      continue
    }
    if (open === undefined) {
      open = { y, left: x, right: x, score: 0 }
      runs.push(open)
    }
    open.right = x + 1
    open.score += sigmoid(logit)
  }
  return runs
}

/** Splits a core where it is thin between thick parts: two texts beside each other, such as a set and an artist. */
function splitAtBridges(core: Core): Core[] {
  const left = Math.min(...core.map((run) => run.left))
  const thickness = new Uint16Array(Math.max(...core.map(({ right }) => right)) - left)
  for (const run of core) {
    for (let x = run.left; x < run.right; x++) thickness[x - left] = (thickness[x - left] ?? 0) + 1
  }
  const median = thickness.toSorted()[thickness.length >> 1] ?? 0
  const isThick = (x: number) => (thickness[x] ?? 0) >= BRIDGE * median
  const parts: [start: number, end: number][] = []
  let end = 0
  for (let x = 0; x < thickness.length; x++) {
    if (!isThick(x)) continue
    if (parts.length === 0 || x > end) parts.push([parts.length === 0 ? 0 : x, x])
    end = x + 1
    const part = parts.at(-1)
    if (part !== undefined) part[1] = end
  }
  const last = parts.at(-1)
  if (last !== undefined) last[1] = thickness.length
  if (parts.length < 2) return [core]
  return parts.map(([start, stop]) => clipCore(core, left + start, left + stop))
}

/** Returns the part of a core between two columns. */
function clipCore(core: Core, start: number, end: number): Core {
  return core.flatMap((run) => {
    const left = Math.max(run.left, start)
    const right = Math.min(run.right, end)
    const score = (run.score * (right - left)) / (run.right - run.left)
    return left < right ? { y: run.y, left, right, score } : []
  })
}

/** Fits a straight box to a core and grows it to the letters. */
function fitLine(core: Core): FittedLine | undefined {
  const moments = momentsOf(core)
  const { area, middle, score } = moments
  const wide =
    Math.max(...core.map(({ right }) => right)) - Math.min(...core.map(({ left }) => left))
  const isLong = wide > (3 * area) / wide
  const slope = isLong ? moments.slope : 0
  const length = Math.hypot(1, slope)
  const [cos, sin] = [1 / length, slope / length]
  const alongOf = (x: number, y: number) => (x - middle.x) * cos + (y - middle.y) * sin
  const start = Math.min(...core.map(({ left, y }) => alongOf(left, y + 0.5)))
  const end = Math.max(...core.map(({ right, y }) => alongOf(right, y + 0.5)))
  const thick = area / (end - start)
  const isText = thick >= CORE_MIN && end - start >= CORE_MIN && thick <= TALL_MAX * (end - start)
  if (!isText || score < SCORE_MIN) return undefined
  const growth = (GROWTH * area) / (2 * (end - start + thick))
  const half = thick / 2 + growth
  const drop = 2 * half * DROP
  const corner = (along: number, down: number) => ({
    x: middle.x + along * cos - (down + drop) * sin,
    y: middle.y + along * sin + (down + drop) * cos,
  })
  const [left, right] = [start - growth, end + growth]
  const quad: Quad = [
    corner(left, -half),
    corner(right, -half),
    corner(right, half),
    corner(left, half),
  ]
  return { quad, score, core }
}

/** Returns area, middle, mean score and slope of a core. */
function momentsOf(core: Core) {
  let [area, sumX, sumY, score] = [0, 0, 0, 0]
  for (const run of core) {
    const pixels = run.right - run.left
    area += pixels
    sumX += (pixels * (run.left + run.right)) / 2
    sumY += pixels * (run.y + 0.5)
    score += run.score
  }
  const middle = { x: sumX / area, y: sumY / area }
  let [rise, spread] = [0, 0]
  for (const { left, right, y } of core) {
    const [from, to] = [left - middle.x, right - middle.x]
    rise += ((to ** 2 - from ** 2) / 2) * (y + 0.5 - middle.y)
    spread += (to ** 3 - from ** 3) / 3
  }
  const slope = Math.min(Math.max(rise / spread, -SLOPE_MAX), SLOPE_MAX)
  return { area, middle, score: score / area, slope }
}
