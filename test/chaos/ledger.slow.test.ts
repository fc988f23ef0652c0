// Three servers on one PostgreSQL under faults. `bun run chaos ledger` runs it at full size. FUZZ_SEED=… repeats the
// clients' choices, but not the times of the faults.
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectLedgerDatabase, openPostgresLedger } from '#store/ledger/postgres-ledger.ts'
import { createAccounts, type NewServiceAccount } from '../support/accounts/service-accounts.ts'
import { CHAOS_LIMIT_MS, CHAOS_SIZE, sizedFor } from '../support/chaos.ts'
import { closeAfterEach } from '../support/closers.ts'
import { HAS_POSTGRES } from '../support/ledger/postgres-server.ts'
import { randomFrom, SEED } from '../support/random.ts'
import { PASSWORD } from '../support/test-app.ts'
import {
  type Cluster,
  cutConnections,
  exhaustConnections,
  fillDisk,
  startCluster,
} from './ledger/cluster.ts'
import { startAlerts } from './ledger/cluster-alerts.ts'
import { findBookFaults, findKeyFaults, findQuotaFaults } from './ledger/cluster-checks.ts'
import { type Clients, startClients } from './ledger/cluster-clients.ts'

setDefaultTimeout(CHAOS_LIMIT_MS)

const KILLS = sizedFor(2, 50)
const CRASHES = sizedFor(1, 20)
const CUTS = sizedFor(1, 10)
const EXHAUSTIONS = sizedFor(1, 5)
const FULL_DISKS = sizedFor(0, 3)

/**
 * Maximum response and recovery time in milliseconds. On a machine that runs the whole check, only something that
 * hangs takes this long.
 */
const RESPONSE_MS_MAX = sizedFor(30_000, 2_000)
const RECOVERY_MS_MAX = sizedFor(120_000, 5_000)

const EXPECTED: Record<string, readonly number[]> = {
  quota: [200, 429, 503],
  key: [200, 201, 401, 404, 409, 429, 503],
  scan: [200, 402, 429, 503],
  checkout: [200, 201, 429, 503],
  login: [200, 429, 503],
}

const closers = closeAfterEach()

describe.skipIf(!HAS_POSTGRES)('servers on one database', () => {
  test('grant nothing twice, lose nothing, and recover from every fault', async () => {
    const random = randomFrom(SEED)
    const disk = FULL_DISKS > 0 ? mountDisk() : undefined
    const cluster = await startCluster(closers, disk === undefined ? {} : { folder: disk })
    const started = performance.now()
    const { clients, alerts, probe } = await openWorld(cluster, random)
    const recoveries: number[] = []

    async function recover(fault: () => Promise<unknown>): Promise<void> {
      await Bun.sleep(sizedFor(500, 1_500))
      await fault()
      const ended = performance.now()
      await probe()
      recoveries.push(performance.now() - ended)
    }
    const faults = [
      ...repeat(KILLS, () => cluster.killServer(Math.floor(random() * cluster.urls.length))),
      ...repeat(CRASHES, cluster.postgres.crash),
      ...repeat(CUTS, () => cutConnections(cluster)),
      ...repeat(EXHAUSTIONS, () => exhaustConnections(cluster, 3_000)),
      ...repeat(disk === undefined ? 0 : FULL_DISKS, () =>
        fillDisk(cluster.postgres, disk ?? '', 2_000),
      ),
    ]
    for (const fault of shuffle(faults, random)) await recover(fault)
    await clients.stop()
    await alerts.stop()

    const { exchanges } = clients
    const unexpected = exchanges.filter(
      ({ kind, status }) => status !== 0 && !EXPECTED[kind]?.includes(status),
    )
    const slowest = exchanges.reduce(
      (most, { status, ms }) => (status === 0 ? most : Math.max(most, ms)),
      0,
    )
    const client = await cluster.connect()
    closers.push(() => client.end())
    await noHolds(client)
    const verdict = {
      quotas: await findQuotaFaults(client, exchanges, { kills: KILLS }),
      keys: findKeyFaults(clients),
      books: await findBookFaults(client, exchanges),
      alerts: alerts.published.filter((id) => !alerts.received.has(id)),
      unexpected: unexpected.map(({ kind, status }) => `${kind} ${status}`),
    }
    const count = (of: number) => exchanges.filter(({ status }) => status === of).length
    console.info(
      `${faults.length} faults (${KILLS} kills, ${CRASHES} crashes of PostgreSQL, ${CUTS} times all connections cut, ${EXHAUSTIONS} times none left, ${disk === undefined ? 0 : FULL_DISKS} full disks, one clock ${cluster.hasWrongClock ? 'five minutes ahead' : 'NOT shifted: libfaketime is not installed'}): ${exchanges.length} requests, ${count(200) + count(201)} done, ${count(503)} 503, ${count(0)} lost with their server; ${clients.revokedAt.size} keys revoked; ${alerts.published.length} alerts, ${sum(alerts.received) - alerts.received.size} of them delivered again; slowest response ${Math.round(slowest)} ms, slowest recovery ${Math.round(Math.max(...recoveries))} ms; ${Math.round((performance.now() - started) / 1000)} s, seed ${SEED}`,
    )
    expect({ seed: SEED, ...verdict }).toEqual({
      seed: SEED,
      quotas: [],
      keys: [],
      books: [],
      alerts: [],
      unexpected: [],
    })
    expect(slowest).toBeLessThan(RESPONSE_MS_MAX)
    expect(Math.max(...recoveries)).toBeLessThan(RECOVERY_MS_MAX)
    expect(count(200)).toBeGreaterThan(100)
  })
})

