// Fuzzy search for names that OCR misread: finds the names that share most of their trigrams (three
// consecutive characters) with a text.
import { cleanName, completeNames } from './names.ts'

/** Trigram index of a list of names. A name is identified by its index in the list, from 0. */
export type PackedNames = {
  /** Number of trigrams of each name. */
  sizes: Uint8Array
  /** For each trigram, the packed ascending indexes of the names that contain it. */
  postings: Map<number, Uint8Array>
}

/** Consecutive names of the list. */
export type NameRange = { first: number; sizes: Uint8Array }

/** Similarity is the Dice coefficient: twice the shared trigrams divided by the sum of both; 1 means equal. */
export type SimilarName = { index: number; similarity: number }

/**
 * Only this many characters count, because names do not differ later, and a name's trigrams are counted in one byte.
 */
const LENGTH_MAX = 120

/** Marks both ends of a name. No name contains it. */
const EDGE = 0

/** Normalizes a name: removes case, accents, punctuation and spaces, which OCR often misses. */
export function normalizeName(name: string): string {
  return cleanName(name).toLowerCase().replaceAll(' ', '').slice(0, LENGTH_MAX)
}

/** Returns true if a normalized name is a card's complete one, of which a marketplace may have made a longer title. */
export function isNamed(name: string, bare: string): boolean {
  if (normalizeName(name) === bare) return true
  return completeNames(name).some((one) => one !== name && normalizeName(one) === bare)
}

/** Reverses a normalized name. */
export function reverseName(bare: string): string {
  return [...bare].reverse().join('')
}

/**
 * Computes the distinct trigrams of a normalized name, as numbers. Each end counts as two characters, so that a
 * single letter has trigrams, and the first and last letters weigh as much as the others.
 */
export function computeTrigrams(bare: string): number[] {
  const trigrams = new Set<number>()
  eachTrigram(bare, (trigram) => trigrams.add(trigram))
  return [...trigrams]
}

/** Calls back with each trigram in order, including repeated ones. */
function eachTrigram(bare: string, onTrigram: (trigram: number) => void): void {
  if (bare === '') return
  let [first, second] = [EDGE, EDGE]
  for (let at = 0; at < bare.length + 2; at++) {
    const third = at < bare.length ? bare.charCodeAt(at) : EDGE
    // Three times 16 bits are exact in a double.
    onTrigram((first * 0x10000 + second) * 0x10000 + third)
    first = second
    second = third
  }
}

/** Returns the trigrams of every name that contains this text; none below three characters. */
export function innerTrigrams(bare: string): number[] {
  return computeTrigrams(bare).filter((trigram) => {
    const [first, third] = [Math.floor(trigram / 0x100000000), trigram % 0x10000]
    return first !== EDGE && third !== EDGE
  })
}

/** Packs normalized names into their stored form. */
export function packNames(names: readonly string[]): PackedNames {
  const sizes = new Uint8Array(names.length)
  const lists = new Map<number, { bytes: number[]; last: number }>()
  for (const [index, name] of names.entries()) {
    let size = 0
    eachTrigram(name, (trigram) => {
      const list = lists.get(trigram) ?? { bytes: [], last: 0 }
      if (list.bytes.length === 0) lists.set(trigram, list)
      else if (list.last === index) return
      addStep(list.bytes, index - list.last)
      list.last = index
      size++
    })
    sizes[index] = size
  }
  const postings = new Map<number, Uint8Array>()
  for (const [trigram, { bytes }] of lists) postings.set(trigram, Uint8Array.from(bytes))
  return { sizes, postings }
}

/**
 * Finds the names of a range that are most similar to a text, best first, then by index.
 *
 * @param size number of trigrams of the text
 * @param postings packed postings of the text's trigrams that occur in any name
 */
export function findSimilarNames(
  size: number,
  postings: readonly Uint8Array[],
  range: NameRange,
  limit: number,
): SimilarName[] {
  const shared = countShared(postings, range)
  const near: SimilarName[] = []
  // Most names are below the threshold, which rises as soon as enough names are above it.
  const counts = new Uint32Array(STEPS + 1)
  let threshold = STEP_MIN
  let above = 0
  let sharedMin = minShared(threshold, size)
  for (let at = 0; at < shared.length; at++) {
    const both = shared[at] ?? 0
    if (both < sharedMin) continue
    const similarity = (2 * both) / (size + (range.sizes[at] ?? 0))
    const step = Math.floor(similarity * STEPS)
    if (step < threshold) continue
    near.push({ index: range.first + at, similarity })
    counts[step] = (counts[step] ?? 0) + 1
    above++
    while (above - (counts[threshold] ?? 0) >= limit && threshold < STEPS) {
      above -= counts[threshold++] ?? 0
      sharedMin = minShared(threshold, size)
    }
  }
  near.sort((a, b) => b.similarity - a.similarity || a.index - b.index)
  return near.slice(0, limit)
}

/** Number of similarity steps; a power of two, so that steps compare like similarities. */
const STEPS = 256

/** Minimum step; fewer is chance, such as two names of ten letters with two trigrams in common. */
const STEP_MIN = 43

/** Returns how many trigrams a name must share to reach a step, if all of its trigrams are shared. */
function minShared(step: number, size: number): number {
  return Math.ceil((step * size) / (2 * STEPS - step))
}

/** Counts the shared trigrams of each name of the range. */
function countShared(postings: readonly Uint8Array[], { first, sizes }: NameRange): Uint8Array {
  const shared = new Uint8Array(sizes.length)
  for (const packed of postings) {
    forEachIndex(packed, (index) => {
      const at = index - first
      if (at >= 0) shared[at] = (shared[at] ?? 0) + 1
      return at < shared.length
    })
  }
  return shared
}

/** Calls back with the ascending indexes of a packed list until the callback returns false. */
function forEachIndex(packed: Uint8Array, visit: (index: number) => boolean): void {
  let index = 0
  let step = 0
  let shift = 0
  for (let next = 0; next < packed.length; next++) {
    const byte = packed[next] ?? 0
    step |= (byte & 0x7f) << shift
    shift += 7
    if (byte > 0x7f) continue
    index += step
    step = 0
    shift = 0
    if (!visit(index)) return
  }
}

/** Writes seven bits per byte, lowest first; the eighth bit means that more bytes follow. */
function addStep(bytes: number[], step: number): void {
  for (; step > 0x7f; step >>>= 7) bytes.push((step & 0x7f) | 0x80)
  bytes.push(step)
}

/** Returns the ascending indexes that all packed lists contain; none if there are no lists. */
export function intersectPostings(lists: readonly Uint8Array[]): number[] {
  const [shortest, ...others] = lists.toSorted((a, b) => a.length - b.length)
  if (shortest === undefined) return []
  const indexes: number[] = []
  forEachIndex(shortest, (index) => indexes.push(index) > 0)
  return others.reduce(intersect, indexes)
}

/** Keeps the indexes that a packed list also contains. */
function intersect(sorted: readonly number[], packed: Uint8Array): number[] {
  const both: number[] = []
  let next = 0
  forEachIndex(packed, (index) => {
    while ((sorted[next] ?? index) < index) next++
    if (sorted[next] === index) both.push(index)
    return next < sorted.length
  })
  return both
}
