// Runs the networks on a photo: detect, refine, embed, read text.
import { resolve } from 'node:path'
import type { CardPlacement, PageCut } from '#rules/photos/page-cut.ts'
import type { Resemble } from './detect/choose-cards.ts'
import {
  chooseSubject,
  type Detection,
  detectCards,
  detectInTiles,
  type Subject,
} from './detect/detect-cards.ts'
import { findCards } from './detect/find-cards.ts'
import { estimateFinish } from './detect/finish.ts'
import { isCovered } from './detect/overlap.ts'
import { measureQuality } from './detect/quality.ts'
import { type RefinedQuad, refineCorners } from './detect/refine-corners.ts'
import { cutCards } from './image/cut-cards.ts'
import { decode, PAGE_PIXELS_MAX } from './image/decode.ts'
import { rectifyCovered } from './image/fill-covered.ts'
import {
  asQuad,
  buildPyramid,
  type ImagePyramid,
  mirrorQuad,
  type Quad,
  rectangleQuad,
  rectify,
  rotateQuad,
  toPortrait,
} from './image/rectify.ts'
import type { CardObservation } from './observation.ts'
import { type OcrNetworks, readText } from './ocr/read-text.ts'
import { cardFrame, embed } from './retrieval/embed.ts'
import { jitteredHashes, perceptualHash } from './retrieval/perceptual-hash.ts'
import { CERTAIN_COSINE } from './retrieval/rerank.ts'
import { type Backend, loadBackend } from './runtime/backend.ts'
import { loadNetwork, type Network } from './runtime/model.ts'

export type VisionPipeline = {
  backend: Backend
  /**
   * Locates the card in a photo.
   *
   * @param placement of the card, if it is known
   * @throws ServiceError INVALID_IMAGE
   */
  run(photo: Uint8Array, placement?: CardPlacement): Promise<CardObservation>
  /**
   * Finds the cards in a photo of several cards, and cuts it into photos of one card each.
   *
   * @param resemble returns the cosine of a vector to the nearest picture of the index
   * @throws ServiceError INVALID_IMAGE
   */
  cut(photo: Uint8Array, resemble: (vector: Int8Array) => number): Promise<PageCut>
  /**
   * Returns the vector and hash of a catalog picture, which shows only the card.
   *
   * @throws ServiceError INVALID_IMAGE
   */
  fingerprint(image: Uint8Array): Promise<{ vector: Int8Array; hash: Uint8Array }>
  /** Frees the weights of the networks. */
  close(): void
}

type Networks = OcrNetworks &
  Record<
    'detector' | 'refiner' | 'pageRefiner' | 'embedder' | 'coveredEmbedder' | 'surface',
    Network
  >
type LocatedCard = { detection: Pick<Subject, 'kind'>; refined: RefinedQuad; items: number }

const MODEL_FOLDER = resolve(import.meta.dir, '../../data/model')
/** Minimum confidence of the corners. Below it, further attempts follow. Correct corners have at least 0.98. */
const CORNERS_MIN = 0.95
/** Upright and upside down. */
const ORIENTATIONS = 2

/** Loads the backend and the networks. Called once per thread. */
export async function loadPipeline(modelFolder = MODEL_FOLDER): Promise<VisionPipeline> {
  const backend = await loadBackend()
  // In sequence, so that the error names the first missing network.
  const detector = await loadNetwork(modelFolder, 'detector')
  const refiner = await loadNetwork(modelFolder, 'refiner')
  const embedder = await loadNetwork(modelFolder, 'embedder')
  const lines = await loadNetwork(modelFolder, 'lines')
  const recognizer = await loadNetwork(modelFolder, 'recognizer')
  const surface = await loadNetwork(modelFolder, 'surface')
  const pageRefiner = await loadNetwork(modelFolder, 'page-refiner')
  const coveredEmbedder = await loadNetwork(modelFolder, 'covered-embedder')
  const forCards = { detector, refiner, embedder, lines, recognizer, surface }
  const networks = { ...forCards, pageRefiner, coveredEmbedder }
  return {
    backend,
    async run(image, placement) {
      const clock = startClock()
      const picture = await decode(image)
      clock.mark('decode')
      const { original: photo } = picture
      const pyramid = buildPyramid(picture)
      const card = placement ? placedCard(placement) : findCard(networks, pyramid, clock)
      const readers = placement?.isCovered ? { ...networks, embedder: coveredEmbedder } : networks
      return { photo, ...observe(readers, pyramid, card, clock) }
    },
    async cut(image, resemble) {
      const picture = await decode(image, { pixels: PAGE_PIXELS_MAX })
      const pyramid = buildPyramid(picture)
      const finder = {
        detector,
        refiner: pageRefiner,
        resemble: cacheSimilarity((quad, covers) =>
          measureSimilarity(networks, pyramid, { quad, covers }, resemble),
        ),
      }
      return cutCards(picture, findCards(finder, pyramid), pyramid)
    },
    async fingerprint(image) {
      const picture = await decode(image)
      const pyramid = buildPyramid(picture)
      const quad = rectangleQuad({ ...picture, left: 0, top: 0 })
      return {
        vector: embedCrop(embedder, cropCard(embedder, pyramid, quad)),
        hash: perceptualHash(pyramid, quad),
      }
    },
    close() {
      for (const network of Object.values(networks)) network.close()
    },
  }
}

