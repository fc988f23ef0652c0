/** Stops something that passes a proxy, until it is released. */
export type Hold = {
  /** Resolves once it has arrived. */
  reached: Promise<void>
  /** Lets it pass; nothing is held if it has not arrived yet. */
  release(): void
}

export type PendingHold = Hold & {
  /** Called by the proxy: resolves when it may pass. */
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
