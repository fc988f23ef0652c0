/** Stops something that passes a gate, until it is released. */
export type Hold = {
  /** Resolves once it has arrived. */
  reached: Promise<void>
  /** Lets it pass; nothing is held if it has not arrived. */
  release(): void
}

export type PendingHold = Hold & {
  /** Called by the gate: resolves when it may pass. */
  pass(): Promise<void>
}

export function createHold(): PendingHold {
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  return {
    reached: reached.promise,
    release: released.resolve,
    pass() {
      reached.resolve()
      return released.promise
    },
  }
}
