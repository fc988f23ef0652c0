// Operator commands that run concurrently with each other, with a customer or with a photo.
import { afterEach, describe, expect, test } from 'bun:test'
import { beginCheckout } from '#actions/billing/begin-checkout.ts'
import { completeCheckout, refundCheckout } from '#actions/billing/complete-checkout.ts'
import { getBillingReport } from '#actions/billing/report-billing.ts'
import { readConfig } from '#config.ts'
import { type BillableItem, PRICE_CENTS } from '#rules/billing/plans.ts'
import { dayOf, MS_PER_DAY } from '#rules/primitives/days.ts'
import { createTestLedger, type TestLedger } from '../../support/billing/empty-ledger.ts'
import { createTestLog } from '../../support/test-app.ts'

let testLedger: TestLedger
let deps: { ledger: TestLedger['ledger']; now: () => Date }
const open = async (now = '2026-06-10T12:00:00Z') => {
  testLedger = await createTestLedger()
  deps = { ledger: testLedger.ledger, now: () => new Date(now) }
}
afterEach(async () => {
  const day = dayOf(deps.now())
  expect((await getBillingReport(deps, { from: day, to: day })).mismatches).toEqual([])
  expect(await testLedger.faults()).toEqual([])
  testLedger.close()
})

let ids = 0
async function order(billableItem: BillableItem): Promise<string> {
  const id = `co_${String(ids++).padStart(6, '0')}-_abcdefgh`
  const { account_id, ledger } = testLedger
  const amount_cents = PRICE_CENTS[billableItem]
  const times = { now: deps.now(), openMs: 30 * MS_PER_DAY }
  const wanted = {
    id,
    provider: 'manual',
    account_id,
    item: billableItem,
    amount_cents,
    ...times,
  } as const
  return (await ledger.checkouts.create(wanted)).id
}

async function paid(billableItem: BillableItem): Promise<string> {
  const id = await order(billableItem)
  await completeCheckout(deps, id)
  return id
}

/** Remaining days of the subscription. */
async function daysLeft(): Promise<number> {
  const [found] = await testLedger.ledger.subscriptions.listByAccount(
    testLedger.account_id,
    deps.now(),
  )
  const left = (found?.period_end ?? 0) - deps.now().getTime()
  return found?.standing.tier === 'free' ? 0 : left / MS_PER_DAY
}

describe('the refund of a more expensive plan', () => {
  test.each(['2026-06-10T12:00:00Z', '2026-07-10T12:00:00Z'])(
    'of %s leaves the value of the month before it',
    async (now) => {
      await open(now)
      await paid('hobby')
      await refundCheckout(deps, await paid('business'))
      expect(await testLedger.state()).toMatchObject({ tier: 'business', money: 999 })
      // A tenth of a month of Hobby, as Business costs ten times as much.
      expect(await daysLeft()).toBeWithin(2.9, 3.2)
    },
  )
})

describe('two concurrent commands', () => {
  test('that refund two of three months leave one', async () => {
    await open()
    await paid('pro')
    const [second, third] = [await paid('pro'), await paid('pro')]
    await Promise.all([refundCheckout(deps, second), refundCheckout(deps, third)])
    expect(await daysLeft()).toBe(30)
    expect(await testLedger.state()).toMatchObject({ tier: 'pro', money: 4_999 })
  })

  test('that refund one month and complete another keep both paid', async () => {
    await open()
    await paid('pro')
    const second = await paid('pro')
    const third = await order('pro')
    await Promise.all([completeCheckout(deps, third), refundCheckout(deps, second)])
    // June 10 to August 10, plus the day by which the months differ.
    expect(await daysLeft()).toBeWithin(60, 62)
    expect(await testLedger.state()).toMatchObject({ tier: 'pro', money: 2 * 4_999 })
  })
})

test('a replaced order is completed if it was paid after all', async () => {
  await open()
  const all = { ...deps, config: readConfig({}), log: createTestLog([]), stripe: undefined }
  const buyer = { account_id: testLedger.account_id, email: 'ann@books.example' }
  const { url } = await beginCheckout(all, buyer, 'pro')
  await beginCheckout(all, buyer, 'business')
  const id = url.split('/').at(-1) ?? ''
  expect(await testLedger.ledger.checkouts.getById(id)).toMatchObject({ state: 'ended' })
  expect(await completeCheckout(deps, id)).toMatchObject({ state: 'paid' })
  expect(await testLedger.state()).toMatchObject({ tier: 'pro', money: 4_999 })
})

test('a refunded scan settles the debt of its refunded pack', async () => {
  await open()
  const { account_id, ledger } = testLedger
  const id = await paid('scans_1000')
  // The trial covers 25 of them, so two remain to be paid.
  for (let photo = 0; photo < 27; photo++) {
    const times = { taken_at: deps.now(), holdMs: 0 }
    expect(await ledger.scans.reserve({ id: `held-${photo}`, account_id, ...times })).toBe(true)
  }
  await refundCheckout(deps, id)
  expect(await testLedger.state()).toMatchObject({ balance: 0, debt: 2 })
  for (const held of ['held-0', 'held-0', 'held-1']) {
    await ledger.scans.release(held, 'refunded', deps.now())
  }
  expect(await testLedger.state()).toMatchObject({ balance: 0, debt: 0 })
  await ledger.scans.release('held-2', 'refunded', deps.now())
  expect(await testLedger.state()).toMatchObject({ balance: 1, debt: 0 })
})
