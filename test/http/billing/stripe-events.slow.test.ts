import { beforeEach, describe, expect, test } from 'bun:test'
import { purgeLedger } from '#actions/operations/purge-ledger.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import {
  type BillingTestApp,
  type Customer,
  createBillingTestApp,
  PREVIOUS_SECRET,
  WEBHOOK,
} from '../../support/billing/billing-app.ts'
import type { EventObject } from '../../support/billing/stripe-state.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp } from '../../support/test-app.ts'

// Accepted and rejected events of Stripe.

let billingApp: BillingTestApp
let customer: Customer
beforeEach(async () => {
  billingApp = await createBillingTestApp()
  customer = await billingApp.newcomer()
})

/** Pays for a pack, and returns the event of the payment. */
async function paidPack(): Promise<EventObject> {
  billingApp.stripe.takeEvents()
  billingApp.stripe.pay(await customer.checkout('scans_1000'))
  const logged = billingApp.stripe
    .takeEvents()
    .find(({ type }) => type === 'checkout.session.completed')
  if (logged === undefined) throw new Error('nothing was logged')
  return logged
}

async function refusalOf(body: string, header: string | undefined) {
  const reply = await billingApp.sendSigned(body, header)
  return [reply.status, reply.body.error?.code]
}

const REFUSED = [400, 'INVALID_SIGNATURE']

describe('an event', () => {
  test('returns no information about its effect', async () => {
    const reply = await billingApp.send(await paidPack())
    expect([reply.status, reply.text]).toEqual([200, '{"data":{"received":true}}'])
    expect(reply.headers.get('cache-control')).toContain('no-store')
    expect(await customer.scans()).toBe(1_000)
  })

  test('without a valid signature does nothing', async () => {
    const event = await paidPack()
    const { body, header } = await billingApp.stripe.signed(event)
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
    const other = await billingApp.stripe.signed(event, 'whsec_somebody')
    expect(await refusalOf(other.body, other.header)).toEqual(REFUSED)
    expect(await customer.scans()).toBe(0)
  })

  test('is rejected if it is five minutes old, or sent again after a month', async () => {
    const { body, header } = await billingApp.stripe.signed(await paidPack())
    billingApp.advance(300_000)
    expect((await billingApp.sendSigned(body, header)).status).toBe(200)
    billingApp.advance(1_000)
    expect(await refusalOf(body, header)).toEqual(REFUSED)
    billingApp.advance(30 * MS_PER_DAY)
    expect(await refusalOf(body, header)).toEqual(REFUSED)
    expect(await customer.scans()).toBe(1_000)
  })

  test('is rejected if its time is more than five minutes ahead', async () => {
    const { stripe } = billingApp
    const event = await paidPack()
    const ahead = (seconds: number) => stripe.signed(event, undefined, seconds)
    for (const seconds of [301, 4_000, 1e9]) {
      const { body, header } = await ahead(seconds)
      expect(await refusalOf(body, header)).toEqual(REFUSED)
      expect(await refusalOf(body, header.replace(',', 'x,'))).toEqual(REFUSED)
      expect(await refusalOf(body, `t=1,${header}`)).toEqual(REFUSED)
    }
    expect(await customer.scans()).toBe(0)
    const { body, header } = await ahead(300)
    expect((await billingApp.sendSigned(body, header)).status).toBe(200)
  })

  test('that is repeated after a month with a fresh signature does nothing', async () => {
    const event = await paidPack()
    expect((await billingApp.send(event)).status).toBe(200)
    await customer.scan(10)
    const scans = await customer.scans()
    for (const months of [1, 20]) {
      billingApp.advance(months * 30 * MS_PER_DAY)
      // After more than a year, the event is no longer remembered.
      await purgeLedger(billingApp.testApp.deps)
      expect((await billingApp.send(event)).status).toBe(200)
      expect((await billingApp.send({ ...event, id: `evt_again_${months}` })).status).toBe(200)
      expect(await customer.scans()).toBe(scans)
    }
  })

  test('is accepted with either secret during a rotation', async () => {
    const first = await paidPack()
    expect((await billingApp.send(first, PREVIOUS_SECRET)).status).toBe(200)
    expect(await customer.scans()).toBe(1_000)
    expect((await billingApp.send(await paidPack())).status).toBe(200)
    expect(await customer.scans()).toBe(2_000)
  })

  test('of more than 512 KiB is not read', async () => {
    const limit = 512 * 1024
    const event = await paidPack()
    const size = JSON.stringify(event).length
    const padded = (bytes: number) => ({ ...event, id: `evt_${'x'.repeat(bytes)}` })
    const fits = padded(limit - size + event.id.length - 4)
    expect(JSON.stringify(fits)).toHaveLength(limit)
    expect((await billingApp.send(fits)).status).toBe(200)
    const reply = await billingApp.send(padded(limit - size + event.id.length - 3))
    expect([reply.status, reply.body.error.code]).toEqual([413, 'BODY_TOO_LARGE'])
  })

  test('with a valid signature but without an event does nothing', async () => {
    const paid = await paidPack()
    for (const type of ['customer.created', 'checkout.session.completed', 'charge.refunded']) {
      const event = { ...paid, type, id: `evt_${type}`, data: { object: {} } }
      expect((await billingApp.send(event as EventObject)).status).toBeLessThan(500) // as far as it is one
    }
    const { body, header } = await billingApp.stripe.signed([] as unknown as EventObject) // none at all
    expect((await billingApp.sendSigned(body, header)).status).toBeLessThan(500)
    expect(await customer.scans()).toBe(0)
  })

  test('that cannot be processed now is rejected, and counts when Stripe repeats it', async () => {
    const event = await paidPack()
    for (const fault of [{ status: 500 }, { cuts: 'answer' }] as const) {
      billingApp.stripe.misbehave(fault)
      expectRefusal(await billingApp.send(event), 503, 'BILLING_UNAVAILABLE')
    }
    billingApp.stripe.misbehave()
    expect(await customer.scans()).toBe(0)
    expect((await billingApp.send(event)).status).toBe(200)
    expect(await customer.scans()).toBe(1_000)
  })

  test('that arrives several times at once counts once', async () => {
    const event = await paidPack()
    billingApp.stripe.misbehave({ delayMs: 10 })
    const replies = await Promise.all(Array.from({ length: 20 }, () => billingApp.send(event)))
    billingApp.stripe.misbehave()
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200))
    expect(await customer.scans()).toBe(1_000)
  })
})

