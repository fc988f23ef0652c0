// Detects cards in a photo: coarse corners, kind and score of each.
import { PHOTO_KINDS, type PhotoKind } from '#rules/photos/photo-reading.ts'
import { fitFrame, letterbox, rotateSquare, unrotatePoint } from '../image/letterbox.ts'
import {
  asQuad,
  type ImagePyramid,
  isConvex,
  type Point,
  type Quad,
  type Region,
  type Size,
  signedArea,
} from '../image/rectify.ts'
import { type Network, readNameSetting, sigmoid, toInput } from '../runtime/model.ts'
import { coveredShare, intersectionOverUnion } from './overlap.ts'

/** Classes of the detector. `covered` is a card that lies largely under others. */
const DETECTION_KINDS = [...PHOTO_KINDS, 'covered'] as const

export type Detection = {
  kind: (typeof DETECTION_KINDS)[number]
  /** 0 to 1. */
  score: number
  /** Corners of the card, in pixels of the photo; in a slab also those of the card. */
  quad: Quad
}

/** A detection of a card that is mostly visible. */
export type Subject = Detection & { kind: PhotoKind }

/** Output of the detector for one region of the photo. */
export type DetectionGrid = {
  /** Pixels of the input per cell, and per unit of an offset. */
  stride: number
  unit: number
  columns: number
  rows: number
  kinds: readonly Detection['kind'][]
  /** Logits, one per kind in each cell. */
  heat: Float32Array
  /** Eight offsets to the corners in each cell. */
  quad: Float32Array
}

const SCORE_MIN = 0.3
/** Minimum score of a covered card: reached in 10 of 60 rendered fans and in 4 of 300 photos of one card. */
const COVERED_MIN = 0.4
/** Quads with a higher intersection over union are one card. */
const IOU_MAX = 0.3
/** Minimum area of an item, as a share of the largest one. */
const ITEM_AREA_MIN = 0.4
/** Side of a tile, as a share of the photo. Two by two tiles overlap. */
const TILE_SHARE = 0.6

/**
 * Detects cards in the whole photo, best first.
 *
 * @param turns quarter turns clockwise applied to the photo
 */
export function detectCards(detector: Network, pyramid: ImagePyramid, turns = 0): Detection[] {
  const { width, height } = pyramid(0)
  return suppressOverlaps(
    detectRegion(detector, pyramid, { left: 0, top: 0, width, height }, turns),
  )
}

/** Adds detections in tiles of the photo, where small cards are larger. */
export function detectInTiles(
  detector: Network,
  pyramid: ImagePyramid,
  known: readonly Detection[],
): Detection[] {
  const { width, height } = pyramid(0)
  const found = listTiles({ left: 0, top: 0, width, height }).flatMap((tile) =>
    detectRegion(detector, pyramid, tile),
  )
  return suppressOverlaps([...known, ...found])
}

/** Returns two by two overlapping tiles of a part of the photo. */
export function listTiles({ left, top, width, height }: Region): Region[] {
  const tile = { width: Math.ceil(width * TILE_SHARE), height: Math.ceil(height * TILE_SHARE) }
  return [0, 1].flatMap((row) =>
    [0, 1].map((column) => ({
      left: left + column * (width - tile.width),
      top: top + row * (height - tile.height),
      ...tile,
    })),
  )
}

/** Minimum share of a detection within the card of which it is a part. */
const PART_SHARE_MIN = 0.92

/**
 * Returns the subject of the photo and the number of items of similar size. Ignores backs beside faces. Covered
 * cards count if they touch the subject, as in a fan or a heap.
 */
export function chooseSubject(
  detections: readonly Detection[],
  { width, height }: Size,
): { chosen: Subject | undefined; items: number } {
  const visible = detections.filter(isSubject)
  const faces = visible.filter(({ kind }) => kind !== 'back')
  const candidates = faces.length > 0 ? faces : visible
  const largest = Math.max(...candidates.map(({ quad }) => signedArea(quad)))
  const isLarge = ({ quad }: Detection) => signedArea(quad) >= ITEM_AREA_MIN * largest
  const items = candidates.filter(isLarge)
  const central = items.find(({ quad }) => isCentral(quad, width, height))
  const chosen = central ?? items.find(({ quad }) => signedArea(quad) === largest)
  if (chosen === undefined) return { chosen, items: 0 }
  const covered = detections.filter(
    (one) => one.kind === 'covered' && isLarge(one) && lieTogether(one.quad, chosen.quad),
  )
  // A frame within the card is a part of it; another card would reach beyond its edges.
  const others = [...items, ...covered].filter(
    (one) => one !== chosen && coveredShare(one.quad, [chosen.quad]) < PART_SHARE_MIN,
  )
  return { chosen, items: 1 + others.length }
}

