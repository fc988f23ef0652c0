// Sets of documents: an ascending list if they are few, otherwise one bit for each document. A word that occurs in
// half of the catalog is combined with others in microseconds, and no set is larger than the bits. Loops use indexes,
// because `for … of` over a typed array takes eight times as long (Bun 1.4.5).
import { countOnes } from '../primitives/bits.ts'

/** A set of document numbers. A list is never longer than the bits for the same documents. */
export type DocumentSet = { count: number } & (
  | { kind: 'list'; list: Uint32Array }
  /** Bit n of word w is document 32 w + n. Signed, because bitwise operations are. */
  | { kind: 'bits'; bits: Int32Array }
)

/** First and last document of a range, both inclusive. */
export type DocumentRange = { first: number; last: number }

/** @param documents number of all documents; every document number is smaller */
export function fromAscending(list: Uint32Array, documents: number): DocumentSet {
  return list.length <= wordsFor(documents) ? asList(list) : asBits(mark(list, documents))
}

/** Returns the set of numbers in any order, without duplicates. @param documents number of all documents */
export function fromNumbers(numbers: Uint32Array, documents: number): DocumentSet {
  return compact(mark(numbers, documents))
}

/** Returns the documents of all lists. @param documents number of all documents */
export function fromLists(lists: readonly Uint32Array[], documents: number): DocumentSet {
  const [first = NONE, ...others] = lists.filter(({ length }) => length > 0)
  if (others.length === 0) return fromAscending(first, documents)
  const bits = mark(first, documents)
  for (const list of others) markIn(bits, list)
  return compact(bits)
}

/** Returns the documents that are in all sets. @param sets at least one */
export function intersect(sets: readonly DocumentSet[]): DocumentSet {
  const [first = EMPTY, ...others] = sets.toSorted((a, b) => a.count - b.count)
  return others.reduce(intersectTwo, first)
}

/** Returns the documents that are in any of the sets. @param documents number of all documents */
export function unite(sets: readonly DocumentSet[], documents: number): DocumentSet {
  const [first = EMPTY, ...others] = sets.filter(({ count }) => count > 0)
  if (others.length === 0) return first
  const bits = first.kind === 'bits' ? first.bits.slice() : mark(first.list, documents)
  for (const set of others) {
    if (set.kind === 'list') markIn(bits, set.list)
    else for (let at = 0; at < bits.length; at++) bits[at] = (bits[at] ?? 0) | (set.bits[at] ?? 0)
  }
  return compact(bits)
}

/** Returns the documents of a set that are not in another one. */
export function subtract(set: DocumentSet, without: DocumentSet): DocumentSet {
  if (set.kind === 'list') return keepIf(set.list, without, false)
  const bits = set.bits.slice()
  if (without.kind === 'bits') {
    for (let at = 0; at < bits.length; at++) bits[at] = (bits[at] ?? 0) & ~(without.bits[at] ?? 0)
  } else {
    const { list } = without
    for (let at = 0; at < list.length; at++) {
      const number = list[at] ?? 0
      bits[number >>> 5] = (bits[number >>> 5] ?? 0) & ~(1 << (number & 31))
    }
  }
  return compact(bits)
}

/**
 * Returns the set with other numbers for its documents.
 *
 * @param numbers the new number of each document
 * @param documents number of all documents with new numbers
 */
export function renumber(set: DocumentSet, numbers: Uint32Array, documents: number): DocumentSet {
  if (set.kind === 'list' && set.count <= SORTED_MAX) {
    return asList(set.list.map((one) => numbers[one] ?? 0).sort())
  }
  const bits = new Int32Array(wordsFor(documents))
  if (set.kind === 'list') {
    for (let at = 0; at < set.list.length; at++) setBit(bits, numbers[set.list[at] ?? 0] ?? 0)
    return compact(bits)
  }
  for (let at = 0; at < set.bits.length; at++) {
    for (let word = set.bits[at] ?? 0; word !== 0; word &= word - 1) {
      setBit(bits, numbers[lowestIn(word, at)] ?? 0)
    }
  }
  return { kind: 'bits', bits, count: set.count }
}

/** Longer lists are sorted faster through bits. */
const SORTED_MAX = 500

/** Returns the size of a set in memory, as a number of 32-bit words. */
export function numbersIn(set: DocumentSet): number {
  return set.kind === 'list' ? set.list.length : set.bits.length
}

export function countBetween(set: DocumentSet, range: DocumentRange): number {
  if (set.kind === 'list') return cut(set.list, range).length
  const { first, last } = within(set.bits, range)
  const end = lastOf(set.bits)
  // Most ranges contain nearly all documents, so fewer are outside.
  return last - first < end / 2
    ? countBits(set.bits, first, last)
    : set.count - countBits(set.bits, 0, first - 1) - countBits(set.bits, last + 1, end)
}

/** Lists documents in ascending order. */
export function listBetween(
  set: DocumentSet,
  range: DocumentRange,
  { limit, offset }: { limit: number; offset: number },
): number[] {
  if (limit <= 0) return []
  if (set.kind === 'list') return [...cut(set.list, range).subarray(offset, offset + limit)]
  const { first, last } = within(set.bits, range)
  const found: number[] = []
  let skip = offset
  for (let at = first >>> 5; at <= last >>> 5 && found.length < limit; at++) {
    let word = wordBetween(set.bits, at, first, last)
    const own = skip === 0 ? 0 : countOnes(word)
    if (skip > 0 && skip >= own) {
      skip -= own
      continue
    }
    for (; word !== 0 && found.length < limit; word &= word - 1) {
      if (skip > 0) skip--
      else found.push(lowestIn(word, at))
    }
  }
  return found
}

