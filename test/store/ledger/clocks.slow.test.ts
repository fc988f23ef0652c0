// Servers whose clocks differ by five minutes, on one PostgreSQL: leases, holds and limits use the database's clock.
// Each case also runs with the servers' clocks, where it must fail.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createQuotaCharger } from '#actions/accounts/charge-quota.ts'
import { DAILY_REQUESTS } from '#rules/accounts/tiers.ts'
import { openJobLeaseStore } from '#store/ledger/job-leases.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import { subscriptionEffect } from '../../support/billing/empty-ledger.ts'
import { openPostgres } from '../../support/ledger/engines.ts'
import { LEDGERS, type TestLedgers } from '../../support/ledger/ledgers.ts'
import { HAS_POSTGRES } from '../../support/ledger/postgres-server.ts'

const MINUTE = 60_000
const DAY = 86_400_000

/** A server with its own clock. */
type Server = { ledger: Ledger; now(): Date }

/** World of a case, in which one server holds something and another accesses it. */
type World = { holder: Server; other: Server; account: number; execute(sql: string): Promise<void> }

/** Returns true if the other server takes, ends or allows something too early. */
type Case = (world: World) => Promise<boolean>

const newId = () => crypto.randomUUID()

type Clock = 'right' | 'ahead' | 'behind'
type Pair = readonly [holder: Clock, other: Clock]

/** The other server's clock is ahead of the holder's. */
const AHEAD: readonly Pair[] = [
  ['right', 'ahead'],
  ['behind', 'right'],
]

/** The other server's clock is behind the holder's. */
const BEHIND: readonly Pair[] = AHEAD.map(([holder, other]) => [other, holder])

const CASES: [name: string, happensEarly: Case, pairs: readonly Pair[]][] = [
  ['the refund of a scan', refundsScan, AHEAD],
  ['the lease of a payment', (world) => claimsPayment(world, 'reserved'), AHEAD],
  ['the lease of a payment with a result', (world) => claimsPayment(world, 'worked'), AHEAD],
  ['the recovery of a payment', recoversPayment, AHEAD],
  ['the next attempt at a payment', resumesPayment, AHEAD],
  ['one more unpaid photo', acceptsUnpaid, AHEAD],
  ['the lease of a delivery', leasesDelivery, AHEAD],
  ['the next attempt of a delivery', retriesDelivery, AHEAD],
  ['the reset of a misdated lease', resetsLease, BEHIND],
  ['one more test of a webhook', startsTest, AHEAD],
  ['a new window of attempts', startsWindow, AHEAD],
  ['the end of a session', endsSession, AHEAD],
  ['the deletion of a session', deletesSession, AHEAD],
  ['the end of an order', endsCheckout, AHEAD],
  ['the end of an order at the next one', replacesCheckout, AHEAD],
  ['the end of an invitation', endsInvitation, AHEAD],
  // Stripe reports its beginning by its own clock.
  ['the end of the grace period', endsGrace, [['right', 'ahead']]],
]

async function refundsScan({ holder, other, account }: World) {
  const id = newId()
  const hold = { id, account_id: account, taken_at: holder.now(), holdMs: MINUTE }
  expect(await holder.ledger.scans.reserve(hold)).toBe(true)
  await other.ledger.scans.refundOverdue(other.now())
  return !(await holder.ledger.scans.keep(id, account)).charged
}

const leaseOf = ({ now }: Server, owner: string, leaseMs = MINUTE) => ({
  owner,
  now: now(),
  leaseMs,
})

/** Claims a payment as the holder, and stores its result if it is to be settled. */
async function holdPayment({ ledger, now }: Server, photo: PhotoClaim, state: OpenState) {
  const claimed = await ledger.photoPayments.claim({ ...photo, ...leaseOf({ ledger, now }, 'us') })
  expect(claimed.kind).toBe('to read')
  const held = { id: photo.id, owner: 'us', now: now() }
  if (state === 'worked') await ledger.photoPayments.markWorked(held, '{}')
}

type OpenState = 'reserved' | 'worked'

const newPhoto = (payer = newId()) => ({
  id: newId(),
  payer,
  fingerprint: 'photo',
  payment: '{}',
  valid_before: 0,
})
type PhotoClaim = ReturnType<typeof newPhoto>

async function claimsPayment({ holder, other }: World, state: OpenState) {
  const photo = newPhoto()
  await holdPayment(holder, photo, state)
  expect(await holder.ledger.photoPayments.isLeased(photo.id, holder.now())).toBe(true)
  const result = await other.ledger.photoPayments.claim({ ...photo, ...leaseOf(other, 'them') })
  return result.kind !== 'busy'
}

const isRecovered = async (server: Server, id: string) =>
  (await server.ledger.photoPayments.leaseAbandoned(leaseOf(server, 'them'), 100)).some(
    (payment) => payment.id === id,
  )

