/** A seeded source of chance: the same seed gives the same sample on every machine. */
export interface Random {
  /** At least 0, below 1. */
  unit(): number
  between(low: number, high: number): number
  /** A whole number, both ends included. */
  whole(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(choices: readonly T[]): T
}

export function openRandom(seed: string): Random {
  let state = hash(seed)

  // Only whole-number arithmetic (mulberry32), so that no engine can round it differently.
  function unit(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  const between = (low: number, high: number) => low + unit() * (high - low)
  const whole = (low: number, high: number) => low + Math.floor(unit() * (high - low + 1))

  function pick<T>(choices: readonly T[]): T {
    const choice = choices[whole(0, choices.length - 1)]
    if (choice === undefined) throw new Error('nothing to pick from')
    return choice
  }

  return { unit, between, whole, chance: (probability) => unit() < probability, pick }
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) {
    value = Math.imul(value ^ byte, 0x01000193)
  }
  return value | 0
}
