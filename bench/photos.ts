import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { groupByArt } from '#rules/photos/art-groups.ts'
import type { CandidateCard } from '#rules/photos/candidate-card.ts'
import { type Neighbor, type PhotoObservation, UNREAD } from '#rules/photos/photo-reading.ts'
import { decideVerdict, type VerdictStatus } from '#rules/photos/verdict.ts'
import { observeFinish } from '#vision/detect/finish.ts'
import { type Quad, rotateQuad } from '#vision/image/rectify.ts'
import type { CardObservation } from '#vision/observation.ts'
import { readUpright } from '#vision/ocr/read-text.ts'
import { loadPipeline, type Pipeline } from '#vision/pipeline.ts'
import { findNearest, rerankByHash, rerankIds } from '#vision/retrieval/rerank.ts'
import { createVectorSearch } from '#vision/retrieval/vector-search.ts'

/** A rendered photo and what is true of it; written by scripts/training/render_evaluation.py. */
export type Label = {
  photo: string
  slice: string
  /** File of the card that it shows; null: one that the catalog lacks, or none. */
  card: string | null
  /** Top left, top right, bottom right, bottom left of the card itself, in pixels. */
  corners: [number, number][] | null
}

/** What became of one photo. */
export type Outcome = {
  label: Label
  status: VerdictStatus
  /**
   * Corner error as a share of the card's height, and whether the right way was told to be up (the
   * other way is compared, too); undefined: not found, or no truth.
   */
  corners: { error: number; isUpright: boolean } | undefined
  /** Place of the right art among the nearest, from 1 on; 0: not among them, or there is none. */
  place: number
  /** Whether the first candidate is the card, or one that shows the same art. */
  isRight: boolean
  /** Of the best art that was seen, for the calibration. */
  best: { cosine: number; margin: number; distance: number; score: number } | undefined
  stages: Record<string, number>
}

/** The folder of rendered photos. */
export const PHOTOS = process.env.EVALUATION ?? join(import.meta.dir, '../data/run/evaluation')

