// Rolling upgrades under load: servers of this release are replaced one after another by the next release, which has
// one more migration of catalog and ledger. `bun run chaos upgrade` also downgrades, and sends for longer.
import { describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CHAOS_SIZE, sizedFor } from '../support/chaos.ts'
import { closeAfterEach } from '../support/closers.ts'
import { findFreePort } from '../support/free-port.ts'
import { HAS_HAPROXY, startHaproxy } from '../support/haproxy.ts'
import { HAS_POSTGRES } from '../support/ledger/postgres-server.ts'
import { createNext } from '../support/operations/releases.ts'
import { ROOT } from '../support/process.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { createFleet, type Fleet, readVersion } from '../support/snapshots/fleet.ts'
import { HAS_S3 } from '../support/snapshots/s3-server.ts'
import { PASSWORD } from '../support/test-app.ts'
import { installAudit, readPublishedSchema } from './fleet/publication-audit.ts'
import { startLoad } from './fleet/upgrade-load.ts'

const HAS_ALL = HAS_S3 && HAS_POSTGRES && HAS_HAPROXY

const closers = closeAfterEach()

describe.skipIf(!HAS_ALL)('an upgrade of a fleet', () => {
  test(
    'fails no request, and publishes what the oldest server can read',
    async () => {
      const started = performance.now()
      const { fleet, url, previous, next, replace, publish, whenServed } = await openWorld()
      const member = { tier: 'business', password: PASSWORD } as const
      const load = startLoad(url, await fleet.createAccount(member))
      const before = await readPublishedSchema(fleet.ledgerUrl)

      const [first] = await Promise.all([publish(), replace('c', next)])
      if (CHAOS_SIZE === 'full') {
        // The older release cannot read the newer one's catalog.
        await replace('c', previous, { isEmptied: true })
        await replace('c', next)
      }
      await replace('b', next)
      await whenServed(first)
      const during = await readPublishedSchema(fleet.ledgerUrl)
      await replace('a', next)
      const name = await publish()
      while ((await readPublishedSchema(fleet.ledgerUrl)) === during) await Bun.sleep(200)
      if (CHAOS_SIZE === 'full') await whenServed(name)
      const after = await readPublishedSchema(fleet.ledgerUrl)
      await load.stop()

      const seconds = Math.round((performance.now() - started) / 1000)
      const { counts, failures } = load
      console.info(
        JSON.stringify({
          upgrade: { counts, failed: failures.length, schemas: [before, during, after], seconds },
        }),
      )
      expect(failures).toEqual([])
      expect(during).toBe(before)
      expect(after).toBeGreaterThan(before)
    },
    sizedFor(180_000, 600_000),
  )
})

/** Starts three servers of this release behind HAProxy. */
async function openWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'cardstock-releases-'))
  closers.push(() => rmSync(folder, { recursive: true, force: true }))
  const [previous, next] = [ROOT, join(folder, 'next')]
  createNext(next)
  const fleet = await createFleet(closers)
  const { cookie } = await fleet.createAccount({ tier: 'business', isOperator: true })
  await installAudit(fleet.ledgerUrl)
  const names = ['a', 'b', 'c']
  const ports = await Promise.all(names.map(() => findFreePort()))
  const proxy = await startHaproxy(ports)
  closers.push(proxy.close)
  const servers = new Map<string, ServerProcess>()

  async function start(name: string, program: string): Promise<void> {
    // As in the guide: a stopping server announces it for three seconds.
    const settings = { NODE_ENV: 'production', TRUST_PROXY: '1', PUBLIC_URL: proxy.url }
    const env = { ...settings, PORT: `${ports[names.indexOf(name)]}` }
    servers.set(name, await fleet.startServer(name, env, program))
  }
  async function replace(name: string, program: string, { isEmptied = false } = {}): Promise<void> {
    expect(await servers.get(name)?.stop()).toBe(0)
    if (isEmptied) rmSync(fleet.folder(name), { recursive: true })
    await start(name, program)
  }
  await start('a', previous)
  await Promise.all([start('b', previous), start('c', previous)])
  while (!(await fetch(`${proxy.url}/readyz`)).ok) await Bun.sleep(100)
  return {
    fleet,
    url: proxy.url,
    previous,
    next,
    replace,
    ...openPublisher(fleet, servers, cookie),
  }
}

function openPublisher(fleet: Fleet, servers: Map<string, ServerProcess>, cookie: string) {
  let published = 0

  async function requestSync(): Promise<boolean> {
    for (const { url } of servers.values()) {
      const response = await fetch(`${url}/v1/operator/sync`, {
        method: 'POST',
        body: '{}',
        headers: { origin: url, cookie, 'content-type': 'application/json' },
      })
      if (response.status === 202) return true
    }
    return false
  }
  return {
    /** Changes the mirror, and requests a sync until the leader begins one. @returns the name of a game in it */
    async publish(): Promise<string> {
      const name = `Publication ${++published}`
      fleet.rename(name)
      while (!(await requestSync())) await Bun.sleep(200)
      return name
    },
    async whenServed(name: string): Promise<void> {
      for (;;) {
        const seen = await Promise.all(
          [...servers.values()].map(({ url }) => readVersion(url).catch(() => undefined)),
        )
        if (seen.every((one) => one?.name === name)) return
        await Bun.sleep(200)
      }
    },
  }
}
