// A server whose disk fills up and is freed again, as a process on a real small disk.
import { expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { createKey } from '#actions/accounts/manage-keys.ts'
import { createPasswordHasher } from '#actions/accounts/passwords.ts'
import { registerAccount } from '#actions/accounts/register-account.ts'
import { readConfig } from '#config.ts'
import { openDatabase } from '#store/db.ts'
import { openLedger } from '#store/open-ledger.ts'
import { prepareFiles } from '#store/prepare-files.ts'
import { closeAfterUse } from '../support/end-of-tests.ts'
import { findFreePort } from '../support/free-port.ts'
import { openSmallDisk } from '../support/operations/small-disk.ts'
import { startServerProcess } from '../support/server-process.ts'

const LIMIT_MS = 60_000
setDefaultTimeout(LIMIT_MS)

const PASSWORD = 'eight characters'

/** Creates a pro account with a key, in a new data folder. */
async function createAccount(dataDir: string): Promise<string> {
  prepareFiles(dataDir)
  const ledger = openLedger(dataDir)
  const deps = { ledger, config: readConfig({}), now: () => new Date() }
  const registration = {
    email: 'a@b.example',
    password: PASSWORD,
    tier: 'pro',
    address: undefined,
  } as const
  const account = await registerAccount(deps, createPasswordHasher(), registration)
  const { key } = await createKey(deps, { account_id: account.id, address: undefined, name: 'Key' })
  ledger.close()
  return key
}

/** Starts a server with its log on the disk. @param prefix command that runs it */
async function startServer(dataDir: string, prefix: readonly string[] = []) {
  const port = await findFreePort()
  const server = startServerProcess({
    dataDir,
    port,
    prefix,
    args: ['--with-sample'],
    logFile: join(dataDir, '../server.log'),
    env: { PUBLIC_URL: `http://127.0.0.1:${port}`, BILLING_PROVIDER: 'manual' },
  })
  closeAfterUse(server.kill)
  await server.ready()
  const request = (path: string, { key, ...options }: RequestInit & { key?: string } = {}) =>
    fetch(`${server.url}${path}`, {
      ...options,
      headers: { ...(key === undefined ? {} : { 'X-API-Key': key }), ...options.headers },
    })
  const post = (path: string, body: object, cookie = '') => {
    const headers = { 'content-type': 'application/json', 'x-cardstock-page': '1', cookie }
    return request(path, { method: 'POST', body: JSON.stringify(body), headers })
  }
  return { ...server, request, post }
}

type Server = Awaited<ReturnType<typeof startServer>>

/** Truncates the ledger's log, because SQLite could write to its space although the disk is full. */
function emptyLog(dataDir: string): void {
  const db = openDatabase(join(dataDir, 'ledger.db'))
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.close()
}

/** Expects the response to every request that must write. */
async function expectUnavailable(response: Response): Promise<void> {
  const body = await response.json()
  expect([response.status, body.error?.code]).toEqual([503, 'UNAVAILABLE'])
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
}

type FullDisk = { dataDir: string; key: string; cookie: string; free: () => void }

/** Sends requests to a server whose disk is full, until `free` has made room. */
async function useFull(server: Server, { dataDir, key, cookie, free }: FullDisk) {
  // Several leases, each of which must be stored.
  const reads: number[] = []
  for (let n = 0; n < 200; n++)
    reads.push((await server.request('/v1/search?q=marigold', { key })).status)
  expect(reads.filter((status) => status !== 200)).toEqual([])

  const login = { email: 'a@b.example', password: PASSWORD }
  const newcomer = { email: 'new@b.example', password: PASSWORD }
  const webhook = { card_id: 900402, condition: 'above', threshold: 5, url: 'http://127.0.0.1:1/' }
  const rejected = [
    await server.post('/v1/auth/login', login),
    await server.post('/v1/auth/register', newcomer),
    await server.post('/v1/auth/register', newcomer),
    await server.post('/v1/keys', { name: 'Second' }, cookie),
    await server.post('/v1/payments/create-checkout', { plan: 'scans_1000' }, cookie),
    await server.post('/v1/webhooks', webhook, cookie),
  ]
  for (const response of rejected) await expectUnavailable(response)
  const ready = await server.request('/readyz')
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: 'not ready', faults: ['disk'] },
  ])
  const metrics = await (await server.request('/metrics')).text()
  expect(metrics).toMatch(/cardstock_storage_failures_total\{fault="(full|unreachable)"\} [1-9]/)
  expect(server.hasEnded()).toBe(false)

  free()
  await server.ready()
  expect((await server.post('/v1/auth/register', newcomer)).status).toBe(201)
  expect((await server.post('/v1/auth/login', login)).status).toBe(200)
  // The requests made on the full disk are stored with the next lease, or when the server stops.
  expect(await server.stop()).toBe(0)
  const db = openDatabase(join(dataDir, 'ledger.db'), { readonly: true })
  expect(db.prepare('SELECT used FROM usage_daily').pluck().all()).toEqual([200])
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
  db.close()
}

test('a full disk stops writes with 503, not reads, and the server recovers by itself', async () => {
  const disk = openSmallDisk(32)
  closeAfterUse(disk.close)
  const dataDir = join(disk.folder, 'data')
  const key = await createAccount(dataDir)
  const server = await startServer(dataDir, disk.prefix)
  const login = await server.post('/v1/auth/login', { email: 'a@b.example', password: PASSWORD })
  const cookie = login.headers.get('set-cookie')?.split(';')[0] ?? ''
  emptyLog(dataDir)
  disk.fill(server.pid())
  await useFull(server, { dataDir, key, cookie, free: () => disk.free(server.pid()) })
})

test('a full disk stops the setup with 503, and it continues when some space is free', async () => {
  const disk = openSmallDisk(32)
  closeAfterUse(disk.close)
  const dataDir = join(disk.folder, 'data')
  const server = await startServer(dataDir, disk.prefix)
  const [, token] = /#token=(\S+)/.exec(server.output()) ?? []
  const operator = { token, email: 'owner@b.example', password: PASSWORD }

  /** Sends a request while the disk is full, and again when it has room. */
  async function postTwice(path: string, body: object, cookie = ''): Promise<Response> {
    emptyLog(dataDir)
    disk.fill(server.pid())
    await expectUnavailable(await server.post(path, body, cookie))
    disk.free(server.pid())
    await server.ready()
    return server.post(path, body, cookie)
  }

  const created = await postTwice('/v1/auth/setup', operator)
  expect(created.status).toBe(201)
  const cookie = created.headers.get('set-cookie')?.split(';')[0] ?? ''
  const settings = { mode: 'private', mirror: '', finish: true }
  const saved = await postTwice('/v1/operator/settings', settings, cookie)
  expect((await saved.json()).data).toMatchObject({ is_finished: true, mode: { value: 'private' } })
})
