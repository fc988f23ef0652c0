/**
 * Seed of all random values in tests. FUZZ_SEED sets it: `bun run check` to a fixed number, `bun run chaos` to a new
 * one, which it prints.
 */
export const SEED = Number(process.env.FUZZ_SEED || 20_261_122)

/** Creates a generator of numbers from 0 up to 1; equal seeds produce equal numbers (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Picks one of several values by a random number. */
export function pick<T>(random: () => number, values: readonly T[]): T {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined) throw new Error('there is nothing to pick from')
  return value
}
