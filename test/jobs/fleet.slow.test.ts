// Servers of a fleet as an operator starts them, each with its own folder.
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { closeAfterEach } from '../support/closers.ts'
import { HAS_POSTGRES } from '../support/ledger/postgres-server.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { createFleet, readVersion } from '../support/snapshots/fleet.ts'
import { HAS_S3 } from '../support/snapshots/s3-server.ts'

setDefaultTimeout(300_000)

const closers = closeAfterEach()

describe.skipIf(!HAS_S3 || !HAS_POSTGRES)('a fleet', () => {
  async function until(check: () => Promise<boolean> | boolean): Promise<void> {
    while (!(await check())) await Bun.sleep(100)
  }

  test('switches to each version at one moment, and never goes back', async () => {
    const fleet = await createFleet(closers)
    const { startServer, rename, createAccount, servers, folder, s3 } = fleet
    const start = (name: string) => startServer(name, { BULK_FILES: 'on' })
    const leader = await start('a')
    const [follower] = await Promise.all([start('b'), start('c')])
    const { cookie } = await createAccount({ tier: 'business', isOperator: true })
    const readVersions = () => Promise.all(servers.map(({ url }) => readVersion(url)))
    // A server may start while the leader publishes the first version.
    await until(async () => new Set((await readVersions()).map(({ tag }) => tag)).size === 1)
    const before = await readVersions()

    const clients = startClients(servers)
    rename('Renamed')
    const startSync = async ({ url }: ServerProcess) => {
      const headers = { origin: url, cookie, 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: '{}' }
      return (await fetch(`${url}/v1/operator/sync`, init)).status
    }
    // The leader runs it.
    expect(await startSync(follower)).toBe(202)
    await until(async () => (await readVersion(leader.url)).name === 'Renamed')
    expect(await clients.stop()).toEqual([])
    const after = await readVersions()
    expect(new Set(after.map(({ tag }) => tag)).size).toBe(1)
    expect(after[0]?.version).toBeGreaterThan(before[0]?.version ?? 0)

    // The leader builds everybody's bulk files.
    const list = s3.path('fleet/bulk/files.json')
    const built = () => JSON.parse(readFileSync(list, 'utf8')).versions[0].version
    await until(() => existsSync(list) && built() === after[0]?.version)
    expect(['a', 'b', 'c'].filter((name) => existsSync(join(folder(name), 'bulk')))).toEqual(['a'])

    // The previous version is served again under a new number, and the next sync builds on it.
    const { stdout, code } = await fleet.admin('rollback-catalog')
    expect(code).toBe(0)
    const { version } = JSON.parse(stdout) as { version: number }
    await until(async () => {
      const seen = await readVersions()
      return seen.every((one) => one.version === version)
    })
    expect((await readVersion(leader.url)).name).toBe(before[0]?.name)
    rename('Renamed again')
    await until(() => leader.output().includes('"outcome":"replaced"'))
    expect(await startSync(leader)).toBe(202)
    await until(async () => (await readVersion(leader.url)).name === 'Renamed again')
    expect((await readVersion(leader.url)).version).toBeGreaterThan(version)
  })
})

/**
 * Starts clients that send requests to one server after another, until each has seen two versions and never an older
 * one again.
 */
function startClients(servers: readonly ServerProcess[]) {
  const faults: string[] = []
  let isStopped = false

  async function request(offset: number): Promise<void> {
    const seen = new Set<number>()
    let known = 0
    for (let turn = offset; !isStopped || seen.size < 2; turn++) {
      const { url } = servers[turn % servers.length] as ServerProcess
      const { status, version } = await readVersion(url)
      seen.add(version)
      // Other tests run beside this one.
      await Bun.sleep(40)
      if (status !== 200) faults.push(`${status} of ${url}`)
      else if (version < known) faults.push(`${url} answered with ${version} after ${known}`)
      else known = version
    }
  }
  const asking = [0, 1, 2, 3].map(request)
  return {
    /** Returns the wrong responses. */
    async stop(): Promise<string[]> {
      isStopped = true
      await Promise.all(asking)
      return faults
    },
  }
}
