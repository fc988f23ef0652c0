import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { DailyCounts } from '../../memory/daily-counts.ts'
import type { LedgerEngine } from '../engine/operation.ts'

/**
 * Opens the counts that all servers on a database share.
 *
 * A change is computed here, and stored by one statement if the day still has the version that was read; otherwise it
 * is computed again. A server makes one change at a time, and waiting changes are stored together. So each server
 * runs only one statement at a time, however many visitors there are, and a refused request costs no write.
 *
 * @param waitMs maximum wait for a result, in milliseconds
 */
export function openSharedCounts(
  { prepare, query }: LedgerEngine,
  { waitMs = WAIT_MS }: { waitMs?: number } = {},
): DailyCounts {
  const read = prepare<[{ day: number; names: string }], StoredCount>(READ)
  const write = prepare<[WriteParameters], Pick<StoredCount, 'count'>>(WRITE)
  const forget = prepare<[number, number]>(
    `DELETE FROM daily_counts WHERE (day, name) IN
       (SELECT day, name FROM daily_counts WHERE day < ? LIMIT ?)`,
  )
  const waiting = new Set<Turn>()
  let isServing = false

  async function serveAll(): Promise<void> {
    isServing = true
    while (waiting.size > 0) {
      const [first] = waiting
      const turns = [...waiting].filter(({ day }) => day === first?.day).slice(0, TURNS_MAX)
      try {
        // Conflicting servers must not try again at the same time.
        if (!(await serve(turns))) await sleep(Math.random() * PAUSE_MS)
      } catch (error) {
        // The next change would wait as long, and fail, too.
        for (const turn of waiting) turn.reject(error)
        waiting.clear()
      }
    }
    isServing = false
  }

  /** Applies all waiting changes to the counts of a day, or none: false if another server was faster. */
  async function serve(turns: readonly Turn[]): Promise<boolean> {
    const { day = 0 } = turns[0] ?? {}
    const names = JSON.stringify([VERSION, ...turns.flatMap(({ names }) => names)])
    const stored = await query(read.all({ day, names }))
    const before = new Map(stored.map(({ name, count }) => [name, count]))
    const counts = new Map(before)
    const answers = turns.map((turn) => turn.change(counts))
    const changed = [...counts].filter(([name, count]) => count !== before.get(name))
    if (changed.length > 0) {
      const change = { day, version: before.get(VERSION) ?? 0 }
      const next = write.get({ ...change, counts: JSON.stringify(Object.fromEntries(changed)) })
      if ((await query(next)) === undefined) return false
    }
    for (const turn of turns) waiting.delete(turn)
    for (const answer of answers) answer()
    return true
  }

  return {
    update(day, listNames, change) {
      const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof change>>()
      const turn: Turn = {
        day,
        names: listNames(),
        reject,
        change(counts) {
          const result = change(counts)
          return () => resolve(result)
        },
      }
      const timer = setTimeout(() => {
        waiting.delete(turn)
        reject(new ServiceError('UNAVAILABLE', 'The server is busy. Try again soon.'))
      }, waitMs)
      waiting.add(turn)
      if (!isServing) void serveAll()
      return promise.finally(() => clearTimeout(timer))
    },
    deleteBefore: (day, limit) => query(forget.run(day, limit)),
  }
}

/** A waiting change. */
type Turn = {
  day: number
  names: readonly string[]
  /** Returns a function that returns the result after the change is stored. */
  change(counts: Map<string, number>): () => void
  reject(error: unknown): void
}

/** Maximum number of changes that are stored together. */
const TURNS_MAX = 100

/** A request whose data cannot be counted is refunded, too, so its client gets the error within two seconds. */
const WAIT_MS = 900

/** Maximum pause before a change is computed again, in milliseconds; the duration of some statements. */
const PAUSE_MS = 5

/** Name of the count that grows with each change of a day. A day without rows has version 0. */
const VERSION = ''

type StoredCount = { name: string; count: number }

// An array lets the planner look up each name in the index.
const READ = `SELECT name, count FROM daily_counts
  WHERE day = @day AND name = ANY (ARRAY(SELECT json_array_elements_text(@names::json)))`

/** `counts` is a JSON object. */
type WriteParameters = { day: number; version: number; counts: string }

// A statement that waited for another server's statement finds a newer version, and writes nothing.
const WRITE = `WITH next AS (
    INSERT INTO daily_counts AS known (day, name, count) VALUES (@day, '${VERSION}', 1)
    ON CONFLICT (day, name) DO UPDATE SET count = known.count + 1 WHERE known.count = @version
    RETURNING day, count),
  changed AS (
    INSERT INTO daily_counts (day, name, count)
    SELECT day, key, CAST(value AS BIGINT) FROM next, json_each_text(@counts::json)
    ON CONFLICT (day, name) DO UPDATE SET count = excluded.count)
  SELECT count FROM next`
