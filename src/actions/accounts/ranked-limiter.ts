/** Place of an action in the queue. */
export type Turn = {
  /** A free slot goes to the lowest rank, and among equals to the first. */
  rank?: number
  /** Returns true once the action has waited long enough and is refused. */
  isOver?: () => boolean
}

/** Runs an action now or later, or throws the error of the limiter. */
export type RankedLimiter = <T>(action: () => Promise<T>, turn?: Turn) => Promise<T>

/** Number of actions that run and wait at once, and the error of those beyond. */
export type LimiterOptions = { slots: number; waitingMax: number; refusal: () => Error }

type Waiter = { rank: number; isOver: () => boolean; settle: (error?: Error) => void }

/**
 * Runs a limited number of actions at once; a limited number of others wait. If too many wait, the
 * last of the highest rank is refused, so that a low rank always finds a place.
 */
export function createRankedLimiter({ slots, waitingMax, refusal }: LimiterOptions): RankedLimiter {
  // Sorted by rank and arrival.
  let waiting: Waiter[] = []
  let free = slots

  function wait({ rank = 0, isOver = () => false }: Turn): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const settle = (error?: Error) => (error === undefined ? resolve() : reject(error))
    const after = waiting.findIndex((one) => one.rank > rank)
    waiting.splice(after === -1 ? waiting.length : after, 0, { rank, isOver, settle })
    if (waiting.length > waitingMax) waiting.pop()?.settle(refusal())
    return promise
  }

  // A slot passes to a waiting action directly, so that later callers cannot overtake.
  function release(): void {
    const next = waiting.shift()
    if (next === undefined) free++
    else next.settle()
    waiting = waiting.filter((one) => {
      const isOver = one.isOver()
      if (isOver) one.settle(refusal())
      return !isOver
    })
  }

  return async function run(action, turn = {}) {
    if (free > 0) free--
    else await wait(turn)
    try {
      return await action()
    } finally {
      release()
    }
  }
}

/** Creates a limiter for each name in use. */
export function createLimiterByName(options: LimiterOptions) {
  const limiters = new Map<string, { calls: number; run: RankedLimiter }>()

  return async function run<T>(name: string, action: () => Promise<T>, turn?: Turn): Promise<T> {
    const limiter = limiters.get(name) ?? { calls: 0, run: createRankedLimiter(options) }
    limiters.set(name, limiter)
    limiter.calls++
    try {
      return await limiter.run(action, turn)
    } finally {
      limiter.calls--
      if (limiter.calls === 0) limiters.delete(name)
    }
  }
}
