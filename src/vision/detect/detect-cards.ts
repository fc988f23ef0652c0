// Where the cards lie in a photo: coarse corners, what each is, how sure.
import { PHOTO_KINDS, type PhotoKind } from '#rules/photos/photo-reading.ts'
import {
  fitFrame,
  letterbox,
  type Region,
  rotateSquare,
  unrotatePoint,
} from '../image/letterbox.ts'
import {
  asQuad,
  type ImagePyramid,
  isConvex,
  type Point,
  type Quad,
  signedArea,
} from '../image/rectify.ts'
import { type Network, readNameSetting, sigmoid, toInput } from '../runtime/model.ts'

export type Detection = {
  kind: PhotoKind
  /** 0 to 1. */
  score: number
  /** Of the card itself, in pixels of the photo; of a slab, the card in it. */
  quad: Quad
}

/** What the detector says of one window, in the JSON file's terms. */
export type DetectionGrid = {
  /** Pixels of the network to a cell, and to one unit of an offset. */
  stride: number
  unit: number
  columns: number
  rows: number
  kinds: readonly PhotoKind[]
  /** Logits, a number a kind in each cell. */
  heat: Float32Array
  /** Eight offsets in each cell. */
  quad: Float32Array
}

const SCORE_MIN = 0.3
/** Two quads that overlap by more than this are one card. */
const OVERLAP_MAX = 0.3
/** A thing with less than this share of the largest one's area is not what the photo is of. */
const ITEM_SHARE = 0.4
/** Tiles of the second look: two by two of this share of each side, so that they overlap. */
const TILE_SHARE = 0.6

/**
 * Everything found in the whole photo, best first.
 *
 * @param turns quarter turns clockwise by which the photo is shown to the detector
 */
export function detectCards(detector: Network, imagePyramid: ImagePyramid, turns = 0): Detection[] {
  const { width, height } = imagePyramid(0)
  return suppressOverlaps(
    detectIn(detector, imagePyramid, { left: 0, top: 0, width, height }, turns),
  )
}

/** What a second, closer look finds beside what is known: small cards are large in a tile. */
export function detectInTiles(
  detector: Network,
  imagePyramid: ImagePyramid,
  known: readonly Detection[],
): Detection[] {
  const { width, height } = imagePyramid(0)
  const tile = { width: Math.ceil(width * TILE_SHARE), height: Math.ceil(height * TILE_SHARE) }
  const corners = [0, 1].flatMap((row) => [0, 1].map((column) => ({ row, column })))
  const found = corners.flatMap(({ row, column }) =>
    detectIn(detector, imagePyramid, {
      left: column * (width - tile.width),
      top: row * (height - tile.height),
      ...tile,
    }),
  )
  return suppressOverlaps([...known, ...found])
}

/**
 * What the photo is of, and how many things as large lie in it. A back beside a face is its other
 * side, or says nothing.
 */
export function chooseSubject(
  detections: readonly Detection[],
  { width, height }: { width: number; height: number },
): { chosen: Detection | undefined; items: number } {
  const faces = detections.filter(({ kind }) => kind !== 'back')
  const candidates = faces.length > 0 ? faces : detections
  const largest = Math.max(...candidates.map(({ quad }) => signedArea(quad)))
  const items = candidates.filter(({ quad }) => signedArea(quad) >= ITEM_SHARE * largest)
  const central = items.find(({ quad }) => isInMiddle(quad, width, height))
  const chosen = central ?? items.find(({ quad }) => signedArea(quad) === largest)
  return { chosen, items: items.length }
}

function isInMiddle(quad: Quad, width: number, height: number): boolean {
  const x = quad.reduce((sum, corner) => sum + corner.x / 4, 0)
  const y = quad.reduce((sum, corner) => sum + corner.y / 4, 0)
  return Math.abs(x / width - 0.5) < 0.15 && Math.abs(y / height - 0.5) < 0.15
}

/** The frame's sides are multiples of this, so that every layer of the detector ends with a whole cell. */
const FRAME_STEP = 32

function detectIn(
  detector: Network,
  imagePyramid: ImagePyramid,
  region: Region,
  turns = 0,
): Detection[] {
  const side = detector.input[0]
  // A whole square takes up to twice as long; but only a square can be turned.
  const frame = turns === 0 ? fitFrame(region, side, FRAME_STEP) : { width: side, height: side }
  const { pixels, scaleX, scaleY } = letterbox(imagePyramid, region, frame)
  const { heat, quad } = detector.run(toInput(rotateSquare(pixels, side, turns)), frame)
  if (heat === undefined || quad === undefined) throw new Error('A detector gives heat and quad.')
  const stride = Number(detector.setting('stride'))
  const grid = {
    stride,
    unit: Number(detector.setting('unit')),
    kinds: readNameSetting(detector, 'kinds', PHOTO_KINDS),
    columns: frame.width / stride,
    rows: frame.height / stride,
    heat,
    quad,
  }
  return decodeGrid(grid).map((detection) => ({
    ...detection,
    quad: asQuad(
      detection.quad
        .map((corner) => unrotatePoint(corner, side, turns))
        .map(({ x, y }) => ({ x: region.left + x / scaleX, y: region.top + y / scaleY })),
    ),
  }))
}

