import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long other requests wait at the most, in milliseconds, beyond the dearest single step. */
const SLICE_MS = 2

/** How long this has been going on, and the next one's turn. */
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

/** Does the same to each, in their order, and lets whatever else waits go on after every few. */
export async function mapYielding<T, U>(
  items: readonly T[],
  transform: (item: T) => U,
): Promise<U[]> {
  const done: U[] = []
  const turn = createTimeSlice()
  for (const item of items) {
    if (turn.isOver()) await turn.next()
    done.push(transform(item))
  }
  return done
}

/** The same with deeds that may be long: they yield where they may be interrupted. */
export async function runYielding<T, U>(
  items: readonly T[],
  start: (item: T) => Generator<undefined, U>,
): Promise<U[]> {
  const done: U[] = []
  const turn = createTimeSlice()
  for (const item of items) {
    const steps = start(item)
    let step = steps.next()
    while (step.done !== true) {
      if (turn.isOver()) await turn.next()
      step = steps.next()
    }
    done.push(step.value)
    if (turn.isOver()) await turn.next()
  }
  return done
}
