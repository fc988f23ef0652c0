import type { ClientNetworks } from '#rules/accounts/client-networks.ts'
import type { VisitorDay } from '#rules/accounts/visitor-day.ts'

/** Counts that a change of a day reads or writes; it finds no others. */
export type VisitorScope = {
  /** Client with its networks, by their names in the store. */
  client: ClientNetworks
  /** Cards that are looked up in `VisitorDay.seen`. */
  cards: readonly number[]
}

/** Counts of visitors' usage, of this server or of all servers together. */
export type VisitorUsageStore = {
  /**
   * Changes the counts of a UTC day; nothing else changes them in between.
   *
   * @param change may run several times, so it changes nothing but the day that it gets
   * @returns the result of `change`
   * @throws ServiceError UNAVAILABLE if shared counts cannot be read or stored
   */
  update<Result>(
    day: number,
    scope: VisitorScope,
    change: (counts: VisitorDay) => Result,
  ): Promise<Result>
  /** Deletes at most `limit` counts of days before one. @returns how many */
  deleteBefore(day: number, limit: number): Promise<number>
}
