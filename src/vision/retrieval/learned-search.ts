// Finds cards by the photos that people have named, beside the catalog pictures.
import type { LearnedReference } from '#rules/photos/picture-index/learned-references.ts'
import { createVectorSearch, type VectorHit, type VectorSearch } from './vector-search.ts'

/** A reference is found from this cosine on. Photos of other cards rarely reach it. */
const COSINE_MIN = 0.7

/** Cost of a reference beside the catalog picture of its card, in cosine. */
const BESIDE_PICTURE = 0.1

/** References are few, and several may be of one card. */
const REFERENCES_COMPARED = 50

/** Search by catalog pictures and by references. */
export type LearnedSearch = Pick<VectorSearch, 'search' | 'count'> & {
  /** Replaces all references. */
  setReferences(references: readonly LearnedReference[]): void
  /** Forgets what was compared with pictures that have changed. */
  forget(): void
  /** Adds the hashes of the references by which cards without a picture were found. */
  addHashes(
    hits: readonly VectorHit[],
    hashes: ReadonlyMap<number, Uint8Array>,
  ): Map<number, Uint8Array>
}

/** @param pictures search by catalog pictures */
export function createLearnedSearch(pictures: VectorSearch): LearnedSearch {
  let references: readonly LearnedReference[] = []
  let vectors = createVectorSearch()
  const believed = new Map<LearnedReference, boolean>()

  /**
   * Returns true unless the pictures contradict a reference: that of its own card is unlike it, or that of another card
   * is nearer to it. It is then a photo of that card, or of a print with the same art.
   */
  function isBelieved({ card_id, game_id, vector }: LearnedReference): boolean {
    const near = pictures.search([vector], { gameId: game_id, limit: NEAREST })
    const cosineOf = (isWanted: (id: number) => boolean) =>
      near.find((hit) => isWanted(hit.card_id))?.cosine ?? 0
    const [own, other] = [cosineOf((id) => id === card_id), cosineOf((id) => id !== card_id)]
    if (!pictures.has(card_id)) return other < FOREIGN_MAX
    return own >= OWN_MIN && other <= own + OWN_MARGIN
  }

  function isUsable(reference: LearnedReference): boolean {
    const known = believed.get(reference) ?? isBelieved(reference)
    believed.set(reference, known)
    return known
  }

  /** Returns the nearest usable reference of each card. */
  function findReferences(
    queries: readonly Int8Array[],
    gameId: number | undefined,
  ): Map<number, VectorHit> {
    const found = new Map<number, VectorHit>()
    const hits = vectors.search(queries, { gameId, limit: REFERENCES_COMPARED })
    for (const { card_id: index, cosine, queryIndex } of hits) {
      const reference = references[index]
      if (reference === undefined || cosine < COSINE_MIN) continue
      const { card_id } = reference
      if (found.has(card_id) || !isUsable(reference)) continue
      found.set(card_id, { card_id, cosine, queryIndex, reference: index })
    }
    return found
  }

  return {
    setReferences(next) {
      references = next
      believed.clear()
      vectors = createVectorSearch()
      for (const [index, { game_id, vector }] of next.entries()) vectors.put(index, game_id, vector)
    },
    forget: () => believed.clear(),
    count: () => pictures.count() + vectors.count(),
    search(queries, options) {
      const hits = pictures.search(queries, options)
      const learned = findReferences(queries, options.gameId)
      if (learned.size === 0) return hits
      const strengthened = hits.map((hit) => strengthen(hit, learned.get(hit.card_id)))
      const added = [...learned.values()].filter(({ card_id }) => !pictures.has(card_id))
      return [...strengthened, ...added].sort(byCosine).slice(0, options.limit)
    },
    addHashes(hits, hashes) {
      const all = new Map(hashes)
      for (const { card_id, reference } of hits) {
        const hash = reference === undefined ? undefined : references[reference]?.hash
        if (hash !== undefined) all.set(card_id, hash)
      }
      return all
    },
  }
}

/** Pictures compared with a reference. */
const NEAREST = 20
/** Cosine to the picture of another card at which a reference of a card without a picture is not believed. */
const FOREIGN_MAX = 0.8
/** Limits of a reference of a card with a picture: cosine to this picture, and lead of another card's picture. */
const OWN_MIN = 0.55
const OWN_MARGIN = 0.1

/** Returns a card found by its picture, nearer if a reference is. */
function strengthen(hit: VectorHit, learned: VectorHit | undefined): VectorHit {
  if (learned === undefined) return hit
  const { cosine, queryIndex } = learned
  const weakened = cosine - BESIDE_PICTURE
  return weakened > hit.cosine ? { ...hit, cosine: weakened, queryIndex } : hit
}

function byCosine(one: VectorHit, other: VectorHit): number {
  return other.cosine - one.cosine || one.card_id - other.card_id
}
