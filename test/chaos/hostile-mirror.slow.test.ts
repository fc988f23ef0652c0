// Syncs with a mirror that drips, refuses, aborts, or changes while it is read. Afterwards each set has data of one
// day, and the next normal sync completes it.

import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Certificate, createCertificate } from '../support/certificates.ts'
import { CHAOS_LIMIT_MS, CHAOS_SIZE } from '../support/chaos.ts'
import { runProcess } from '../support/process.ts'
import { createUpstream } from '../support/sync/upstream-fixture.ts'
import {
  type HostileMirrorOptions,
  type MirrorFault,
  type MirrorRequest,
  startHostileMirror,
} from './hostile-mirror.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'cardstock-hostile-mirror-'))
const BASE = join(FOLDER, 'base')
const AUTHORITY = join(FOLDER, 'authority.pem')
const GAMES = [500, 501]
const SETS_PER_GAME = 4
const CARDS_PER_SET = 6
const BAD_SET = 103
/** Requests to one path in a run: the first attempt and its retries. */
const ATTEMPTS_MAX = 6
/** Shortest pause between two requests, minus the inaccuracy of timers. */
const PAUSE_MS_MIN = 80

afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

type Fault = {
  /** True if the fault is also part of the short run. */
  isShort?: boolean
  faultOf?: HostileMirrorOptions['faultOf']
  cutAfter?: HostileMirrorOptions['cutAfter']
  tls?: boolean
  /** Number of requests after which the mirror publishes the next day. */
  changesAfter?: number
}

const isBadPrices = (path: string) => path.endsWith(`/${BAD_SET}/prices`)
type FaultOf = HostileMirrorOptions['faultOf']
const onFirst =
  (count: number, fault: MirrorFault): FaultOf =>
  (path, times) =>
    path.endsWith('/prices') && times < count ? fault : undefined
const onceOnBadSet =
  (fault: MirrorFault): FaultOf =>
  (path, times) =>
    isBadPrices(path) && times === 0 ? fault : undefined
const onBadSet =
  (fault: MirrorFault): FaultOf =>
  (path) =>
    isBadPrices(path) ? fault : undefined
const always =
  (fault: MirrorFault): FaultOf =>
  () =>
    fault
const status = (status: number): MirrorFault => ({ kind: 'status', status })
const busy = (retryAfter: number): MirrorFault => ({ kind: 'status', status: 429, retryAfter })

const SLOW: MirrorFault = { kind: 'slow', bytes: 400, pauseMs: 30 }
const DRIP: MirrorFault = { kind: 'slow', bytes: 1, pauseMs: 1_000 }
const isTime = (path: string) => path === 'last-updated.txt'

/** Faults, with the outcome of the sync. */
const FAULTS: [name: string, outcome: 'complete' | 'incomplete' | 'failed', fault: Fault][] = [
  ['sends each file in slow chunks', 'complete', { faultOf: always(SLOW) }],
  [
    'drips its publish time, 1 byte/s',
    'complete',
    { faultOf: (path) => (isTime(path) ? DRIP : undefined) },
  ],
  ['drips the prices of a set, 1 byte/s', 'incomplete', { faultOf: onBadSet(DRIP) }],
  [
    'drips everything but its publish time',
    'failed',
    { faultOf: (path) => (isTime(path) ? undefined : DRIP) },
  ],
  [
    '429 with Retry-After once a price file',
    'complete',
    { isShort: true, faultOf: onceOnBadSet(busy(2)) },
  ],
  ['429 without Retry-After twice a price file', 'complete', { faultOf: onFirst(2, status(429)) }],
  ['429 with Retry-After always', 'failed', { faultOf: always(busy(1)) }],
  ['500 twice a price file', 'complete', { faultOf: onFirst(2, status(500)) }],
  ['500 for a set', 'incomplete', { faultOf: onBadSet(status(500)) }],
  ['500 always', 'failed', { faultOf: always(status(500)) }],
  [
    'resets the connection within each price file',
    'complete',
    { faultOf: onFirst(1, { kind: 'reset' }) },
  ],
  [
    'resets the connection within a set always',
    'incomplete',
    { faultOf: onBadSet({ kind: 'reset' }) },
  ],
  [
    'closes early, before the Content-Length, once',
    'complete',
    { isShort: true, faultOf: onceOnBadSet({ kind: 'short' }) },
  ],
  ['closes early for a set always', 'incomplete', { faultOf: onBadSet({ kind: 'short' }) }],
  [
    'aborts TLS within the handshake',
    'complete',
    { tls: true, cutAfter: (connection) => (connection % 5 === 1 ? 300 : undefined) },
  ],
  [
    'aborts TLS within a file',
    'complete',
    { tls: true, isShort: true, cutAfter: (connection) => (connection === 4 ? 1_600 : undefined) },
  ],
  ['aborts TLS always', 'failed', { tls: true, cutAfter: () => 1_000 }],
  ['publishes the next day while it is read', 'failed', { isShort: true, changesAfter: 9 }],
  ['publishes the next day before the last file', 'failed', { changesAfter: 17 }],
]

