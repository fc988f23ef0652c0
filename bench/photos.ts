import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { groupByArt } from '#rules/photos/art-groups.ts'
import type { CandidateCard } from '#rules/photos/candidate-card.ts'
import { type Neighbor, type PhotoObservation, UNREAD } from '#rules/photos/photo-reading.ts'
import { decideVerdict, type Verdict, type VerdictStatus } from '#rules/photos/verdict.ts'
import { observeFinish } from '#vision/detect/finish.ts'
import { type Quad, rotateQuad } from '#vision/image/rectify.ts'
import type { CardObservation } from '#vision/observation.ts'
import { readBelieved } from '#vision/ocr/read-believed.ts'
import { loadPipeline, type VisionPipeline } from '#vision/pipeline.ts'
import { createLearnedSearch } from '#vision/retrieval/learned-search.ts'
import { findPicture } from '#vision/retrieval/look-again.ts'
import { settleBack } from '#vision/retrieval/match-pictures.ts'
import { isPictureCertain } from '#vision/retrieval/rerank.ts'
import { createVectorSearch, type VectorSearch } from '#vision/retrieval/vector-search.ts'

/** A rendered photo with its ground truth, written by evaluate/photos.py of scripts/training. */
export type Label = {
  photo: string
  slice: string
  /** Picture file of the card; null if the photo has no card of the catalog. */
  card: string | null
  /** Top left, top right, bottom right, bottom left of the card, in pixels. */
  corners: [number, number][] | null
}

/** Result of one photo. */
export type Outcome = {
  label: Label
  status: VerdictStatus
  /**
   * Corner error as a share of the card's height, and whether orientation 0 is upright. Undefined if the card was not
   * found or has no ground truth.
   */
  corners: { error: number; isUpright: boolean } | undefined
  /** Rank of the right art among the neighbors, from 1; 0 if it is missing. */
  rank: number
  /** True if the first candidate shows the right art. */
  isRight: boolean
  /** The best neighbors, used for calibration. */
  best: { cosine: number; margin: number; distance: number; score: number } | undefined
  stages: Record<string, number>
}

/** Folder of the rendered photos. */
export const PHOTOS = process.env.EVALUATION ?? join(import.meta.dir, '../data/run/evaluation')

/** Returns BENCH_PHOTOS photos spread over all slices; all photos by default. */
export function everyFew<T>(photos: readonly T[]): T[] {
  const few = Math.min(photos.length, Number(process.env.BENCH_PHOTOS ?? photos.length))
  return photos.filter(
    (_, index) =>
      Math.floor(((index + 1) * few) / photos.length) > Math.floor((index * few) / photos.length),
  )
}

export function readLabels(folder: string): Label[] {
  const file = join(folder, 'labels.json')
  if (!existsSync(file)) {
    throw new Error(
      'The photos are missing. Render them as described in scripts/training/README.md.',
    )
  }
  return everyFew(JSON.parse(readFileSync(file, 'utf8')) as Label[])
}

/** The pipeline's results for one photo. */
type PhotoResult = {
  card: CardObservation
  reading: PhotoObservation
  /** Milliseconds per stage. */
  stages: Record<string, number>
}

/** The pipeline with an in-memory index of some pictures. */
export type Harness = {
  count: number
  backend: string
  close(): void
  /** Returns the key of a card's art. */
  groupOf(cardId: number): number
  /** Returns the id of a picture file; undefined if it is not indexed. */
  idOf(file: string): number | undefined
  fileOf(cardId: number): string | undefined
  read(photo: Uint8Array): Promise<PhotoResult & { verdict: Verdict }>
}

/** Indexes the pictures, and the gallery's vectors if the folder has one. */
export async function createHarness(
  cardFiles: readonly string[],
  galleryFolder?: string,
): Promise<Harness> {
  const pipeline = await loadPipeline()
  const search = createVectorSearch()
  const pictures = []
  for (const [index, file] of cardFiles.entries()) {
    pictures.push({
      card_id: index + 1,
      ...(await pipeline.fingerprint(await Bun.file(file).bytes())),
    })
  }
  for (const { card_id, vector } of pictures) search.put(card_id, GAME, vector)
  const groups = groupByArt(pictures)
  const hashes = new Map(pictures.map(({ card_id, hash }) => [card_id, hash]))
  const others = readGallery(galleryFolder)
  for (let row = 0; row < others.count; row++) {
    search.put(OTHERS + row, GAME, others.vectorAt(row))
    hashes.set(OTHERS + row, others.hashAt(row))
  }
  const groupOf = (cardId: number) => groups.get(cardId) ?? cardId

  return {
    count: search.count(),
    backend: pipeline.backend,
    close: pipeline.close,
    groupOf,
    idOf(file) {
      const index = cardFiles.indexOf(file)
      return index < 0 ? undefined : index + 1
    },
    fileOf: (cardId) => cardFiles[cardId - 1],
    async read(photo) {
      const result = await readPhoto(pipeline, search, hashes, photo)
      const ids = result.reading.neighbors.map(({ card_id }) => card_id)
      // The cards have no names and numbers, so printed text would exclude all of them.
      const verdict = decideVerdict(
        { ...result.reading, print: UNREAD, lines: [] },
        ids.map((id) => cardOf(id, groupOf(id))),
        ['game'],
      )
      return { ...result, verdict }
    },
  }
}

