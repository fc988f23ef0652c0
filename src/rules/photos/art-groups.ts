// Groups catalog pictures by art and detects placeholders, for the picture index.

/** A picture in the index. */
export type IndexedPicture = {
  /** 128 numbers: the unit vector times 254, rounded (vision/retrieval/embed.ts). */
  vector: Int8Array
  /** 1,024 bits. */
  hash: Uint8Array
}

/**
 * Limits within which two pictures of one game show the same art. Measured on all pairs of 781 scans of two games:
 * pictures of one art differ by at most 190 bits and have cosines of at least 0.755, including other finishes and
 * frames. The closest pictures of different art differ by 242 bits.
 */
export const SAME_ART = { cosineMin: 0.7, distanceBelow: 210 } as const

export function isSameArt(one: IndexedPicture, other: IndexedPicture): boolean {
  return (
    cosineSimilarity(one.vector, other.vector) > SAME_ART.cosineMin &&
    hammingDistance(one.hash, other.hash) < SAME_ART.distanceBelow
  )
}

/** Returns -1 to 1; 0 if one vector is zero. */
export function cosineSimilarity(one: Int8Array, other: Int8Array): number {
  let dot = 0
  let squareOfOne = 0
  let squareOfOther = 0
  for (let at = 0; at < one.length; at++) {
    const a = one[at] ?? 0
    const b = other[at] ?? 0
    dot += a * b
    squareOfOne += a * a
    squareOfOther += b * b
  }
  return dot === 0 ? 0 : dot / Math.sqrt(squareOfOne * squareOfOther)
}

/** Returns the number of differing bits. */
export function hammingDistance(one: Uint8Array, other: Uint8Array): number {
  return one.reduce((sum, byte, at) => sum + bitsIn(byte ^ (other[at] ?? 0)), 0)
}

function bitsIn(byte: number): number {
  const pairs = byte - ((byte >> 1) & 0x55)
  const fours = (pairs & 0x33) + ((pairs >> 2) & 0x33)
  return (fours + (fours >> 4)) & 0x0f
}

/**
 * Groups cards that show the same art, directly or through other cards.
 *
 * @returns for each card, the smallest card id of its group
 */
export function groupByArt(
  cards: readonly ({ card_id: number } & IndexedPicture)[],
): Map<number, number> {
  const groups = new Map<number, number>()
  const sorted = cards.toSorted((one, other) => one.card_id - other.card_id)
  for (const first of sorted) {
    if (groups.has(first.card_id)) continue
    const reached = [first]
    groups.set(first.card_id, first.card_id)
    for (const from of reached) {
      for (const card of sorted) {
        if (groups.has(card.card_id) || !isSameArt(from, card)) continue
        groups.set(card.card_id, first.card_id)
        reached.push(card)
      }
    }
  }
  return groups
}

/**
 * Returns true if an identical file on several cards is a placeholder such as "no image available". A reprint is on a
 * few cards only, and a promo and its stamped variants are in one set.
 */
export function isPlaceholder(uses: { cards: number; sets: number }): boolean {
  return uses.cards >= 20 && uses.sets >= 2
}

/** Seconds until a placeholder is fetched again: the real picture may have replaced it. */
const REFETCH_SECONDS = 7 * 86_400

/** Seconds until the first retry after a temporary error; doubles with each further failure. */
const RETRY_SECONDS = 3_600

/**
 * Returns the time of the next fetch, in epoch seconds.
 *
 * @param failures consecutive failures; 0 if the fetch succeeded but returned a placeholder
 */
export function nextFetchAt(now: Date, failures: number): number {
  const wait = failures === 0 ? REFETCH_SECONDS : RETRY_SECONDS * 2 ** (failures - 1)
  return Math.floor(now.getTime() / 1000) + Math.min(wait, REFETCH_SECONDS)
}