function observe(
  networks: Networks,
  pyramid: ImagePyramid,
  card: LocatedCard | undefined,
  clock: Clock,
): Omit<CardObservation, 'photo'> {
  if (card === undefined) return { ...NO_CARD, stages: clock.stages }
  const { detection, refined, items } = card
  const quality = measureQuality(pyramid, refined)
  clock.mark('quality')
  const { quad } = refined
  const { embedder, surface } = networks
  const crops = new Map<number, Uint8Array>()
  const crop = (orientation: number) => {
    const known = crops.get(orientation) ?? cropCard(embedder, pyramid, orient(quad, orientation))
    crops.set(orientation, known)
    return known
  }
  return {
    kind: detection.kind,
    items,
    quality,
    quad,
    orientations: ORIENTATIONS,
    embed: (orientation) => embedCrop(embedder, crop(orientation)),
    estimateFinish: (orientation) =>
      estimateFinish(surface, cropCard(surface, pyramid, orient(quad, orientation))),
    readText: (orientation, isBrief = false) =>
      readText(networks, pyramid, orient(quad, orientation), {
        isSlab: detection.kind === 'graded slab',
        isBrief,
      }),
    hashes: (orientation) => jitteredHashes(pyramid, orient(quad, orientation)),
    stages: clock.stages,
  }
}

/** Rotates the quad by 180 degrees for orientations 1 and 3, and mirrors it for 2 and 3. */
function orient(quad: Quad, orientation: number): Quad {
  const rotated = orientation % 2 === 0 ? quad : rotateQuad(quad, 2)
  return orientation < ORIENTATIONS ? rotated : mirrorQuad(rotated)
}

/** Crops the card to the size of a network's input. */
function cropCard(network: Network, pyramid: ImagePyramid, quad: Quad): Uint8Array {
  return rectify(pyramid, quad, cardFrame(network))
}

function embedCrop(embedder: Network, crop: Uint8Array): Int8Array {
  const [vector] = embed(embedder, [crop])
  if (vector === undefined) throw new Error('The embedder must return one vector per crop.')
  return vector
}

function placedCard({ kind, outline, confidence }: CardPlacement): LocatedCard {
  return { detection: { kind }, refined: { quad: asQuad(outline), confidence }, items: 1 }
}

/**
 * Compares a card with the pictures, with its covered part filled; also upside down if the first comparison is not
 * certain.
 */
function measureSimilarity(
  networks: Pick<Networks, 'embedder' | 'coveredEmbedder'>,
  pyramid: ImagePyramid,
  { quad, covers }: { quad: Quad; covers: readonly Quad[] },
  resemble: (vector: Int8Array) => number,
): number {
  const embedder = isCovered(quad, covers) ? networks.coveredEmbedder : networks.embedder
  let best = 0
  for (let orientation = 0; orientation < ORIENTATIONS; orientation++) {
    const upright = orient(quad, orientation)
    const crop = rectifyCovered(pyramid, upright, covers, cardFrame(embedder))
    best = Math.max(best, resemble(embedCrop(embedder, crop)))
    if (best >= CERTAIN_COSINE) break
  }
  return best
}

/** Compares each quad only once with the same covers. */
function cacheSimilarity(resemble: Resemble): Resemble {
  const known = new Map<Quad, { covers: ReadonlySet<Quad>; similarity: number }[]>()
  return (quad, covers) => {
    const ofQuad = known.get(quad) ?? []
    known.set(quad, ofQuad)
    const set = new Set(covers)
    const before = ofQuad.find((one) => one.covers.symmetricDifference(set).size === 0)
    if (before !== undefined) return before.similarity
    const similarity = resemble(quad, covers)
    ofQuad.push({ covers: set, similarity })
    return similarity
  }
}

function noCard(): never {
  throw new Error('The photo has no card.')
}

const NO_CARD = {
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
 * Locates the card. Below the minimum confidence it retries with the rotated photo, because the detector may
 * fail for one rotation only. Then it retries with tiles, in which small cards are larger.
 */
function findCard(
  { detector, refiner }: Networks,
  pyramid: ImagePyramid,
  clock: Clock,
): LocatedCard | undefined {
  const first = detectCards(detector, pyramid)
  clock.mark('detect')
  let card = refineSubject(refiner, pyramid, first)
  clock.mark('refine')
  const attempts = [
    ...[1, 2, 3].map((turns) => () => detectCards(detector, pyramid, turns)),
    () => detectInTiles(detector, pyramid, first),
  ]
  for (const attempt of attempts) {
    if (card !== undefined && card.refined.confidence >= CORNERS_MIN) break
    card = moreConfident(card, refineSubject(refiner, pyramid, attempt()))
    clock.mark('retry')
  }
  return card
}

function moreConfident(
  one: LocatedCard | undefined,
  other: LocatedCard | undefined,
): LocatedCard | undefined {
  if (one === undefined || other === undefined) return one ?? other
  // The detector may take a face for a back in another rotation, just as beside a face in the same rotation.
  const areBacks = [one, other].map(({ detection }) => detection.kind === 'back')
  if (areBacks[0] !== areBacks[1]) return areBacks[0] ? other : one
  return other.refined.confidence > one.refined.confidence ? other : one
}

function refineSubject(
  refiner: Network,
  pyramid: ImagePyramid,
  detections: readonly Detection[],
): LocatedCard | undefined {
  const { chosen, items } = chooseSubject(detections, pyramid(0))
  if (chosen === undefined) return undefined
  const refined = refineCorners(refiner, pyramid, toPortrait(chosen.quad))
  return { detection: chosen, refined, items }
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
