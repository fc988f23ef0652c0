import type { Tier } from '#rules/accounts/tiers.ts'
import type {
  BillingEffect,
  BillingEvent,
  ChargeFacts,
  SubscriptionFacts,
} from '#rules/billing/billing.ts'
import { type Pack, PRICE_CENTS } from '#rules/billing/plans.ts'
import { openDatabase } from '#store/db.ts'
import { LEDGER_MIGRATIONS } from '#store/ledger/migrations.ts'
import { migrate } from '#store/migrate.ts'
import { openLedgerOn } from '#store/open-ledger.ts'
import type { TestLedgers } from '../ledger/ledgers.ts'
import { recordScan } from '../photos/record-scan.ts'

export const NOW = new Date('2026-11-15T21:30:00.000Z')

const AUDIT = { now: NOW, address: undefined }

let empty: Buffer | undefined

/** The schema is created once per test run. */
function emptyLedger(): Buffer {
  if (empty !== undefined) return empty
  const db = openDatabase(':memory:')
  migrate(db, LEDGER_MIGRATIONS)
  empty = db.serialize()
  db.close()
  return empty
}

export type TestLedger = Awaited<ReturnType<typeof createTestLedger>>

type LedgerBase = Omit<TestLedgers, 'accounts'>

async function createInMemory(): Promise<LedgerBase> {
  const db = openDatabase(emptyLedger())
  return {
    open: () => openLedgerOn(db),
    execute: async (sql) => void db.exec(sql),
    all: async <Row>(sql: string) => db.prepare<[], Row>(sql).all(),
    close: async () => void db.close(),
  }
}

/** Creates a ledger, in memory by default, with an account without purchases and another one. */
export async function createTestLedger(
  tier: Tier = 'free',
  create: () => Promise<LedgerBase> = createInMemory,
) {
  const { open, execute, all, close } = await create()
  const ledger = open()
  const [other_id = 0, account_id = 0] = await Promise.all(
    ['bob', 'ann'].map(async (name) => {
      const newcomer = { email: `${name}@books.example`, password_hash: 'none', tier }
      return (await ledger.accounts.create(newcomer, AUDIT))?.id
    }),
  )
  let photos = 0

  return {
    execute,
    ledger,
    account_id,
    other_id,
    close,
    /** Returns the part of an account that models compare. */
    async state() {
      const [account] = await all<{ tier: Tier; balance: number; debt: number }>(
        `SELECT tier, scan_balance AS balance, scan_debt AS debt FROM accounts WHERE id = ${account_id}`,
      )
      const [paid] = await all<{ money: number }>(
        `SELECT coalesce(sum(amount_cents), 0) AS money FROM billing_payments
          WHERE account_id = ${account_id}`,
      )
      return { ...account, money: paid?.money }
    },
    /** Reads a photo with one scan. @returns true if there was one */
    async useScan(): Promise<boolean> {
      const id = `photo-${photos++}`
      const hold = { id, account_id, taken_at: NOW, holdMs: 0 }
      if (!(await ledger.scans.reserve(hold))) return false
      const read = { id, account_id, at: NOW.getTime(), game: null, data: '{}' }
      await recordScan(ledger.scans, { ...read, status: 'matched' })
      return true
    },
    /** Lists violated invariants. */
    async faults() {
      return [
        ...(await ledger.scans.listUnbalanced()),
        ...(await ledger.billingReport.listUnevenReversals()),
      ]
    },
  }
}

/** Creates an event of Stripe with these effects. */
export function stripeEvent(id: string, account_id: number): BillingEvent {
  const about = { type: 'test', account_id, detail: null }
  return { id, provider: 'stripe', outcome: 'applied', ...about }
}

/** Creates the effects of a paid pack, as read from its session. */
export function packEffects(account_id: number, ref: string, item: Pack): BillingEffect[] {
  const amount_cents = PRICE_CENTS[item]
  const payment = { ref, account_id, provider: 'stripe', item, amount_cents } as const
  return [
    { kind: 'purchase', purchase: { ref, account_id, item, amount_cents } },
    { kind: 'payment', payment },
  ]
}

/** Returns the effects of a charge for a pack. */
export function chargeEffects(
  account_id: number,
  {
    ref,
    item,
    sequence,
    ...gone
  }: { ref: string; item: Pack; sequence: number } & Partial<ChargeFacts>,
): BillingEffect[] {
  const charge = {
    ref: `pi_${ref}`,
    account_id,
    provider: 'stripe' as const,
    item,
    amount_cents: PRICE_CENTS[item],
    purchase: ref,
    subscription: null,
    refunded_cents: 0,
    disputed_cents: 0,
    paid_at: NOW.getTime(),
    ...gone,
  }
  return [...packEffects(account_id, ref, item), { kind: 'charge', charge, sequence }]
}

/** Creates the effect of a subscription as Stripe may return it. */
export function subscriptionEffect(
  account_id: number,
  sequence: number,
  overrides: Partial<SubscriptionFacts> = {},
): BillingEffect {
  const subscription: SubscriptionFacts = {
    ref: 'sub_1',
    account_id,
    provider: 'stripe',
    plan: 'pro',
    status: 'active',
    period_end: NOW.getTime() + 86_400_000,
    cancels: false,
    next_plan: null,
    past_due_at: null,
    anchor_day: null,
    ...overrides,
  }
  return { kind: 'subscription', subscription, sequence }
}
