// What the index of card pictures is told by: which pictures show the same art, and which show none.

/** A picture as the index knows it. */
export type IndexedPicture = {
  /** 128 numbers, each a 254th of the unit vector's (vision/retrieval/embed.ts). */
  vector: Int8Array
  /** 1,024 bits. */
  hash: Uint8Array
}

/**
 * When two catalog pictures of one game show the same art. Of 781 scans of two games, every one compared
 * with every other, those that do, other finishes and frames included, are up to 190 bits
 * apart with cosines from 0.755 on; the nearest that do not are 242 bits apart.
 */
export const SAME_ART = { cosineMin: 0.7, distanceBelow: 210 } as const

export function isSameArt(one: IndexedPicture, other: IndexedPicture): boolean {
  return (
    cosineSimilarity(one.vector, other.vector) > SAME_ART.cosineMin &&
    hammingDistance(one.hash, other.hash) < SAME_ART.distanceBelow
  )
}

/** -1 to 1; 0 where one of them is nothing but zeros. */
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

/** How many bits differ. */
export function hammingDistance(one: Uint8Array, other: Uint8Array): number {
  return one.reduce((sum, byte, at) => sum + bitsIn(byte ^ (other[at] ?? 0)), 0)
}

function bitsIn(byte: number): number {
  const pairs = byte - ((byte >> 1) & 0x55)
  const fours = (pairs & 0x33) + ((pairs >> 2) & 0x33)
  return (fours + (fours >> 4)) & 0x0f
}

/**
 * Divides cards into those that show the same art, directly or by way of others.
 *
 * @returns the smallest id of its group for each card
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
 * Whether a picture that is bit for bit the same on several cards is a stand-in such as "no image
 * available". A reprint is on a handful of cards; a promo and its stamped twins are in one set.
 */
export function isPlaceholder(uses: { cards: number; sets: number }): boolean {
  return uses.cards >= 20 && uses.sets >= 2
}

/** Days until a picture is asked for again: a stand-in may have given way to the real one. */
const LOOK_AGAIN_DAYS = 7

/** Seconds until a fault that may pass is tried again, doubled with each further one. */
const RETRY_SECONDS = 3_600

const SECONDS_A_DAY = 86_400

/**
 * When to ask for a picture again, in epoch seconds.
 *
 * @param failures how often it was asked for in vain, in a row; 0: it came, but was a stand-in
 */
export function nextFetchAt(now: Date, failures: number): number {
  const most = LOOK_AGAIN_DAYS * SECONDS_A_DAY
  const seconds = failures === 0 ? most : Math.min(RETRY_SECONDS * 2 ** (failures - 1), most)
  return Math.floor(now.getTime() / 1000) + seconds
}
