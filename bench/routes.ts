import { join } from 'node:path'
import { findFreePort } from '../test/support/free-port.ts'
import type { BenchData } from './data.ts'
import { median } from './measure.ts'
import type { HeldTimes } from './processes/timed-server.ts'
import { createLargeAccount } from './routes-account.ts'
import { listCalls, type RouteCall } from './routes-calls.ts'
import { formatShort, type Row } from './table.ts'

/** The limit of a turn beyond an idle server's (docs/reference/benchmarks.md). */
const HELD_MS_MAX = 20

const SECONDS_A_ROUTE = 4
const SLOWEST_SHOWN = 20
/** Names at once of the clients that ask together. */
const CLIENTS = 100

/**
 * Measures for how long the event loop is held while one client sends the largest allowed request to each route, over
 * and over, and lists the slowest routes.
 */
export async function benchRoutes(data: BenchData): Promise<Row[]> {
  const account = await createLargeAccount(data)
  const server = await startTimedServer(data.dataDir)
  try {
    const idle: number[] = []
    const measured: (RouteCall & HeldTimes & { statuses: string })[] = []
    for (const call of listCalls(data, account)) {
      if (measured.length % 10 === 0) idle.push((await server.hold(() => Bun.sleep(1_000))).p999)
      const statuses = new Map<number, number>()
      const times = await server.hold(() => repeatCall(server.url, call, statuses))
      measured.push({ ...call, ...times, statuses: formatStatuses(statuses) })
    }
    const idleMs = median(idle)
    const together = await callTogether(server, listCalls(data, account))
    return [
      ...measured
        .toSorted((a, b) => b.p999 - a.p999)
        .slice(0, SLOWEST_SHOWN)
        .map((one) => rowOf(one, idleMs)),
      together,
    ]
  } finally {
    await server.close()
  }
}

function rowOf(
  { name, p999, longest, statuses }: RouteCall & HeldTimes & { statuses: string },
  idleMs: number,
): Row {
  return {
    figure: `turns of the event loop beside \`${name}\` (${statuses})`,
    ours: `p99.9 ${formatShort(p999)} ms, longest ${formatShort(longest)} ms`,
    limit: `${formatShort(idleMs)} ms idle`,
    target: `${HELD_MS_MAX} ms more`,
    met: p999 - idleMs <= HELD_MS_MAX,
  }
}

async function repeatCall(
  url: string,
  { send }: RouteCall,
  statuses: Map<number, number>,
): Promise<void> {
  const until = performance.now() + SECONDS_A_ROUTE * 1_000
  for (let at = 0; performance.now() < until; at++) {
    const response = await send(url, at)
    await response.arrayBuffer()
    statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
  }
}

const formatStatuses = (statuses: ReadonlyMap<number, number>) =>
  [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ')

/** Many clients resolve the most names at once, while another one asks whether the server is alive. */
async function callTogether({ url }: TimedServer, calls: readonly RouteCall[]): Promise<Row> {
  const names = calls.find(({ name }) => name === 'POST /v1/bulk/resolve/name')
  if (names === undefined) throw new Error('there is no call that resolves names')
  const clients = Array.from({ length: CLIENTS }, async (_, at) => {
    await (await names.send(url, at)).arrayBuffer()
  })
  let isOver = false
  const all = Promise.all(clients).then(() => {
    isOver = true
  })
  const took: number[] = []
  while (!isOver) {
    const started = performance.now()
    await (await fetch(`${url}/healthz`)).arrayBuffer()
    took.push(performance.now() - started)
  }
  await all
  return {
    figure: `\`GET /healthz\` while ${CLIENTS} clients resolve 1,000 names each`,
    ours: `median ${formatShort(median(took))} ms, longest ${formatShort(Math.max(...took))} ms of ${took.length}`,
  }
}

type TimedServer = {
  url: string
  /** Runs work, and returns for how long it held the event loop. */
  hold(work: () => Promise<unknown>): Promise<HeldTimes>
  close(): Promise<void>
}

async function startTimedServer(dataDir: string): Promise<TimedServer> {
  const port = await findFreePort()
  const replies: ((times: HeldTimes) => void)[] = []
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'processes/timed-server.ts')], {
    env: {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      PORT: String(port),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      IDENTIFY_WORKERS: '0',
      BACKUP_DIR: 'off',
      BULK_FILES: 'off',
    },
    stdout: 'ignore',
    ipc: (times: HeldTimes) => replies.shift()?.(times),
  })
  const url = `http://127.0.0.1:${port}`
  const read = () =>
    new Promise<HeldTimes>((resolve) => {
      replies.push(resolve)
      child.send('read')
    })
  while ((await fetch(`${url}/healthz`).catch(() => undefined)) === undefined) await Bun.sleep(50)
  // By then, the search index is in memory.
  await Bun.sleep(START_MS)
  return {
    url,
    async hold(work) {
      await read()
      await work()
      return read()
    },
    async close() {
      child.kill()
      await child.exited
    },
  }
}

const START_MS = 5_000
