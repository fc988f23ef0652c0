import type { BillingEffect, BillingEvent } from '#rules/billing/billing.ts'
import { type Db, durable, inTransaction } from '../db.ts'
import { openChargeStore } from './charges.ts'
import { openSubscriptionWriter } from './subscriptions.ts'

/** What providers of billing told, and what came of it: all of an event in one transaction, once. */
export function openBillingStore(db: Db) {
  const charges = openChargeStore(db)
  const subscriptions = openSubscriptionWriter(db)
  const draw = db
    .prepare<[], number>('UPDATE billing_questions SET asked = asked + 1 RETURNING asked')
    .pluck()
  const drawn = db.prepare<[], number>('SELECT asked FROM billing_questions').pluck()
  const known = db.prepare<[string], number>('SELECT 1 FROM billing_events WHERE id = ?').pluck()
  const addEvent = db.prepare<[BillingEvent & { at: number }]>(
    `INSERT INTO billing_events (id, provider, type, account_id, outcome, detail, at)
     VALUES (@id, @provider, @type, @account_id, @outcome, @detail, @at) ON CONFLICT DO NOTHING`,
  )
  const forget = db.prepare<[number]>('DELETE FROM billing_events WHERE at < ?')
  // What was paid was paid, also where it was given up here meanwhile.
  const close = db.prepare<[{ state: string; at: number; id: string }]>(
    `UPDATE checkouts SET state = @state, closed_at = @at
      WHERE id = @id AND (state = 'open' OR (state = 'ended' AND @state = 'paid'))`,
  )
  const customer = db
    .prepare<[number], string>(
      'SELECT customer FROM billing_customers WHERE account_id = ? AND is_current = 1',
    )
    .pluck()
  const customersGone = db
    .prepare<[number], number>(
      'SELECT count(*) FROM billing_customers WHERE account_id = ? AND is_current = 0',
    )
    .pluck()
  const accountOf = db
    .prepare<[string], number>('SELECT account_id FROM billing_customers WHERE customer = ?')
    .pluck()
  const addCustomer = db.prepare<[string, number]>(
    'INSERT INTO billing_customers (customer, account_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const markGone = db.prepare<[string]>(
    'UPDATE billing_customers SET is_current = 0 WHERE customer = ?',
  )

  function apply(effect: BillingEffect, now: Date): void {
    const at = now.getTime()
    switch (effect.kind) {
      case 'purchase':
        charges.addPurchase(effect.purchase, at)
        break
      case 'payment':
        charges.addPayment(effect.payment, at)
        break
      case 'subscription':
        subscriptions.put(effect.subscription, effect.sequence, now)
        break
      case 'checkout':
        close.run({ state: effect.state, at, id: effect.id })
        break
      case 'charge': {
        const { charge, asked } = effect
        const isNew = charges.putCharge(charge, asked, at)
        if (isNew && charge.subscription !== null) subscriptions.settle(charge.subscription, now)
      }
    }
  }

  return {
    /** Draws the number of a question to a provider; to be drawn before it is asked. */
    nextRequestNumber: async (): Promise<number> => inTransaction(db, () => draw.get() ?? 0),
    /** Whether an event was taken in. */
    hasEvent: async (id: string): Promise<boolean> => known.get(id) === 1,
    /**
     * Takes in an event with everything that it brings about, once.
     *
     * @param last where given, nothing is taken in if another question was drawn after this one
     * @returns whether it was new; `outrun` where another question was drawn
     */
    async record(
      event: BillingEvent,
      effects: readonly BillingEffect[],
      now: Date,
      last?: number,
    ): Promise<boolean | 'outrun'> {
      return durable(db, () => {
        if (last !== undefined && drawn.get() !== last) return 'outrun'
        if (addEvent.run({ ...event, at: now.getTime() }).changes === 0) return false
        for (const effect of effects) apply(effect, now)
        return true
      })
    },
    /** Makes what was found out without an event true. */
    async applyEffects(effects: readonly BillingEffect[], now: Date): Promise<void> {
      durable(db, () => {
        for (const effect of effects) apply(effect, now)
      })
    },
    /** How many customers an account was that are gone. */
    countDeletedCustomers: async (accountId: number): Promise<number> =>
      customersGone.get(accountId) ?? 0,
    getCustomer: async (accountId: number): Promise<string | undefined> => customer.get(accountId),
    getAccountId: async (known: string): Promise<number | undefined> => accountOf.get(known),
    /**
     * Keeps who an account is, unless somebody has said so meanwhile.
     *
     * @returns who it is
     */
    async createCustomer(accountId: number, made: string): Promise<string> {
      return durable(db, () => {
        addCustomer.run(made, accountId)
        return customer.get(accountId) ?? made
      })
    },
    /** A customer that Stripe does not know: of another Stripe account, or deleted there. */
    markCustomerDeleted: async (known: string): Promise<void> => void markGone.run(known),
    /** Events are kept far longer than any provider repeats them. */
    deleteBefore: async (time: Date): Promise<void> => void forget.run(time.getTime()),
  }
}
