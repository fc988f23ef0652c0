/** Counts by name and UTC day, of this server or of all servers together. */
export type DailyCounts = {
  /**
   * Changes counts of a day; no other change runs in between.
   *
   * @param listNames lists the counts that the change reads or writes; it gets no others
   * @param change may run several times, so it only changes the counts that it gets
   * @returns the result of `change`
   * @throws ServiceError UNAVAILABLE if shared counts cannot be read or stored
   */
  update<Result>(
    day: number,
    listNames: () => readonly string[],
    change: (counts: Map<string, number>) => Result,
  ): Promise<Result>
  /** Deletes at most `limit` counts before a day. @returns number of deleted counts */
  deleteBefore(day: number, limit: number): Promise<number>
}

/** Creates counts in the memory of one server, for one day. They start at zero with the process. */
export function createDailyCounts(): DailyCounts {
  let today = { day: Number.NaN, counts: new Map<string, number>() }

  return {
    async update(day, _listNames, change) {
      if (today.day !== day) today = { day, counts: new Map() }
      return change(today.counts)
    },
    deleteBefore: async () => 0,
  }
}
