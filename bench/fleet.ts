// Three servers of a fleet behind HAProxy (if installed), with PostgreSQL and an S3 server on this machine: how long
// a version takes to be active, and how it affects requests.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { uploadCatalog } from '#actions/operations/upload-catalog.ts'
import { openBucket } from '#outbound/bucket/bucket.ts'
import { openDatabase } from '#store/db.ts'
import { startVersion } from '#store/fleet-catalog.ts'
import { connectLedgerDatabase, openPostgresLedger } from '#store/ledger/postgres-ledger.ts'
import { type Closers, closeAll } from '../test/support/closers.ts'
import { HAS_HAPROXY, startHaproxy } from '../test/support/haproxy.ts'
import { createFleet, type Fleet, readVersion } from '../test/support/snapshots/fleet.ts'
import type { BenchData } from './data.ts'
import { percentile } from './measure.ts'
import { formatShort, type Row } from './table.ts'

/** Measures two publications of the large catalog, the second one under load. */
export async function benchFleet({ catalogFile, scratch }: BenchData): Promise<Row[]> {
  const work = mkdtempSync(join(scratch, 'fleet-'))
  const closers: Closers = []
  try {
    const fleet = await createFleet(closers, scratch)
    const file = join(work, 'catalog.db')
    copyFileSync(catalogFile, file)
    const db = openDatabase(file)
    // The fleet assigns a new id to the file.
    db.exec('DELETE FROM installation')
    db.close()
    mkdirSync(fleet.folder('a'), { recursive: true })
    copyFileSync(file, join(fleet.folder('a'), 'catalog.db'))
    // The accounts are left behind: the fleet starts without any.
    const adopted = await fleet.admin('adopt', 'ledger.db')
    if (adopted.code !== 0) throw new Error(adopted.stdout)
    await fleet.startServer('a')
    await Promise.all([fleet.startServer('b'), fleet.startServer('c')])
    return await publishAgain(fleet, work)
  } finally {
    await closeAll(closers)
    rmSync(work, { recursive: true })
  }
}

/** Publishes another version, as an operator can, and watches all servers until it is active. */
async function publishAgain(fleet: Fleet, work: string): Promise<Row[]> {
  const engine = await connectLedgerDatabase({ url: fleet.ledgerUrl, connections: 2 })
  const ledger = openPostgresLedger(engine, work)
  const urls = fleet.servers.map(({ url }) => url)
  const proxy = HAS_HAPROXY ? await startHaproxy(urls.map((url) => new URL(url).port)) : undefined
  try {
    const now = () => new Date()
    startVersion(join(work, 'catalog.db'), now())
    const bucket = openBucket(fleet.s3.settings('fleet'))
    const uploadStarted = performance.now()
    const snapshot = await uploadCatalog({ dataDir: work, now }, bucket)
    const uploadSeconds = (performance.now() - uploadStarted) / 1000
    const { version, bytes, compressed_bytes } = snapshot
    const base = version - 1
    const watchers = urls.map((url) => watch(`${url}/healthz`))
    const clients = proxy === undefined ? [] : urls.map(() => watch(`${proxy.url}/v1/games`))
    const started = performance.now()
    await ledger.shared?.catalogVersions.publish(undefined, { snapshot, base }, now())
    for (const url of urls) while ((await readVersion(url)).version !== version) await Bun.sleep(50)
    const seconds = (performance.now() - started) / 1000
    await Bun.sleep(2_000)
    const { waits } = merge(watchers)
    const load = merge(clients)
    const size = `${formatShort(bytes / 1e6)} MB, ${formatShort(compressed_bytes / 1e6)} MB packed`
    return [
      {
        figure: `a version of a fleet, ${size}: from published to active on three servers`,
        ours: `${formatShort(seconds)} s, after ${formatShort(uploadSeconds)} s for copying, packing and uploading`,
        target: '45 s',
        met: seconds <= 45,
      },
      {
        figure: 'longest wait of a small request to one of the three in that time',
        ours: describeWaits(waits),
      },
      ...(proxy === undefined
        ? []
        : [
            {
              figure: `${load.waits.length} requests for a list through HAProxy in that time`,
              ours: `${load.failed} failed; ${describeWaits(load.waits)}`,
              target: '0 failed',
              met: load.failed === 0,
            },
          ]),
    ]
  } finally {
    await proxy?.close()
    await ledger.close()
  }
}

const describeWaits = (waits: readonly number[]) =>
  `longest ${formatShort(Math.max(...waits))} ms, p99 ${formatShort(percentile(waits, 99))} ms`

type Watched = { waits: number[]; failed: number }

/** Sends a small request every few milliseconds. */
function watch(url: string) {
  const watched: Watched = { waits: [], failed: 0 }
  let isStopped = false
  void (async () => {
    while (!isStopped) {
      const started = performance.now()
      const response = await fetch(url).catch(() => undefined)
      await response?.arrayBuffer()
      if (response?.status !== 200) watched.failed++
      watched.waits.push(performance.now() - started)
      await Bun.sleep(5)
    }
  })()
  return {
    stop(): Watched {
      isStopped = true
      return watched
    },
  }
}

function merge(watchers: readonly ReturnType<typeof watch>[]): Watched {
  const all = watchers.map((watcher) => watcher.stop())
  return {
    waits: all.flatMap(({ waits }) => waits),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
  }
}
