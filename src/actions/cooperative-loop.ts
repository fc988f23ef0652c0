import { setImmediate as nextTurn } from 'node:timers/promises'

/** Maximum time in milliseconds for which other requests wait, in addition to the longest single step. */
const SLICE_MS = 2

function createTimeSlice() {
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
  const slice = createTimeSlice()
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
  const slice = createTimeSlice()
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
