import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long other requests wait at the most, in milliseconds, beyond the dearest single step. */
const SLICE_MS = 2

/** Does the same to each, in their order, and lets whatever else waits go on after every few. */
export async function inSlices<T, U>(items: readonly T[], deed: (item: T) => U): Promise<U[]> {
  const done: U[] = []
  let began = performance.now()
  for (const item of items) {
    if (performance.now() - began >= SLICE_MS) {
      await nextTurn()
      began = performance.now()
    }
    done.push(deed(item))
  }
  return done
}

/** The same with deeds that may be long: they yield where they may be interrupted. */
export async function inSteps<T, U>(
  items: readonly T[],
  deed: (item: T) => Generator<undefined, U>,
): Promise<U[]> {
  const done: U[] = []
  let began = performance.now()
  for (const item of items) {
    const steps = deed(item)
    for (let step = steps.next(); ; step = steps.next()) {
      if (performance.now() - began >= SLICE_MS) {
        await nextTurn()
        began = performance.now()
      }
      if (step.done !== true) continue
      done.push(step.value)
      break
    }
  }
  return done
}
