// All that is seen in one photo, from its bytes to what the index is asked with.
import { resolve } from 'node:path'
import type { FinishEstimate, PhotoKind, PhotoQuality } from '#rules/photos/photo-reading.ts'
import type { PrintedLine } from '#rules/photos/text-line.ts'
import { chooseSubject, type Detection, detectCards, detectInTiles } from './detect/detect-cards.ts'
import { estimateFinish } from './detect/finish.ts'
import { measureQuality } from './detect/quality.ts'
import { type RefinedQuad, refineCorners } from './detect/refine-corners.ts'
import { decode } from './image/decode.ts'
import {
  buildPyramid,
  type ImagePyramid,
  type Quad,
  rectify,
  rotateQuad,
  sideLengths,
} from './image/rectify.ts'
import { type OcrNetworks, readText } from './ocr/read-text.ts'
import { embed, embedderFrame } from './retrieval/embed.ts'
import { jitteredHashes, perceptualHash } from './retrieval/perceptual-hash.ts'
import { type Backend, loadBackend } from './runtime/backend.ts'
import { loadNetwork, type Network } from './runtime/model.ts'

export type Pipeline = {
  backend: Backend
  /** @throws ServiceError INVALID_IMAGE */
  run(photo: Uint8Array): Promise<CardObservation>
  /**
   * For the index: a picture that is nothing but the card.
   * @throws ServiceError INVALID_IMAGE
   */
  fingerprint(image: Uint8Array): Promise<{ vector: Int8Array; hash: Uint8Array }>
  close(): void
}

export type CardObservation = {
  kind: PhotoKind | undefined
  items: number
  quality: PhotoQuality | undefined
  /** How many ways up the card may lie, the likeliest first: art can look right upside down; 0 for a back. */
  orientations: number
  /** What the card is looked up by in the index, one way up. */
  embed(way: number): Int8Array
  /** What lies on its print, seen that way up. */
  estimateFinish(way: number): FinishEstimate
  /** What is printed on it and on its slab's label, read that way up. */
  readText(way: number): PrintedLine[]
  /** Hashes of the card slightly moved, that way up; each is made when it is asked for. */
  hashes(way: number): Iterable<Uint8Array>
  /** For measuring: the card's own corners in pixels of the photo as it was worked on. */
  quad?: Quad
  /** For measuring: milliseconds of each stage, in their order. */
  stages?: Record<string, number>
}

type Networks = Record<'detector' | 'refiner' | 'embedder' | 'surface', Network> & OcrNetworks
type LocatedCard = { detection: Detection; refined: RefinedQuad; items: number }

const MODEL_FOLDER = resolve(import.meta.dir, '../../data/model')
/** Less sure corners than this, and the photo is looked at again: right ones have 0.98 and more. */
const SURE = 0.95
/** How much wider than tall a card may look before it must be lying on its side. */
const LYING = 1.15

/** Loads the backend and the networks, once a thread. */
export async function loadPipeline(modelFolder = MODEL_FOLDER): Promise<Pipeline> {
  const backend = await loadBackend()
  // One after the other, so that of several that are missing always the first is named.
  const detector = await loadNetwork(modelFolder, 'detector')
  const refiner = await loadNetwork(modelFolder, 'refiner')
  const embedder = await loadNetwork(modelFolder, 'embedder')
  const lines = await loadNetwork(modelFolder, 'lines')
  const recogniser = await loadNetwork(modelFolder, 'recogniser')
  const surface = await loadNetwork(modelFolder, 'surface')
  const networks = { detector, refiner, embedder, lines, recogniser, surface }
  return {
    backend,
    async run(photo) {
      const clock = startClock()
      const picture = await decode(photo)
      clock.mark('decode')
      return observe(networks, buildPyramid(picture), clock)
    },
    async fingerprint(image) {
      const picture = await decode(image)
      const imagePyramid = buildPyramid(picture)
      const quad = edgesOf(picture)
      return {
        vector: vectorOf(embedder, cropOf(embedder, imagePyramid, quad)),
        hash: perceptualHash(imagePyramid, quad),
      }
    },
    close() {
      for (const network of Object.values(networks)) network.close()
    },
  }
}

