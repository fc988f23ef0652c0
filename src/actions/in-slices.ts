import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long other requests wait at the most, in milliseconds, beyond the dearest single deed. */
const SLICE_MS = 5

/** Does the same to each, in their order, and lets whatever else waits go on after every few. */
export async function inSlices<T, U>(items: readonly T[], deed: (item: T) => U): Promise<U[]> {
  const done: U[] = []
  let began = performance.now()
  for (const item of items) {
    done.push(deed(item))
    if (performance.now() - began < SLICE_MS) continue
    await nextTurn()
    began = performance.now()
  }
  return done
}
