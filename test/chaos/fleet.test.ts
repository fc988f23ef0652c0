// A fleet under faults: leaders that die or stand still, a bucket and a database that go away, damaged files.
// `bun run chaos fleet` runs it at full size; FUZZ_SEED=… repeats the choices, not the times.
import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { ServiceProcess } from '../support/chaos/service-process.ts'
import { CHAOS_LIMIT_MS, sizedFor } from '../support/chaos.ts'
import { HAS_POSTGRES } from '../support/ledger/postgres-server.ts'
import { randomFrom, SEED } from '../support/random.ts'
import { createFleet, type Fleet, readVersion } from '../support/snapshots/fleet.ts'
import { HAS_S3 } from '../support/snapshots/s3-server.ts'

setDefaultTimeout(CHAOS_LIMIT_MS)

const ROUNDS = sizedFor(0, 40)
/** A server that does not answer for this time stands still, in milliseconds. */
const STANDSTILL_MS = 2_000

/** Pause of a client between two requests: other tests run beside a short run. */
const PAUSE_MS = sizedFor(10, 0)

const NAMES = ['a', 'b', 'c']

/** Longest time in milliseconds until another server leads. A machine that runs the whole check is slower. */
const HANDOVER_MS_MAX = sizedFor(75_000, 45_000)

let fleet: Fleet | undefined
afterEach(async () => {
  await fleet?.close()
})

describe.skipIf(!HAS_S3 || !HAS_POSTGRES)('a fleet under faults', () => {
  test('never goes back, publishes each version once, and recovers', async () => {
    const random = randomFrom(SEED)
    fleet = await createFleet()
    const world = await openWorld(fleet, random)
    const handovers: number[] = []
    const rounds = [killLeader, ...Array.from({ length: ROUNDS }, () => pick(FAULTS, random))]
    for (const [round, fault] of rounds.entries()) {
      const began = performance.now()
      const leader = await fault(world)
      await world.publish(`Round ${round}`)
      if (leader === 'dead') handovers.push(performance.now() - began)
      await world.whenServed(`Round ${round}`)
      await world.reviveAll()
    }
    const { asked, refused, faults } = await world.clients.stop()
    const slowest = Math.round(Math.max(0, ...handovers))
    console.info(
      `${rounds.length} faults (${rounds.map(({ name }) => name).join(', ')}): ${asked} answers, ${refused} of them 503, none older than one seen before; another server led after ${slowest} ms at most; seed ${SEED}`,
    )
    expect({ seed: SEED, faults }).toEqual({ seed: SEED, faults: [] })
    expect(await findForks(fleet)).toEqual([])
    expect(asked - refused).toBeGreaterThan(1_000)
    expect(slowest).toBeLessThan(HANDOVER_MS_MAX)
  })
})

type World = Awaited<ReturnType<typeof openWorld>>
type Fault = (world: World) => Promise<'dead' | 'alive'>

async function killLeader(world: World): Promise<'dead'> {
  await world.kill(await world.findLeader())
  return 'dead'
}

/** The leader stands still at some step of a publication until another one leads. */
async function pauseLeader(world: World): Promise<'dead'> {
  const leader = await world.findLeader()
  await world.startSync('Paused')
  await Bun.sleep(world.random() * 3_000)
  await world.pause(leader)
  return 'dead'
}

async function killFollower(world: World): Promise<'alive'> {
  const leader = await world.findLeader()
  await world.kill(NAMES.find((name) => name !== leader) ?? '')
  return 'alive'
}

async function stopBucket({ fleet, startSync }: World): Promise<'alive'> {
  await fleet.s3.stop()
  await startSync('Without a bucket')
  await Bun.sleep(5_000)
  await fleet.s3.start()
  return 'alive'
}

async function crashDatabase({ fleet }: World): Promise<'alive'> {
  await fleet.postgres.crash()
  return 'alive'
}

/** The newest file is cut off after the upload: servers that lack it cannot fetch it. */
async function damageSnapshot(world: World): Promise<'alive'> {
  await world.kill(NAMES.find((name) => name !== 'a') ?? '')
  const folder = world.fleet.objects()
  for (const name of readdirSync(folder)) truncateSync(join(folder, name), 1_000)
  return 'alive'
}

