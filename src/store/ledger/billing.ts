import type { BillingEffect, BillingEvent } from '#rules/billing/billing.ts'
import { openChargeStore } from './charges.ts'
import type { LedgerEngine, LedgerOperation } from './engine/operation.ts'
import type { BillingCustomerRow, BillingEventRow } from './schema/billing.ts'
import { openSubscriptionWriter } from './subscriptions.ts'

/** Billing events and their effects. Each event is applied in one transaction, once. */
export type BillingStore = {
  /** Draws the number of a request to the provider; call it before sending the request. */
  nextRequestNumber(): Promise<number>
  /** Returns true if an event was recorded. */
  hasEvent(id: string): Promise<boolean>
  /**
   * Records an event with all of its effects, once.
   *
   * @returns true if it was new
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
  /** Stores an account's customer, unless it already has one. @returns its current customer */
  createCustomer(accountId: number, customer: string): Promise<string>
  /** Marks a customer that Stripe does not know, because it was deleted or belongs to another Stripe account. */
  markCustomerDeleted(customer: string): Promise<void>
  /** Deletes at most `limit` events older than a time. @returns their number */
  deleteBefore(time: Date, limit: number): Promise<number>
}

export function openBillingStore(engine: LedgerEngine): BillingStore {
  const { query, transact } = engine
  const charges = openChargeStore(engine)
  const subscriptions = openSubscriptionWriter(engine)
  const draw = engine.prepare<[], Drawn>(
    'UPDATE billing_questions SET asked = asked + 1 RETURNING asked',
  )
  const drawn = engine.prepare<[], Drawn>('SELECT asked FROM billing_questions')
  const known = engine.prepare<[string], Pick<BillingEventRow, 'id'>>(
    'SELECT id FROM billing_events WHERE id = ?',
  )
  const addEvent = engine.prepare<[BillingEvent & { at: number }]>(
    `INSERT INTO billing_events (id, provider, type, account_id, outcome, detail, at)
     VALUES (@id, @provider, @type, @account_id, @outcome, @detail, @at) ON CONFLICT DO NOTHING`,
  )
  const forget = engine.prepare<[number, number]>(
    `DELETE FROM billing_events WHERE id IN
       (SELECT id FROM billing_events WHERE at < ? LIMIT ?)`,
  )
  // A checkout that was ended here may still turn out to be paid.
  const close = engine.prepare<[{ state: string; at: number; id: string }]>(
    `UPDATE checkouts SET state = @state, closed_at = @at
      WHERE id = @id AND (state = 'open' OR (state = 'ended' AND @state = 'paid'))`,
  )
  const customer = engine.prepare<[number], Pick<BillingCustomerRow, 'customer'>>(
    'SELECT customer FROM billing_customers WHERE account_id = ? AND is_current = 1',
  )
  const customersGone = engine.prepare<[number], { gone: number }>(
    'SELECT count(*) AS gone FROM billing_customers WHERE account_id = ? AND is_current = 0',
  )
  const accountOf = engine.prepare<[string], Pick<BillingCustomerRow, 'account_id'>>(
    'SELECT account_id FROM billing_customers WHERE customer = ?',
  )
  const addCustomer = engine.prepare<[string, number]>(
    'INSERT INTO billing_customers (customer, account_id) VALUES (?, ?) ON CONFLICT DO NOTHING',
  )
  const markGone = engine.prepare<[string]>(
    'UPDATE billing_customers SET is_current = 0 WHERE customer = ?',
  )

  function* apply(effect: BillingEffect, now: Date): LedgerOperation<void> {
    const at = now.getTime()
    switch (effect.kind) {
      case 'purchase':
        yield* charges.addPurchase(effect.purchase, at)
        break
      case 'payment':
        yield* charges.addPayment(effect.payment, at)
        break
      case 'subscription':
        yield* subscriptions.put(effect.subscription, effect.sequence, now)
        break
      case 'checkout':
        yield* close.run({ state: effect.state, at, id: effect.id })
        break
      case 'charge': {
        const { charge, sequence } = effect
        const isNew = yield* charges.putCharge(charge, sequence, at)
        if (isNew && charge.subscription !== null) {
          yield* subscriptions.settle(charge.subscription, now)
        }
      }
    }
  }

  return {
    nextRequestNumber: async () => (await query(draw.get()))?.asked ?? 0,
    hasEvent: async (id) => (await query(known.get(id))) !== undefined,
    record: (event, effects, now, last) =>
      transact(
        function* () {
          if (last !== undefined && (yield* drawn.get())?.asked !== last) return 'outrun'
          if ((yield* addEvent.run({ ...event, at: now.getTime() })) === 0) return false
          for (const effect of effects) yield* apply(effect, now)
          return true
        },
        { isDurable: true },
      ),
    applyEffects: (effects, now) =>
      transact(
        function* () {
          for (const effect of effects) yield* apply(effect, now)
        },
        { isDurable: true },
      ),
    countDeletedCustomers: async (accountId) =>
      (await query(customersGone.get(accountId)))?.gone ?? 0,
    getCustomer: async (accountId) => (await query(customer.get(accountId)))?.customer,
    getAccountId: async (known) => (await query(accountOf.get(known)))?.account_id,
    createCustomer: (accountId, made) =>
      transact(
        function* () {
          yield* addCustomer.run(made, accountId)
          return (yield* customer.get(accountId))?.customer ?? made
        },
        { account: accountId, isDurable: true },
      ),
    markCustomerDeleted: async (known) => void (await query(markGone.run(known))),
    deleteBefore: (time, limit) => query(forget.run(time.getTime(), limit)),
  }
}

type Drawn = { asked: number }
