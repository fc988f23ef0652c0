import { startVisitorDay } from '#rules/accounts/visitor-day.ts'
import type { VisitorUsageStore } from '../visitor-usage.ts'

/** Creates counts in the memory of one server, of one day. They begin at zero with the process. */
export function createVisitorUsage(): VisitorUsageStore {
  let today = { day: Number.NaN, counts: startVisitorDay() }

  return {
    async update(day, _scope, change) {
      if (today.day !== day) today = { day, counts: startVisitorDay() }
      return change(today.counts)
    },
    deleteBefore: async () => 0,
  }
}
