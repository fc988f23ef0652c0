/** A seeded random generator: the same seeds yield the same numbers on every machine. */
export type SeededRandom = {
  /** At least 0, below 1. */
  unit(): number
  /** A whole number from 0, below `count`. */
  below(count: number): number
  happens(probability: number): boolean
  pick<T>(choices: readonly T[]): T
  /** About normally distributed: mean 0, deviation 1, never beyond 3. */
  bell(): number
}

/**
 * Creates a generator for a list of seeds, so that the prices of a card do not depend on the number of cards before
 * it. The generator is mulberry32 by Tommy Ettinger, in the public domain
 * (https://gist.github.com/tommyettinger/46a874533244883189143505d203312c).
 */
export function createSeededRandom(...seeds: readonly number[]): SeededRandom {
  let state = seeds.reduce((mixed, seed) => Math.imul(mixed ^ seed, 0x9e3779b1) ^ (mixed >>> 13), 1)

  function unit(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  const below = (count: number) => Math.floor(unit() * count)

  function pick<T>(choices: readonly T[]): T {
    if (choices.length === 0) throw new Error('nothing to pick from')
    // The index is within the list.
    return choices[below(choices.length)] as T
  }

  return {
    unit,
    below,
    pick,
    happens: (probability) => unit() < probability,
    // The sum of three numbers, because sums are rounded equally on every machine, unlike logarithms.
    bell: () => 2 * (unit() + unit() + unit() - 1.5),
  }
}

/** Creates a generator of ranks from 0, of which high ones are rare, like words and sizes in reality. */
export function createZipf(seededRandom: SeededRandom, ranks: number): () => number {
  const reach = new Float64Array(ranks)
  let sum = 0
  for (let rank = 0; rank < ranks; rank++) {
    sum += 1 / (rank + 1)
    reach[rank] = sum
  }
  return () => {
    const wanted = seededRandom.unit() * sum
    let low = 0
    let high = ranks - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if ((reach[middle] ?? sum) > wanted) high = middle
      else low = middle + 1
    }
    return low
  }
}
