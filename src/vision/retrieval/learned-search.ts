// Finds cards by the photos that people have named, beside the catalog pictures.
import {
  type LearnedReference,
  REFERENCES_MAX,
} from '#rules/photos/picture-index/learned-references.ts'
import { createVectorSearch, type VectorHit, type VectorSearch } from './vector-search.ts'

/** A reference is found from this cosine on. Photos of other cards rarely reach it. */
const COSINE_MIN = 0.7

/** Cost of a reference beside the catalog picture of its card, in cosine. */
const BESIDE_PICTURE = 0.1

/** The references of 50 cards, as many as are compared by picture. */
const REFERENCES_COMPARED = 50 * REFERENCES_MAX

/**
 * Cards that one account makes near to a photo. More would be names for one art that contradict each other, which would
 * displace what others say.
 */
const CARDS_OF_GIVER_MAX = 5

/** Search by catalog pictures and by references. Pictures change through it. */
export type LearnedSearch = Pick<VectorSearch, 'put' | 'remove' | 'search' | 'count'> & {
  /** Replaces all references. */
  setReferences(references: readonly LearnedReference[]): void
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
  /** Comparisons of references, and the pictures added since the first of them. */
  const compared = new Map<LearnedReference, Comparison>()
  let added = createVectorSearch()

  function forget(): void {
    compared.clear()
    if (added.count() > 0) added = createVectorSearch()
  }

  function compare({ card_id, game_id, vector }: LearnedReference, within: VectorSearch) {
    const near = within.search([vector], { gameId: game_id, limit: NEAREST })
    const cosineOf = (isWanted: (id: number) => boolean) =>
      near.find((hit) => isWanted(hit.card_id))?.cosine ?? 0
    return { own: cosineOf((id) => id === card_id), other: cosineOf((id) => id !== card_id) }
  }

  /** Compares a reference with all pictures, later with those that were added: each search of all takes milliseconds. */
  function compareOnce(reference: LearnedReference): Comparison {
    const known = compared.get(reference)
    if (known?.seen === added.count()) return known
    const { own, other } = compare(reference, known === undefined ? pictures : added)
    const comparison = {
      own: Math.max(own, known?.own ?? 0),
      other: Math.max(other, known?.other ?? 0),
      seen: added.count(),
    }
    compared.set(reference, comparison)
    return comparison
  }

  /**
   * Returns true unless the pictures contradict a reference: that of its own card is unlike it, or that of another card
   * is nearer to it. It is then a photo of that card, or of a print with the same art.
   */
  function isBelieved(reference: LearnedReference): boolean {
    const { own, other } = compareOnce(reference)
    if (!pictures.has(reference.card_id)) return other < FOREIGN_MAX
    return own >= OWN_MIN && other <= own + OWN_MARGIN
  }

  /** Returns the nearest usable reference of each card. */
  function findReferences(
    queries: readonly Int8Array[],
    gameId: number | undefined,
  ): Map<number, VectorHit> {
    const found = new Map<number, VectorHit>()
    const cardsOfGivers = new Map<number, number>()
    const hits = vectors.search(queries, { gameId, limit: REFERENCES_COMPARED })
    for (const { card_id: index, cosine, queryIndex } of hits) {
      const reference = references[index]
      if (reference === undefined || cosine < COSINE_MIN) continue
      const { card_id, giver } = reference
      const cards = cardsOfGivers.get(giver) ?? 0
      if (found.has(card_id) || cards === CARDS_OF_GIVER_MAX || !isBelieved(reference)) continue
      cardsOfGivers.set(giver, cards + 1)
      found.set(card_id, { card_id, cosine, queryIndex, reference: index })
    }
    return found
  }

  return {
    setReferences(next) {
      references = next
      forget()
      vectors = createVectorSearch()
      for (const [index, { game_id, vector }] of next.entries()) vectors.put(index, game_id, vector)
    },
    put(card_id, game_id, vector) {
      const isNew = !pictures.has(card_id)
      pictures.put(card_id, game_id, vector)
      if (compared.size === 0) return
      if (isNew && added.count() < ADDED_MAX) added.put(card_id, game_id, vector)
      else forget()
    },
    remove(card_id) {
      pictures.remove(card_id)
      forget()
    },
    count: () => pictures.count() + vectors.count(),
    search(queries, options) {
      const hits = pictures.search(queries, options)
      const learned = findReferences(queries, options.gameId)
      if (learned.size === 0) return hits
      const strengthened = hits.map((hit) => strengthen(hit, learned.get(hit.card_id)))
      const unseen = [...learned.values()].filter(({ card_id }) => !pictures.has(card_id))
      return [...strengthened, ...unseen].sort(byCosine).slice(0, options.limit)
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

/** Cosines of a reference to the picture of its card, and to the nearest one of another card. */
type Comparison = {
  own: number
  other: number
  /** Number of added pictures that it was compared with. */
  seen: number
}

/** Pictures compared with a reference. */
const NEAREST = 20
/** A search of so many pictures takes a fraction of a millisecond. */
const ADDED_MAX = 20_000
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