/** Files of the mirror on days 0, 1 and 2. Names and prices contain the day. */
const DAYS = writeDays()

function writeDays(): ReadonlyMap<string, string>[] {
  const upstream = createUpstream('2026-01-15T20:05:50Z')
  for (const [index, game] of GAMES.entries()) {
    upstream.addGame({ id: game, name: `Game ${game}` })
    for (let set = 0; set < SETS_PER_GAME; set++) {
      const id = 101 + index * 100 + set
      upstream.addSet(game, { id, name: `Chapter ${id}` })
      for (let card = 0; card < CARDS_PER_SET; card++) {
        upstream.addCard(id, { id: id * 1_000 + card, name: 'Heron of day 0' })
      }
    }
  }
  return [0, 1, 2].map((day) => {
    upstream.publish(Math.min(day, 1))
    for (const { groupId, products } of upstream.games.flatMap(({ groups }) => groups)) {
      upstream.touch(groupId)
      for (const product of products) {
        product.name = `Heron of day ${day}`
        upstream.setPrice(product.productId, 'Normal', 5 + (product.productId % 1_000) + day / 10)
      }
    }
    upstream.publish()
    return new Map(upstream.files)
  })
}

/** Reads the day of each set through an independent SQLite client. */
function daysOfSets(dataDir: string): Map<number, string> {
  const db = new Database(join(dataDir, 'catalog.db'))
  try {
    const [check] = db.query<{ integrity_check: string }, []>('PRAGMA integrity_check').all()
    expect(check?.integrity_check).toBe('ok')
    const rows = db
      .query<{ set_id: number; id: number; name: string; cents: number }, []>(
        'SELECT set_id, cards.id, name, market_price AS cents FROM cards JOIN prices ON card_id = cards.id',
      )
      .all()
    expect(rows).toHaveLength(GAMES.length * SETS_PER_GAME * CARDS_PER_SET)
    const days = new Map<number, Set<string>>()
    for (const { set_id, id, name, cents } of rows) {
      const found = days.get(set_id) ?? new Set()
      days.set(set_id, found)
      found.add(name.slice(-1)).add(String((cents - 500 - (id % 1_000) * 100) / 10))
    }
    return new Map([...days].map(([set, found]) => [set, [...found].sort().join('+')]))
  } finally {
    db.close()
  }
}

type SyncResult = {
  code: number
  seconds: number
  outcome: string
  failures: { set?: number; reason: string }[]
}

async function sync(dataDir: string, url: string): Promise<SyncResult> {
  const started = performance.now()
  const settings = { DATA_DIR: dataDir, UPSTREAM_URL: url, NODE_EXTRA_CA_CERTS: AUTHORITY }
  const env = { LOG_LEVEL: 'silent', ...settings }
  const { code, stdout } = await runProcess('scripts/sync.ts', { env })
  const { outcome = 'no report', failures = [] } = stdout === '' ? {} : JSON.parse(stdout)
  const seconds = Math.round((performance.now() - started) / 100) / 10
  return { code, seconds, outcome, failures }
}