const FAULTS: readonly Fault[] = [
  ...[killLeader, pauseLeader, killFollower, stopBucket, crashDatabase, damageSnapshot],
]

async function openWorld(fleet: Fleet, random: () => number) {
  const servers = new Map<string, ServiceProcess>()
  const paused = new Set<ServiceProcess>()
  const start = async (name: string) => void servers.set(name, await fleet.startServer(name))
  await start('a')
  await Promise.all(['b', 'c'].map(start))
  const cookie = await fleet.createOperator()
  const clients = startClients(() => [...servers.values()], random)

  /** Asks each server for a sync. @returns the one that leads */
  async function askForSync(): Promise<string | undefined> {
    for (const [name, { url }] of servers) {
      const response = await fetch(`${url}/v1/operator/sync`, {
        method: 'POST',
        headers: { origin: url, cookie, 'content-type': 'application/json' },
        body: '{}',
        signal: AbortSignal.timeout(STANDSTILL_MS),
      }).catch(() => undefined)
      if (response?.status === 202 || response?.status === 409) return name
    }
    return undefined
  }

  async function startSync(gameName: string): Promise<string> {
    fleet.rename(gameName)
    for (;;) {
      const leader = await askForSync()
      if (leader !== undefined) return leader
      await Bun.sleep(200)
    }
  }

  return {
    fleet,
    random,
    clients,
    startSync,
    findLeader: () => startSync('Who leads'),
    /** Publishes until a leader has taken it up. */
    publish: startSync,
    /** Waits until every server that runs answers with it. */
    async whenServed(gameName: string): Promise<void> {
      for (;;) {
        const running = [...servers.values()].filter((server) => !paused.has(server))
        const seen = await Promise.all(
          running.map(({ url }) => readVersion(url, STANDSTILL_MS).catch(() => undefined)),
        )
        if (seen.every((one) => one?.name === gameName)) return
        // A sync that a fault has ended begins again.
        if (random() < 0.05) await askForSync()
        await Bun.sleep(250)
      }
    },
    async kill(name: string): Promise<void> {
      await servers.get(name)?.kill()
      servers.delete(name)
    },
    async pause(name: string): Promise<void> {
      const server = servers.get(name)
      if (server === undefined) return
      process.kill(server.pid, 'SIGSTOP')
      paused.add(server)
    },
    /** Wakes those that stand still, and starts those that are dead. */
    async reviveAll(): Promise<void> {
      for (const { pid } of paused) process.kill(pid, 'SIGCONT')
      paused.clear()
      await Promise.all(NAMES.filter((name) => !servers.has(name)).map(start))
    },
  }
}

/** Clients that ask any server, and must never get an older version than one that they had seen before. */
function startClients(list: () => ServiceProcess[], random: () => number) {
  const faults: string[] = []
  let isStopped = false
  let asked = 0
  let refused = 0

  async function ask(): Promise<void> {
    let known = 0
    while (!isStopped) {
      const server = pick(list(), random)
      const found = await readVersion(server.url, STANDSTILL_MS).catch(() => undefined)
      if (found === undefined) {
        await Bun.sleep(50)
        continue
      }
      asked++
      await Bun.sleep(PAUSE_MS)
      if (found.status === 503) {
        refused++
        await Bun.sleep(20)
      } else if (found.status !== 200) faults.push(`status ${found.status}`)
      else if (found.version < known) faults.push(`version ${found.version} after ${known}`)
      else known = found.version
    }
  }
  const asking = Array.from({ length: 4 }, ask)
  return {
    async stop() {
      isStopped = true
      await Promise.all(asking)
      return { asked, refused, faults }
    },
  }
}

/** @returns versions that were not made from the one before */
async function findForks({ ledgerUrl }: Fleet): Promise<string[]> {
  const client = new pg.Client(ledgerUrl)
  await client.connect()
  const { rows } = await client.query<{ version: string; base: string | null }>(
    'SELECT version, base FROM catalog_versions ORDER BY version',
  )
  await client.end()
  return rows.slice(1).flatMap(({ version, base }, index) => {
    const before = rows[index]?.version
    return base === before ? [] : [`${version} was made from ${base}, not from ${before}`]
  })
}

const pick = <T>(items: readonly T[], random: () => number): T =>
  items[Math.floor(random() * items.length)] as T
