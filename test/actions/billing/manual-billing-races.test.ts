// The operator's word where several of them, or a customer and a photo, come between each other.
import { afterEach, describe, expect, test } from 'bun:test'
import { beginCheckout } from '#actions/billing/begin-checkout.ts'
import { completeCheckout, refundCheckout } from '#actions/billing/complete-checkout.ts'
import { reportBilling } from '#actions/billing/report-billing.ts'
import { readConfig } from '#config.ts'
import { type Item, PRICE_CENTS } from '#rules/billing/plans.ts'
import { dayOf, MS_A_DAY } from '#rules/primitives/days.ts'
import { type Books, openBooks } from '../../support/billing/empty-ledger.ts'
import { logInto } from '../../support/test-app.ts'

let books: Books
let deps: { ledger: Books['ledger']; now: () => Date }
const open = async (now = '2026-06-10T12:00:00Z') => {
  books = await openBooks()
  deps = { ledger: books.ledger, now: () => new Date(now) }
}
afterEach(async () => {
  const day = dayOf(deps.now())
  expect((await reportBilling(deps, { from: day, to: day })).mismatches).toEqual([])
  expect(await books.faults()).toEqual([])
  books.close()
})

let ids = 0
async function order(item: Item): Promise<string> {
  const id = `co_${String(ids++).padStart(6, '0')}-_abcdefgh`
  const { account_id, ledger } = books
  const created_at = deps.now().getTime()
  const amount_cents = PRICE_CENTS[item]
  const times = { created_at, expires_at: created_at + 30 * MS_A_DAY }
  const wanted = { id, provider: 'manual', account_id, item, amount_cents, ...times } as const
  return (await ledger.checkouts.add(wanted)).id
}

async function paid(item: Item): Promise<string> {
  const id = await order(item)
  await completeCheckout(deps, id)
  return id
}

/** What is left of the subscription, in days. */
async function daysLeft(): Promise<number> {
  const [found] = await books.ledger.subscriptions.ofAccount(books.account_id, deps.now())
  const left = (found?.period_end ?? 0) - deps.now().getTime()
  return found?.standing.tier === 'free' ? 0 : left / MS_A_DAY
}

describe('the refund of a dearer plan', () => {
  test.each(['2026-06-10T12:00:00Z', '2026-07-10T12:00:00Z'])(
    'of %s leaves what the month before it was worth',
    async (now) => {
      await open(now)
      await paid('hobby')
      await refundCheckout(deps, await paid('business'))
      expect(await books.state()).toMatchObject({ tier: 'business', money: 999 })
      // A tenth of a month of Hobby, as Business costs ten times as much.
      expect(await daysLeft()).toBeWithin(2.9, 3.2)
    },
  )
})

describe('two commands at once', () => {
  test('that refund two of three months leave one', async () => {
    await open()
    await paid('pro')
    const [second, third] = [await paid('pro'), await paid('pro')]
    await Promise.all([refundCheckout(deps, second), refundCheckout(deps, third)])
    expect(await daysLeft()).toBe(30)
    expect(await books.state()).toMatchObject({ tier: 'pro', money: 4_999 })
  })

  test('that refund one month and complete another leave both that are paid', async () => {
    await open()
    await paid('pro')
    const second = await paid('pro')
    const third = await order('pro')
    await Promise.all([completeCheckout(deps, third), refundCheckout(deps, second)])
    // From June 10 to August 10, to the day by which months differ.
    expect(await daysLeft()).toBeWithin(60, 62)
    expect(await books.state()).toMatchObject({ tier: 'pro', money: 2 * 4_999 })
  })
})

test('an order that another one replaced is completed where it was paid all the same', async () => {
  await open()
  const all = { ...deps, config: readConfig({}), log: logInto([]), stripe: undefined }
  const buyer = { account_id: books.account_id, email: 'ann@books.example' }
  const { url } = await beginCheckout(all, buyer, 'pro')
  await beginCheckout(all, buyer, 'business')
  const id = url.split('/').at(-1) ?? ''
  expect(await books.ledger.checkouts.byId(id)).toMatchObject({ state: 'ended' })
  expect(await completeCheckout(deps, id)).toMatchObject({ state: 'paid' })
  expect(await books.state()).toMatchObject({ tier: 'pro', money: 4_999 })
})

test('a photo whose scan comes back settles what is owed for its pack that was refunded', async () => {
  await open()
  const { account_id, ledger } = books
  const id = await paid('scans_1000')
  // The trial has 25 of them, so that two are owed.
  for (let photo = 0; photo < 27; photo++) {
    const times = { taken_at: deps.now(), due_at: deps.now() }
    expect(await ledger.scans.take({ id: `held-${photo}`, account_id, ...times })).toBe(true)
  }
  await refundCheckout(deps, id)
  expect(await books.state()).toMatchObject({ balance: 0, debt: 2 })
  for (const held of ['held-0', 'held-0', 'held-1']) {
    await ledger.scans.give(held, 'refunded', deps.now())
  }
  expect(await books.state()).toMatchObject({ balance: 0, debt: 0 })
  await ledger.scans.give('held-2', 'refunded', deps.now())
  expect(await books.state()).toMatchObject({ balance: 1, debt: 0 })
})