/** Peaks of the heat, each with its quad in pixels of the network. */
export function decodeGrid(detectionGrid: DetectionGrid): Detection[] {
  const found: Detection[] = []
  for (let row = 0; row < detectionGrid.rows; row++) {
    for (let column = 0; column < detectionGrid.columns; column++) {
      for (const [index, kind] of detectionGrid.kinds.entries()) {
        const score = heatAt(detectionGrid, column, row, index)
        if (score < SCORE_MIN || !isPeak(detectionGrid, column, row, index)) continue
        const quad = quadAt(detectionGrid, column, row, index)
        if (isConvex(quad)) found.push({ kind, score, quad })
      }
    }
  }
  return found
}

/** 0 outside the grid. */
function heatAt(
  { heat, columns, rows, kinds }: DetectionGrid,
  column: number,
  row: number,
  kind: number,
) {
  if (column < 0 || row < 0 || column >= columns || row >= rows) return 0
  const logit = heat[(row * columns + column) * kinds.length + kind] ?? 0
  return sigmoid(logit)
}

const AROUND = [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((across) => ({ across, down })))

/** Of equals next to each other, the last one is the peak. */
function isPeak(detectionGrid: DetectionGrid, column: number, row: number, kind: number): boolean {
  const score = heatAt(detectionGrid, column, row, kind)
  return AROUND.every(({ across, down }) => {
    const other = heatAt(detectionGrid, column + across, row + down, kind)
    return down > 0 || (down === 0 && across > 0) ? other < score : other <= score
  })
}

/** The mean of what the peak and its neighbours say, each as much as it is hot. */
function quadAt(detectionGrid: DetectionGrid, column: number, row: number, kind: number): Quad {
  const sums = new Float64Array(8)
  let total = 0
  for (const { across, down } of AROUND) {
    const weight = heatAt(detectionGrid, column + across, row + down, kind)
    if (weight === 0) continue
    const corners = cornersAt(detectionGrid, column + across, row + down)
    for (const [index, { x, y }] of corners.entries()) {
      sums[2 * index] = (sums[2 * index] ?? 0) + weight * x
      sums[2 * index + 1] = (sums[2 * index + 1] ?? 0) + weight * y
    }
    total += weight
  }
  const corner = (index: number): Point => ({
    x: (sums[2 * index] ?? 0) / total,
    y: (sums[2 * index + 1] ?? 0) / total,
  })
  return asQuad([0, 1, 2, 3].map(corner))
}

function cornersAt(
  { quad, columns, stride, unit }: DetectionGrid,
  column: number,
  row: number,
): Quad {
  const at = (row * columns + column) * 8
  const corner = (index: number): Point => ({
    x: (column + 0.5) * stride + (quad[at + 2 * index] ?? 0) * unit,
    y: (row + 0.5) * stride + (quad[at + 2 * index + 1] ?? 0) * unit,
  })
  return asQuad([0, 1, 2, 3].map(corner))
}

/**
 * Best first; of those that overlap, the best alone. A card in a slab is seen as a card, too, often more
 * surely: whatever is seen as a slab at all is one (117 of 120 rendered slabs, and none of 182 other photos).
 */
export function suppressOverlaps(detections: readonly Detection[]): Detection[] {
  const kept: Detection[] = []
  for (const detection of detections.toSorted((one, other) => other.score - one.score)) {
    const known = kept.find(({ quad }) => intersectionOverUnion(quad, detection.quad) > OVERLAP_MAX)
    if (known === undefined) kept.push({ ...detection })
    else if (known.kind === 'raw' && detection.kind === 'graded slab') known.kind = detection.kind
  }
  return kept
}

/** Area of what two convex quads share, over the area of both together. */
export function intersectionOverUnion(one: Quad, other: Quad): number {
  const shared = Math.abs(signedArea(clip(one, other)))
  return shared / (Math.abs(signedArea(one)) + Math.abs(signedArea(other)) - shared)
}

/** Sutherland and Hodgman: what of a polygon lies on the inner side of every edge of the quad. */
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