describe('a late response of Stripe', () => {
  /** The second event arrives while the response to the first one is pending. */
  async function overtake(before: () => void, after: () => void) {
    billingApp.stripe.takeEvents()
    before()
    const [first] = billingApp.stripe.takeEvents().slice(-1)
    const release = billingApp.holdAnswers()
    const held = billingApp.heldAnswers()
    const slow = billingApp.deliver(first && [first])
    while (billingApp.heldAnswers() === held) await Bun.sleep(1)
    billingApp.releaseAnswers()
    after()
    expect(await billingApp.deliver()).toEqual([])
    release()
    expect(await slow).toEqual([])
  }

  test('does not restore a subscription that is over', async () => {
    const session = await customer.checkout('pro')
    billingApp.stripe.pay(session)
    await billingApp.deliver()
    await customer.portal()
    const id = String(billingApp.stripe.books.sessions.get(session)?.subscription)
    await overtake(
      () => billingApp.stripe.changePlan(id, 'business'),
      () => billingApp.stripe.cancelNow(id),
    )
    expect(await customer.tier()).toBe('free')
  })

  test('does not restore scans that were refunded since', async () => {
    const session = await customer.checkout('scans_1000')
    billingApp.stripe.pay(session)
    await billingApp.deliver()
    const payment = String(billingApp.stripe.books.sessions.get(session)?.payment_intent)
    await overtake(
      () => billingApp.stripe.refund(payment, 300),
      () => billingApp.stripe.refund(payment, 1_200),
    )
    expect(await customer.scans()).toBe(0)
  })
})

test('returns 404 without Stripe', async () => {
  const testApp = await createTestApp()
  const { body, header } = await billingApp.stripe.signed(await paidPack())
  const reply = await testApp.client.request('POST', WEBHOOK, {
    body,
    headers: { 'stripe-signature': header },
  })
  expect([reply.status, reply.body.error.code]).toEqual([404, 'NOT_FOUND'])
})
