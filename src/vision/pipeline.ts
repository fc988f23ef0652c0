// Runs the networks on a photo: detect, refine, embed, read text.
import { resolve } from 'node:path'
import type { CardPlacement, PageCut } from '#rules/photos/page-cut.ts'
import { cacheSimilarity } from './detect/choose-cards.ts'
import { findCards } from './detect/find-cards.ts'
import { estimateFinish } from './detect/finish.ts'
import { type LocatedCard, locateCard, locateElsewhere } from './detect/locate-card.ts'
import { isCovered } from './detect/overlap.ts'
import { measureQuality } from './detect/quality.ts'
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
  scaleQuad,
} from './image/rectify.ts'
import { stretchContrast } from './image/stretch-contrast.ts'
import type { CardObservation } from './observation.ts'
import { createTextReader, type OcrNetworks } from './ocr/read-text.ts'
import { cardFrame, embed } from './retrieval/embed.ts'
import { jitteredHashes, perceptualHash } from './retrieval/perceptual-hash.ts'
import { CERTAIN_COSINE } from './retrieval/rerank.ts'
import { type Backend, loadBackend } from './runtime/backend.ts'
import { loadNetwork, type Network } from './runtime/model.ts'
import { NO_CARD, seeWhole } from './whole-photo.ts'

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
/** How a located card is compared with the pictures. */
type Look = {
  embedder: Network
  /** Size of the crop, as a share of the card. */
  scale?: number
  /** Corrects the exposure. */
  isStretched?: boolean
}

const MODEL_FOLDER = resolve(import.meta.dir, '../../data/model')
/** Upright and upside down. */
const ORIENTATIONS = 2

/** Loads the backend and the networks. Called once per thread. */
export async function loadPipeline(modelFolder = MODEL_FOLDER): Promise<VisionPipeline> {
  const backend = await loadBackend()
  // In sequence, so that the error names the first missing network.
  const detector = await loadNetwork(modelFolder, 'detector')
  const refiner = await loadNetwork(modelFolder, 'refiner')
  const embedder = await loadNetwork(modelFolder, 'embedder')
  const textDetector = await loadNetwork(modelFolder, 'text-detector')
  const recognizer = await loadNetwork(modelFolder, 'recognizer')
  const surface = await loadNetwork(modelFolder, 'surface')
  const pageRefiner = await loadNetwork(modelFolder, 'page-refiner')
  const coveredEmbedder = await loadNetwork(modelFolder, 'covered-embedder')
  const forText = { textDetector, recognizer }
  const forCards = { detector, refiner, embedder, surface }
  const networks = { ...forCards, ...forText, pageRefiner, coveredEmbedder }
  return {
    backend,
    async run(image, placement) {
      const clock = startClock()
      const picture = await decode(image)
      clock.mark('decode')
      const { original: photo } = picture
      const pyramid = buildPyramid(picture)
      if (placement) {
        const look = { embedder: placement.isCovered ? coveredEmbedder : embedder }
        const card = placedCard(placement)
        return { photo, ...observe(networks, pyramid, card, look), stages: clock.stages }
      }
      const card = locateCard(networks, pyramid, clock.mark)
      const seen = card && observe(networks, pyramid, card, { embedder })
      clock.mark('quality')
      return {
        photo,
        ...(seen ?? NO_CARD),
        ...furtherLooks(photo, networks, pyramid, card),
        stages: clock.stages,
      }
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
  { detection, refined, items }: LocatedCard,
  { embedder, scale = 1, isStretched = false }: Look,
): Omit<CardObservation, 'photo'> {
  const { quad } = refined
  const compared = scale === 1 ? quad : scaleQuad(quad, scale)
  const crops = new Map<number, Uint8Array>()
  const crop = (orientation: number) => {
    const known = crops.get(orientation)
    if (known !== undefined) return known
    const plain = cropCard(embedder, pyramid, orient(compared, orientation))
    const made = isStretched ? stretchContrast(plain) : plain
    crops.set(orientation, made)
    return made
  }
  return {
    kind: detection.kind,
    items,
    quality: measureQuality(pyramid, refined),
    quad,
    orientations: ORIENTATIONS,
    embed: (orientation) => embedCrop(embedder, crop(orientation)),
    estimateFinish: (orientation) =>
      estimateFinish(
        networks.surface,
        cropCard(networks.surface, pyramid, orient(quad, orientation)),
      ),
    readText: createTextReader(networks, pyramid, (orientation) => orient(quad, orientation), {
      isSlab: detection.kind === 'graded slab',
    }),
    hashes: (orientation) => jitteredHashes(pyramid, orient(compared, orientation)),
  }
}

/** Sizes of further crops, as shares of the card: for corners that lie beside it. */
const FURTHER_SCALES = [0.92, 1.08]

/** Returns the further looks at a photo that the first look may need. */
function furtherLooks(
  photo: CardObservation['photo'],
  networks: Networks,
  pyramid: ImagePyramid,
  card: LocatedCard | undefined,
): Pick<CardObservation, 'recrop' | 'elsewhere' | 'whole'> {
  const { embedder, coveredEmbedder } = networks
  const see = (at: LocatedCard, look: Look) => ({
    photo,
    ...observe(networks, pyramid, at, look),
  })
  function* recrop(at: LocatedCard, other: Network): Generator<CardObservation> {
    yield see(at, { embedder: other })
    yield see(at, { embedder, isStretched: true })
    for (const scale of FURTHER_SCALES) yield see(at, { embedder, scale })
  }
  // Places are looked at for pictures, then for text. Finding them takes several runs of the networks.
  const places = locateElsewhere(networks, pyramid, card)
  const known: CardObservation[] = []
  return {
    ...(card && { recrop: () => recrop(card, coveredEmbedder) }),
    whole: () => ({ ...seeWhole(networks, pyramid, card), photo }),
    *elsewhere() {
      yield* known
      for (let next = places.next(); !next.done; next = places.next()) {
        const at = next.value
        const seen = see(at, { embedder: coveredEmbedder })
        const place = { ...seen, recrop: () => recrop(at, embedder) }
        known.push(place)
        yield place
      }
    },
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