function observe(networks: Networks, imagePyramid: ImagePyramid, clock: Clock): CardObservation {
  const locatedCard = findCard(networks, imagePyramid, clock)
  if (locatedCard === undefined) return { ...NOTHING, stages: clock.stages }
  const { detection, refined, items } = locatedCard
  const quality = measureQuality(imagePyramid, refined)
  clock.mark('quality')
  const { quad } = refined
  const { embedder, surface } = networks
  const crops = new Map<number, Uint8Array>()
  const crop = (way: number) => {
    const known = crops.get(way) ?? cropOf(embedder, imagePyramid, orient(quad, way))
    crops.set(way, known)
    return known
  }
  return {
    kind: detection.kind,
    items,
    quality,
    quad,
    orientations: detection.kind === 'back' ? 0 : 2,
    embed: (way) => vectorOf(embedder, crop(way)),
    estimateFinish: (way) => estimateFinish(surface, crop(way)),
    readText: (way) =>
      readText(networks, imagePyramid, orient(quad, way), detection.kind === 'graded slab'),
    hashes: (way) => jitteredHashes(imagePyramid, orient(quad, way)),
    stages: clock.stages,
  }
}

/** The card with the other side up for every second way. */
function orient(quad: Quad, way: number): Quad {
  return way === 0 ? quad : rotateQuad(quad, 2)
}

/** The card as the embedder wants it. */
function cropOf(embedder: Network, imagePyramid: ImagePyramid, quad: Quad): Uint8Array {
  return rectify(imagePyramid, quad, embedderFrame(embedder))
}

function vectorOf(embedder: Network, crop: Uint8Array): Int8Array {
  const [vector] = embed(embedder, [crop])
  if (vector === undefined) throw new Error('One crop gives one vector.')
  return vector
}

function noCard(): never {
  throw new Error('There is no card to look at.')
}

const NOTHING = {
  kind: undefined,
  items: 0,
  quality: undefined,
  orientations: 0,
  embed: noCard,
  estimateFinish: noCard,
  readText: () => [],
  hashes: () => [],
}

/**
 * Where the first look leaves it unsure, the photo is looked at again: turned, because a card that is
 * mistaken one way up is told another way up, then in parts, because a small card is large there.
 */
function findCard(
  { detector, refiner }: Networks,
  imagePyramid: ImagePyramid,
  clock: Clock,
): LocatedCard | undefined {
  const first = detectCards(detector, imagePyramid)
  clock.mark('locate')
  let locatedCard = refineSubject(refiner, imagePyramid, first)
  clock.mark('refine')
  const looks = [
    ...[1, 2, 3].map((turns) => () => detectCards(detector, imagePyramid, turns)),
    () => detectInTiles(detector, imagePyramid, first),
  ]
  for (const look of looks) {
    if (locatedCard !== undefined && locatedCard.refined.confidence >= SURE) break
    const again = refineSubject(refiner, imagePyramid, look())
    locatedCard = moreConfident(locatedCard, again)
    clock.mark('second look')
  }
  return locatedCard
}

function moreConfident(
  one: LocatedCard | undefined,
  other: LocatedCard | undefined,
): LocatedCard | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return other.refined.confidence > one.refined.confidence ? other : one
}

function refineSubject(
  refiner: Network,
  imagePyramid: ImagePyramid,
  detections: readonly Detection[],
): LocatedCard | undefined {
  const { chosen, items } = chooseSubject(detections, imagePyramid(0))
  if (chosen === undefined) return undefined
  return {
    detection: chosen,
    refined: refineCorners(refiner, imagePyramid, toPortrait(chosen.quad)),
    items,
  }
}

/**
 * The quad with its short sides at the top and the bottom. Cards whose print lies along their long side
 * are told as lying; every crop, though, is of a standing one.
 */
export function toPortrait(quad: Quad): Quad {
  const { top, right, bottom, left } = sideLengths(quad)
  return top + bottom > LYING * (left + right) ? rotateQuad(quad, 1) : quad
}

function edgesOf({ width, height }: { width: number; height: number }): Quad {
  return [
    { x: 0, y: 0 },
    { x: width, y: 0 },
    { x: width, y: height },
    { x: 0, y: height },
  ]
}

type Clock = { stages: Record<string, number>; mark(stage: string): void }

function startClock(): Clock {
  const stages: Record<string, number> = {}
  let last = performance.now()
  return {
    stages,
    mark(stage) {
      const now = performance.now()
      stages[stage] = (stages[stage] ?? 0) + now - last
      last = now
    },
  }
}