/** Creates the accounts, and starts their clients and alerts. */
async function openWorld(cluster: Cluster, random: () => number) {
  const database = await connectLedgerDatabase({ url: cluster.ledgerUrl, connections: 4 })
  const ledger = openPostgresLedger(database, cluster.dataDir)
  const make = (n: number, account: NewServiceAccount) =>
    createAccounts(
      ledger,
      Array.from({ length: n }, () => account),
    )
  // The clients of a short run use up 100 requests a day, but not 1,000.
  const quota = await make(sizedFor(80, 400), { tier: CHAOS_SIZE === 'full' ? 'hobby' : 'free' })
  const key = await make(2, { tier: 'business' })
  const scan = await make(4, { tier: 'business', scans: 100_000 })
  const checkout = await make(2, { tier: 'free' })
  const [watcher, prober, person] = await make(3, { tier: 'business', password: PASSWORD })
  await ledger.close()
  if (watcher === undefined || prober === undefined || person === undefined) throw new Error()

  async function createWebhook(url: string): Promise<string> {
    const origin = cluster.urls[0] ?? ''
    const input = { url, card_id: 900401, condition: 'above', threshold: 19.99 }
    const response = await fetch(`${origin}/v1/webhooks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, cookie: watcher?.cookie ?? '' },
      body: JSON.stringify(input),
    })
    const { data } = (await response.json()) as { data: { id: string } }
    return data.id
  }
  const alerts = await startAlerts(cluster.dataDir, createWebhook)
  const login = { email: person.email, password: PASSWORD }
  const clients: Clients = startClients(cluster.urls, { quota, key, scan, checkout }, login, random)
  return {
    clients,
    alerts,
    /** Waits until every server answers a request that needs the ledger. */
    async probe(): Promise<void> {
      await Promise.all(
        cluster.urls.map(async (url) => {
          const request = () =>
            fetch(`${url}/v1/usage`, { headers: { cookie: prober.cookie } }).catch(() => undefined)
          while ((await request())?.status !== 200) await Bun.sleep(20)
        }),
      )
    },
  }
}

/** Waits until the scans of killed servers are refunded. */
async function noHolds(client: Awaited<ReturnType<Cluster['connect']>>): Promise<void> {
  const sql = "SELECT count(*)::int AS count FROM scan_holds WHERE state = 'held'"
  for (const late = performance.now() + 120_000; performance.now() < late; await Bun.sleep(200)) {
    if ((await client.query(sql)).rows[0].count === 0) return
  }
}

/** Mounts a small disk for the database; undefined if this machine does not allow it. */
function mountDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-disk-'))
  const mount = Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', folder])
  if (mount.exitCode !== 0) {
    console.warn('No disk can be mounted here: the full disk is left out.')
    rmSync(folder, { recursive: true })
    return undefined
  }
  closers.push(() => {
    Bun.spawnSync(['umount', '-l', folder])
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

const repeat = <T>(times: number, action: T): T[] => Array.from({ length: times }, () => action)

const sum = (counts: Map<string, number>) => [...counts.values()].reduce((all, one) => all + one, 0)

function shuffle<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