/** Returns the last document up to a number; undefined without one. */
export function findLast(set: DocumentSet, number: number): number | undefined {
  if (set.kind === 'list') return set.list[lowerBound(set.list, number + 1) - 1]
  const { last } = within(set.bits, { first: 0, last: number })
  for (let at = last >> 5; at >= 0; at--) {
    const word = wordBetween(set.bits, at, 0, last)
    if (word !== 0) return at * 32 + 31 - Math.clz32(word)
  }
  return undefined
}

const asList = (list: Uint32Array): DocumentSet => ({ kind: 'list', list, count: list.length })

const NONE = new Uint32Array(0)

const EMPTY = asList(NONE)

function asBits(bits: Int32Array): DocumentSet {
  let count = 0
  for (let at = 0; at < bits.length; at++) count += countOnes(bits[at] ?? 0)
  return { kind: 'bits', bits, count }
}

/** Returns the bits as a list if that is not longer. */
function compact(bits: Int32Array): DocumentSet {
  const set = asBits(bits)
  if (set.count > bits.length) return set
  const list = new Uint32Array(set.count)
  for (let at = 0, count = 0; count < set.count; at++) {
    for (let word = bits[at] ?? 0; word !== 0; word &= word - 1) list[count++] = lowestIn(word, at)
  }
  return asList(list)
}

/** Returns the first document of a word of bits, which is not 0. */
const lowestIn = (word: number, at: number) => at * 32 + 31 - Math.clz32(word & -word)

const wordsFor = (documents: number) => (documents + 31) >>> 5

function mark(numbers: Uint32Array, documents: number): Int32Array {
  const bits = new Int32Array(wordsFor(documents))
  markIn(bits, numbers)
  return bits
}

function markIn(bits: Int32Array, numbers: Uint32Array): void {
  for (let at = 0; at < numbers.length; at++) setBit(bits, numbers[at] ?? 0)
}

function setBit(bits: Int32Array, number: number): void {
  bits[number >>> 5] = (bits[number >>> 5] ?? 0) | (1 << (number & 31))
}

function intersectTwo(one: DocumentSet, other: DocumentSet): DocumentSet {
  if (one.kind === 'list') return keepIf(one.list, other, true)
  if (other.kind === 'list') return keepIf(other.list, one, true)
  const bits = one.bits.slice()
  for (let at = 0; at < bits.length; at++) bits[at] = (bits[at] ?? 0) & (other.bits[at] ?? 0)
  return compact(bits)
}

/** Keeps the numbers that are in a set, or those that are not. */
function keepIf(list: Uint32Array, set: DocumentSet, isIn: boolean): DocumentSet {
  const kept = new Uint32Array(list.length)
  let count = 0
  let near = 0
  for (let at = 0; at < list.length; at++) {
    const number = list[at] ?? 0
    let has: boolean
    if (set.kind === 'bits') {
      has = ((set.bits[number >>> 5] ?? 0) & (1 << (number & 31))) !== 0
    } else {
      near = findFrom(set.list, number, near)
      has = set.list[near] === number
    }
    if (has === isIn) kept[count++] = number
  }
  return asList(kept.subarray(0, count))
}

/** @param last the count is 0 if it is less than `first` */
function countBits(bits: Int32Array, first: number, last: number): number {
  if (last < first) return 0
  let count = 0
  for (let at = first >>> 5; at <= last >>> 5; at++) {
    count += countOnes(wordBetween(bits, at, first, last))
  }
  return count
}

/** Returns the bits of a word that are within a range. */
function wordBetween(bits: Int32Array, at: number, first: number, last: number): number {
  let word = bits[at] ?? 0
  if (at === first >>> 5) word &= -1 << (first & 31)
  if (at === last >>> 5) word &= -1 >>> (31 - (last & 31))
  return word
}

/** Limits a range to the documents with bits. */
function within(bits: Int32Array, { first, last }: DocumentRange): DocumentRange {
  return { first: Math.max(0, first), last: Math.min(last, lastOf(bits)) }
}

const lastOf = (bits: Int32Array) => bits.length * 32 - 1

function cut(list: Uint32Array, { first, last }: DocumentRange): Uint32Array {
  return list.subarray(lowerBound(list, first), lowerBound(list, last + 1))
}

/** Returns the index of the first number that is at least `value`. */
function lowerBound(list: Uint32Array, value: number): number {
  return searchBetween(list, value, 0, list.length)
}

/** Returns the lower bound from an index on. Steps double, because the next number is usually near. */
function findFrom(list: Uint32Array, value: number, from: number): number {
  let step = 1
  let low = from
  while (low + step < list.length && (list[low + step] ?? 0) < value) {
    low += step
    step *= 2
  }
  return searchBetween(list, value, low, Math.min(low + step + 1, list.length))
}

function searchBetween(list: Uint32Array, value: number, from: number, to: number): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((list[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}