function isSubject(detection: Detection): detection is Subject {
  return detection.kind !== 'covered'
}

function lieTogether(one: Quad, other: Quad): boolean {
  return intersectionOverUnion(one, other) > 0
}

function isCentral(quad: Quad, width: number, height: number): boolean {
  const x = quad.reduce((sum, corner) => sum + corner.x / 4, 0)
  const y = quad.reduce((sum, corner) => sum + corner.y / 4, 0)
  return Math.abs(x / width - 0.5) < 0.15 && Math.abs(y / height - 0.5) < 0.15
}

/** Sides of the frame are multiples of it, so that every layer of the detector has whole cells. */
const FRAME_STEP = 32

/**
 * Returns all detections of a part of the photo.
 *
 * @param turns quarter turns clockwise applied to the part
 */
export function detectRegion(
  detector: Network,
  pyramid: ImagePyramid,
  region: Region,
  turns = 0,
): Detection[] {
  const side = detector.input[0]
  // A square takes up to twice as long, but only squares can be rotated.
  const frame = turns === 0 ? fitFrame(region, side, FRAME_STEP) : { width: side, height: side }
  const { pixels, scaleX, scaleY } = letterbox(pyramid, region, frame)
  const { heat, quad } = detector.run(toInput(rotateSquare(pixels, side, turns)), frame)
  if (heat === undefined || quad === undefined)
    throw new Error('The detector must have the outputs "heat" and "quad".')
  const stride = Number(detector.setting('stride'))
  const grid = {
    stride,
    unit: Number(detector.setting('unit')),
    kinds: readNameSetting(detector, 'kinds', DETECTION_KINDS),
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

/** Returns the peaks of the heat, with quads in pixels of the input. */
export function decodeGrid(grid: DetectionGrid): Detection[] {
  const found: Detection[] = []
  for (let row = 0; row < grid.rows; row++) {
    for (let column = 0; column < grid.columns; column++) {
      for (const [index, kind] of grid.kinds.entries()) {
        const score = heatAt(grid, column, row, index)
        if (
          score < (kind === 'covered' ? COVERED_MIN : SCORE_MIN) ||
          !isPeak(grid, column, row, index)
        )
          continue
        const quad = quadAt(grid, column, row, index)
        if (isConvex(quad)) found.push({ kind, score, quad })
      }
    }
  }
  return found
}

/** Returns the score of a cell; 0 outside the grid. */
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

const NEIGHBORHOOD = [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((across) => ({ across, down })))

/** Returns true if a cell is a local maximum. The last of equal neighbors counts. */
function isPeak(grid: DetectionGrid, column: number, row: number, kind: number): boolean {
  const score = heatAt(grid, column, row, kind)
  return NEIGHBORHOOD.every(({ across, down }) => {
    const other = heatAt(grid, column + across, row + down, kind)
    return down > 0 || (down === 0 && across > 0) ? other < score : other <= score
  })
}

/** Averages the quads of a peak and its neighbors, weighted by their heat. */
function quadAt(grid: DetectionGrid, column: number, row: number, kind: number): Quad {
  const sums = new Float64Array(8)
  let total = 0
  for (const { across, down } of NEIGHBORHOOD) {
    const weight = heatAt(grid, column + across, row + down, kind)
    if (weight === 0) continue
    const corners = cornersAt(grid, column + across, row + down)
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
 * Sorts detections, best first, and keeps only the best of overlapping ones (non-maximum suppression). A covered card
 * overlaps its cover.
 */
export function suppressOverlaps(detections: readonly Detection[]): Detection[] {
  const kept: Detection[] = []
  for (const detection of detections.toSorted((one, other) => other.score - one.score)) {
    const isKnown = kept.some(
      (one) =>
        isSubject(one) === isSubject(detection) &&
        intersectionOverUnion(one.quad, detection.quad) > IOU_MAX,
    )
    if (!isKnown) kept.push(detection)
  }
  return kept
}
