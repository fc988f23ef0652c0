// Invariants of money that hold only because operations are serialized. Each is also tried with READ COMMITTED and
// without the account's lock, where it breaks, which shows that the tests would notice.
import { describe, expect, test } from 'bun:test'
import { UNPAID_PHOTOS_MAX } from '#rules/x402/payment-timeouts.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import { LEDGERS, type ServerOptions, type TestLedgers } from '../../support/ledger/ledgers.ts'
import { FROZEN_TIME } from '../../support/test-app.ts'

const NOW = new Date(FROZEN_TIME)
const CONTEXT = { now: NOW, address: undefined }
const KEYS_MAX = 10
const ATTEMPTS_MAX = 3

/** Three servers, and an account of their own. */
type World = { serverAt(index: number): Ledger; account: number; ledgers: TestLedgers }

/**
 * Does something on all servers at once that is allowed a limited number of times.
 *
 * @returns how often it was allowed too often
 */
type Trial = (world: World) => Promise<number>

/** Runs an action several times concurrently, each on another server. */
const atOnce = <Result>(
  { serverAt }: World,
  times: number,
  action: (ledger: Ledger, index: number) => Promise<Result>,
) => Promise.allSettled(Array.from({ length: times }, (_, index) => action(serverAt(index), index)))

/** Counts results beyond the allowed ones, and errors: the schema refuses what would make a balance wrong. */
function countTooMany<Result>(
  results: PromiseSettledResult<Result>[],
  isAccepted: (result: Result) => boolean,
  allowed: number,
): number {
  const accepted = results.filter((one) => one.status === 'fulfilled' && isAccepted(one.value))
  const refused = results.filter((one) => one.status === 'rejected')
  return Math.max(0, accepted.length - allowed) + refused.length
}

async function addKeys(world: World): Promise<number> {
  const results = await atOnce(world, KEYS_MAX + 6, ({ keys }) => {
    const id = crypto.randomUUID()
    const shown = { key_prefix: 'prefix', last4: 'last', name: 'key', key_hash: Buffer.from(id) }
    return keys.create({ id, account_id: world.account, ...shown }, KEYS_MAX, CONTEXT)
  })
  return countTooMany(results, (isCreated) => isCreated, KEYS_MAX)
}

const reserveScans = (world: World, times: number) =>
  atOnce(world, times, ({ scans }) =>
    scans.reserve({
      id: crypto.randomUUID(),
      account_id: world.account,
      taken_at: NOW,
      holdMs: 60_000,
    }),
  )

const startTrials = async (world: World) =>
  countTooMany(await reserveScans(world, 6), (isReserved) => isReserved, 25)

async function overdraw(world: World): Promise<number> {
  const { account, ledgers, serverAt } = world
  await ledgers.execute(`UPDATE accounts SET scan_trial_at = 1 WHERE id = ${account}`)
  const grant = { account_id: account, n: 1, ref: crypto.randomUUID() }
  await serverAt(0).scans.grant(grant, CONTEXT)
  return countTooMany(await reserveScans(world, 6), (isReserved) => isReserved, 1)
}

/** Reports increasing refunds of a payment concurrently. @returns difference to the booked movements in cents */
async function refundOften(world: World): Promise<number> {
  const ref = crypto.randomUUID()
  await atOnce(world, 6, ({ billing }, index) => {
    const facts = { ref, account_id: world.account, provider: 'stripe', item: 'pro' } as const
    const none = { purchase: null, subscription: null, disputed_cents: 0, paid_at: 0 }
    const charge = { ...facts, ...none, amount_cents: 4_999, refunded_cents: 100 * (index + 1) }
    return billing.applyEffects([{ kind: 'charge', charge, sequence: index + 1 }], NOW)
  })
  const [books] = await world.ledgers.all<{ refunded: number; moved: number }>(
    `SELECT (SELECT refunded_cents FROM billing_charges WHERE ref = '${ref}') AS refunded,
       (SELECT sum(amount_cents) FROM billing_payments WHERE ref LIKE '${ref}:%') AS moved`,
  )
  return Math.abs((books?.refunded ?? 0) + (books?.moved ?? 0))
}

async function verifyTooMany(world: World): Promise<number> {
  const payer = crypto.randomUUID()
  const held = (id: string) => ({ id, owner: 'us', now: NOW })
  const ids = Array.from({ length: UNPAID_PHOTOS_MAX + 9 }, () => crypto.randomUUID())
  const photo = { payer, fingerprint: 'photo', payment: '{}', valid_before: 0 }
  for (const id of ids) {
    await world.serverAt(0).photoPayments.claim({ ...photo, ...held(id), leaseMs: 60_000 })
  }
  const results = await atOnce(world, ids.length, ({ photoPayments }, index) =>
    photoPayments.markVerified(held(ids[index] ?? ''), { payer, verification: '{}' }),
  )
  return countTooMany(results, (result) => result === 'verified', UNPAID_PHOTOS_MAX)
}

async function attemptTooOften(world: World): Promise<number> {
  const limit = { limit: ATTEMPTS_MAX, windowMs: 3_600_000 }
  const limits = [{ name: crypto.randomUUID(), limit }]
  const results = await atOnce(world, 12, ({ attempts }) => attempts.consume(limits, NOW))
  return countTooMany(results, (waitMs) => waitMs === undefined, ATTEMPTS_MAX)
}

const TRIALS: [invariant: string, trial: Trial][] = [
  ['an account has at most ten keys', addKeys],
  ['an account gets one trial, and each photo one of its scans', startTrials],
  ['a balance is used up once', overdraw],
  ['the refunds of a payment add up', refundOften],
  ['a payer has at most four unpaid photos', verifyTooMany],
  ['servers accept no more attempts together than one of them', attemptTooOften],
]

/** Runs a trial on new accounts until too much is accepted, up to a maximum number of times. */
async function findTooMany(
  create: () => Promise<TestLedgers>,
  trial: Trial,
  { rounds, ...options }: ServerOptions & { rounds: number },
): Promise<number> {
  const ledgers = await create()
  const servers = [1, 2, 3].map(() => ledgers.open(options))
  const serverAt = (index: number) => servers[index % servers.length] as Ledger
  try {
    let tooMany = 0
    for (let round = 0; round < rounds && tooMany === 0; round++) {
      const newcomer = { email: `${round}@shop.example`, password_hash: '', tier: 'free' } as const
      const account = (await serverAt(0).accounts.create(newcomer, CONTEXT))?.id ?? 0
      tooMany = await trial({ serverAt, account, ledgers })
    }
    return tooMany
  } finally {
    await ledgers.close()
  }
}

describe.each(LEDGERS)('over several servers on %s', (name, create) => {
  test.each(TRIALS)('%s', async (_invariant, trial) => {
    expect(await findTooMany(create, trial, { rounds: 2 })).toBe(0)
  })

  test.if(name === 'PostgreSQL').each(TRIALS)(
    '%s, but not if they read what others change',
    async (_invariant, trial) => {
      const weak = { isolation: 'READ COMMITTED', locksAccounts: false } as const
      // The first round is nearly always enough.
      expect(await findTooMany(create, trial, { ...weak, rounds: 50 })).toBeGreaterThan(0)
    },
  )
})
