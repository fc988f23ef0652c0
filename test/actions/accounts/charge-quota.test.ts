import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createQuotaCharger, type QuotaCharge } from '#actions/accounts/charge-quota.ts'
import type { Tier } from '#rules/accounts/tiers.ts'
import { dayOf, nextMidnight } from '#rules/primitives/days.ts'
import { openDatabase } from '#store/db.ts'
import { openLedgerOn } from '#store/open-ledger.ts'
import { closeAfterEach } from '../../support/closers.ts'
import {
  createLedgerFile,
  FROZEN_TIME,
  openLedgerFile,
  QUOTA_RESET,
} from '../../support/test-app.ts'

const TOMORROW = '2026-11-16T08:00:00.000Z'
const DAY_AFTER = '2026-11-17T08:00:00.000Z'

/** The day to which the refunded requests were charged. */
const CHARGED = { daily_reset: QUOTA_RESET }

let file: Awaited<ReturnType<typeof createLedgerFile>>
let clock: string

beforeAll(async () => {
  file = await createLedgerFile()
})
afterAll(() => file.close())

const closers = closeAfterEach()

type Server = ReturnType<typeof openServer>

/** Opens a server on the ledger file, with its own connection and cache. */
function openServer(folder = file.folder) {
  const ledger = openLedgerFile(folder)
  const spending = createQuotaCharger({ ledger, now: () => new Date(clock) })
  let isOpen = true
  /** Kills the server: nothing is written. */
  function kill(): void {
    isOpen = false
    ledger.close()
  }
  /** Stops regularly. */
  async function stop(): Promise<void> {
    if (!isOpen) return
    await spending.close()
    kill()
  }
  closers.push(stop)
  return { ...spending, ledger, kill, stop }
}

function spender(tier: Tier) {
  return { account_id: file.accounts[tier], tier }
}

async function spendAll(servers: readonly Server[], count: number, who = spender('free')) {
  const spent = await Promise.all(
    Array.from({ length: count }, async (_, index) => servers[index % servers.length]?.charge(who)),
  )
  return spent.filter((one) => one !== undefined)
}

const countAllowed = (spent: readonly QuotaCharge[]) => spent.filter((one) => one.isAllowed).length

beforeEach(async () => {
  // Each test uses a separate ledger.
  file.close()
  file = await createLedgerFile()
  clock = FROZEN_TIME
})

describe('a daily quota', () => {
  test('is granted exactly to 64 concurrent requests', async () => {
    const server = openServer()
    const spent = await Promise.all(Array.from({ length: 64 }, () => spendAll([server], 5)))
    expect(countAllowed(spent.flat())).toBe(100)
  })

  test('counts down to zero, one per request', async () => {
    const server = openServer()
    for (let left = 99; left >= 0; left--) {
      const { isAllowed, quota } = await server.charge(spender('free'))
      expect([isAllowed, quota]).toEqual([
        true,
        { daily_limit: 100, daily_remaining: left, daily_reset: QUOTA_RESET },
      ])
    }
    for (let more = 0; more < 3; more++) {
      expect(await server.charge(spender('free'))).toEqual({
        isAllowed: false,
        quota: { daily_limit: 100, daily_remaining: 0, daily_reset: QUOTA_RESET },
      })
    }
  })

  test('is separate for each account', async () => {
    const server = openServer()
    await spendAll([server], 150)
    const { isAllowed, quota } = await server.charge(spender('hobby'))
    expect([isAllowed, quota.daily_remaining]).toEqual([true, 999])
  })

  test('is granted exactly once by several servers on one file', async () => {
    const servers = [openServer(), openServer(), openServer()]
    const spent = await spendAll(servers, 900)
    expect(countAllowed(spent)).toBe(100)
    for (const server of servers) await server.stop()
    const again = openServer()
    expect((await again.charge(spender('free'))).isAllowed).toBe(false)
  })

  test('of 50,000 is leased in 200 parts', async () => {
    const server = openServer()
    await server.charge(spender('business'))
    const { account_id } = spender('business')
    expect(await server.ledger.usage.getUsed(account_id, dayOf(new Date(clock)))).toBe(250)
  })
})

describe('midnight', () => {
  test('resets the quota, and the rest of the previous day expires', async () => {
    const server = openServer()
    await spendAll([server], 95)
    clock = '2026-11-15T23:59:59.999Z'
    expect((await server.charge(spender('free'))).quota.daily_remaining).toBe(4)
    clock = QUOTA_RESET
    const { quota } = await server.charge(spender('free'))
    expect(quota).toEqual({
      daily_limit: 100,
      daily_remaining: 99,
      daily_reset: '2026-11-17T00:00:00.000Z',
    })
    expect(countAllowed(await spendAll([server], 200))).toBe(99)
  })

  test('between charge and refund refunds nothing to the new day', async () => {
    const server = openServer()
    await server.charge(spender('free'))
    clock = TOMORROW
    expect(server.refund(spender('free'), CHARGED).daily_remaining).toBe(100)
    expect(countAllowed(await spendAll([server], 200))).toBe(100)
  })

  test('while a request waits for the file charges one of the two days', async () => {
    const server = openServer()
    const waiting = server.charge(spender('free'))
    clock = TOMORROW
    const { isAllowed } = await waiting
    expect(isAllowed).toBe(true)
    expect(countAllowed(await spendAll([server], 200))).toBeGreaterThanOrEqual(99)
  })
})

