import type { CollectionKey } from '../ledger/collections/collections.ts'

/** Values a collection. Resolves when it is done, also if it failed. */
export type ValuationRunner = (key: CollectionKey) => Promise<unknown>

/** Connects requests for a valuation with the thread that computes it. */
export type ValuationTrigger = {
  /** Sets the runner; undefined while the process starts or stops. */
  attach(runner: ValuationRunner | undefined): void
  /** Returns the runner; undefined without one. */
  get(): ValuationRunner | undefined
}

/** Creates a trigger without a runner. */
export function createValuationTrigger(): ValuationTrigger {
  let runner: ValuationRunner | undefined
  return {
    attach(next) {
      runner = next
    },
    get: () => runner,
  }
}
