import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextImmediate } from 'node:timers/promises'
import { createFairQueue } from '#concurrency/fair-queue.ts'

/** Returns the key of a sender, such as an account, who takes turns with others. */
type Sender = () => string

const senders = new AsyncLocalStorage<Sender>()

/** Runs an action whose work takes the turns of a sender. Work without a sender takes those of the server. */
export function runForSender<Result>(sender: Sender, action: () => Result): Result {
  return senders.run(sender, action)
}

/** Work of a request that takes milliseconds, and the key of its sender. */
type Work = { sender: string }

/** The work of all requests. A part of it runs until the next turn of the event loop. */
const turns = createFairQueue<Work>({ atOnce: 1, turns: ({ sender }) => [sender] })

/**
 * Waits for a turn of the event loop that no other work has taken; not at all if this one is free. Otherwise the parts
 * of a hundred requests would run one after another, and new requests would wait for all of them. Senders take turns,
 * so a hundred requests of one delay the part of another by one part.
 */
export function nextTurn(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  void turns.run({ sender: senders.getStore()?.() ?? '' }, () => {
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
  if (items.length === 0) return []
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
