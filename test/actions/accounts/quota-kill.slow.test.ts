// Quotas over HTTP while servers are stopped and killed: real processes, real files, and 64 clients that send
// requests as fast as they are answered. Each of the four runs sends 1,000 requests, or 20,000 in `bun run chaos
// quota`.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createKey } from '#actions/accounts/manage-keys.ts'
import { DAILY_REQUESTS, type Tier } from '#rules/accounts/tiers.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { openLedger } from '#store/open-ledger.ts'
import { sizedFor } from '../../support/chaos.ts'
import { findFreePort } from '../../support/free-port.ts'
import { startServerProcess } from '../../support/server-process.ts'

const REQUESTS = sizedFor(1_000, 20_000)
const CLIENTS = 64
const KILLS = sizedFor(2, 10)
/** Maximum number of unused requests of a lease (`LEASE_REQUESTS` in charge-quota.ts). */
const LEASE = 64

const ROOT = mkdtempSync(join(tmpdir(), 'cardstock-quota-'))
afterAll(() => rmSync(ROOT, { recursive: true, force: true }))

const template = join(ROOT, 'template')
beforeAll(async () => {
  const { stop } = await startServer(template, ['--with-sample'])
  await stop()
})

type Server = { url: string; stop(): Promise<void>; kill(): Promise<void> }

async function startServer(dataDir: string, args: readonly string[] = []): Promise<Server> {
  const port = await findFreePort()
  const server = startServerProcess({ port, dataDir, args })
  await server.ready()
  return {
    url: server.url,
    stop: async () => expect(await server.stop()).toBe(0),
    kill: async () => expect(await server.kill()).toBe(true),
  }
}

type Payer = {
  account_id: number
  key: string
  limit: number
  requestCount: number
  unanswered: number
}

/** Creates a data folder with accounts whose quotas add up to three quarters of all requests. */
async function openWorld(servers: number) {
  const dataDir = mkdtempSync(join(ROOT, 'data-'))
  cpSync(template, dataDir, { recursive: true })
  const ledger = openLedger(dataDir)
  const now = () => new Date()
  const payers: Payer[] = []
  for (let left = (REQUESTS * 3) / 4; left > 0; ) {
    const tier = (['pro', 'starter', 'hobby', 'free'] as const).find(fits) ?? 'free'
    function fits(one: Tier) {
      return DAILY_REQUESTS[one] <= left / 2
    }
    const limit = DAILY_REQUESTS[tier]
    left -= limit
    const email = `${tier}-${payers.length}@quota.example`
    const context = { now: now(), address: undefined }
    const account = await ledger.accounts.create({ email, password_hash: 'none', tier }, context)
    const account_id = account?.id ?? 0
    const { key } = await createKey({ ledger, now }, { account_id, address: undefined, name: 'x' })
    payers.push({ account_id, key, limit, requestCount: 0, unanswered: 0 })
  }
  return {
    payers,
    ledger,
    fleet: Array.from({ length: servers }, () => startServer(dataDir)),
    start: () => startServer(dataDir),
  }
}

type World = Awaited<ReturnType<typeof openWorld>>

/** Admitted requests, by account and by the day to which they were charged. */
type Granted = Map<string, number>

const sum = (values: Iterable<number>) => [...values].reduce((total, one) => total + one, 0)

