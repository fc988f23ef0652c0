import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createQuotaCharger, type QuotaOwner } from '#actions/accounts/charge-quota.ts'
import { DAILY_REQUESTS } from '#rules/accounts/tiers.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { createLedgerFile, FROZEN_TIME, openLedgerFile } from '../../support/test-app.ts'

const now = () => new Date(FROZEN_TIME)

let file: Awaited<ReturnType<typeof createLedgerFile>>
/** Two servers on one data folder. */
let ledgers: ReturnType<typeof openLedgerFile>[]

beforeEach(async () => {
  file = await createLedgerFile()
  ledgers = [openLedgerFile(file.folder), openLedgerFile(file.folder)]
})
afterEach(() => {
  for (const ledger of ledgers) ledger.close()
  file.close()
})

const openServers = () => ledgers.map((ledger) => createQuotaCharger({ ledger, now }))

describe('a request that costs several credits', () => {
  test('charges all of them or none', async () => {
    const [spending] = openServers()
    const quotaOwner: QuotaOwner = { account_id: file.accounts.free, tier: 'free' }
    expect(await spending?.charge(quotaOwner, 60)).toMatchObject({
      isAllowed: true,
      quota: { daily_remaining: 40 },
    })
    expect(await spending?.charge(quotaOwner, 41)).toMatchObject({
      isAllowed: false,
      quota: { daily_remaining: 40 },
    })
    expect(await spending?.charge(quotaOwner, 40)).toMatchObject({
      isAllowed: true,
      quota: { daily_remaining: 0 },
    })
    expect(await spending?.charge(quotaOwner)).toMatchObject({ isAllowed: false })
  })

  test('refunds all of them after an internal error', async () => {
    const [spending] = openServers()
    const owner: QuotaOwner = { account_id: file.accounts.free, tier: 'free' }
    const { quota } = (await spending?.charge(owner, 30)) ?? {}
    if (quota === undefined) throw new Error('nothing was spent')
    expect(spending?.refund(owner, quota, 30).daily_remaining).toBe(100)
    expect(await spending?.charge(owner, 100)).toMatchObject({ isAllowed: true })
  })

  test('that fails after midnight refunds nothing to the new day', async () => {
    const clock = { time: Date.parse(FROZEN_TIME) }
    const [ledger] = ledgers
    if (ledger === undefined) throw new Error('there is no ledger')
    const spending = createQuotaCharger({ ledger, now: () => new Date(clock.time) })
    const spender: QuotaOwner = { account_id: file.accounts.free, tier: 'free' }
    const { quota } = await spending.charge(spender, 30)
    clock.time += 86_400_000
    expect((await spending.charge(spender, 10)).quota.daily_remaining).toBe(90)
    expect(spending.refund(spender, quota, 30).daily_remaining).toBe(90)
  })

  test("never spends more than the day's quota, at any cost, on two servers", async () => {
    const tiers = ['free', 'hobby'] as const
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...tiers),
        fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 300 })), { minLength: 20 }),
        fc.integer({ min: 0, max: 5_000 }),
        async (tier, requests, day) => {
          const spender: QuotaOwner = { account_id: file.accounts[tier], tier }
          const time = new Date(Date.parse(FROZEN_TIME) + day * 86_400_000)
          const servers = ledgers.map((ledger) => createQuotaCharger({ ledger, now: () => time }))
          // Charges of earlier runs on this day count, too.
          const before = await ledgers[0]?.usage.getUsed(spender.account_id, dayOf(time))
          const spent = await Promise.all(
            requests.map(async ([second, credits]) => {
              const answer = await servers[second ? 1 : 0]?.charge(spender, credits)
              return answer?.isAllowed ? credits : 0
            }),
          )
          for (const server of servers) await server.close()
          const total = spent.reduce((sum, one) => sum + one, 0)
          const after = await ledgers[0]?.usage.getUsed(spender.account_id, dayOf(time))
          expect(after).toBe((before ?? 0) + total)
          expect(after).toBeLessThanOrEqual(DAILY_REQUESTS[tier])
        },
      ),
      { numRuns: 100 },
    )
  })
})
