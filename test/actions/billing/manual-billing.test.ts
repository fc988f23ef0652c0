// Commands of the operator on the real ledger.
import { afterEach, describe, expect, test } from 'bun:test'
import { completeCheckout, refundCheckout } from '#actions/billing/complete-checkout.ts'
import { getBilling } from '#actions/billing/get-billing.ts'
import { getBillingReport } from '#actions/billing/report-billing.ts'
import { shortReference } from '#rules/billing/billing.ts'
import { type BillableItem, PRICE_CENTS } from '#rules/billing/plans.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { createTestLedger, NOW, type TestLedger } from '../../support/billing/empty-ledger.ts'

let testLedger: TestLedger
const open = async () => {
  testLedger = await createTestLedger()
  return { ledger: testLedger.ledger, now: () => NOW }
}
afterEach(async () => {
  expect(await testLedger.faults()).toEqual([])
  testLedger.close()
})

let ids = 0
async function order(
  billableItem: BillableItem,
  provider: 'manual' | 'stripe' = 'manual',
): Promise<string> {
  const id = `co_${String(ids++).padStart(6, '0')}-_abcdefgh`
  const { account_id, ledger } = testLedger
  const amount_cents = PRICE_CENTS[billableItem]
  const wanted = { id, account_id, provider, item: billableItem, amount_cents, now: NOW, openMs: 1 }
  return (await ledger.checkouts.create(wanted)).id
}

const account = () => ({
  id: testLedger.account_id,
  email: 'ann@books.example',
  tier: 'free' as const,
})

