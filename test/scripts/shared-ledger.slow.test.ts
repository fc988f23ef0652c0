// Servers that share a ledger in one PostgreSQL database: `LEDGER_URL`.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setOperator } from '#actions/accounts/manage-accounts.ts'
import { backUp } from '#actions/operations/back-up.ts'
import { checkLedgerDatabase } from '#actions/operations/check-ledger-database.ts'
import { restoreBackup } from '#actions/operations/restore-backup.ts'
import type { OperatorStatus } from '#client/endpoints.ts'
import { readConfig } from '#config.ts'
import { adoptStorage } from '#deps/storage.ts'
import { closeDeps, openDeps } from '#deps.ts'
import { HAS_HAPROXY, startHaproxy } from '../support/haproxy.ts'
import { createDatabase } from '../support/ledger/ledgers.ts'
import {
  HAS_POSTGRES,
  type PostgresServer,
  startPostgres,
} from '../support/ledger/postgres-server.ts'
import { prepareSample, type ServerProcess, startService } from '../support/server-process.ts'
import { createTestLog, PASSWORD } from '../support/test-app.ts'
import { waitFor } from '../support/wait-for.ts'

setDefaultTimeout(90_000)

describe.skipIf(!HAS_POSTGRES)('servers with one ledger', () => {
  let postgres: PostgresServer
  let dataDir: string
  let settings: Record<string, string>
  let servers: ServerProcess[]

  beforeAll(async () => {
    postgres = await startPostgres()
    dataDir = mkdtempSync(join(tmpdir(), 'cardstock-shared-'))
    settings = await settingsOf('cards', 's'.repeat(32))
    await prepareSample(dataDir, settings)
    servers = await Promise.all([1, 2].map(() => startService(dataDir, settings)))
  })
  afterAll(async () => {
    await Promise.all((servers ?? []).map((server) => server.kill()))
    await postgres?.close()
    if (dataDir !== undefined) rmSync(dataDir, { recursive: true, force: true })
  })

  async function settingsOf(name: string, APP_SECRET: string) {
    const LEDGER_URL = await createDatabase(postgres, name)
    const off = {
      IDENTIFY_WORKERS: '0',
      INDEX_PICTURES: 'off',
      BULK_FILES: 'off',
      BACKUP_DIR: 'off',
    }
    return { ...off, LEDGER_URL, APP_SECRET }
  }
  const [first, second] = [() => servers[0]?.url ?? '', () => servers[1]?.url ?? '']
  const post = (url: string, body: object, headers: Record<string, string> = {}) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })

  async function register(email: string) {
    const response = await post(`${first()}/v1/auth/register`, { email, password: PASSWORD })
    expect(response.status).toBe(201)
    const login = await post(`${second()}/v1/auth/login`, { email, password: PASSWORD })
    expect(login.status).toBe(200)
    const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
    const headers = { cookie, origin: first() }
    const created = await post(`${first()}/v1/keys`, { name: 'shared' }, headers)
    const text = await created.text()
    expect({ status: created.status, text }).toMatchObject({ status: 201 })
    const { data } = JSON.parse(text) as { data: { id: string; key: string } }
    return { id: data.id, key: data.key, headers }
  }
  const search = (url: string, key: string) =>
    fetch(`${url}/v1/search?q=dragon&limit=1`, { headers: { 'X-API-Key': key } })

  test('share accounts, sessions and keys, and need no file of the ledger', async () => {
    const { key } = await register('first@shared.example')
    const both = await Promise.all([search(first(), key), search(second(), key)])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    expect(existsSync(join(dataDir, 'ledger.db'))).toBe(false)
  })

  test('show all of them on the page of each, and the jobs of all', async () => {
    const { headers } = await register('operator@shared.example')
    const deps = await openDeps(readConfig({ ...settings, DATA_DIR: dataDir }))
    await setOperator(deps, { email: 'operator@shared.example', is_operator: true })
    await closeDeps(deps)
    const getStatus = async (url: string) => {
      const response = await fetch(`${url}/v1/operator/status`, { headers })
      return ((await response.json()) as { data: OperatorStatus }).data
    }
    const namesOf = async (url: string) =>
      (await getStatus(url)).servers?.map(({ name }) => new URL(`http://${name}`).port).toSorted()
    const ports = [first(), second()].map((url) => new URL(url).port).toSorted()
    for (const url of [first(), second()])
      await waitFor(async () => Bun.deepEquals(await namesOf(url), ports))
    const third = await startService(dataDir, settings)
    await waitFor(async () => (await namesOf(first()))?.length === 3)
    // It has released the job, and withdraws its report.
    await third.stop()
    expect(await namesOf(first())).toEqual(ports)
    // Every five seconds on one of the servers.
    const ranRefunds = async (url: string) => {
      const { jobs } = await getStatus(url)
      const refunds = jobs.find(({ name }) => name === 'refund overdue scans')
      return refunds?.server != null && refunds.runs > 0
    }
    for (const url of [first(), second()]) await waitFor(() => ranRefunds(url))
    const metrics = await (await fetch(`${second()}/metrics`)).text()
    expect(metrics).toMatch(/^cardstock_servers 2$/m)
    expect(metrics).toMatch(/^cardstock_ledger_silent_seconds \d/m)
  })

  test('have one secret: a server with another one does not start, and says why', async () => {
    const other = { ...settings, APP_SECRET: 't'.repeat(32) }
    await expect(startService(dataDir, other)).rejects.toThrow(/APP_SECRET differs from that of/)
  })

  test('belong to their folder: an empty database is not accepted as its ledger', async () => {
    const other = await settingsOf('empty', 's'.repeat(32))
    await expect(startService(dataDir, other)).rejects.toThrow(
      /The database of LEDGER_URL is missing or empty/,
    )
  })

  test('accept what their operator accepts: an empty database, and a new secret', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cardstock-shared-'))
    const own = await settingsOf('own', 's'.repeat(32))
    await prepareSample(folder, own)
    const empty = { ...(await settingsOf('emptied', 's'.repeat(32))), DATA_DIR: folder }
    expect(await adoptStorage(readConfig(empty), 'ledger.db')).toBe(true)
    const changed = { ...empty, APP_SECRET: 't'.repeat(32) }
    await expect(openDeps(readConfig(changed))).rejects.toThrow(/adopt app-secret/)
    expect(await adoptStorage(readConfig(changed), 'app-secret')).toBe(false)
    await closeDeps(await openDeps(readConfig(changed)))
    await expect(adoptStorage(readConfig(changed), 'ledger.db')).rejects.toThrow(
      /already belongs to the other files/,
    )
    rmSync(folder, { recursive: true, force: true })
  })

  test('are checked by the doctor, which says that this database could lose commits', async () => {
    const check = (env: Record<string, string>) => {
      const config = readConfig({ ...settings, ...env, DATA_DIR: dataDir })
      if (config.ledgerDatabase === undefined) throw new Error('LEDGER_URL is not set')
      return checkLedgerDatabase(config, config.ledgerDatabase)
    }
    const [healthy, ...rest] = await check({})
    expect(healthy).toMatchObject({
      level: 'ok',
      message: expect.stringMatching(/^PostgreSQL 1\d/),
    })
    // Tests write without fsync.
    expect(rest).toEqual([
      expect.objectContaining({ message: expect.stringContaining('a power cut can lose') }),
    ])
    const [, ...other] = await check({ APP_SECRET: 't'.repeat(32), LEDGER_CONNECTIONS: '500' })
    expect(other.map(({ message }) => message)).toEqual([
      'APP_SECRET differs from that of the other servers',
      expect.stringContaining('a power cut can lose'),
      expect.stringMatching(/^the database has \d+ of 100 connections left/),
    ])
    const none = await check({ LEDGER_URL: 'postgres://cards:hidden-word@127.0.0.1:1/cards' })
    expect(none).toEqual([
      {
        level: 'fault',
        message: "The ledger's database cannot be used: connection refused",
        fix: 'Check the URL, and that the database is running and accepts connections from this machine.',
      },
    ])
  })

  test('leave the ledger out of backups, which can be restored', async () => {
    const deps = { dataDir, isLedgerShared: true, log: createTestLog([]), now: () => new Date() }
    const dir = mkdtempSync(join(tmpdir(), 'cardstock-shared-backup-'))
    const target = mkdtempSync(join(tmpdir(), 'cardstock-shared-target-'))
    const { folder, files } = await backUp(deps, { dir })
    expect(files).toEqual(['catalog.db'])
    expect(restoreBackup(target, { from: folder, force: false }).files).toEqual(['catalog.db'])
    const restored = await startService(target, settings)
    await restored.kill()
    for (const one of [dir, target]) rmSync(one, { recursive: true, force: true })
  })

  test('say that the database cannot be reached, without its password', async () => {
    const LEDGER_URL = 'postgres://cards:hidden-word@127.0.0.1:1/cards'
    const failed = await startService(dataDir, { ...settings, LEDGER_URL }).catch(String)
    expect(failed).toContain("The ledger's database cannot be used: connection refused")
    expect(failed).not.toContain('hidden-word')
  })

  test.skipIf(!HAS_HAPROXY)(
    'can lose one of them behind HAProxy, as configured in the guide, without a failed request',
    async () => {
      const proxy = await startHaproxy(servers.map(({ url }) => new URL(url).port))
      try {
        const request = () => fetch(`${proxy.url}/v1/plans`).catch(() => undefined)
        while ((await request())?.status !== 200) await Bun.sleep(50)
        const statuses: unknown[] = []
        for (let turn = 0; turn < 60; turn++) {
          if (turn === 20) await servers[1]?.kill()
          statuses.push((await request())?.status)
        }
        expect(statuses).toEqual(Array(60).fill(200))
      } finally {
        await proxy.close()
      }
    },
  )
})
