// All that is seen in one photo, from its bytes to what the index is asked with.
import { resolve } from 'node:path'
import type { PhotoKind, PhotoQuality, Surface } from '#rules/photos/photo-reading.ts'
import type { PrintedLine } from '#rules/photos/text-line.ts'
import { chooseFrom, type Detection, locate, locateInTiles } from './detect/detect-cards.ts'
import { readSurface } from './detect/finish.ts'
import { qualityOf } from './detect/quality.ts'
import { type Refined, refine } from './detect/refine-corners.ts'
import { decode } from './image/decode.ts'
import { type Levels, levelsOf, type Quad, sidesOf, straighten, turned } from './image/rectify.ts'
import { type PrintNetworks, readPrint } from './ocr/read-text.ts'
import { embed, frameOf } from './retrieval/embed.ts'
import { hashOf, movedHashes } from './retrieval/perceptual-hash.ts'
import { type Backend, openBackend } from './runtime/backend.ts'
import { loadNetwork, type Network } from './runtime/model.ts'

export type Eye = {
  backend: Backend
  /** @throws ServiceError INVALID_IMAGE */
  look(photo: Uint8Array): Promise<Sight>
  /**
   * For the index: a picture that is nothing but the card.
   * @throws ServiceError INVALID_IMAGE
   */
  pictureOf(image: Uint8Array): Promise<{ vector: Int8Array; hash: Uint8Array }>
  close(): void
}

export type Sight = {
  kind: PhotoKind | undefined
  items: number
  quality: PhotoQuality | undefined
  /** How many ways up the card may lie, the likeliest first: art can look right upside down; 0 for a back. */
  ways: number
  /** What the card is looked up by in the index, one way up. */
  vector(way: number): Int8Array
  /** What lies on its print, seen that way up. */
  surface(way: number): Surface
  /** What is printed on it and on its slab's label, read that way up. */
  print(way: number): PrintedLine[]
  /** Hashes of the card slightly moved, that way up; each is made when it is asked for. */
  hashes(way: number): Iterable<Uint8Array>
  /** For measuring: the card's own corners in pixels of the photo as it was worked on. */
  quad?: Quad
  /** For measuring: milliseconds of each stage, in their order. */
  stages?: Record<string, number>
}

type Networks = Record<'detector' | 'refiner' | 'embedder' | 'surface', Network> & PrintNetworks
type Found = { detection: Detection; refined: Refined; items: number }

const MODEL_FOLDER = resolve(import.meta.dir, '../../data/model')
/** Less sure corners than this, and the photo is looked at again: right ones have 0.98 and more. */
const SURE = 0.95
/** How much wider than tall a card may look before it must be lying on its side. */
const LYING = 1.15

/** Loads the backend and the networks, once a thread. */
export async function openEye(modelFolder = MODEL_FOLDER): Promise<Eye> {
  const backend = await openBackend()
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
    async look(photo) {
      const clock = startClock()
      const picture = await decode(photo)
      clock.mark('decode')
      return see(networks, levelsOf(picture), clock)
    },
    async pictureOf(image) {
      const picture = await decode(image)
      const levels = levelsOf(picture)
      const quad = edgesOf(picture)
      return {
        vector: vectorOf(embedder, cropOf(embedder, levels, quad)),
        hash: hashOf(levels, quad),
      }
    },
    close() {
      for (const network of Object.values(networks)) network.close()
    },
  }
}

function see(networks: Networks, levels: Levels, clock: Clock): Sight {
  const found = find(networks, levels, clock)
  if (found === undefined) return { ...NOTHING, stages: clock.stages }
  const { detection, refined, items } = found
  const quality = qualityOf(levels, refined)
  clock.mark('quality')
  const { quad } = refined
  const { embedder, surface } = networks
  const crops = new Map<number, Uint8Array>()
  const crop = (way: number) => {
    const known = crops.get(way) ?? cropOf(embedder, levels, upTo(quad, way))
    crops.set(way, known)
    return known
  }
  return {
    kind: detection.kind,
    items,
    quality,
    quad,
    ways: detection.kind === 'back' ? 0 : 2,
    vector: (way) => vectorOf(embedder, crop(way)),
    surface: (way) => readSurface(surface, crop(way)),
    print: (way) => readPrint(networks, levels, upTo(quad, way), detection.kind === 'graded slab'),
    hashes: (way) => movedHashes(levels, upTo(quad, way)),
    stages: clock.stages,
  }
}

/** The card with the other side up for every second way. */
function upTo(quad: Quad, way: number): Quad {
  return way === 0 ? quad : turned(quad, 2)
}

/** The card as the embedder wants it. */
function cropOf(embedder: Network, levels: Levels, quad: Quad): Uint8Array {
  return straighten(levels, quad, frameOf(embedder))
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
  ways: 0,
  vector: noCard,
  surface: noCard,
  print: () => [],
  hashes: () => [],
}

/**
 * Where the first look leaves it unsure, the photo is looked at again: turned, because a card that is
 * mistaken one way up is told another way up, then in parts, because a small card is large there.
 */
function find({ detector, refiner }: Networks, levels: Levels, clock: Clock): Found | undefined {
  const first = locate(detector, levels)
  clock.mark('locate')
  let found = refineBest(refiner, levels, first)
  clock.mark('refine')
  const looks = [
    ...[1, 2, 3].map((turns) => () => locate(detector, levels, turns)),
    () => locateInTiles(detector, levels, first),
  ]
  for (const look of looks) {
    if (found !== undefined && found.refined.confidence >= SURE) break
    const again = refineBest(refiner, levels, look())
    found = surer(found, again)
    clock.mark('second look')
  }
  return found
}

function surer(one: Found | undefined, other: Found | undefined): Found | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return other.refined.confidence > one.refined.confidence ? other : one
}

function refineBest(
  refiner: Network,
  levels: Levels,
  detections: readonly Detection[],
): Found | undefined {
  const { chosen, items } = chooseFrom(detections, levels(0))
  if (chosen === undefined) return undefined
  return { detection: chosen, refined: refine(refiner, levels, standing(chosen.quad)), items }
}

/**
 * The quad with its short sides at the top and the bottom. Cards whose print lies along their long side
 * are told as lying; every crop, though, is of a standing one.
 */
export function standing(quad: Quad): Quad {
  const { top, right, bottom, left } = sidesOf(quad)
  return top + bottom > LYING * (left + right) ? turned(quad, 1) : quad
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