/** Sends a request; without a response, it may have been charged or not. */
async function request(world: World, payer: Payer, at: number, granted: Granted): Promise<boolean> {
  const server = await world.fleet[at]
  payer.requestCount++
  const response = await fetch(`${server?.url}/v1/sets/90011`, {
    headers: { 'x-api-key': payer.key },
  }).catch(() => undefined)
  const body = await response?.json().catch(() => undefined)
  if (body === undefined) payer.unanswered++
  else if (response?.status === 200) {
    const of = `${payer.account_id} until ${body.rate_limit.daily_reset}`
    granted.set(of, (granted.get(of) ?? 0) + 1)
  } else expect([response?.status, body.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
  return response?.status === 429
}

/** Runs 64 clients that use all accounts in turn, until this many requests were sent. */
async function load(world: World, requests: number, granted: Granted, onAnswer = () => {}) {
  let sent = 0
  const weights = world.payers.flatMap((payer) => Array<Payer>(payer.limit / 100).fill(payer))
  const client = async () => {
    while (sent < requests) {
      const index = sent++
      const payer = weights[(index * 7_919) % weights.length]
      if (payer === undefined) throw new Error('nobody pays')
      await request(world, payer, index % world.fleet.length, granted)
      onAnswer()
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
}

/** Uses up the rest of every account, until every server refuses it. */
async function drain(world: World, granted: Granted): Promise<void> {
  for (const payer of world.payers) {
    for (const at of world.fleet.keys()) while (!(await request(world, payer, at, granted)));
  }
}

async function endOf(world: World): Promise<void> {
  await Promise.all(world.fleet.map(async (server) => (await server).stop()))
  world.ledger.close()
}

/** Requests granted to each account per day; there is more than one day if midnight passed. */
function grantsOf({ payers }: World, granted: Granted) {
  return payers.map((payer) => {
    const days = [...granted].filter(([of]) => of.startsWith(`${payer.account_id} `))
    return { payer, days: days.map(([, count]) => count) }
  })
}

describe.each([1, 2])('%i server processes on one folder', (servers) => {
  test('that stop regularly grant exactly the limit of each account', async () => {
    const world = await openWorld(servers)
    const granted: Granted = new Map()
    for (let half = 0; half < 2; half++) {
      await load(world, REQUESTS / 2, granted)
      // Returned leases can be granted by the following servers.
      await Promise.all(world.fleet.map(async (server) => (await server).stop()))
      world.fleet = world.fleet.map(world.start)
    }
    const ran = sum(granted.values())
    await drain(world, granted)
    for (const { payer, days } of grantsOf(world, granted)) {
      expect(payer.unanswered).toBe(0)
      for (const count of days) expect(count).toBeLessThanOrEqual(payer.limit)
      if (days.length === 1) expect([payer.limit, ...days]).toEqual([payer.limit, payer.limit])
    }
    const limit = sum(world.payers.map((payer) => payer.limit))
    console.info(
      `${servers} in order: ${REQUESTS} requests of ${CLIENTS} clients, limits ${limit}: granted ${ran}, and to the end ${sum(granted.values())}`,
    )
    await endOf(world)
  }, 120_000)

  test(`that are killed ${KILLS} times never grant more, and lose at most their leases`, async () => {
    const world = await openWorld(servers)
    const granted: Granted = new Map()
    const limit = sum(world.payers.map((payer) => payer.limit))
    const kills: Promise<void>[] = []
    let answered = 0
    const onAnswer = () => {
      // Spread over the time in which something can be granted.
      const due = Math.floor((++answered / limit) * (KILLS + 1))
      if (kills.length >= Math.min(due, KILLS)) return
      const at = kills.length % servers
      const killed = world.fleet[at]?.then((server) => server.kill())
      kills.push(killed ?? Promise.resolve())
      world.fleet[at] = (killed ?? Promise.resolve()).then(world.start)
    }
    await load(world, REQUESTS, granted, onAnswer)
    await drain(world, granted)
    await Promise.all(kills)
    expect(kills).toHaveLength(KILLS)
    let lost = 0
    for (const { payer, days } of grantsOf(world, granted)) {
      for (const count of days) expect(count).toBeLessThanOrEqual(payer.limit)
      if (days.length > 1) continue
      lost += payer.limit - sum(days)
      expect(payer.limit - sum(days)).toBeLessThanOrEqual(KILLS * LEASE + payer.unanswered)
      const taken = await world.ledger.usage.getUsed(payer.account_id, dayOf(new Date()))
      expect(taken).toBeLessThanOrEqual(payer.limit)
    }
    const unanswered = sum(world.payers.map((payer) => payer.unanswered))
    console.info(
      `${servers} killed ${KILLS} times: ${REQUESTS} requests, limits ${limit}: granted ${sum(granted.values())}, lost ${lost} (${unanswered} requests unanswered)`,
    )
    await endOf(world)
  }, 120_000)
})
