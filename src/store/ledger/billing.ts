import type { BillingEffect, BillingEvent } from '#rules/billing/billing.ts'
import { type Db, durable, inTransaction } from '../db.ts'
import { openChargeStore } from './charges.ts'
import { openSubscriptionWriter } from './subscriptions.ts'

/** Billing events and their effects. Each event is applied in one transaction, once. */
export type BillingStore = {
  /** Draws the number of a provider request; call it before sending the request. */
  nextRequestNumber(): Promise<number>
  /** Returns true if an event was recorded. */
  hasEvent(id: string): Promise<boolean>
  /**
   * Records an event with all of its effects, once. @returns whether it was new
   * @param last if given, a later request number makes the result `outrun` and records nothing
   */
  record(
    event: BillingEvent,
    effects: readonly BillingEffect[],
    now: Date,
    last?: number,
  ): Promise<boolean | 'outrun'>
  /** Applies effects that were found without an event. */
  applyEffects(effects: readonly BillingEffect[], now: Date): Promise<void>
  /** Counts the deleted provider customers of an account. */
  countDeletedCustomers(accountId: number): Promise<number>
  /** Returns an account's current provider customer; undefined if it has none. */
  getCustomer(accountId: number): Promise<string | undefined>
  /** Returns the account of a provider customer; undefined if it is unknown. */
  getAccountId(customer: string): Promise<number | undefined>
  /** Stores an account's customer unless it has one by now. @returns its current customer */
  createCustomer(accountId: number, customer: string): Promise<string>
  /** Marks a customer that Stripe does not know: deleted there, or of another Stripe account. */
  markCustomerDeleted(customer: string): Promise<void>
  /** Deletes at most `limit` events older than a time. @returns how many */
  deleteBefore(time: Date, limit: number): Promise<number>
}

export function openBillingStore(db: Db): BillingStore {
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
  const forget = db.prepare<[number, number]>(
    `DELETE FROM billing_events WHERE rowid IN
       (SELECT rowid FROM billing_events WHERE at < ? LIMIT ?)`,
  )
  // A checkout that was ended here can still turn out to be paid.
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
    nextRequestNumber: async () => inTransaction(db, () => draw.get() ?? 0),
    hasEvent: async (id) => known.get(id) === 1,
    record: async (event, effects, now, last) =>
      durable(db, () => {
        if (last !== undefined && drawn.get() !== last) return 'outrun'
        if (addEvent.run({ ...event, at: now.getTime() }).changes === 0) return false
        for (const effect of effects) apply(effect, now)
        return true
      }),
    applyEffects: async (effects, now) =>
      durable(db, () => {
        for (const effect of effects) apply(effect, now)
      }),
    countDeletedCustomers: async (accountId) => customersGone.get(accountId) ?? 0,
    getCustomer: async (accountId) => customer.get(accountId),
    getAccountId: async (known) => accountOf.get(known),
    createCustomer: async (accountId, made) =>
      durable(db, () => {
        addCustomer.run(made, accountId)
        return customer.get(accountId) ?? made
      }),
    markCustomerDeleted: async (known) => void markGone.run(known),
    deleteBefore: async (time, limit) => forget.run(time.getTime(), limit).changes,
  }
}