/** Lists rude requests: too early after another one, in parallel, or too many to one path. */
function rudeness(requests: readonly MirrorRequest[]): string[] {
  return requests.flatMap((request, index) => {
    const times = requests.slice(0, index + 1).filter(({ path }) => path === request.path).length
    const before = requests[index - 1]
    const rude = times > ATTEMPTS_MAX ? [`attempt ${times} of ${request.path}`] : []
    if (before === undefined) return rude
    const pause = request.startedAt - (before.endedAt ?? Number.POSITIVE_INFINITY)
    const least = Math.max(PAUSE_MS_MIN, (before.retryAfter ?? 0) * 1000 - 50)
    if (pause < least)
      rude.push(`${request.path} came ${Math.round(pause)} ms after ${before.path}`)
    return rude
  })
}

/** Describes the data: the days of its sets, such as `1` or `0, 1`. */
function describeDays(days: ReadonlyMap<number, string>): string {
  return [...new Set(days.values())].sort().join(', ')
}

/** Syncs with a faulty mirror, and again after it has recovered. */
async function meet(name: string, fault: Fault, certificate: Certificate) {
  const dataDir = join(FOLDER, name.replaceAll(/\W+/g, '-'))
  cpSync(BASE, dataDir, { recursive: true })
  let isHealthy = false
  const { faultOf = () => undefined, cutAfter = () => undefined, changesAfter } = fault
  const day = (): number => {
    if (changesAfter === undefined) return 1
    return isHealthy || mirror.requests.length > changesAfter ? 2 : 1
  }
  const mirror = await startHostileMirror({
    files: () => DAYS[day()] ?? new Map(),
    faultOf: (path, times) => (isHealthy ? undefined : faultOf(path, times)),
    ...(fault.tls
      ? { tls: certificate, cutAfter: (n) => (isHealthy ? undefined : cutAfter(n)) }
      : {}),
  })
  try {
    const { failures, ...result } = await sync(dataDir, mirror.url)
    const requests = [...mirror.requests]
    const days = daysOfSets(dataDir)
    isHealthy = true
    const { outcome, code } = await sync(dataDir, mirror.url)
    const recovery = { outcome, code, data: describeDays(daysOfSets(dataDir)) }
    return { ...result, failures, requests, days, recovery, rude: rudeness(requests), day: day() }
  } finally {
    mirror.close()
  }
}

describe('a sync from a mirror that', () => {
  const chosen = FAULTS.filter(([, , { isShort }]) => CHAOS_SIZE === 'full' || isShort)
  const runs = new Map<string, ReturnType<typeof meet>>()
  let certificate: Certificate

  beforeAll(async () => {
    certificate = await createCertificate(['127.0.0.1'])
    writeFileSync(AUTHORITY, certificate.cert)
    const mirror = await startHostileMirror({
      files: () => DAYS[0] ?? new Map(),
      faultOf: () => undefined,
    })
    expect(await sync(BASE, mirror.url)).toMatchObject({ code: 0 })
    mirror.close()
    expect(describeDays(daysOfSets(BASE))).toBe('0')
    // All at once, because they mostly wait. Bun would not count the assertions of concurrent tests.
    for (const [name, , fault] of chosen) runs.set(name, meet(name, fault, certificate))
  })

  test.each(chosen)(
    '%s',
    async (name, expected) => {
      const run = await runs.get(name)
      if (run === undefined) throw new Error('the run was not started')
      const { code, seconds, outcome, failures, requests, days, recovery, rude, day } = run
      const row = { outcome, code, seconds, requests: requests.length, data: describeDays(days) }
      console.info(JSON.stringify({ hostile_mirror: name, ...row, rude, recovery }))
      expect({ outcome, code }).toEqual({
        outcome: expected,
        code: expected === 'complete' ? 0 : 1,
      })
      const named = new Set(failures.map(({ set }) => set))
      const stale = [...days].filter(([, found]) => found !== String(day))
      const isOld = describeDays(days) === '0'
      // A completely failed run keeps the old data; otherwise the report names each missing set.
      expect(isOld ? [] : stale.filter(([set, found]) => found !== '0' || !named.has(set))).toEqual(
        [],
      )
      expect(failures.length === 0).toBe(expected === 'complete')
      expect(rude).toEqual([])
      expect(recovery).toEqual({ outcome: 'complete', code: 0, data: String(day) })
    },
    CHAOS_LIMIT_MS,
  )
})
