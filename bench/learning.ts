import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findCandidates } from '#actions/photos/read-photo.ts'
import { numberKey } from '#rules/catalog/names.ts'
import { createPictureUrl } from '#rules/catalog/picture-url.ts'
import type { PhotoObservation } from '#rules/photos/photo-reading.ts'
import type { LearnedReference } from '#rules/photos/picture-index/learned-references.ts'
import { decideVerdict, type VerdictStatus } from '#rules/photos/verdict.ts'
import { type Catalog, openCatalog } from '#store/open-catalog.ts'
import { readUpright } from '#vision/ocr/read-text.ts'
import { loadPipeline, type VisionPipeline } from '#vision/pipeline.ts'
import { createLearnedSearch } from '#vision/retrieval/learned-search.ts'
import { matchPictures } from '#vision/retrieval/match-pictures.ts'
import { createVectorSearch } from '#vision/retrieval/vector-search.ts'
import { prepareScanCatalogs } from './photo-catalogs.ts'
import { formatShare, zeroExpected } from './share.ts'
import type { Row } from './table.ts'

const FOLDER = process.env.LEARNING ?? join(import.meta.dir, '../data/run/learning')
const SEED = 20_261
const ROUNDS = 20
const WRONG_SHARE = 0.05
/** Photos of the subject that name the poisoned card, fewer than a card's limit. */
const POISONS = 3

type Label = { file: string; scan: string }

/** A photo after the networks: what is compared and read does not depend on the references. */
type SeenPhoto = {
  truth: number
  /** The first photo of a card is the one that a person names. */
  look: number
  observation: PhotoObservation
  vectors: Int8Array[]
  hashes: Uint8Array[][]
}

/**
 * Names one photo of each card, and identifies four others: without references, with right ones, with 5 %
 * wrong ones, and with one card that is poisoned. The photos are rendered by evaluate/learning_photos.py.
 */
export async function benchLearning(): Promise<Row[]> {
  const file = join(FOLDER, 'labels.json')
  if (!existsSync(file)) {
    throw new Error(
      'The photos are missing. Render them as described in scripts/training/README.md.',
    )
  }
  const { cards, ...configs } = await prepareScanCatalogs()
  const photos = await seeAll(JSON.parse(readFileSync(file, 'utf8')) as Label[], cards)
  const rows: Row[] = [
    { figure: 'seed; photos; named', ours: `${SEED}; ${photos.length}; ${countNamed(photos)}` },
  ]
  for (const [name, config] of [
    ['no picture indexed', configs.print],
    ['all pictures indexed', configs.among],
  ] as const) {
    const catalog = openCatalog(config.dataDir, createPictureUrl(config.publicUrl))
    rows.push(...(await measure(name, catalog, photos)))
    catalog.close()
  }
  return rows
}

const countNamed = (photos: readonly SeenPhoto[]) => photos.filter(({ look }) => look === 0).length

async function seeAll(
  labels: readonly Label[],
  cards: ReadonlyMap<string, number>,
): Promise<SeenPhoto[]> {
  const pipeline = await loadPipeline()
  const photos: SeenPhoto[] = []
  for (const [index, { file, scan }] of labels.entries()) {
    const truth = cards.get(scan)
    const bytes = await Bun.file(join(FOLDER, file)).bytes()
    if (truth !== undefined) photos.push(await see(pipeline, bytes, { truth, look: index % 5 }))
    if (index % 20 === 19) process.stderr.write(`  ${index + 1} of ${labels.length} photos\n`)
  }
  pipeline.close()
  return photos
}

async function see(
  pipeline: VisionPipeline,
  bytes: Uint8Array,
  of: Pick<SeenPhoto, 'truth' | 'look'>,
): Promise<SeenPhoto> {
  const seen = await pipeline.run(bytes)
  const { photo, kind, items, quality, orientations } = seen
  const sides = Array.from({ length: orientations }, (_, side) => side)
  const lines = readUpright(seen, { hits: [], neighbors: [] })
  return {
    ...of,
    observation: {
      photo,
      kind,
      items,
      quality,
      isMirrored: false,
      lines,
      finish: undefined,
      neighbors: [],
    },
    vectors: sides.map((side) => seen.embed(side)),
    hashes: sides.map((side) => [...seen.hashes(side)]),
  }
}

type Identified = { status: VerdictStatus; isRight: boolean; card: number | undefined }

