import { createKey } from '#actions/accounts/manage-keys.ts'
import { openStripeClient } from '#outbound/stripe/stripe-client.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { generateSessionToken } from '#rules/accounts/sessions.ts'
import { DAILY_REQUESTS, TIERS, type Tier } from '#rules/accounts/tiers.ts'
import type { BillableItem } from '#rules/billing/plans.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import { closeAfterUse } from '../end-of-tests.ts'
import { createTestApp, FROZEN_TIME } from '../test-app.ts'
import { startFakeStripe } from './stripe-server.ts'
import type { EventObject } from './stripe-state.ts'

/** The data of create-checkout and portal responses. */
export type CheckoutLink = { url: string; kind: 'checkout' | 'portal' }

export type BillingTestApp = Awaited<ReturnType<typeof createBillingTestApp>>

export type Customer = Awaited<ReturnType<BillingTestApp['newcomer']>>

export const WEBHOOK = '/v1/payments/stripe/webhook'

/** A second secret of the event endpoint, as during a rotation. */
export const PREVIOUS_SECRET = 'whsec_before'

/** Creates an app that is connected to a fake Stripe, with one clock for both. */
export async function createBillingTestApp({
  onDisk = false,
  timeoutMs = 30_000,
}: {
  onDisk?: boolean
  timeoutMs?: number
} = {}) {
  const stripe = startFakeStripe({ now: Date.parse(FROZEN_TIME) })
  closeAfterUse(() => void stripe.close())
  const settings = stripe.settings()
  settings.webhookSecrets = [...settings.webhookSecrets, PREVIOUS_SECRET]
  const client = openStripeClient(settings, { timeoutMs })
  let gate: Promise<void> | undefined
  let held = 0

  async function late<Seen>(answer: Promise<Seen>): Promise<Seen> {
    const seen = await answer
    if (gate !== undefined) held++
    await gate
    return seen
  }

  const testApp = await createTestApp({
    onDisk,
    stripe: {
      ...client,
      getSession: (ref) => late(client.getSession(ref)),
      getSubscription: (ref) => late(client.getSubscription(ref)),
      getInvoice: (ref) => late(client.getInvoice(ref)),
      getCharge: (ref) => late(client.getCharge(ref)),
    },
    env: {
      STRIPE_SECRET_KEY: settings.secretKey,
      STRIPE_WEBHOOK_SECRET: settings.webhookSecrets.join(','),
      STRIPE_API_URL: settings.apiUrl,
    },
  })
  const { ledger, now } = testApp.deps
  const { request } = testApp.client
  let customers = 0

  /** Advances the app's clock to Stripe's. */
  const syncClock = () => testApp.setClock(new Date(stripe.now()).toISOString())

  async function send(event: EventObject, secret?: string) {
    syncClock()
    const { body, header } = await stripe.signed(event, secret)
    return sendSigned(body, header)
  }

  function sendSigned(body: string, header: string | undefined) {
    const signed = header === undefined ? {} : { 'stripe-signature': header }
    return request('POST', WEBHOOK, { body, headers: signed })
  }

  /** Creates an account with a session and a key. */
  async function addCustomer() {
    const email = `customer-${++customers}@billing.example`
    const account = await ledger.accounts.create(
      { email, password_hash: 'none', tier: 'free' },
      { now: now(), address: undefined },
    )
    if (account === undefined) throw new Error(`${email} is taken`)
    const { id } = account
    const named = { account_id: id, address: undefined, name: 'Default' }
    const { key } = await createKey({ ledger, now }, named)

    let entered = { token: '', at: 0 }

    /** Logs in again if the last login was long ago, because sessions end after some days. */
    async function session(): Promise<string> {
      syncClock()
      const at = stripe.now()
      if (at - entered.at < MS_PER_DAY) return entered.token
      const token = generateSessionToken((bytes) => crypto.getRandomValues(new Uint8Array(bytes)))
      const begun = { account_id: id, password_hash: 'none', token_hash: hashSecret(token) }
      await ledger.sessions.create({ ...begun, replaces: undefined, now: now(), address: 'test' })
      entered = { token, at }
      return token
    }

    const buy = async (plan: BillableItem | string) =>
      request<CheckoutLink>('POST', '/v1/payments/create-checkout', {
        session: await session(),
        json: { plan },
      })

    return {
      id,
      email,
      key,
      buy,
      portal: async () =>
        request<CheckoutLink>('POST', '/v1/payments/portal', { session: await session() }),
      /**
       * Creates a checkout.
       *
       * @returns Stripe's session
       */
      async checkout(plan: BillableItem): Promise<string> {
        const { status, body } = await buy(plan)
        if (status !== 200 || body.data.kind !== 'checkout') {
          throw new Error(`no checkout: ${status} ${JSON.stringify(body)}`)
        }
        return sessionIdFrom(body.data.url)
      },
      /** Returns the tier that requests with the key get now. */
      async tier(): Promise<Tier> {
        syncClock()
        const reply = await request('GET', '/v1/sets', { headers: { 'x-api-key': key } })
        const limit = reply.body.rate_limit.daily_limit
        const found = TIERS.find((tier) => DAILY_REQUESTS[tier] === limit)
        if (found === undefined) throw new Error(`no tier has the limit ${limit}`)
        return found
      },
      /** Returns the status of a request that requires Pro. */
      async proStatus(): Promise<number> {
        const headers = { 'x-api-key': key }
        return (await request('GET', PRO_PATH, { headers })).status
      },
      async subscription() {
        type UsageBody = { subscription: Record<string, unknown> }
        const reply = await request<UsageBody>('GET', '/v1/usage', { session: await session() })
        return reply.body.data.subscription
      },
      async scans(): Promise<number> {
        return (await ledger.accounts.getScans(id)).balance
      },
      /** Uses scans, one per photo. */
      async scan(times: number): Promise<void> {
        for (let used = 0; used < times; used++) {
          const hold = { id: crypto.randomUUID(), account_id: id, taken_at: now(), holdMs: 0 }
          if (!(await ledger.scans.reserve(hold))) throw new Error('no scan is left')
        }
      },
    }
  }

  return {
    testApp,
    stripe,
    newcomer: addCustomer,
    follow: syncClock,
    send,
    sendSigned,
    /** Holds back responses from now on until the returned function is called. */
    holdAnswers(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      gate = promise
      return resolve
    },
    /** Number of responses held back so far. */
    heldAnswers: () => held,
    /** Sends responses immediately from now on; held ones stay held. */
    releaseAnswers(): void {
      gate = undefined
    },
    /** Delivers the pending events in order. @returns the statuses that differ from 200 */
    async deliver(events: readonly EventObject[] = stripe.takeEvents()): Promise<number[]> {
      const refused: number[] = []
      for (const event of events) {
        const { status } = await send(event)
        if (status !== 200) refused.push(status)
      }
      return refused
    },
    advance(ms: number): void {
      stripe.advance(ms)
      syncClock()
    },
  }
}

/** A path that requires Pro. */
const PRO_PATH = '/v1/bulk/cards?ids=900401'

/** Returns the session that is paid at an address. */
export function sessionIdFrom(url: string): string {
  return url.split('/').at(-1) ?? ''
}
