import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Ledger } from '#store/ledger/ledger.ts'
import { LEDGERS, type TestLedgers } from '../../support/ledger/ledgers.ts'
import { FROZEN_TIME } from '../../support/test-app.ts'

describe.each(LEDGERS)('checkout sessions on %s', (_name, create) => {
  let ledgers: TestLedgers
  let ledger: Ledger

  beforeEach(async () => {
    ledgers = await create()
    ledger = ledgers.open()
  })
  afterEach(() => {
    return ledgers.close()
  })

  const NOW = new Date(FROZEN_TIME)

  const wanted = (id: string) => ({
    id,
    account_id: ledgers.accounts.free,
    provider: 'stripe' as const,
    item: 'pro' as const,
    amount_cents: 4_999,
    now: NOW,
    openMs: 1_000,
  })

  const paidAt = (session: string) => ({ session, url: 'https://pay.example/', expires_at: 1 })

  test('a checkout that has got a session in the meantime is not ended', async () => {
    const { checkouts } = ledger
    await checkouts.create(wanted('one'))
    expect(await checkouts.updateSession('one', paidAt('cs_1'))).toBe(true)
    expect(await checkouts.markEnded({ id: 'one', session: null }, NOW)).toBe(false)
    expect((await checkouts.getById('one'))?.state).toBe('open')
    expect(await checkouts.markEnded({ id: 'one', session: 'cs_1' }, NOW)).toBe(true)
    expect(await checkouts.markEnded({ id: 'one', session: 'cs_1' }, NOW)).toBe(false)
  })

  test('a checkout that was ended in the meantime stores no session', async () => {
    const { checkouts } = ledger
    await checkouts.create(wanted('one'))
    expect(await checkouts.markEnded({ id: 'one', session: null }, NOW)).toBe(true)
    expect(await checkouts.updateSession('one', paidAt('cs_1'))).toBe(false)
    expect((await checkouts.create(wanted('two'))).id).toBe('two')
  })

  test('an account keeps its first customer until that one is deleted', async () => {
    const { billing } = ledger
    const { free, pro } = ledgers.accounts
    expect(await billing.createCustomer(free, 'cus_1')).toBe('cus_1')
    expect(await billing.createCustomer(free, 'cus_2')).toBe('cus_1')
    await billing.markCustomerDeleted('cus_1')
    expect(await billing.getCustomer(free)).toBeUndefined()
    expect(await billing.createCustomer(free, 'cus_3')).toBe('cus_3')
    // Late events of the deleted customer still belong to the account.
    expect([await billing.getAccountId('cus_1'), await billing.getAccountId('cus_3')]).toEqual([
      free,
      free,
    ])
    expect(await billing.createCustomer(pro, 'cus_4')).toBe('cus_4')
  })
})