async function recoversPayment({ holder, other }: World) {
  const photo = newPhoto()
  await holdPayment(holder, photo, 'worked')
  return isRecovered(other, photo.id)
}

async function resumesPayment({ holder, other }: World) {
  const { id, ...photo } = newPhoto()
  await holdPayment(holder, { id, ...photo }, 'worked')
  const held = { id, owner: 'us', now: holder.now() }
  await holder.ledger.photoPayments.releaseLease(held, MINUTE)
  return isRecovered(other, id)
}

async function acceptsUnpaid({ holder, other }: World) {
  const payer = newId()
  const verifyAt = async (server: Server) => {
    const photo = newPhoto(payer)
    const { photoPayments } = server.ledger
    await photoPayments.claim({ ...photo, ...leaseOf(server, 'us') })
    const held = { id: photo.id, owner: 'us', now: server.now() }
    return photoPayments.markVerified(held, { payer, verification: '{}' })
  }
  for (let photo = 0; photo < 4; photo++) expect(await verifyAt(holder)).toBe('verified')
  return (await verifyAt(other)) !== 'too many'
}

/** Adds a webhook with one delivery that is due. */
async function addDelivery({ ledger, now }: Server, account_id: number) {
  const webhook_id = newId()
  const watch = { id: webhook_id, account_id, url: URL_OF, card_id: 1, printing: null }
  const terms = { condition: 'above', threshold: 1, secret: new Uint8Array(1) } as const
  await ledger.webhooks.create({ ...watch, ...terms }, 99, { now: now(), address: undefined })
  const id = newId()
  const alert = { id, rule_id: webhook_id, body: '{}', created_at: now().getTime() }
  await ledger.relayedAlerts.relay([alert], now())
  return { id, webhook_id }
}

const URL_OF = 'https://shop.example/alerts'

const leaseDelivery = async (server: Server, id: string, owner: string) =>
  (await server.ledger.messages.lease({ ...leaseOf(server, owner), pausedMs: MINUTE }, [id]))
    .length === 1

async function leasesDelivery({ holder, other, account }: World) {
  const { id } = await addDelivery(holder, account)
  expect(await leaseDelivery(holder, id, 'us')).toBe(true)
  return leaseDelivery(other, id, 'them')
}

async function retriesDelivery({ holder, other, account }: World) {
  const { id } = await addDelivery(holder, account)
  await leaseDelivery(holder, id, 'us')
  const now = holder.now()
  const attempt = { message_id: id, at: now.getTime(), status: 500, error: 'no', latency_ms: 1 }
  const made = { ...attempt, answer: null, owner: 'us', url: URL_OF, now }
  await holder.ledger.messages.record(made, { kind: 'again', delayMs: MINUTE }, undefined)
  return leaseDelivery(other, id, 'them')
}

async function startsTest({ holder, other, account }: World) {
  const { webhook_id } = await addDelivery(holder, account)
  const start = async ({ ledger, now }: Server) => {
    const test = {
      id: newId(),
      channel_id: webhook_id,
      kind: 'test',
      body: '{}',
      owner: 'us',
    } as const
    const max = { perAccount: 1, total: 99 }
    return (await ledger.messages.create(test, MINUTE, now(), max)) !== undefined
  }
  expect(await start(holder)).toBe(true)
  return start(other)
}

async function resetsLease({ holder, other, account }: World) {
  const { id } = await addDelivery(holder, account)
  await leaseDelivery(holder, id, 'us')
  const longest = { dueMs: DAY, leaseMs: MINUTE, owner: 'them' }
  await other.ledger.messages.resetMisdated(other.now(), longest)
  return leaseDelivery(other, id, 'them')
}

async function startsWindow({ holder, other }: World) {
  const limits = [{ name: newId(), limit: { limit: 3, windowMs: MINUTE } }]
  const isAllowed = async ({ ledger, now }: Server) =>
    (await ledger.attempts.consume(limits, now())) === undefined
  for (let attempt = 0; attempt < 3; attempt++) expect(await isAllowed(holder)).toBe(true)
  expect(await holder.ledger.attempts.countSpent(limits, holder.now())).toBe(3)
  return isAllowed(other)
}

/** Begins a session, last used by the holder so long ago that it ends within a minute. */
async function addSession({ holder, account, execute }: World) {
  const token_hash = crypto.getRandomValues(new Uint8Array(32))
  const found = await holder.ledger.accounts.getById(account)
  const password = { account_id: account, password_hash: found?.password_hash ?? '' }
  const now = holder.now()
  const session = { ...password, token_hash, replaces: undefined, now, address: 'address' }
  expect(await holder.ledger.sessions.create(session)).toBe(true)
  await execute(`UPDATE sessions SET last_seen_at = last_seen_at - ${7 * DAY - MINUTE}
    WHERE account_id = ${account}`)
  return token_hash
}

async function endsSession(world: World) {
  const token = await addSession(world)
  const { ledger, now } = world.other
  return (await ledger.sessions.getByToken(token, now())) === undefined
}

