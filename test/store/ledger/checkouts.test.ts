import { afterEach, describe, expect, test } from 'bun:test'
import { type BillableItem, PRICE_CENTS } from '#rules/billing/plans.ts'
import {
  createTestLedger,
  NOW,
  stripeEvent,
  type TestLedger,
} from '../../support/billing/empty-ledger.ts'
import { LEDGERS } from '../../support/ledger/ledgers.ts'

describe.each(LEDGERS)('checkouts on %s', (_name, create) => {
  let testLedger: TestLedger
  const open = async () => {
    testLedger = await createTestLedger('free', create)
    return testLedger
  }
  afterEach(() => testLedger.close())

  const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000)

  let ids = 0
  const wanted = (
    billableItem: BillableItem,
    minutes = 0,
    account_id = testLedger.account_id,
    provider = 'manual',
  ) => ({
    id: `co_${String(ids++).padStart(8, '0')}abcdefgh`,
    account_id,
    provider: provider as 'manual' | 'stripe', // one of the two is given
    item: billableItem,
    amount_cents: PRICE_CENTS[billableItem],
    now: at(minutes),
    openMs: 3_600_000,
  })

  const close = (id: string, state: 'paid' | 'ended', now = NOW) =>
    testLedger.ledger.billing.applyEffects([{ kind: 'checkout', id, state }], now)

  describe('a checkout', () => {
    test('for a plan is the only one: it is returned for any other plan', async () => {
      const { ledger } = await open()
      const first = await ledger.checkouts.create(wanted('pro'))
      expect(first).toMatchObject({ item: 'pro', state: 'open', session: null, closed_at: null })
      expect(await ledger.checkouts.create(wanted('hobby'))).toEqual(first)
      expect(await ledger.checkouts.create(wanted('pro'))).toEqual(first)
      await ledger.checkouts.markEnded(first, at(1))
      expect(await ledger.checkouts.create(wanted('hobby'))).toMatchObject({ item: 'hobby' })
    })

    test('for a pack can coexist with plans and other packs, not with the same pack', async () => {
      const { ledger } = await open()
      const items = ['pro', 'scans_1000', 'scans_5000'] as const
      for (const item of items) await ledger.checkouts.create(wanted(item))
      const again = await ledger.checkouts.create(wanted('scans_1000'))
      const openNow = await ledger.checkouts.listOpenByAccount(testLedger.account_id)
      expect(openNow.map(({ item }) => item)).toEqual([...items])
      expect(openNow[1]?.id).toBe(again.id)
    })

    test('of another account is independent', async () => {
      const { ledger } = await open()
      const mine = await ledger.checkouts.create(wanted('pro'))
      const theirs = await ledger.checkouts.create(wanted('pro', 0, testLedger.other_id))
      expect(theirs.id).not.toBe(mine.id)
      expect(await ledger.checkouts.listOpenByAccount(testLedger.other_id)).toEqual([theirs])
    })

    test('stays paid or ended, except that an ended one can turn out to be paid', async () => {
      const { ledger } = await open()
      const { id } = await ledger.checkouts.create(wanted('pro'))
      await close(id, 'ended')
      expect(await ledger.checkouts.getById(id)).toMatchObject({ state: 'ended' })
      await close(id, 'paid', at(5))
      const paid = await ledger.checkouts.getById(id)
      expect(paid).toMatchObject({ state: 'paid', closed_at: at(5).getTime() })
      await close(id, 'ended', at(9))
      await ledger.checkouts.markEnded({ id, session: null }, at(9))
      await close(id, 'paid', at(9))
      expect(await ledger.checkouts.getById(id)).toEqual(paid)
    })

    test('that is over accepts no session', async () => {
      const { ledger } = await open()
      const { id } = await ledger.checkouts.create(
        wanted('pro', 0, testLedger.account_id, 'stripe'),
      )
      const known = { session: 'cs_1', url: 'https://pay.example/1', expires_at: at(9).getTime() }
      expect(await ledger.checkouts.updateSession(id, known)).toBe(true)
      expect(await ledger.checkouts.getById(id)).toMatchObject(known)
      await ledger.checkouts.markEnded({ id, session: 'cs_1' }, NOW)
      expect(await ledger.checkouts.updateSession(id, { ...known, session: 'cs_2' })).toBe(false)
      expect(await ledger.checkouts.getById(id)).toMatchObject(known)
    })

    test('of manual billing expires; Stripe reports its own', async () => {
      const { ledger } = await open()
      const manual = await ledger.checkouts.create(wanted('pro'))
      const stripes = await ledger.checkouts.create(
        wanted('scans_1000', 0, testLedger.account_id, 'stripe'),
      )
      await ledger.checkouts.markExpired(at(59), 100)
      expect(await ledger.checkouts.getById(manual.id)).toMatchObject({ state: 'open' })
      await ledger.checkouts.markExpired(at(60), 100)
      expect(await ledger.checkouts.getById(manual.id)).toMatchObject({ state: 'ended' })
      expect(await ledger.checkouts.getById(stripes.id)).toMatchObject({ state: 'open' })
    })
  })

  describe('open checkouts', () => {
    test('are listed oldest first, by provider and address, with a limit', async () => {
      const { ledger } = await open()
      const second = await ledger.checkouts.create(wanted('pro', 2))
      const first = await ledger.checkouts.create(wanted('hobby', 1, testLedger.other_id))
      const stripes = await ledger.checkouts.create(
        wanted('scans_1000', 0, testLedger.other_id, 'stripe'),
      )
      const list = async (...of: Parameters<typeof ledger.checkouts.listOpen>) =>
        (await ledger.checkouts.listOpen(...of)).map(({ id }) => id)
      expect(await list(at(9), 10)).toEqual([stripes.id, first.id, second.id])
      expect(await list(at(9), 10, { provider: 'manual' })).toEqual([first.id, second.id])
      expect(await list(at(9), 1, { provider: 'manual' })).toEqual([first.id])
      expect(await list(at(9), 10, { email: 'ann@books.example' })).toEqual([second.id])
      expect(await list(at(2), 10)).toEqual([stripes.id, first.id])
      const [checkout] = await ledger.checkouts.listOpen(at(9), 1)
      expect(checkout).toEqual({ ...stripes, email: 'bob@books.example' })
    })

    test('of the same millisecond are listed in the order of their creation', async () => {
      const { ledger, account_id } = await open()
      const items = ['scans_5000', 'pro', 'scans_1000'] as const
      for (const [index, item] of items.entries())
        await ledger.checkouts.create({ ...wanted(item), id: `co_${9 - index}` })
      const mine = await ledger.checkouts.listOpenByAccount(account_id)
      expect(mine.map(({ item }) => item)).toEqual([...items])
      expect(await ledger.checkouts.listOpen(at(9), 10)).toMatchObject(mine)
    })

    test('are found by a prefix of their id, at most two', async () => {
      const { ledger } = await open()
      const { id } = await ledger.checkouts.create(wanted('pro'))
      await ledger.checkouts.create({ ...wanted('scans_1000'), id: `${id.slice(0, 11)}zzz` })
      await ledger.checkouts.create({ ...wanted('scans_5000'), id: `${id.slice(0, 11)}~` })
      expect(await ledger.checkouts.findIdsByPrefix(id.slice(0, 11))).toHaveLength(2)
      expect(await ledger.checkouts.findIdsByPrefix(id.slice(0, 12))).toEqual([id])
      expect(await ledger.checkouts.findIdsByPrefix(id)).toEqual([id])
      expect(await ledger.checkouts.findIdsByPrefix('co_%%%%%%%%')).toEqual([])
    })
  })

  test('plans paid after another one are listed in order, without refunded ones', async () => {
    const { ledger, account_id } = await open()
    const items = ['hobby', 'pro', 'scans_1000', 'business', 'starter'] as const
    const paid: string[] = []
    for (const item of items) {
      const { id } = await ledger.checkouts.create(wanted(item))
      await close(id, item === 'business' ? 'ended' : 'paid')
      paid.push(id)
    }
    const [first = '', second = ''] = paid
    expect(await ledger.checkouts.listPlansPaidAfter(first)).toEqual(['pro', 'starter'])
    const gone = { refunded_cents: 4_999, disputed_cents: 0, paid_at: NOW.getTime() }
    const charge = { ref: second, account_id, provider: 'manual', item: 'pro' } as const
    const of = { ...gone, amount_cents: 4_999, purchase: null, subscription: null }
    const effect = { kind: 'charge', charge: { ...charge, ...of }, sequence: 1 } as const
    await ledger.billing.record(stripeEvent('evt_1', account_id), [effect], NOW)
    expect(await ledger.checkouts.listPlansPaidAfter(first)).toEqual(['starter'])
    expect(await ledger.payments.getRefundedCents(second)).toBe(4_999)
    expect(await ledger.payments.getRefundedCents(first)).toBe(0)
  })
})
