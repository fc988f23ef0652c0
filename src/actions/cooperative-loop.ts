import { setImmediate as nextImmediate } from 'node:timers/promises'
import { createFairQueue } from '#concurrency/fair-queue.ts'

/** The work of all requests that takes milliseconds. A part of it runs until the next turn of the event loop. */
const turns = createFairQueue<object>({ atOnce: 1 })

/**
 * Waits for a turn of the event loop that no other work has taken; not at all if this one is free. Otherwise the parts
 * of a hundred requests would run one after another, and new requests would wait for all of them.
 */
export function nextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  void turns.run({}, () => {
    resolve()
    return nextImmediate()
  })
  return promise
}

/** Maximum time in milliseconds for which other requests wait, in addition to the longest single step. */
const SLICE_MS = 2

/** Takes a turn for the work of a time slice. */
async function createTimeSlice() {
  await nextTurn()
  let began = performance.now()
  return {
    isOver: () => performance.now() - began >= SLICE_MS,
    async next(): Promise<void> {
      await nextTurn()
      began = performance.now()
    },
  }
}

/** Maps items in order and yields to the event loop after each time slice. */
export async function mapYielding<T, U>(
  items: readonly T[],
  transform: (item: T) => U,
): Promise<U[]> {
  const done: U[] = []
  const slice = await createTimeSlice()
  for (const item of items) {
    if (slice.isOver()) await slice.next()
    done.push(transform(item))
  }
  return done
}

/** Like `mapYielding`, for long steps: each generator yields where it may be interrupted. */
export async function runYielding<T, U>(
  items: readonly T[],
  start: (item: T) => Generator<undefined, U>,
): Promise<U[]> {
  const done: U[] = []
  const slice = await createTimeSlice()
  for (const item of items) {
    const steps = start(item)
    let step = steps.next()
    while (step.done !== true) {
      if (slice.isOver()) await slice.next()
      step = steps.next()
    }
    done.push(step.value)
    if (slice.isOver()) await slice.next()
  }
  return done
}
