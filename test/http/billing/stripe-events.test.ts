import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { purgeLedger } from '#actions/operations/purge-ledger.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import {
  type BillingTestApp,
  type Customer,
  createBillingTestApp,
  PREVIOUS_SECRET,
  WEBHOOK,
} from '../../support/billing/billing-app.ts'
import type { EventObject } from '../../support/billing/stripe-other-objects.ts'
import { createTestApp } from '../../support/test-app.ts'

// Accepted and rejected events of Stripe.

let town: BillingTestApp
let customer: Customer
beforeEach(async () => {
  town = await createBillingTestApp()
  customer = await town.newcomer()
}, 30_000)
afterEach(() => town.close())

/** A pack is paid: the event that says so. */
async function paidPack(): Promise<EventObject> {
  town.stripe.takeEvents()
  town.stripe.pay(await customer.checkout('scans_1000'))
  const told = town.stripe.takeEvents().find(({ type }) => type === 'checkout.session.completed')
  if (told === undefined) throw new Error('nothing was logged')
  return told
}

async function refusalOf(body: string, header: string | undefined) {
  const reply = await town.sendSigned(body, header)
  return [reply.status, reply.body.error?.code]
}

const REFUSED = [400, 'INVALID_SIGNATURE']

describe('an event', () => {
  test('returns no information about its effect', async () => {
    const reply = await town.send(await paidPack())
    expect([reply.status, reply.text]).toEqual([200, '{"data":{"received":true}}'])
    expect(reply.headers.get('cache-control')).toContain('no-store')
    expect(await customer.scans()).toBe(1_000)
  })

  test('without a valid signature does nothing', async () => {
    const event = await paidPack()
    const { body, header } = await town.stripe.signed(event)
    const mac = header.replace(/.*v1=/, '')
    const headers = [
      undefined,
      '',
      'v1=',
      't=,v1=',
      header.replace(/v1=./, 'v1=g'),
      header.replace('v1=', 'v0='),
      header.replace(/t=\d+,/, ''),
      header.replace(/t=(\d+)/, (_, at) => `t=${Number(at) + 1}`),
      header.replace(mac, mac.slice(1)),
      header.replace(mac, '0'.repeat(64)),
    ]
    for (const one of headers) expect(await refusalOf(body, one)).toEqual(REFUSED)
    expect(await refusalOf(body.replace('scans_1000', 'scans_100000'), header)).toEqual(REFUSED)
    expect(await refusalOf(`${body} `, header)).toEqual(REFUSED)
    expect(await refusalOf('', header)).toEqual(REFUSED)
    const other = await town.stripe.signed(event, 'whsec_somebody')
    expect(await refusalOf(other.body, other.header)).toEqual(REFUSED)
    expect(await customer.scans()).toBe(0)
  })

  test('is rejected if it is five minutes old, or sent again after a month', async () => {
    const { body, header } = await town.stripe.signed(await paidPack())
    town.advance(300_000)
    expect((await town.sendSigned(body, header)).status).toBe(200)
    town.advance(1_000)
    expect(await refusalOf(body, header)).toEqual(REFUSED)
    town.advance(30 * MS_PER_DAY)
    expect(await refusalOf(body, header)).toEqual(REFUSED)
    expect(await customer.scans()).toBe(1_000)
  })

  test('that is repeated after a month with a fresh signature does nothing', async () => {
    const event = await paidPack()
    expect((await town.send(event)).status).toBe(200)
    await customer.scan(10)
    const scans = await customer.scans()
    for (const months of [1, 20]) {
      town.advance(months * 30 * MS_PER_DAY)
      // After more than a year it is not even remembered.
      await purgeLedger(town.testApp.deps)
      expect((await town.send(event)).status).toBe(200)
      expect((await town.send({ ...event, id: `evt_again_${months}` })).status).toBe(200)
      expect(await customer.scans()).toBe(scans)
    }
  })

  test('is accepted with either secret during a rotation', async () => {
    const first = await paidPack()
    expect((await town.send(first, PREVIOUS_SECRET)).status).toBe(200)
    expect(await customer.scans()).toBe(1_000)
    expect((await town.send(await paidPack())).status).toBe(200)
    expect(await customer.scans()).toBe(2_000)
  })

  test('of more than 512 KiB is not read', async () => {
    const limit = 512 * 1024
    const event = await paidPack()
    const size = JSON.stringify(event).length
    const padded = (bytes: number) => ({ ...event, id: `evt_${'x'.repeat(bytes)}` })
    const fits = padded(limit - size + event.id.length - 4)
    expect(JSON.stringify(fits)).toHaveLength(limit)
    expect((await town.send(fits)).status).toBe(200)
    const reply = await town.send(padded(limit - size + event.id.length - 3))
    expect([reply.status, reply.body.error.code]).toEqual([413, 'BODY_TOO_LARGE'])
  })

  test('with a valid signature but without an event does nothing', async () => {
    const paid = await paidPack()
    for (const type of ['customer.created', 'checkout.session.completed', 'charge.refunded']) {
      const event = { ...paid, type, id: `evt_${type}`, data: { object: {} } }
      expect((await town.send(event as EventObject)).status).toBeLessThan(500) // as far as it is one
    }
    const { body, header } = await town.stripe.signed([] as unknown as EventObject) // none at all
    expect((await town.sendSigned(body, header)).status).toBeLessThan(500)
    expect(await customer.scans()).toBe(0)
  })

  test('that cannot be processed now is rejected, and counts when Stripe repeats it', async () => {
    const event = await paidPack()
    for (const fault of [{ status: 500 }, { cuts: 'answer' }] as const) {
      town.stripe.misbehave(fault)
      const reply = await town.send(event)
      expect([reply.status, reply.body.error.code]).toEqual([503, 'BILLING_UNAVAILABLE'])
    }
    town.stripe.misbehave()
    expect(await customer.scans()).toBe(0)
    expect((await town.send(event)).status).toBe(200)
    expect(await customer.scans()).toBe(1_000)
  }, 20_000)

  test('that arrives several times at once counts once', async () => {
    const event = await paidPack()
    town.stripe.misbehave({ delayMs: 10 })
    const replies = await Promise.all(Array.from({ length: 20 }, () => town.send(event)))
    town.stripe.misbehave()
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(await customer.scans()).toBe(1_000)
  })
})

