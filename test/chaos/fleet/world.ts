// Three servers of a fleet, each with its own proxies to database and bucket, for faults.
import { existsSync } from 'node:fs'
import type { Closers } from '../../support/closers.ts'
import { findFreePort } from '../../support/free-port.ts'
import { HAS_HAPROXY, startHaproxy } from '../../support/haproxy.ts'
import type { ServerProcess } from '../../support/server-process.ts'
import { createFleet, type Fleet, PRICED, readVersion } from '../../support/snapshots/fleet.ts'
import { CLOCK_SHIFT } from '../ledger/cluster.ts'
import { startBucketGate } from './bucket-gate.ts'
import { startDatabaseGate } from './database-gate.ts'
import { findLeaseHolder, installAudit } from './publication-audit.ts'

export const NAMES = ['a', 'b', 'c'] as const
export type Name = (typeof NAMES)[number]

/** A server without a response for this time hangs, in milliseconds. */
export const STANDSTILL_MS = 2_000

export const HAS_CLOCK_SHIFTER = existsSync(CLOCK_SHIFT.LD_PRELOAD)

export type World = Awaited<ReturnType<typeof openWorld>>

/**
 * Starts the fleet, and HAProxy if it is installed.
 *
 * @param closers close what was started, even if the rest fails to start
 */
export async function openWorld(closers: Closers) {
  const fleet = await createFleet(closers)
  const operator = await fleet.createAccount({ tier: 'business', isOperator: true })
  await installAudit(fleet.ledgerUrl)
  const places = Object.fromEntries(
    await Promise.all(
      NAMES.map(async (name) => [name, await openPlace(closers, fleet, name)] as const),
    ),
  ) as Record<Name, Place>
  const servers = new Map<Name, ServerProcess>()
  const paused = new Set<Name>()
  let published = 0
  let disturbedAt = 0

  async function start(name: Name, more: Record<string, string> = {}): Promise<void> {
    servers.set(name, await fleet.startServer(name, { ...places[name].env, ...more }))
  }
  await start('a')
  await Promise.all([start('b'), start('c')])
  const proxy = HAS_HAPROXY ? await startHaproxy(NAMES.map((name) => places[name].port)) : undefined
  if (proxy !== undefined) closers.push(proxy.close)

  const running = () => NAMES.filter((name) => servers.has(name) && !paused.has(name))

  /** Requests a sync from the servers. @returns the leader */
  async function requestSync(): Promise<Name | undefined> {
    for (const name of running()) {
      const { url } = places[name]
      const response = await fetch(`${url}/v1/operator/sync`, {
        method: 'POST',
        headers: { origin: url, cookie: operator.cookie, 'content-type': 'application/json' },
        body: '{}',
        signal: AbortSignal.timeout(STANDSTILL_MS),
      }).catch(() => undefined)
      if (response?.status === 202 || response?.status === 409) return name
    }
    return undefined
  }

  const world = {
    fleet,
    operator,
    places,
    proxyUrl: proxy?.url,
    start,
    running,
    requestSync,
    urls: () => running().map((name) => places[name].url),
    /** Counts an event in a server's log. */
    countLogged: (name: Name, event: string) =>
      (servers.get(name)?.output() ?? '').split(event).length - 1,
    /** Time in milliseconds since a server was last killed or stopped. */
    sinceDisturbance: () => performance.now() - disturbedAt,
    /** Puts a new name and a new price into the mirror. @returns the name */
    change(): string {
      const name = `Publication ${++published}`
      fleet.setPrice(PRICED, priceOf(published))
      fleet.rename(name)
      return name
    },
    /** Number of the mirror's last publication. */
    published: () => published,
    /** Changes the mirror, and requests a sync until a leader begins one. @returns the name */
    async publish(): Promise<string> {
      const name = world.change()
      while ((await requestSync()) === undefined) await Bun.sleep(200)
      return name
    },
    /** Waits for a running server with the leader's lease, other than the given one. */
    async findLeader(other?: Name): Promise<Name> {
      for (;;) {
        const holder = await findLeaseHolder(fleet.ledgerUrl)
        const leader = running().find((name) => name === holder)
        if (leader !== undefined && leader !== other) return leader
        await Bun.sleep(100)
      }
    },
    async findFollower(): Promise<Name> {
      const leader = await world.findLeader()
      return running().find((name) => name !== leader) ?? leader
    },
    /** Waits until every running server returns the name. */
    async whenServed(gameName: string): Promise<void> {
      for (let looks = 1; ; looks++) {
        const seen = await Promise.all(
          world.urls().map((url) => readVersion(url, STANDSTILL_MS).catch(() => undefined)),
        )
        if (seen.every((one) => one?.name === gameName)) return
        // A fault may have ended the sync.
        if (looks % 20 === 0) await requestSync()
        await Bun.sleep(250)
      }
    },
    async kill(name: Name): Promise<void> {
      disturbedAt = performance.now()
      await servers.get(name)?.kill()
      servers.delete(name)
    },
    async stop(name: Name): Promise<void> {
      disturbedAt = performance.now()
      await servers.get(name)?.stop()
      servers.delete(name)
    },
    pause(name: Name): void {
      disturbedAt = performance.now()
      const server = servers.get(name)
      if (server === undefined) return
      server.signal('SIGSTOP')
      paused.add(name)
    },
    resume(name: Name): void {
      const server = servers.get(name)
      if (server !== undefined && paused.delete(name)) server.signal('SIGCONT')
    },
    /** Resumes hanging servers, and starts dead ones. */
    async reviveAll(): Promise<void> {
      for (const name of paused) world.resume(name)
      await Promise.all(NAMES.filter((name) => !servers.has(name)).map((name) => start(name)))
    },
  }
  return world
}

type Place = Awaited<ReturnType<typeof openPlace>>

/** Opens a server's own proxies, and chooses its port, which it keeps across restarts. */
async function openPlace(closers: Closers, fleet: Fleet, name: Name) {
  const bucket = await startBucketGate(fleet.s3.env.AWS_ENDPOINT_URL ?? '')
  closers.push(bucket.close)
  const database = await startDatabaseGate(fleet.postgres.port)
  closers.push(database.close)
  const port = await findFreePort()
  const ledger = new URL(fleet.ledgerUrl)
  ledger.port = `${database.port}`
  ledger.searchParams.set('application_name', name)
  return {
    bucket,
    database,
    port,
    url: `http://127.0.0.1:${port}`,
    env: {
      PORT: `${port}`,
      LEDGER_URL: ledger.href,
      AWS_ENDPOINT_URL: bucket.url,
      WEBHOOK_NETWORK: 'loopback-ok',
    },
  }
}

/** Price in dollars below those of odd publications and above those of even ones. */
export const THRESHOLD = 20

export const isAbove = (publication: number) => publication % 2 === 1

/** Price of the watched card in a publication, in dollars; different in each. */
const priceOf = (publication: number) => (isAbove(publication) ? 50 : 5) + publication / 100

/** Returns the publication with this price. */
export const publicationOf = (price: number) =>
  Math.round((price - (price > THRESHOLD ? 50 : 5)) * 100)