describe('a clock change', () => {
  test('by a day and back grants no day more than its quota', async () => {
    const server = openServer()
    const granted = new Map<string, number>()
    for (const time of [
      FROZEN_TIME,
      TOMORROW,
      FROZEN_TIME,
      TOMORROW,
      DAY_AFTER,
      FROZEN_TIME,
      TOMORROW,
    ]) {
      clock = time
      const count = countAllowed(await spendAll([server], 40))
      granted.set(time, (granted.get(time) ?? 0) + count)
    }
    for (const time of granted.keys()) {
      clock = time
      granted.set(time, (granted.get(time) ?? 0) + countAllowed(await spendAll([server], 200)))
    }
    for (const [time, count] of granted) expect([time, count <= 100]).toEqual([time, true])
    expect(granted.get(DAY_AFTER)).toBeGreaterThan(0)
  })

  test('within the day changes nothing', async () => {
    const server = openServer()
    for (let turn = 0; turn < 50; turn++) {
      clock = turn % 2 === 0 ? '2026-11-15T23:00:00Z' : '2026-11-15T01:00:00Z'
      await server.charge(spender('free'))
    }
    expect((await server.get(spender('free'))).daily_remaining).toBe(50)
  })
})

describe('a refund', () => {
  test('refunds one request, also the last', async () => {
    const server = openServer()
    await spendAll([server], 100)
    expect((await server.charge(spender('free'))).isAllowed).toBe(false)
    expect(server.refund(spender('free'), CHARGED).daily_remaining).toBe(1)
    expect((await server.charge(spender('free'))).isAllowed).toBe(true)
    expect((await server.charge(spender('free'))).isAllowed).toBe(false)
  })

  test('without a charge does nothing', async () => {
    const server = openServer()
    for (let turn = 0; turn < 5; turn++) server.refund(spender('free'), CHARGED)
    expect(countAllowed(await spendAll([server], 300))).toBe(100)
    for (let turn = 0; turn < 150; turn++) server.refund(spender('free'), CHARGED)
    expect(countAllowed(await spendAll([server], 300))).toBe(100)
  })
})

describe('reading the quota', () => {
  test('charges nothing, however often it is done', async () => {
    const server = openServer()
    for (let turn = 0; turn < 20; turn++) {
      expect((await server.get(spender('free'))).daily_remaining).toBe(100)
    }
    await Promise.all(Array.from({ length: 30 }, () => server.get(spender('free'))))
    expect(countAllowed(await spendAll([server], 200))).toBe(100)
    expect((await server.get(spender('free'))).daily_remaining).toBe(0)
  })

  test('does not overwrite a lease that is granted during the read', async () => {
    const ledger = openLedgerFile(file.folder)
    const usage = {
      ...ledger.usage,
      async getUsed(account: number, day: number) {
        const used = await ledger.usage.getUsed(account, day)
        await charger.charge(spender('free'))
        return used
      },
    }
    const charger = createQuotaCharger({ ledger: { ...ledger, usage }, now: () => new Date(clock) })
    expect((await charger.get(spender('free'))).daily_remaining).toBe(99)
    await charger.close()
    ledger.close()
  })
})

describe('a changed tier', () => {
  test('that is lower ends the day at its own limit', async () => {
    const server = openServer()
    const account_id = file.accounts.hobby
    await spendAll([server], 150, { account_id, tier: 'hobby' })
    const { isAllowed, quota } = await server.charge({ account_id, tier: 'free' })
    expect([isAllowed, quota.daily_limit, quota.daily_remaining]).toEqual([false, 100, 0])
  })

  test('that is higher continues from the used requests', async () => {
    const server = openServer()
    const account_id = file.accounts.free
    await spendAll([server], 100, { account_id, tier: 'free' })
    expect((await server.charge({ account_id, tier: 'free' })).isAllowed).toBe(false)
    const { isAllowed, quota } = await server.charge({ account_id, tier: 'hobby' })
    expect([isAllowed, quota.daily_limit, quota.daily_remaining]).toEqual([true, 1_000, 899])
  })
})