describe('a checkout that the operator completes', () => {
  test('credits the scans of a pack once, also when repeated', async () => {
    const deps = await open()
    const id = await order('scans_1000')
    const all = await Promise.all([1, 2, 3].map(() => completeCheckout(deps, id)))
    expect(all.map(({ state }) => state)).toEqual(['paid', 'paid', 'paid'])
    await completeCheckout(deps, id)
    expect(await testLedger.state()).toMatchObject({ balance: 1_000, money: 1_500 })
    expect(await deps.ledger.billing.hasEvent(`checkout.completed:${id}`)).toBe(true)
  })

  test('is found by the beginning of its id that its page shows', async () => {
    const deps = await open()
    const id = await order('pro')
    expect(await completeCheckout(deps, shortReference(id))).toMatchObject({ id, state: 'paid' })
  })

  test('is not found if several ids start the same, and nothing happens', async () => {
    const deps = await open()
    const id = await order('pro')
    const { account_id } = testLedger
    const twin = { id: `${shortReference(id)}zz`, account_id, provider: 'manual' } as const
    const wanted = { ...twin, item: 'scans_1000', amount_cents: 1_500 } as const
    await deps.ledger.checkouts.create({ ...wanted, now: NOW, openMs: 1 })
    await expect(completeCheckout(deps, shortReference(id))).rejects.toThrow(
      'Use more characters of the ID',
    )
    expect(await testLedger.state()).toMatchObject({ tier: 'free', money: 0 })
    expect(await completeCheckout(deps, id)).toMatchObject({ state: 'paid' })
  })

  test.each(['co_nobody-knows-it', 'co_', '', '%', 'co_________%'])(
    'with the id %p is not found',
    async (id) => {
      const deps = await open()
      await order('pro')
      await expect(completeCheckout(deps, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    },
  )

  test('is never Stripe’s', async () => {
    const deps = await open()
    const stripes = await order('scans_1000', 'stripe')
    await expect(completeCheckout(deps, stripes)).rejects.toThrow('belongs to Stripe')
    expect(await testLedger.state()).toMatchObject({ tier: 'free', balance: 0, money: 0 })
  })

  test('may have expired: the payment counts', async () => {
    const deps = await open()
    const [plan, pack] = [await order('pro'), await order('scans_1000')]
    for (const id of [plan, pack]) {
      expect(await deps.ledger.checkouts.markEnded({ id, session: null }, NOW)).toBe(true)
      expect(await completeCheckout(deps, id)).toMatchObject({ id, state: 'paid' })
      await completeCheckout(deps, id)
    }
    const money = 4_999 + 1_500
    expect(await testLedger.state()).toMatchObject({ tier: 'pro', balance: 1_000, money })
  })
})

describe('a refunded checkout', () => {
  test('takes back the scans of its pack once, and records used ones as a debt', async () => {
    const deps = await open()
    const id = await order('scans_1000')
    await completeCheckout(deps, id)
    for (let photo = 0; photo < 27; photo++) await testLedger.useScan()
    for (let count = 0; count < 3; count++) await refundCheckout(deps, id)
    expect(await testLedger.state()).toMatchObject({ balance: 0, debt: 2, money: 0 })
  })

  test('ends the plan that it paid, unless another month is paid', async () => {
    const deps = await open()
    const first = await order('pro')
    await completeCheckout(deps, first)
    const second = await order('pro')
    await completeCheckout(deps, second)
    await refundCheckout(deps, second)
    expect(await getBilling(deps, account())).toMatchObject({
      subscription: {
        plan: 'pro',
        status: 'active',
        current_period_end: '2026-12-15T21:30:00.000Z',
      },
    })
    await refundCheckout(deps, first)
    expect(await testLedger.state()).toMatchObject({ tier: 'free', money: 0 })
    // A later purchase starts a new period.
    await completeCheckout(deps, await order('hobby'))
    expect(await testLedger.state()).toMatchObject({ tier: 'hobby', money: 999 })
  })

  test('is taken back once, even if its event is lost', async () => {
    const deps = await open()
    const kept = await order('pro')
    await completeCheckout(deps, kept)
    const [plan, pack] = [await order('pro'), await order('scans_1000')]
    for (const id of [plan, pack]) {
      await completeCheckout(deps, id)
      await refundCheckout(deps, id)
    }
    const readState = () => Promise.all([testLedger.state(), getBilling(deps, account())])
    const before = await readState()
    expect(before).toMatchObject([
      { tier: 'pro', balance: 0, money: 4_999 },
      { subscription: { current_period_end: '2026-12-15T21:30:00.000Z' } },
    ])
    await deps.ledger.billing.deleteBefore(new Date(NOW.getTime() + 1), 100)
    expect(await deps.ledger.billing.hasEvent(`checkout.refunded:${plan}`)).toBe(false)
    for (const id of [plan, pack, plan]) {
      await refundCheckout(deps, id)
      await completeCheckout(deps, id)
    }
    expect(await readState()).toEqual(before)
  })

  test('must have been paid', async () => {
    const deps = await open()
    const id = await order('pro')
    await expect(refundCheckout(deps, id)).rejects.toThrow('has not been paid')
    await expect(refundCheckout(deps, 'co_nobody-knows')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

describe('the report', () => {
  test('has the revenue, the open orders, and the consistency of the books', async () => {
    const deps = await open()
    for (const item of ['pro', 'scans_1000', 'scans_5000'] as const) {
      await completeCheckout(deps, await order(item))
    }
    const back = await order('scans_1000')
    await completeCheckout(deps, back)
    await refundCheckout(deps, back)
    await order('scans_25000')
    await testLedger.useScan()
    await testLedger.execute(`
      INSERT INTO photo_payments VALUES ('p1', '0x1', 'f', 'settled', '{}', '{}', NULL, 1, NULL, 1, NULL, 0,
        ${NOW.getTime()}, ${NOW.getTime()}), ('p2', '0x1', 'f', 'failed', '{}', NULL, NULL, 1, NULL, 1, NULL, 0,
        ${NOW.getTime()}, ${NOW.getTime()})`)
    const today = dayOf(NOW)
    const report = await getBillingReport(deps, { from: today, to: today })
    expect(report).toMatchObject({
      from: '2026-11-15',
      to: '2026-11-15',
      net: 124.99,
      subscriptions: [{ plan: 'pro', status: 'active', provider: 'manual', accounts: 1 }],
      scans: { sold: 7_000, granted: 0, trials: 25, used: 1, reversed: 1_000 },
      now: {
        scans_left: 6_024,
        scans_owed: 0,
        checkouts: [{ provider: 'manual', checkouts: 1, worth: 250 }],
      },
      events: [
        { type: 'checkout.completed', outcome: 'applied', events: 4 },
        { type: 'checkout.refunded', outcome: 'applied', events: 1 },
      ],
      photos: [
        { state: 'failed', payments: 1, paid: 0 },
        { state: 'settled', payments: 1, paid: 0.02 },
      ],
      mismatches: [],
    })
    expect(report.revenue).toContainEqual({
      item: 'scans_1000',
      provider: 'manual',
      payments: 2,
      paid: 30,
      refunds: 1,
      refunded: -15,
      disputes: 0,
      disputed: 0,
      net: 15,
    })
  })

  test('covers the given days, including the first and the last', async () => {
    const deps = await open()
    await completeCheckout(deps, await order('pro'))
    const day = dayOf(NOW)
    const net = async (from: number, to: number) => (await getBillingReport(deps, { from, to })).net
    expect(await net(day, day)).toBe(49.99)
    expect(await net(day - 5, day + 5)).toBe(49.99)
    expect([await net(day - 1, day - 1), await net(day + 1, day + 1)]).toEqual([0, 0])
  })

  test('includes events that could not be applied', async () => {
    const deps = await open()
    const { account_id } = testLedger
    const event = { id: 'evt_1', provider: 'stripe', type: 'charge.refunded', account_id } as const
    const mismatch = { ...event, outcome: 'mismatch', detail: 'not that of its checkout' } as const
    await deps.ledger.billing.record(mismatch, [], NOW)
    const day = dayOf(NOW)
    const { mismatches } = await getBillingReport(deps, { from: day, to: day })
    const detail = 'charge.refunded evt_1: not that of its checkout'
    expect(mismatches).toEqual([{ kind: 'event', account_id, detail }])
  })
})