describe('a late response of Stripe', () => {
  /** The first event's response is pending when the second event arrives. */
  async function overtake(before: () => void, after: () => void) {
    town.stripe.takeEvents()
    before()
    const [first] = town.stripe.takeEvents().slice(-1)
    const release = town.holdAnswers()
    const asked = town.stripe.requests.length
    const slow = town.deliver(first && [first])
    while (town.stripe.requests.length === asked) await Bun.sleep(1)
    await Bun.sleep(50)
    town.releaseAnswers()
    after()
    expect(await town.deliver()).toEqual([])
    release()
    expect(await slow).toEqual([])
  }

  test('does not restore a subscription that is over', async () => {
    const session = await customer.checkout('pro')
    town.stripe.pay(session)
    await town.deliver()
    await customer.portal()
    const id = String(town.stripe.books.sessions.get(session)?.subscription)
    await overtake(
      () => town.stripe.changePlan(id, 'business'),
      () => town.stripe.cancelNow(id),
    )
    expect(await customer.tier()).toBe('free')
  })

  test('does not restore scans that were refunded since', async () => {
    const session = await customer.checkout('scans_1000')
    town.stripe.pay(session)
    await town.deliver()
    const payment = String(town.stripe.books.sessions.get(session)?.payment_intent)
    await overtake(
      () => town.stripe.refund(payment, 300),
      () => town.stripe.refund(payment, 1_200),
    )
    expect(await customer.scans()).toBe(0)
  })
})

test('returns 404 without Stripe', async () => {
  const testApp = await createTestApp()
  const { body, header } = await town.stripe.signed(await paidPack())
  const reply = await testApp.client.ask('POST', WEBHOOK, {
    body,
    headers: { 'stripe-signature': header },
  })
  expect([reply.status, reply.body.error.code]).toEqual([404, 'NOT_FOUND'])
  testApp.close()
})