describe('any sequence on two servers', () => {
  const steps = fc.array(
    fc.record({
      server: fc.nat({ max: 1 }),
      action: fc.constantFrom(
        'spend',
        'spend many',
        'refund',
        'look',
        'restart',
        'kill',
        'next day',
      ),
      count: fc.integer({ min: 1, max: 70 }),
    }),
    { maxLength: 30 },
  )

  test('no day grants more than its quota, and only leases are lost', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        const own = await createLedgerFile()
        const who = { account_id: own.accounts.free, tier: 'free' } as const
        const servers = [openServer(own.folder), openServer(own.folder)]
        clock = FROZEN_TIME
        let granted = 0
        let charged = [0, 0]
        let isAnyKilled = false

        for (const { server: at, action, count } of plan) {
          const server = servers[at]
          if (server === undefined) continue
          switch (action) {
            case 'spend':
            case 'spend many': {
              const times = action === 'spend' ? 1 : count
              const spent = countAllowed(await spendAll([server], times, who))
              granted += spent
              charged[at] = (charged[at] ?? 0) + spent
              break
            }
            case 'refund':
              // A server only refunds what it has charged itself.
              if ((charged[at] ?? 0) > 0) {
                server.refund(who, { daily_reset: nextMidnight(new Date(clock)) })
                granted--
                charged[at] = (charged[at] ?? 0) - 1
              }
              break
            case 'look':
              await server.get(who)
              break
            case 'restart':
            case 'kill':
              if (action === 'kill') {
                server.kill()
                isAnyKilled = true
              } else await server.stop()
              servers[at] = openServer(own.folder)
              charged[at] = 0
              break
            case 'next day':
              clock = new Date(Date.parse(clock) + 86_400_000).toISOString()
              granted = 0
              charged = [0, 0]
              isAnyKilled = false
          }
          expect(granted).toBeLessThanOrEqual(100)
        }
        const rest = countAllowed(await spendAll(servers, 400, who))
        if (isAnyKilled) expect(granted + rest).toBeLessThanOrEqual(100)
        else expect(granted + rest).toBe(100)
        for (const server of servers) await server.stop()
        own.close()
      }),
      { numRuns: 25 },
    )
  })
})

describe('while the ledger cannot be written', () => {
  /** Opens a server whose connection rejects every write, as on a full or read-only disk. */
  function openBlockedServer() {
    const db = openDatabase(`${file.folder}/ledger.db`)
    const ledger = openLedgerOn(db)
    const charger = createQuotaCharger({ ledger, now: () => new Date(clock) })
    const block = (isBlocked: boolean) => db.pragma(`query_only = ${isBlocked ? 'ON' : 'OFF'}`)
    return { ...charger, ledger, block, kill: () => ledger.close() }
  }
  type BlockedServer = ReturnType<typeof openBlockedServer>

  async function chargeTimes(server: BlockedServer, count: number, who = spender('free')) {
    const charged: QuotaCharge[] = []
    for (let n = 0; n < count; n++) charged.push(await server.charge(who))
    return countAllowed(charged)
  }
  const storedOf = (server: BlockedServer) =>
    server.ledger.usage.getUsed(spender('free').account_id, dayOf(new Date(clock)))

  test('a server grants exactly the limit, and stores the count once it can', async () => {
    const server = openBlockedServer()
    expect(await chargeTimes(server, 30)).toBe(30)
    server.block(true)
    expect(await chargeTimes(server, 90)).toBe(70)
    server.block(false)
    expect(await chargeTimes(server, 20)).toBe(0)
    expect(await storedOf(server)).toBe(100)
    server.kill()
  })

  test('a stop stores the count, without the requests that were not used', async () => {
    const server = openBlockedServer()
    server.block(true)
    expect(await chargeTimes(server, 41)).toBe(41)
    expect(await storedOf(server)).toBe(0)
    server.block(false)
    await server.close()
    expect(await storedOf(server)).toBe(41)
    server.kill()
  })

  test('each server grants an account at most its limit once more', async () => {
    const servers = [openBlockedServer(), openBlockedServer(), openBlockedServer()]
    for (const server of servers) server.block(true)
    const granted = await Promise.all(servers.map((server) => chargeTimes(server, 150)))
    expect(granted).toEqual([100, 100, 100])
    for (const server of servers) server.block(false)
    expect(await Promise.all(servers.map((server) => chargeTimes(server, 5)))).toEqual([0, 0, 0])
    for (const server of servers) server.kill()
  })

  test('a quota that was used up stays used up, and a new day is granted', async () => {
    const server = openBlockedServer()
    expect(await chargeTimes(server, 120)).toBe(100)
    server.block(true)
    expect(await chargeTimes(server, 5)).toBe(0)
    clock = TOMORROW
    expect(await chargeTimes(server, 120)).toBe(100)
    server.kill()
  })

  test('a ledger that cannot be read either is an error', async () => {
    const server = openBlockedServer()
    server.kill()
    await expect(async () => server.charge(spender('free'))).toThrow()
  })
})
