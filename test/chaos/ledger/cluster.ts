// Three servers on one data folder and one PostgreSQL, as processes for faults.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type Closers, createTempFolder } from '../../support/closers.ts'
import { findFreePort } from '../../support/free-port.ts'
import { createDatabase } from '../../support/ledger/ledgers.ts'
import { type PostgresServer, startPostgres } from '../../support/ledger/postgres-server.ts'
import { PHOTO_SERVER } from '../../support/photos/photo-process.ts'
import {
  createServerProcess,
  prepareSample,
  QUIET,
  type ServerProcess,
} from '../../support/server-process.ts'

const SERVERS = 3

/** Sets the clock of a process five minutes ahead: settings of libfaketime, from the Debian package of this name. */
export const CLOCK_SHIFT = {
  LD_PRELOAD: '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  FAKETIME: '+5m',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>

/**
 * @param closers close what was started, even if the rest fails to start
 * @param folder folder of PostgreSQL's data, if not a temporary one
 */
export async function startCluster(closers: Closers, { folder }: { folder?: string } = {}) {
  const settings = ['max_connections=60']
  const postgres = await startPostgres({ settings, ...(folder !== undefined && { folder }) })
  closers.push(postgres.close)
  const LEDGER_URL = await createDatabase(postgres, 'cluster')
  const dataDir = createTempFolder('cardstock-cluster-')
  const logFile = join(dataDir, 'servers.log')
  const env = {
    ...QUIET,
    LEDGER_URL,
    APP_SECRET: 'c'.repeat(32),
    PHOTO_LOG: join(dataDir, 'photos'),
    BILLING_PROVIDER: 'manual',
    BILLING_DEV_AUTOPAY: 'on',
    WEBHOOK_NETWORK: 'loopback-ok',
    LOG_LEVEL: 'warn',
  }
  await prepareSample(dataDir, { LEDGER_URL, APP_SECRET: env.APP_SECRET })
  const servers = await Promise.all(
    Array.from({ length: SERVERS }, async (_, index) => {
      const port = await findFreePort()
      const isShifted = index === SERVERS - 1 && existsSync(CLOCK_SHIFT.LD_PRELOAD)
      const own = { PUBLIC_URL: `http://127.0.0.1:${port}`, ...(isShifted && CLOCK_SHIFT) }
      const settings = { dataDir, port, script: PHOTO_SERVER, logFile, env: { ...env, ...own } }
      const server = createServerProcess(settings)
      closers.push(server.kill)
      await revive(server)
      return server
    }),
  )

  return {
    dataDir,
    ledgerUrl: LEDGER_URL,
    postgres,
    urls: servers.map(({ url }) => url),
    /** True if the last server's clock is five minutes ahead. */
    hasWrongClock: existsSync(CLOCK_SHIFT.LD_PRELOAD),
    /** Kills a server, and restarts it on its port. */
    async killServer(index: number): Promise<void> {
      await servers[index]?.kill()
      if (servers[index] !== undefined) await revive(servers[index])
    },
    connect: () => connect(LEDGER_URL),
  }
}

/** Starts a server. If another fault prevents that, tries again like a supervisor. */
async function revive(server: ServerProcess): Promise<void> {
  while (
    !(await server.start().then(
      () => true,
      () => false,
    ))
  ) {
    await Bun.sleep(200)
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  // A fault that ends the connection fails the next query.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** Ends the connections to a database one by one. */
export async function cutConnections({ connect }: Cluster): Promise<number> {
  const client = await connect()
  const others = `SELECT pid FROM pg_stat_activity WHERE datname = 'cluster' AND pid <> pg_backend_pid()`
  const { rows } = await client.query<{ pid: number }>(others)
  for (const { pid } of rows) {
    await client.query('SELECT pg_terminate_backend($1)', [pid])
    await Bun.sleep(20)
  }
  await client.end()
  return rows.length
}

/** Takes every remaining connection of the database, including those reserved for its owner. */
export async function exhaustConnections({ connect }: Cluster, ms: number): Promise<number> {
  const held: pg.Client[] = []
  try {
    for (;;) held.push(await connect())
  } catch {
    await Bun.sleep(ms)
  }
  for (const client of held) await client.end().catch(() => undefined)
  return held.length
}

/** Fills the database's disk for a while; the database may crash, and is started again. */
export async function fillDisk(
  postgres: PostgresServer,
  folder: string,
  ms: number,
): Promise<void> {
  const ballast = join(folder, 'ballast')
  await Bun.spawn(['dd', 'if=/dev/zero', `of=${ballast}`, 'bs=64k'], {
    stdio: ['ignore', 'ignore', 'ignore'],
  }).exited
  await Bun.sleep(ms)
  rmSync(ballast)
  await postgres.revive()
}