/** Opens a catalog with its pictures. @returns identifies a photo with references */
function openWorld(catalog: Catalog) {
  const pictures = createVectorSearch()
  for (const slice of catalog.pictures.listChangesSince(-1)) {
    for (const { card_id, game_id, vector } of slice) {
      if (vector !== undefined) pictures.put(card_id, game_id, vector)
    }
  }
  const search = createLearnedSearch(pictures)
  const slugs = catalog.games.listFreshness().map(({ slug }) => slug)
  const printOf = (id: number) => {
    const [card] = catalog.candidates.getByIds([id])
    return card && `${card.clean_name} ${numberKey(card.number)}`
  }
  return {
    refer(named: readonly { photo: SeenPhoto; card_id: number }[]): void {
      const games = catalog.candidates.getGameIds(named.map(({ card_id }) => card_id))
      const references = named.flatMap(({ photo, card_id }, giver): LearnedReference[] => {
        const [vector, hash] = [photo.vectors[0], photo.hashes[0]?.[0]]
        const game_id = games.get(card_id)
        if (vector === undefined || hash === undefined || game_id === undefined) return []
        return [{ card_id, game_id, giver, vector, hash }]
      })
      search.setReferences(references)
    },
    async identify({ observation, vectors, hashes, truth }: SeenPhoto): Promise<Identified> {
      const card = {
        orientations: vectors.length,
        // Mirrored orientations are not compared.
        embed: (side: number) => vectors[side % 2] ?? new Int8Array(128),
        hashes: (side: number) => hashes[side % 2] ?? [],
      }
      const { neighbors } = await matchPictures(search, card, undefined, async (ids) =>
        catalog.pictures.getHashes(ids),
      )
      const { reading, cards } = findCandidates(catalog, { ...observation, neighbors }, undefined)
      const { status, candidates } = decideVerdict(reading, cards, slugs)
      const top = candidates[0]?.card.id
      const isRight =
        top !== undefined &&
        (top === truth || printOf(top) === printOf(truth) || areOneArt(top, truth))
      return { status, isRight, card: top }
    },
  }

  function areOneArt(one: number, other: number): boolean {
    const groups = catalog.candidates.getByIds([one, other]).map(({ art_group }) => art_group)
    return groups.length === 2 && groups[0] !== null && groups[0] === groups[1]
  }
}

async function measure(
  name: string,
  catalog: Catalog,
  photos: readonly SeenPhoto[],
): Promise<Row[]> {
  const world = openWorld(catalog)
  const random = createRandom(SEED)
  const tested = photos.filter(({ look }) => look > 0)
  const named = photos.filter(({ look }) => look === 0)
  const truths = named.map(({ truth }) => truth)
  const identifyAll = async (of: readonly SeenPhoto[]) => {
    const all: Identified[] = []
    for (const photo of of) all.push(await world.identify(photo))
    return all
  }
  const share = (all: readonly Identified[], isHit: (one: Identified) => boolean) =>
    formatShare(all.filter(isHit).length, all.length)
  const isFirst = ({ isRight }: Identified) => isRight
  const isMatched = ({ status, isRight }: Identified) => status === 'matched' && isRight
  const isWrong = ({ status, isRight }: Identified) => status === 'matched' && !isRight

  world.refer([])
  const before = await identifyAll(tested)
  world.refer(named.map((photo) => ({ photo, card_id: photo.truth })))
  const after = await identifyAll(tested)

  const others = catalog.candidates.findByNames(['dragon', 'forest', 'master'], {
    gameId: undefined,
    limit: 60,
  })
  const anyCard = (except: number) => {
    const pool = (random() < 0.5 ? truths : others).filter((id) => id !== except)
    return pool[Math.floor(random() * pool.length)] ?? except
  }
  const erring: Identified[] = []
  for (let round = 0; round < ROUNDS; round++) {
    world.refer(
      named.map((photo) => {
        const isErring = random() < WRONG_SHARE
        return { photo, card_id: isErring ? anyCard(photo.truth) : photo.truth }
      }),
    )
    erring.push(...(await identifyAll(tested)))
  }

  const poisoned: Identified[] = []
  for (const subject of truths) {
    const ofSubject = photos.filter(({ truth }) => truth === subject)
    const target = anyCard(subject)
    const honest = named.map((photo) => ({ photo, card_id: photo.truth }))
    const lies = ofSubject.slice(0, POISONS).map((photo) => ({ photo, card_id: target }))
    world.refer([...honest.filter(({ card_id }) => card_id !== subject), ...lies])
    const seen = photos.filter(({ truth, look }) => truth === target && look > 0)
    poisoned.push(...(await identifyAll([...ofSubject.slice(POISONS), ...seen])))
  }
  const wrong = (all: readonly Identified[]) => zeroExpected(all.filter(isWrong).length, all.length)
  return [
    { figure: `${name}: right card first, before`, ours: share(before, isFirst) },
    { figure: `${name}: right card first, one photo named`, ours: share(after, isFirst) },
    { figure: `${name}: matched, before`, ours: share(before, isMatched) },
    { figure: `${name}: matched, one photo named`, ours: share(after, isMatched) },
    { figure: `${name}: wrong, before`, ...wrong(before) },
    { figure: `${name}: wrong, one photo named`, ...wrong(after) },
    { figure: `${name}: wrong, 5 % of the names wrong`, ...wrong(erring) },
    { figure: `${name}: right card first, 5 % wrong`, ours: share(erring, isFirst) },
    { figure: `${name}: wrong, one card poisoned`, ...wrong(poisoned) },
    { figure: `${name}: right card first, one card poisoned`, ours: share(poisoned, isFirst) },
  ]
}

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
