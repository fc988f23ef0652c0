// Which names are like what a recogniser read, with characters wrong, missing or too many: those that
// share most of their trigrams (three characters in a row) with it.
import { cleanName } from './names.ts'

/** Which names have which trigrams. A name is called by its place in the list, from 0. */
export type PackedNames = {
  /** How many trigrams each name has. */
  sizes: Uint8Array
  /** By trigram the places of the names that have it, ascending, packed. */
  postings: Map<number, Uint8Array>
}

/** Names that stand one behind the other in the list. */
export type NameRange = { first: number; sizes: Uint8Array }

/** Likeness is Dice's: twice what both have, by what each has together. 1: they are the same. */
export type SimilarName = { index: number; similarity: number }

/** What comes behind tells no two names apart; a name's trigrams are counted in a byte. */
const LENGTH_MAX = 120

/** Before and behind every name. No name has the character. */
const EDGE = 0

/**
 * What of a name is compared. Case, accents, signs and spaces make no difference: spaces are what a
 * recogniser misses first.
 */
export function normalizeName(name: string): string {
  return cleanName(name).toLowerCase().replaceAll(' ', '').slice(0, LENGTH_MAX)
}

/** A bare name from its end. */
export function reverseName(bare: string): string {
  return [...bare].reverse().join('')
}

/**
 * The trigrams of a bare name, each once, as numbers. Each edge counts as two characters, so that a
 * single letter has trigrams too, and the first and last letters weigh as much as the others.
 */
export function computeTrigrams(bare: string): number[] {
  const trigrams = new Set<number>()
  eachTrigram(bare, (trigram) => trigrams.add(trigram))
  return [...trigrams]
}

/** Hands out the trigrams one after the other, repeated ones again. */
function eachTrigram(bare: string, deed: (trigram: number) => void): void {
  if (bare === '') return
  let [first, second] = [EDGE, EDGE]
  for (let at = 0; at < bare.length + 2; at++) {
    const third = at < bare.length ? bare.charCodeAt(at) : EDGE
    // Three times 16 bits are still an exact number.
    deed((first * 0x10000 + second) * 0x10000 + third)
    first = second
    second = third
  }
}

/** The trigrams that every name has which has this in it; none for less than three characters. */
export function innerTrigrams(bare: string): number[] {
  return computeTrigrams(bare).filter((trigram) => {
    const [first, third] = [Math.floor(trigram / 0x100000000), trigram % 0x10000]
    return first !== EDGE && third !== EDGE
  })
}

/** Bare names as they are stored. */
export function packNames(names: readonly string[]): PackedNames {
  const sizes = new Uint8Array(names.length)
  const lists = new Map<number, { bytes: number[]; last: number }>()
  for (const [place, name] of names.entries()) {
    let size = 0
    eachTrigram(name, (trigram) => {
      const list = lists.get(trigram) ?? { bytes: [], last: 0 }
      if (list.bytes.length === 0) lists.set(trigram, list)
      else if (list.last === place) return
      addStep(list.bytes, place - list.last)
      list.last = place
      size++
    })
    sizes[place] = size
  }
  const places = new Map<number, Uint8Array>()
  for (const [trigram, { bytes }] of lists) places.set(trigram, Uint8Array.from(bytes))
  return { sizes, postings: places }
}

/**
 * The names of a range that are most like a text: the likest first, equally like ones by their place.
 *
 * @param size how many trigrams the text has
 * @param postings what is packed of each of these trigrams, where any name has it
 */
export function findSimilarNames(
  size: number,
  postings: readonly Uint8Array[],
  range: NameRange,
  limit: number,
): SimilarName[] {
  const shared = sharedIn(postings, range)
  const near: SimilarName[] = []
  // Names below the bar are too many to be sorted, or even to be looked at: it rises as soon as there
  // are enough names above it.
  const counts = new Uint32Array(STEPS + 1)
  let bar = STEP_MIN
  let above = 0
  let sharedMin = sharedFor(bar, size)
  for (let at = 0; at < shared.length; at++) {
    const both = shared[at] ?? 0
    if (both < sharedMin) continue
    const likeness = (2 * both) / (size + (range.sizes[at] ?? 0))
    const step = Math.floor(likeness * STEPS)
    if (step < bar) continue
    near.push({ index: range.first + at, similarity: likeness })
    counts[step] = (counts[step] ?? 0) + 1
    above++
    while (above - (counts[bar] ?? 0) >= limit && bar < STEPS) {
      above -= counts[bar++] ?? 0
      sharedMin = sharedFor(bar, size)
    }
  }
  near.sort((a, b) => b.similarity - a.similarity || a.index - b.index)
  return near.slice(0, limit)
}

/** The steps of likeness from 0 to 1; a power of two, so that they compare as the likenesses do. */
const STEPS = 256

/** Less is chance: two names of ten letters that have two trigrams in common. */
const STEP_MIN = 43

/** How many trigrams a name must share to reach a step: it has no others then. */
function sharedFor(step: number, size: number): number {
  return Math.ceil((step * size) / (2 * STEPS - step))
}

/** How many of the trigrams each name of the range has. */
function sharedIn(places: readonly Uint8Array[], { first, sizes }: NameRange): Uint8Array {
  const shared = new Uint8Array(sizes.length)
  for (const packed of places) {
    visit(packed, (place) => {
      const at = place - first
      if (at >= 0) shared[at] = (shared[at] ?? 0) + 1
      return at < shared.length
    })
  }
  return shared
}

/** Calls back with the places of a packed list, ascending, until it is told to stop. */
function visit(packed: Uint8Array, goesOn: (place: number) => boolean): void {
  let place = 0
  let step = 0
  let shift = 0
  for (let next = 0; next < packed.length; next++) {
    const byte = packed[next] ?? 0
    step |= (byte & 0x7f) << shift
    shift += 7
    if (byte > 0x7f) continue
    place += step
    step = 0
    shift = 0
    if (!goesOn(place)) return
  }
}

/** Seven bits a byte, the lowest first; the eighth says that more follow. */
function addStep(bytes: number[], step: number): void {
  for (; step > 0x7f; step >>>= 7) bytes.push((step & 0x7f) | 0x80)
  bytes.push(step)
}

/** The places that are in all of these packed lists, ascending; in none, where there are no lists. */
export function intersectPostings(lists: readonly Uint8Array[]): number[] {
  const [shortest, ...others] = lists.toSorted((a, b) => a.length - b.length)
  if (shortest === undefined) return []
  const places: number[] = []
  visit(shortest, (place) => places.push(place) > 0)
  return others.reduce(placesAlsoIn, places)
}

/** Those of the places that are in a packed list, too. */
function placesAlsoIn(among: readonly number[], packed: Uint8Array): number[] {
  const both: number[] = []
  let next = 0
  visit(packed, (place) => {
    while ((among[next] ?? place) < place) next++
    if (among[next] === place) both.push(place)
    return next < among.length
  })
  return both
}
