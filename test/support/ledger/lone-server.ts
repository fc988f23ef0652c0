import type { SharedLedger } from '#store/ledger/ledger.ts'

/** A shared ledger with a single server, for tests of jobs without a database. */
export const LONE_SERVER: SharedLedger = {
  serverReports: { put: async () => {}, list: async () => [], delete: async () => {} },
  catalogVersions: {
    readSchedule: async (now) => ({
      active: undefined,
      pending: undefined,
      schemas: [],
      now: now.getTime(),
    }),
    publish: async () => 'not leading',
    report: async () => {},
    withdraw: async () => {},
    list: async () => [],
    forget: async () => {},
  },
  syncRequests: { add: async () => true, take: async () => undefined },
  importTurns: {
    hasRoom: async () => true,
    enter: async () => true,
    keep: async () => 'first',
    leave: async () => {},
    leaveAll: async () => {},
  },
  describeConnection: () => ({ silentMs: 0, open: 1, waiting: 0, repeated: 0 }),
}