/** Evaluates a photo with its ground truth. */
export async function evaluatePhoto(
  harness: Harness,
  folder: string,
  label: Label,
): Promise<Outcome> {
  const photo = await Bun.file(join(folder, label.photo)).bytes()
  const { card, reading, stages, verdict } = await harness.read(photo)
  const { groupOf } = harness
  const own = label.card === null ? undefined : harness.idOf(join(folder, 'cards', label.card))
  const truth = own === undefined ? undefined : groupOf(own)
  const top = verdict.candidates[0]
  return {
    label,
    status: verdict.status,
    corners: cornersOf(card, label),
    rank: 1 + reading.neighbors.findIndex(({ card_id }) => groupOf(card_id) === truth),
    isRight: top !== undefined && groupOf(top.card.id) === truth,
    best: bestOf(reading.neighbors, groupOf, top?.score ?? 0),
    stages,
  }
}

const GAME = 1
/** First id of the gallery's cards. */
const OTHERS = 1_000_000

/** Reads a photo like the worker (vision/worker/serve.ts), and measures each stage. */
async function readPhoto(
  pipeline: VisionPipeline,
  search: VectorSearch,
  hashes: ReadonlyMap<number, Uint8Array>,
  photo: Uint8Array,
): Promise<PhotoResult> {
  const started = performance.now()
  const seen = await pipeline.run(photo)
  const located = performance.now()
  const { card: found, match } = await findPicture(
    createLearnedSearch(search),
    seen,
    undefined,
    async (ids) =>
      new Map(
        ids.flatMap((id) => {
          const hash = hashes.get(id)
          return hash === undefined ? [] : [[id, hash] as const]
        }),
      ),
  )
  const settled = settleBack(found, match)
  const { hits, neighbors, isMirrored } = settled
  const compared = performance.now()
  const { card, lines } = readBelieved(settled, isPictureCertain(neighbors) ? 'certain' : 'all')
  const finish = observeFinish(card, hits)
  const { photo: size, kind, items, quality } = card
  const reading: PhotoObservation = {
    photo: size,
    isMirrored,
    kind,
    items,
    quality,
    finish,
    lines,
    neighbors,
  }
  const ended = performance.now()
  const stages = {
    ...seen.stages,
    pictures: compared - located,
    text: ended - compared,
    total: ended - started,
  }
  return { card, reading, stages }
}

function cardOf(id: number, art_group: number): CandidateCard {
  const name = `card ${id}`
  return {
    id,
    name,
    clean_name: name,
    number: null,
    rarity: null,
    product_type: 'Cards',
    image_url: null,
    release_date: null,
    printings: ['Normal'],
    art_group,
    set: { id: 1, name: 'Set', code: null },
    game: { id: GAME, slug: 'game', name: 'Game' },
  }
}

function cornersOf({ quad }: CardObservation, { corners }: Label): Outcome['corners'] {
  if (quad === undefined || corners === null) return undefined
  const [error, turnedError] = [errorOf(quad, corners), errorOf(rotateQuad(quad, 2), corners)]
  return { error: Math.min(error, turnedError), isUpright: error < turnedError }
}

/** Returns the mean distance of the corners to the ground truth, as a share of the card's height. */
function errorOf(quad: Quad, truth: readonly [number, number][]): number {
  const [a, b, c, d] = truth.map(([x, y]) => ({ x, y }))
  if (a === undefined || b === undefined || c === undefined || d === undefined) return Number.NaN
  const height = (Math.hypot(a.x - d.x, a.y - d.y) + Math.hypot(b.x - c.x, b.y - c.y)) / 2
  const apart = quad.map(({ x, y }, index) => {
    const [ownX, ownY] = truth[index] ?? [x, y]
    return Math.hypot(x - ownX, y - ownY)
  })
  return apart.reduce((sum, one) => sum + one, 0) / 4 / height
}

function bestOf(neighbors: readonly Neighbor[], groupOf: (id: number) => number, score: number) {
  const [first] = neighbors
  if (first === undefined) return undefined
  const rivals = neighbors.filter(({ card_id }) => groupOf(card_id) !== groupOf(first.card_id))
  const rival = Math.max(0, ...rivals.map(({ cosine }) => cosine))
  const { cosine, distance = 512 } = first
  return { cosine, distance, margin: cosine - rival, score }
}

/** Reads vectors and hashes of further cards, written by evaluate/gallery.py of scripts/training. */
export function readGallery(folder: string | undefined) {
  const bytes = (name: string) => {
    const file = join(folder ?? '', name)
    return folder !== undefined && existsSync(file)
      ? new Uint8Array(readFileSync(file))
      : new Uint8Array(0)
  }
  const vectors = new Int8Array(bytes('gallery.bin').buffer)
  const hashes = bytes('gallery-hashes.bin')
  return {
    count: vectors.length / 128,
    vectorAt: (row: number) => vectors.subarray(row * 128, (row + 1) * 128),
    hashAt: (row: number) => hashes.subarray(row * 128, (row + 1) * 128),
  }
}
