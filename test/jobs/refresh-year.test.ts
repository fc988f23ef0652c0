// A year of refreshes by the server's jobs, with failures, restarts and clock changes.
import { expect, test } from 'bun:test'
import { scheduledJobs } from 'croner'
import fc from 'fast-check'
import type { SyncReport } from '#actions/sync/sync-catalog.ts'
import { startJobs } from '#jobs/schedule.ts'
import { runOneAtATime, type SyncTask, type Workers } from '#jobs/workers.ts'
import { isRefreshDue } from '#rules/sync/refresh-schedule.ts'
import { createIdleWorkers } from '../support/counting-worker.ts'
import { closeAfterUse } from '../support/end-of-tests.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Midnight in New York. */
const FIRST = Date.parse('2026-01-01T05:00:00Z')
const SUMMER = [Date.parse('2026-03-08T07:00:00Z'), Date.parse('2026-11-01T06:00:00Z')] as const

/** Times of the year at which a game of a priority is due, from a handwritten calendar. */
function promised(priority: number): number[] {
  const [hour, weekdays] = PROMISES[priority] ?? [0, []]
  return Array.from({ length: 365 }, (_, day) => {
    const winter = FIRST + day * DAY + hour * HOUR
    const isSummer = winter >= SUMMER[0] && winter - HOUR >= SUMMER[0] && winter < SUMMER[1] + HOUR
    return { at: isSummer ? winter - HOUR : winter, weekday: (day + THURSDAY) % 7 }
  }).flatMap(({ at, weekday }) => (weekdays.includes(weekday) ? [at] : []))
}

/** 1 January 2026 was a Thursday. */
const THURSDAY = 4
const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6]
const PROMISES: Record<number, [hour: number, weekdays: number[]]> = {
  3: [2, EVERY_DAY],
  2: [3, EVERY_DAY],
  1: [4, [1, THURSDAY]],
  0: [5, [0]],
}

/** Returns the first chance after each due time; for priority 2, after every third one since the last. */
function expectedRefreshes(priority: number, chances: readonly number[]): number[] {
  const turns = promised(priority)
  const refreshes: number[] = []
  // The games were refreshed on the last evening of the year before.
  let next = priority === 2 ? 2 : 0
  for (;;) {
    const turn = turns[next]
    const refreshed = turn === undefined ? undefined : chances.find((chance) => chance >= turn)
    if (refreshed === undefined) return refreshes
    refreshes.push(refreshed)
    next = turns.findLastIndex((turn) => turn <= refreshed) + (priority === 2 ? 3 : 1)
  }
}

type Game = { priority: number; last_synced_at: string | null; refreshes: number[] }

/** Creates a sync whose mirror fails in the given hours. It refreshes the games that the real rule considers due. */
function createSync(clock: () => number, games: Game[], isDown: (hour: number) => boolean) {
  const attempts: number[] = []
  const sync: Workers['sync'] = runOneAtATime(async ({ kind }: SyncTask) => {
    attempts.push(clock())
    const hour = Math.floor((clock() - FIRST) / HOUR)
    if (kind !== 'sync' || isDown(hour)) return undefined
    for (const game of games) {
      if (!isRefreshDue(game, new Date(clock()))) continue
      game.last_synced_at = new Date(clock()).toISOString()
      game.refreshes.push(clock())
    }
    return { outcome: 'complete', failures: [] } as unknown as SyncReport
  })
  return { attempts, sync }
}

function startServer({ deps }: TestApp, clock: () => number, sync: Workers['sync']) {
  const alerts = { wake: () => {}, close: async () => {} }
  const jobs = startJobs(
    { ...deps, now: () => new Date(clock()) },
    createIdleWorkers({ sync }),
    alerts,
  )
  const job = scheduledJobs.find(({ name }) => name?.startsWith('sync games'))
  if (job === undefined) throw new Error('the jobs have no sync')
  return { jobs, job }
}

/** Hours of a random condition: some periods of up to four days. */
const spans = fc
  .array(fc.tuple(fc.nat(365 * 24), fc.integer({ min: 1, max: 96 })), { maxLength: 25 })
  .map(
    (list) => (hour: number) => list.some(([from, hours]) => hour >= from && hour < from + hours),
  )

test('every game is refreshed in the first hour that can refresh it, once a turn, all year', async () => {
  const testApp = await createTestApp({ env: { UPSTREAM_URL: 'https://mirror.example' } })
  await fc.assert(
    fc.asyncProperty(spans, spans, async (isDown, isOff) => {
      const games = [3, 2, 1, 0].map((priority): Game => {
        const last = new Date(FIRST - 5 * HOUR).toISOString()
        return { priority, last_synced_at: last, refreshes: [] }
      })
      let now = FIRST
      const clock = () => now
      const { attempts, sync } = createSync(clock, games, isDown)
      let server: ReturnType<typeof startServer> | undefined
      /** Hours in which the server was running and the mirror responded. */
      const chances: number[] = []
      const skipped: number[] = []
      for (let hour = 0; hour < 365 * 24; hour++) {
        now = FIRST + hour * HOUR
        if (isOff(hour)) {
          await server?.jobs.close()
          server = undefined
          continue
        }
        if (!isDown(hour)) chances.push(now)
        if (server === undefined) {
          server = startServer(testApp, clock, sync)
          while (sync.isRunning()) await Promise.resolve()
        } else {
          // Imitates croner's timer, at the time that croner computes.
          if (server.job.nextRun(new Date(now - 1))?.getTime() !== now) skipped.push(now)
          await server.job.trigger()
        }
      }
      await server?.jobs.close()

      expect(skipped).toEqual([])
      for (const { priority, refreshes } of games) {
        const expected = expectedRefreshes(priority, chances)
        expect({ priority, refreshes }).toEqual({ priority, refreshes: expected })
      }
      // A mirror that is down is requested once an hour.
      expect(new Set(attempts).size).toBe(attempts.length)
    }),
    { numRuns: 2, endOnFailure: true },
  )
})

test.each([
  ['forward by a year', 365 * DAY],
  ['back by a year', -365 * DAY],
  ['back by three hours', -3 * HOUR],
  ['forward by three hours', 3 * HOUR],
])(
  'a clock that was set %s and is right again delays no game by more than an hour',
  async (_, jump) => {
    const testApp = await createTestApp({ env: { UPSTREAM_URL: 'https://mirror.example' } })
    const games = [3, 2, 1, 0].map((priority): Game => {
      return { priority, last_synced_at: new Date(FIRST - HOUR).toISOString(), refreshes: [] }
    })
    let now = FIRST
    const { sync } = createSync(
      () => now,
      games,
      () => false,
    )
    const { jobs, job } = startServer(testApp, () => now, sync)
    closeAfterUse(() => jobs.close())
    now = FIRST + jump
    await job.trigger()
    // The following Sunday.
    now = Date.parse('2026-01-04T10:00:00Z')
    await job.trigger()
    for (const { priority, last_synced_at } of games) {
      const turn = Math.max(
        ...(promised(priority).filter((at) => at <= now) as number[]),
        FIRST - HOUR,
      )
      expect({ priority, isFresh: Date.parse(last_synced_at ?? '') >= turn }).toEqual({
        priority,
        isFresh: true,
      })
      expect(Date.parse(last_synced_at ?? '')).toBeLessThanOrEqual(now)
    }
  },
)
