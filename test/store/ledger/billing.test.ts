import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { highestTier, TIERS } from '#rules/accounts/tiers.ts'
import {
  type BillingEffect,
  countReversedScans,
  type SubscriptionStatus,
} from '#rules/billing/billing.ts'
import { PACK_SCANS, PACKS, type Pack, PLANS, PRICE_CENTS } from '#rules/billing/plans.ts'
import { computeStanding } from '#rules/billing/subscriptions.ts'
import {
  chargeEffects,
  createTestLedger,
  NOW,
  packEffects,
  stripeEvent,
  subscriptionEffect,
  type TestLedger,
} from '../../support/billing/empty-ledger.ts'
import { LEDGERS } from '../../support/ledger/ledgers.ts'

const ITEM: Pack = 'scans_1000'

describe.each(LEDGERS)('billing on %s', (_name, create) => {
  async function withBooks(run: (testLedger: TestLedger) => Promise<void>): Promise<void> {
    const books = await createTestLedger('free', create)
    try {
      await run(books)
      expect(await books.faults()).toEqual([])
    } finally {
      await books.close()
    }
  }

  describe('an event', () => {
    test('counts once, however often and in however many processes it arrives', () =>
      withBooks(async ({ ledger, account_id, state }) => {
        const event = stripeEvent('evt_1', account_id)
        expect(await ledger.billing.hasEvent('evt_1')).toBe(false)
        const effects = packEffects(account_id, 'cs_1', ITEM)
        expect(await ledger.billing.record(event, effects, NOW)).toBe(true)
        expect(await ledger.billing.record(event, effects, NOW)).toBe(false)
        expect(await ledger.billing.hasEvent('evt_1')).toBe(true)
        expect(await state()).toMatchObject({ balance: 1_000, money: 1_500 })
      }))

    test('is rolled back if a part of it fails', () =>
      withBooks(async ({ ledger, account_id, state }) => {
        const broken: BillingEffect[] = [
          ...packEffects(account_id, 'cs_1', ITEM),
          ...chargeEffects(account_id, {
            ref: 'cs_2',
            item: ITEM,
            sequence: 1,
            refunded_cents: 5,
          }).slice(2),
        ]
        const event = stripeEvent('evt_1', account_id)
        await expect(ledger.billing.record(event, broken, NOW)).rejects.toThrow(/foreign key/i)
        expect(await ledger.billing.hasEvent('evt_1')).toBe(false)
        expect(await state()).toMatchObject({ balance: 0, money: 0 })
      }))

    test('adds the scans of a session once, also with two events and the hourly check', () =>
      withBooks(async ({ ledger, account_id, state }) => {
        const effects = packEffects(account_id, 'cs_1', ITEM)
        await ledger.billing.record(stripeEvent('evt_1', account_id), effects, NOW)
        await ledger.billing.record(stripeEvent('evt_2', account_id), effects, NOW)
        await ledger.billing.applyEffects(effects, NOW)
        expect(await state()).toMatchObject({ balance: 1_000, money: 1_500 })
      }))

    test('is deleted long after, its effects stay', () =>
      withBooks(async ({ ledger, account_id, state }) => {
        const effects = packEffects(account_id, 'cs_1', ITEM)
        await ledger.billing.record(stripeEvent('evt_1', account_id), effects, NOW)
        await ledger.billing.deleteBefore(new Date(NOW.getTime() + 1), 100)
        expect(await ledger.billing.hasEvent('evt_1')).toBe(false)
        await ledger.billing.record(stripeEvent('evt_1', account_id), effects, NOW)
        expect(await state()).toMatchObject({ balance: 1_000, money: 1_500 })
      }))
  })

  describe('request numbers', () => {
    test('have neither gaps nor duplicates', () =>
      withBooks(async ({ ledger }) => {
        const drawn = await Promise.all(
          Array.from({ length: 20 }, () => ledger.billing.nextRequestNumber()),
        )
        const inOrder = drawn.toSorted((a, b) => a - b)
        expect(inOrder).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
      }))

    test('order answers: an earlier request never overrides a later one', () =>
      withBooks(async ({ ledger, account_id, state }) => {
        await ledger.billing.applyEffects(
          [subscriptionEffect(account_id, 2, { plan: 'business' })],
          NOW,
        )
        await ledger.billing.applyEffects(
          [subscriptionEffect(account_id, 1, { plan: 'hobby' })],
          NOW,
        )
        expect(await state()).toMatchObject({ tier: 'business' })
      }))
  })

  describe('a pack', () => {
    const gone = (account_id: number, sequence: number, cents: object) =>
      chargeEffects(account_id, { ref: 'cs_1', item: ITEM, sequence, ...cents })

    test('that is partly refunded loses the same share of scans', () =>
      withBooks(async ({ ledger, account_id, state }) => {
        await ledger.billing.applyEffects(gone(account_id, 1, { refunded_cents: 750 }), NOW)
        expect(await state()).toMatchObject({ balance: 500, debt: 0, money: 750 })
        await ledger.billing.applyEffects(gone(account_id, 2, { refunded_cents: 1_500 }), NOW)
        expect(await state()).toMatchObject({ balance: 0, debt: 0, money: 0 })
      }))

    test('whose scans are used leaves a debt, which the next scans settle', () =>
      withBooks(async ({ ledger, account_id, state, useScan }) => {
        await ledger.billing.applyEffects(packEffects(account_id, 'cs_1', ITEM), NOW)
        for (let photo = 0; photo < 40; photo++) expect(await useScan()).toBe(true)
        // The trial of the first photo is part of the balance: 1,000 + 25 - 40.
        expect(await state()).toMatchObject({ balance: 985 })
        await ledger.billing.applyEffects(gone(account_id, 1, { refunded_cents: 1_500 }), NOW)
        expect(await state()).toMatchObject({ balance: 0, debt: 15 })
        expect(await useScan()).toBe(false)
        const grant = { account_id, n: 10, ref: 'gift' }
        await ledger.scans.grant(grant, { now: NOW, address: undefined })
        expect(await state()).toMatchObject({ balance: 0, debt: 5 })
        await ledger.billing.applyEffects(packEffects(account_id, 'cs_2', ITEM), NOW)
        expect(await state()).toMatchObject({ balance: 995, debt: 0 })
      }))

    test('that is disputed loses all scans until the dispute is won', () =>
      withBooks(async ({ ledger, account_id, state, useScan }) => {
        await ledger.billing.applyEffects(packEffects(account_id, 'cs_1', ITEM), NOW)
        for (let photo = 0; photo < 30; photo++) await useScan()
        await ledger.billing.applyEffects(gone(account_id, 1, { disputed_cents: 1_500 }), NOW)
        expect(await state()).toMatchObject({ balance: 0, debt: 5, money: 0 })
        await ledger.billing.applyEffects(gone(account_id, 2, { disputed_cents: 0 }), NOW)
        expect(await state()).toMatchObject({ balance: 995, debt: 0, money: 1_500 })
        const shown = await ledger.payments.listByAccount(account_id, 20)
        expect(shown.map(({ kind, amount_cents }) => [kind, amount_cents])).toEqual([
          ['dispute_won', 1_500],
          ['dispute', -1_500],
          ['payment', 1_500],
        ])
      }))
  })

  describe('a subscription', () => {
    const chargeOf = (account_id: number, sequence: number, cents: object): BillingEffect => {
      const [, , effect] = chargeEffects(account_id, {
        ref: 'in_1',
        item: ITEM,
        sequence,
        ...cents,
      })
      if (effect?.kind !== 'charge') throw new Error('no charge')
      const of = { item: 'pro', purchase: null, subscription: 'sub_1' } as const
      return { ...effect, charge: { ...effect.charge, ...of } }
    }

    test('survives a refund, but not a dispute until it is won', () =>
      withBooks(async ({ ledger, account_id, state }) => {
        await ledger.billing.applyEffects([subscriptionEffect(account_id, 1)], NOW)
        await ledger.billing.applyEffects([chargeOf(account_id, 2, { refunded_cents: 4_999 })], NOW)
        expect(await state()).toMatchObject({ tier: 'pro' })
        await ledger.billing.applyEffects([chargeOf(account_id, 3, { disputed_cents: 4_999 })], NOW)
        expect(await state()).toMatchObject({ tier: 'free' })
        // An active status from Stripe does not restore the tier, either.
        await ledger.billing.applyEffects(
          [subscriptionEffect(account_id, 4, { plan: 'business' })],
          NOW,
        )
        expect(await state()).toMatchObject({ tier: 'free' })
        await ledger.billing.applyEffects([chargeOf(account_id, 5, { disputed_cents: 0 })], NOW)
        expect(await state()).toMatchObject({ tier: 'business' })
      }))

    test('of another account cannot be changed under its name', () =>
      withBooks(async ({ ledger, account_id, state }) => {
        await ledger.billing.applyEffects([subscriptionEffect(account_id, 1)], NOW)
        await ledger.billing.applyEffects([subscriptionEffect(1, 2, { status: 'canceled' })], NOW)
        expect(await state()).toMatchObject({ tier: 'pro' })
      }))
  })

  // A subscription's history at Stripe, with the answer to each request. In any order and with repetitions, the final
  // state of the account must be that of the last answer.
  const PLEDGES: SubscriptionStatus[] = [
    'active',
    'trialing',
    'past_due',
    'unpaid',
    'canceled',
    'paused',
  ]
  const LIFE = fc.record({
    granted: fc.constantFrom(...TIERS),
    answers: fc.array(
      fc.oneof(
        fc.record({
          about: fc.constant('pack' as const),
          pack: fc.nat(2),
          refunded: fc.constantFrom(0, 0.25, 0.5, 1),
          disputed: fc.constantFrom(0, 0, 0.5, 1),
        }),
        fc.record({
          about: fc.constant('subscription' as const),
          plan: fc.constantFrom(...PLANS),
          status: fc.constantFrom(...PLEDGES),
        }),
      ),
      { minLength: 1, maxLength: 8 },
    ),
  })

  describe('provider answers in any order', () => {
    test('and any number of times lead to the state of a simple model', async () => {
      const order = fc.infiniteStream(fc.nat())
      await fc.assert(
        fc.asyncProperty(LIFE, order, fc.nat(20), async ({ granted, answers }, picks, photos) => {
          const books = await createTestLedger(granted, create)
          const { ledger, account_id } = books
          const effectsByAnswer = answers.map((answer, sequence): BillingEffect[] => {
            if (answer.about === 'subscription') {
              const { plan, status } = answer
              const past_due_at = status === 'past_due' ? NOW.getTime() : null
              return [subscriptionEffect(account_id, sequence, { plan, status, past_due_at })]
            }
            const { refunded, disputed, pack } = answer
            const item = PACKS[pack] ?? ITEM
            const cents = PRICE_CENTS[item]
            return chargeEffects(account_id, {
              ref: `cs_${pack}`,
              item,
              sequence,
              refunded_cents: refunded * cents,
              disputed_cents: Math.min(disputed, 1 - refunded) * cents,
            })
          })
          // Delivers each event at least once in random order, some repeatedly.
          const waiting = effectsByAnswer.map((_, index) => index)
          let used = 0
          const next = (below: number) => picks.next().value % below
          while (waiting.length > 0) {
            const index = waiting.splice(next(waiting.length), 1)[0] ?? 0
            await ledger.billing.record(
              stripeEvent(`evt_${index}`, account_id),
              effectsByAnswer[index] ?? [],
              NOW,
            )
            await ledger.billing.applyEffects(effectsByAnswer[next(index + 1)] ?? [], NOW)
            waiting.push(...(next(5) === 0 ? [index] : []))
            for (let photo = 0; photo < photos; photo++) used += (await books.useScan()) ? 1 : 0
          }

          const { tier, balance = 0, debt = 0, money } = await books.state()
          const wanted = modelOf(granted, effectsByAnswer)
          expect({ tier, money, scans: balance - debt }).toEqual({
            tier: wanted.tier,
            money: wanted.money,
            scans: wanted.scans - used + (used > 0 ? 25 : 0),
          })
          expect(Math.min(balance, debt)).toBe(0)
          expect(balance).toBeGreaterThanOrEqual(0)
          expect(await books.faults()).toEqual([])
          await books.close()
        }),
        { numRuns: 80 },
      )
    })
  })

  /** Computes the state from the last answer to each request. */
  function modelOf(granted: (typeof TIERS)[number], effectsByAnswer: readonly BillingEffect[][]) {
    const effects = effectsByAnswer.flat()
    const packs = new Map<string, Pack>()
    const charges = new Map<string, { cents: number; gone: number; scans: number }>()
    let tier = granted
    for (const effect of effects) {
      if (effect.kind === 'purchase') packs.set(effect.purchase.ref, effect.purchase.item)
      if (effect.kind === 'charge') {
        const { item, amount_cents, refunded_cents, disputed_cents } = effect.charge
        const gone = refunded_cents + disputed_cents
        const scans = PACK_SCANS[item as Pack]
        charges.set(`${effect.charge.purchase}`, {
          cents: amount_cents,
          gone,
          scans: countReversedScans({ scans, amount_cents }, gone),
        })
      }
      if (effect.kind === 'subscription') {
        const { tier: paid } = computeStanding(effect.subscription, null, NOW.getTime())
        tier = highestTier([granted, paid])
      }
    }
    const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0)
    const lost = [...charges.values()]
    return {
      tier,
      money:
        sum([...packs.values()].map((item) => PRICE_CENTS[item])) -
        sum(lost.map((one) => one.gone)),
      scans:
        sum([...packs.values()].map((item) => PACK_SCANS[item])) -
        sum(lost.map((one) => one.scans)),
    }
  }

  describe('the book of payments', () => {
    test('only ever adds to the payments', async () => {
      await withBooks(async ({ execute, ledger, account_id }) => {
        await ledger.billing.applyEffects(packEffects(account_id, 'cs_1', ITEM), NOW)
        await expect(execute('DELETE FROM billing_payments')).rejects.toThrow('only added to')
        await expect(execute('UPDATE billing_payments SET amount_cents = 1')).rejects.toThrow(
          'only added to',
        )
      })
    })
  })
})
