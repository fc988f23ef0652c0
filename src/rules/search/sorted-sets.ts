// Operations on sets of numbers, as sorted arrays without duplicates.

/** Returns the numbers that all sets have. @param sets at least one */
export function intersect(sets: readonly Uint32Array[]): Uint32Array {
  const [first = EMPTY, ...others] = sets.toSorted((a, b) => a.length - b.length)
  return others.reduce(intersectTwo, first)
}

/** Returns the numbers that any of the sets has. */
export function unite(sets: readonly Uint32Array[]): Uint32Array {
  const filled = sets.filter((set) => set.length > 0)
  if (filled.length < 2) return filled[0] ?? EMPTY
  const total = filled.reduce((sum, set) => sum + set.length, 0)
  const last = filled.reduce((most, set) => Math.max(most, set.at(-1) ?? 0), 0)
  // Marking costs time for the whole range, sorting for each number.
  return total * SORT_FACTOR < last ? uniteBySorting(filled, total) : uniteByMarking(filled, last)
}

/** Returns the numbers of a set that another does not have. */
export function subtract(set: Uint32Array, without: Uint32Array): Uint32Array {
  const kept = new Uint32Array(set.length)
  let count = 0
  let at = 0
  for (const value of set) {
    at = findFrom(without, value, at)
    if (without[at] !== value) kept[count++] = value
  }
  return kept.subarray(0, count)
}

/** Returns the index of the first number that is at least `value`. */
export function lowerBound(set: Uint32Array, value: number): number {
  return searchBetween(set, value, 0, set.length)
}

const EMPTY = new Uint32Array(0)

/** Time to sort a number, in numbers of a range that are marked in that time; measured. */
const SORT_FACTOR = 40

/** @param few not longer than `many` */
function intersectTwo(few: Uint32Array, many: Uint32Array): Uint32Array {
  const kept = new Uint32Array(few.length)
  let count = 0
  let at = 0
  for (const value of few) {
    at = findFrom(many, value, at)
    if (many[at] === value) kept[count++] = value
  }
  return kept.subarray(0, count)
}

/** Returns the lower bound from an index on, in steps that double: the next number is mostly near. */
function findFrom(set: Uint32Array, value: number, from: number): number {
  let step = 1
  let low = from
  while (low + step < set.length && (set[low + step] ?? 0) < value) {
    low += step
    step *= 2
  }
  return searchBetween(set, value, low, Math.min(low + step + 1, set.length))
}

function searchBetween(set: Uint32Array, value: number, from: number, to: number): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((set[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

function uniteBySorting(sets: readonly Uint32Array[], total: number): Uint32Array {
  const all = new Uint32Array(total)
  let end = 0
  for (const set of sets) {
    all.set(set, end)
    end += set.length
  }
  all.sort()
  let count = 0
  for (let at = 0; at < total; at++) {
    if (at === 0 || all[at] !== all[at - 1]) all[count++] = all[at] ?? 0
  }
  return all.subarray(0, count)
}

function uniteByMarking(sets: readonly Uint32Array[], last: number): Uint32Array {
  const marks = new Uint8Array(last + 1)
  let count = 0
  for (const set of sets) {
    for (const value of set) {
      count += 1 - (marks[value] ?? 0)
      marks[value] = 1
    }
  }
  const all = new Uint32Array(count)
  for (let value = 0, at = 0; at < count; value++) if (marks[value] === 1) all[at++] = value
  return all
}