export function labelsIn(folder: string): Label[] {
  const file = join(folder, 'labels.json')
  if (!existsSync(file)) {
    throw new Error('The photos are not rendered yet: see scripts/training/README.md.')
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Label[]
}

/** The reader on a catalog of these pictures, and of a gallery of others where a folder has one. */
export async function openJudge(cardFiles: readonly string[], galleryFolder?: string) {
  const pipeline = await loadPipeline()
  const nearest = createVectorSearch()
  const pictures = []
  for (const [index, file] of cardFiles.entries()) {
    pictures.push({
      card_id: index + 1,
      ...(await pipeline.fingerprint(await Bun.file(file).bytes())),
    })
  }
  for (const { card_id, vector } of pictures) nearest.put(card_id, GAME, vector)
  const groups = groupByArt(pictures)
  const hashes = new Map(pictures.map(({ card_id, hash }) => [card_id, hash]))
  const others = readGallery(galleryFolder)
  for (let row = 0; row < others.count; row++) {
    nearest.put(OTHERS + row, GAME, others.vectorAt(row))
    hashes.set(OTHERS + row, others.hashAt(row))
  }
  const groupOf = (cardId: number) => groups.get(cardId) ?? cardId

  return {
    count: nearest.count(),
    backend: pipeline.backend,
    close: pipeline.close,
    /** Cards of one art have the same. */
    groupOf,
    /** The id of a picture's card; undefined where it is none of these. */
    idOf(file: string): number | undefined {
      const index = cardFiles.indexOf(file)
      return index < 0 ? undefined : index + 1
    },
    fileOf: (cardId: number) => cardFiles[cardId - 1],
    async read(photo: Uint8Array) {
      const seen = await readAs(pipeline, nearest, hashes, photo)
      const ids = seen.reading.neighbors.map(({ card_id }) => card_id)
      // These cards have no names and numbers: what is printed on them would contradict all of them.
      const verdict = decideVerdict(
        { ...seen.reading, print: UNREAD, lines: [] },
        ids.map((id) => cardOf(id, groupOf(id))),
        ['game'],
      )
      return { ...seen, verdict }
    },
  }
}

export type Judge = Awaited<ReturnType<typeof openJudge>>

/** What becomes of a photo whose truth is known. */
export async function outcomeOf(judge: Judge, folder: string, label: Label): Promise<Outcome> {
  const photo = await Bun.file(join(folder, label.photo)).bytes()
  const { sight, reading, stages, verdict } = await judge.read(photo)
  const { groupOf } = judge
  const own = label.card === null ? undefined : judge.idOf(join(folder, 'cards', label.card))
  const truth = own === undefined ? undefined : groupOf(own)
  const top = verdict.candidates[0]
  return {
    label,
    status: verdict.status,
    corners: cornersOf(sight, label),
    place: 1 + reading.neighbors.findIndex(({ card_id }) => groupOf(card_id) === truth),
    isRight: top !== undefined && groupOf(top.card.id) === truth,
    best: bestOf(reading.neighbors, groupOf, top?.score ?? 0),
    stages,
  }
}

const GAME = 1
/** Ids of the other cards begin here. */
const OTHERS = 1_000_000

/** One photo as the reader's thread reads it (vision/worker/serve.ts), and how long each stage took. */
async function readAs(
  pipeline: Pipeline,
  nearest: ReturnType<typeof createVectorSearch>,
  hashes: ReadonlyMap<number, Uint8Array>,
  photo: Uint8Array,
) {
  const started = performance.now()
  const observation = await pipeline.run(photo)
  const seen = performance.now()
  const found = findNearest(nearest, observation, undefined)
  const searched = performance.now()
  const known = new Map(
    rerankIds(found).flatMap((id) => {
      const hash = hashes.get(id)
      return hash === undefined ? [] : [[id, hash] as const]
    }),
  )
  const { kind, items, quality } = observation
  const near = rerankByHash(found, observation, known)
  const compared = performance.now()
  const lines = readUpright(observation, found)
  const surface = observeFinish(observation, found)
  const reading: PhotoObservation = {
    kind,
    items,
    quality,
    finish: surface,
    lines,
    neighbors: near,
  }
  const ended = performance.now()
  const stages = {
    ...observation.stages,
    'embed and search': searched - seen,
    'hashes and order': compared - searched,
    print: ended - compared,
    whole: ended - started,
  }
  return { sight: observation, reading, stages }
}

function cardOf(id: number, art_group: number): CandidateCard {
  const name = `card ${id}`
  return {
    ...{ id, name, clean_name: name, number: null, rarity: null, product_type: 'Cards' },
    ...{ image_url: null, release_date: null, printings: ['Normal'], art_group },
    set: { id: 1, name: 'Set', code: null },
    game: { id: GAME, slug: 'game', name: 'Game' },
  }
}

function cornersOf({ quad }: CardObservation, { corners }: Label): Outcome['corners'] {
  if (quad === undefined || corners === null) return undefined
  const [error, turnedError] = [errorOf(quad, corners), errorOf(rotateQuad(quad, 2), corners)]
  return { error: Math.min(error, turnedError), isUpright: error < turnedError }
}

/** Mean distance of the four corners, each to its own, over the card's height. */
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

function bestOf(neighbor: readonly Neighbor[], groupOf: (id: number) => number, score: number) {
  const [first] = neighbor
  if (first === undefined) return undefined
  const rivals = neighbor.filter(({ card_id }) => groupOf(card_id) !== groupOf(first.card_id))
  const rival = Math.max(0, ...rivals.map(({ cosine }) => cosine))
  const { cosine, distance = 512 } = first
  return { cosine, distance, margin: cosine - rival, score }
}

/** Vectors and hashes of cards that no photo shows; written by scripts/training/gallery.py. */
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