async function deletesSession(world: World) {
  await addSession(world)
  const { ledger, now } = world.other
  return (await ledger.sessions.deleteExpired(now(), 1_000)) > 0
}

const order = ({ ledger, now }: Server, account_id: number, item: 'pro' | 'hobby') =>
  ledger.checkouts.create({
    id: newId(),
    account_id,
    provider: 'manual',
    item,
    amount_cents: 1,
    now: now(),
    openMs: MINUTE,
  })

async function endsCheckout({ holder, other, account }: World) {
  const { id } = await order(holder, account, 'pro')
  await other.ledger.checkouts.markExpired(other.now(), 1_000)
  return (await holder.ledger.checkouts.getById(id))?.state !== 'open'
}

async function replacesCheckout({ holder, other, account }: World) {
  const { id } = await order(holder, account, 'pro')
  return (await order(other, account, 'hobby')).id !== id
}

async function endsInvitation({ holder, other }: World) {
  const code_hash = crypto.getRandomValues(new Uint8Array(32))
  await holder.ledger.invitations.create({ code_hash, email: null, validMs: MINUTE }, holder.now())
  const use = { code_hash, email: 'guest@shop.example', now: other.now() }
  return !(await other.ledger.invitations.isUsable(use))
}

async function endsGrace({ holder, other, account }: World) {
  const past_due_at = Date.now() - 7 * DAY + MINUTE
  const late = { ref: newId(), status: 'past_due', past_due_at } as const
  await holder.ledger.billing.applyEffects([subscriptionEffect(account, 1, late)], holder.now())
  await other.ledger.subscriptions.settleDue(other.now())
  // A granted tier hides the paid one.
  const [known] = await other.ledger.subscriptions.listByAccount(account, other.now())
  return known?.standing.tier === 'free'
}

const createOnPostgres = LEDGERS.find(([name]) => name === 'PostgreSQL')?.[1]

describe.skipIf(createOnPostgres === undefined).each([
  ['database', false],
  ['caller', true],
] as const)('by the clock of the %s', (clock, isEarly) => {
  let ledgers: TestLedgers
  let servers: Record<Clock, Server>
  let accounts = 0

  beforeAll(async () => {
    if (createOnPostgres === undefined) return
    ledgers = await createOnPostgres()
    const open = (errorMs: number) => ({
      ledger: ledgers.open({ clock }),
      now: () => new Date(Date.now() + errorMs),
    })
    servers = { right: open(0), ahead: open(5 * MINUTE), behind: open(-5 * MINUTE) }
  })
  afterAll(() => ledgers?.close())

  async function worldOf(holder: Server, other: Server): Promise<World> {
    const email = `${++accounts}@shop.example`
    const account = { email, password_hash: 'none', tier: 'pro' } as const
    const context = { now: new Date(), address: undefined }
    const created = await servers.right.ledger.accounts.create(account, context)
    return { holder, other, account: created?.id ?? 0, execute: ledgers.execute }
  }

  test.each(CASES)(
    `%s ${isEarly ? 'comes early' : 'comes in time'}`,
    async (_name, happens, pairs) => {
      for (const [holder, other] of pairs) {
        expect(await happens(await worldOf(servers[holder], servers[other]))).toBe(isEarly)
      }
    },
  )
})

describe.each(LEDGERS)('the quota of a day on %s', (_name, create) => {
  test('is granted once, although it begins earlier on one server', async () => {
    const ledgers = await create()
    const owner = { account_id: ledgers.accounts.free, tier: 'free' } as const
    const midnight = Date.UTC(2026, 10, 16)
    let time = midnight - MINUTE
    const [right, ahead] = [0, 5 * MINUTE].map((errorMs) =>
      createQuotaCharger({ ledger: ledgers.open(), now: () => new Date(time + errorMs) }),
    ) as [ReturnType<typeof createQuotaCharger>, ReturnType<typeof createQuotaCharger>]
    const drain = async (server: typeof right) => {
      let granted = 0
      while ((await server.charge(owner)).isAllowed) granted++
      return granted
    }
    // The server that is ahead already charges tomorrow's requests, which are missing tomorrow.
    const early = await drain(ahead)
    const today = await drain(right)
    time = midnight
    const tomorrow = (await drain(right)) + (await drain(ahead))
    expect([today, early + tomorrow]).toEqual([DAILY_REQUESTS.free, DAILY_REQUESTS.free])
    await ledgers.close()
  })
})

describe.skipIf(!HAS_POSTGRES)('leases of servers whose clocks differ', () => {
  test('go by the clock of the database', async () => {
    const { engine, close } = await openPostgres()
    const store = openJobLeaseStore(engine)
    const wrong = (ms: number) => new Date(Date.now() + ms)
    expect(await store.take('job', 'behind', wrong(-3_600_000))).toMatchObject({ token: 1 })
    expect(await store.take('job', 'ahead', wrong(3_600_000))).toBeUndefined()
    await close()
  })
})
