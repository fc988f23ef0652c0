import { describe, expect, test } from 'bun:test'
import { x402Client } from '@x402/core/client'
import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { documentOf, openBodyCheck } from '../../contract/openapi.ts'
import { type FakeReader, fakeReader, PHOTO } from '../../support/photos/reader-fixtures.ts'
import { createTestApp, PUBLIC_URL, type TestApp } from '../../support/test-app.ts'
import type { TestRequestOptions, TestResponse } from '../../support/test-client.ts'
import {
  type FakeX402,
  fakeX402,
  PAYER,
  paymentHeader,
  TERMS,
  X402_ENV,
} from '../../support/x402/x402-config.ts'

// Individually paid photos over HTTP. Facilitator, chain and reader are fakes.

type World = { testApp: TestApp; x402: FakeX402; reader: FakeReader }

async function open({
  env = {},
  now,
}: {
  env?: Record<string, string>
  now?: Date
} = {}): Promise<World> {
  const reader = fakeReader()
  // The chain uses the app's clock, which is created a moment later.
  const clock = { now: () => new Date() }
  const x402 = fakeX402(() => clock.now())
  const testApp = await createTestApp({ env: { ...X402_ENV, ...env }, reader, x402 })
  if (now !== undefined) testApp.setClock(now.toISOString())
  clock.now = testApp.deps.now
  return { testApp, x402, reader }
}

function send(
  { client }: TestApp,
  { path = '', headers = {}, ...request }: TestRequestOptions & { path?: string } = {},
) {
  const labeled = { 'content-type': 'image/jpeg', ...headers }
  return client.request('POST', `/v1/identify${path}`, {
    body: PHOTO.jpeg,
    ...request,
    headers: labeled,
  })
}

const signed = ({ deps }: TestApp, changes = {}) => ({
  'payment-signature': paymentHeader(deps.now(), changes),
})

function expectOffer({ headers }: TestResponse<unknown>): void {
  const offer = decodePaymentRequiredHeader(headers.get('payment-required') ?? '')
  expect(offer as unknown).toEqual({
    x402Version: 2,
    resource: {
      url: `${PUBLIC_URL}/v1/identify`,
      description: expect.any(String),
      mimeType: 'application/json',
    },
    accepts: [
      {
        scheme: 'exact',
        network: 'eip155:84532',
        amount: '20000',
        asset: TERMS.asset,
        payTo: TERMS.payTo,
        maxTimeoutSeconds: 120,
        extra: { name: 'USDC', version: '2' },
      },
    ],
  })
}

function expectRefusal(testResponse: TestResponse<unknown>, status: number, code: string): void {
  expect([testResponse.status, testResponse.body.error?.code]).toEqual([status, code])
  expect(testResponse.headers.get('payment-response')).toBeNull()
}

describe('a client without a key', () => {
  test('receives 401 with the terms', async () => {
    const { testApp } = await open()
    const testResponse = await send(testApp)
    expectRefusal(testResponse, 401, 'API_KEY_REQUIRED')
    expectOffer(testResponse)
  })

  test('that offers to pay receives 402, which x402 clients support', async () => {
    const { testApp, reader } = await open()
    const reply = await send(testApp, { path: '?game=wickerwild&payment=x402' })
    expectRefusal(reply, 402, 'PAYMENT_REQUIRED')
    expectOffer(reply)
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    expect(reader.requests).toEqual([])
    expect((await send(testApp, { path: '?payment=cash' })).status).toBe(401)
  })

  test('receives the terms only if a payment would help', async () => {
    const { testApp } = await open()
    for (const as of ['unknown', 'deactivated'] as const) {
      expect((await send(testApp, { as })).headers.has('payment-required')).toBe(false)
    }
    for (const path of ['/v1/identify/usage', '/v1/sets']) {
      const reply = await testApp.client.get(path)
      expect([reply.status, reply.headers.has('payment-required')]).toEqual([401, false])
    }
    const other = await testApp.client.get('/v1/identify')
    expect([other.status, other.headers.has('payment-required')]).toEqual([405, false])
  })
})

test('without scans receives the terms for this photo', async () => {
  const { testApp } = await open()
  for (let left = 25; left > 0; left--) await send(testApp, { as: 'free' })
  const testResponse = await send(testApp, { as: 'free' })
  expectRefusal(testResponse, 402, 'SCAN_BALANCE_EMPTY')
  expectOffer(testResponse)
  expect(testResponse.headers.get('cache-control')).toBe('private, no-store')
  const paid = await send(testApp, { as: 'free', headers: signed(testApp) })
  expect([paid.status, paid.body.meta]).toEqual([
    200,
    expect.objectContaining({ charged: 'payment' }),
  ])
})

describe('a paid photo', () => {
  test('is answered as with a scan, with a payment confirmation', async () => {
    const { testApp, x402 } = await open()
    const testResponse = await send(testApp, { path: '?include=prices', headers: signed(testApp) })
    expect(testResponse.status).toBe(200)
    const scanned = await send(testApp, { path: '?include=prices', as: 'pro' })
    const { id: _, ...data } = testResponse.body.data
    expect(scanned.body.data).toEqual({ id: scanned.body.data.id, ...data })
    expect(Object.keys(testResponse.body)).toEqual(['data', 'meta'])
    expect(testResponse.body.meta as unknown).toEqual({ charged: 'payment', scans_remaining: 0 })
    expect(testResponse.headers.get('x-scans-remaining')).toBe('0')
    expect(testResponse.headers.get('cache-control')).toBe('no-store')
    const receipt = decodePaymentResponseHeader(testResponse.headers.get('payment-response') ?? '')
    const transaction = [...x402.moved.values()].join()
    expect(receipt as unknown).toEqual({
      success: true,
      transaction,
      network: TERMS.network,
      payer: PAYER,
      amount: '20000',
    })
  })

  test('uses no scan of any key in the same request', async () => {
    const { testApp } = await open()
    for (const as of ['free', 'unknown'] as const) {
      const reply = await send(testApp, { as, headers: signed(testApp) })
      expect([reply.status, reply.body.rate_limit]).toEqual([200, undefined as never])
    }
    const { body } = await testApp.client.get('/v1/identify/usage', { as: 'free' })
    expect(body.data).toMatchObject({ balance: 0, trial_pending: true })
  })

  test('that is repeated in any format gets the identical response', async () => {
    const { testApp, x402, reader } = await open()
    const headers = signed(testApp)
    const first = await send(testApp, { headers })
    const form = new FormData()
    form.append('image', new File([PHOTO.jpeg], 'card.jpg'))
    const ways = [
      await send(testApp, { headers }),
      await testApp.client.request('POST', '/v1/identify', { headers, body: form }),
      await testApp.client.post('/v1/identify', { image: PHOTO.jpeg.toBase64() }, { headers }),
    ]
    for (const again of ways) {
      expect(again.text).toBe(first.text)
      expect(again.headers.get('payment-response')).toBe(first.headers.get('payment-response'))
    }
    expect([reader.requests.length, x402.moved.size]).toEqual([1, 1])
  })

  test('is counted by its result', async () => {
    const { testApp } = await open()
    const headers = signed(testApp)
    await send(testApp, { headers })
    await send(testApp, { headers })
    await send(testApp, { headers, body: PHOTO.png })
    const { text } = await testApp.client.get('/metrics')
    for (const outcome of ['settled', 'answered_again', 'payment_rejected']) {
      expect(text).toContain(`cardstock_photo_payments_total{outcome="${outcome}"} 1`)
    }
    expect(text).toMatch(/^cardstock_identifications_total\{status="\w+"\} 1$/m)
  })
})

describe('an invalid payment', () => {
  test('is rejected before the photo is read from the connection', async () => {
    const { testApp, reader } = await open()
    let pulled = 0
    const body = () =>
      new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            pulled++
            controller.enqueue(PHOTO.jpeg)
            controller.close()
          },
        },
        { highWaterMark: 0 },
      )
    const sendHeader = (header: string) =>
      send(testApp, { body: body(), headers: { 'payment-signature': header } })
    expectRefusal(await sendHeader('what?'), 400, 'PAYMENT_INVALID')
    expectRefusal(await sendHeader(''), 400, 'PAYMENT_INVALID')
    expectRefusal(await sendHeader('a'.repeat(9_000)), 400, 'PAYMENT_INVALID')
    const less = await sendHeader(paymentHeader(testApp.deps.now(), { payload: { value: '1' } }))
    expectRefusal(less, 402, 'PAYMENT_REJECTED')
    expectOffer(less)
    expect(less.headers.get('cache-control')).toBe('private, no-store')
    expect([pulled, reader.requests.length]).toEqual([0, 0])
  })

  test('of the previous version is rejected with the supported one', async () => {
    const { testApp } = await open()
    const testResponse = await send(testApp, {
      headers: { 'x-payment': 'eyJ4NDAyVmVyc2lvbiI6MX0=' },
    })
    expectRefusal(testResponse, 400, 'PAYMENT_VERSION_UNSUPPORTED')
  })

  test('remains unused if the photo or an option is invalid', async () => {
    const { testApp, x402 } = await open()
    const headers = signed(testApp)
    expectRefusal(await send(testApp, { headers, body: 'x' }), 400, 'INVALID_IMAGE')
    expectRefusal(await send(testApp, { headers, path: '?include=x' }), 400, 'VALIDATION_ERROR')
    expectRefusal(await send(testApp, { headers, path: '?game=none' }), 400, 'INVALID_GAME')
    expect(x402.verified).toEqual([])
    expect((await send(testApp, { headers })).status).toBe(200)
  })

  test('is rejected by the facilitator, or has Retry-After while it is unavailable', async () => {
    const { testApp, x402 } = await open()
    const headers = signed(testApp)
    x402.script({ verify: () => ({ kind: 'invalid', reason: 'insufficient_funds' }) })
    const poor = await send(testApp, { headers })
    expectRefusal(poor, 402, 'PAYMENT_REJECTED')
    x402.script({ verify: () => ({ kind: 'unclear', why: 'it is away' }) })
    const away = await send(testApp, { headers })
    expectRefusal(away, 503, 'PAYMENT_UNAVAILABLE')
    expect(away.headers.get('retry-after')).toBe('5')
  })

  test('returns 429 while four photos of its payer are unpaid', async () => {
    const { testApp, x402, reader } = await open()
    const { promise, resolve } = Promise.withResolvers<void>()
    x402.script({
      async settle(payment) {
        await promise
        return { kind: 'settled', transaction: x402.move(payment) }
      },
    })
    const four = Promise.all(
      Array.from({ length: 4 }, () => send(testApp, { headers: signed(testApp) })),
    )
    while (x402.settled.length < 4) await Bun.sleep(5)
    const fifth = { headers: signed(testApp) }
    const refused = await send(testApp, fifth)
    expectRefusal(refused, 429, 'TOO_MANY_ATTEMPTS')
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(reader.requests).toHaveLength(4)
    resolve()
    expect((await four).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await send(testApp, fifth)).status).toBe(200)
    expect(x402.moved.size).toBe(5)
  })

  test('has Retry-After while its outcome is unknown', async () => {
    const { testApp, x402 } = await open()
    const headers = signed(testApp)
    x402.script({
      settle(payment) {
        x402.move(payment)
        // Waits until long after the payment has expired.
        testApp.advance(600_000)
        return { kind: 'unclear', why: 'it took too long' }
      },
      trace: () => ({ kind: 'unknown', why: 'it is away' }),
    })
    const pending = await send(testApp, { headers })
    expectRefusal(pending, 503, 'PAYMENT_PENDING')
    expect(pending.headers.get('retry-after')).toBe('5')
    expect(pending.headers.get('cache-control')).toContain('no-store')
    x402.script({})
    expect((await send(testApp, { headers })).status).toBe(200)
    expect([x402.settled.length, x402.moved.size]).toEqual([1, 1])
  })
})

test('every response to a payment matches the API document', async () => {
  const env = { IDENTIFY_BLOCKED_COUNTRIES: 'FR', TRUST_PROXY: '1' }
  const { testApp, x402 } = await open({ env })
  const faultOf = openBodyCheck(await documentOf(testApp))
  const expectDocumented = async (status: number, options: Parameters<typeof send>[1]) => {
    const testResponse = await send(testApp, options)
    expect([
      testResponse.status,
      faultOf('/v1/identify', status, testResponse.body, 'POST'),
    ]).toEqual([status, undefined])
  }
  await expectDocumented(401, {})
  await expectDocumented(402, { path: '?payment=x402' })
  await expectDocumented(200, { headers: signed(testApp) })
  await expectDocumented(400, { headers: { 'payment-signature': 'x' } })
  await expectDocumented(402, { headers: signed(testApp, { payload: { value: '1' } }) })
  await expectDocumented(403, { headers: { ...signed(testApp), 'cf-ipcountry': 'FR' } })
  x402.script({ verify: () => ({ kind: 'unclear', why: 'it is away' }) })
  await expectDocumented(503, { headers: signed(testApp) })
  const info = await testApp.client.get('/v1/x402/info')
  expect(faultOf('/v1/x402/info', 200, info.body)).toBeUndefined()
})

test('/v1/x402/info returns the price, the recipient and the terms', async () => {
  const { testApp } = await open()
  const { body, headers } = await testApp.client.get('/v1/x402/info')
  expect(body.data).toMatchObject({
    enabled: true,
    x402_version: 2,
    price: { dollars: 0.02, atomic: '20000' },
    scheme: 'exact',
    network: 'eip155:84532',
    asset: { address: TERMS.asset, name: 'USDC', version: '2', decimals: 6 },
    pay_to: TERMS.payTo,
    facilitator_url: 'https://facilitator.example/x402',
    resource: `${PUBLIC_URL}/v1/identify`,
    max_timeout_seconds: 120,
  })
  const off = await createTestApp()
  const other = await off.client.get('/v1/x402/info')
  expect(other.body.data).toMatchObject({ enabled: false, price: null, pay_to: null })
  expect(other.headers.get('etag')).not.toBe(headers.get('etag'))
})

test('without a payment configuration nothing is offered, and a payment has no effect', async () => {
  const testApp = await createTestApp()
  for (const headers of [{}, signed(testApp), { 'payment-signature': 'x' }, { 'x-payment': 'x' }]) {
    const testResponse = await send(testApp, { path: '?payment=x402', headers: { ...headers } })
    expectRefusal(testResponse, 401, 'API_KEY_REQUIRED')
    expect(testResponse.headers.has('payment-required')).toBe(false)
    const keyed = await send(testApp, {
      as: 'free',
      path: '?payment=x402',
      headers: { ...headers },
    })
    expect([keyed.status, keyed.body.meta.charged]).toEqual([200, 'scan'])
  }
})

test('another origin may send a payment, and read the terms and the confirmation', async () => {
  const origin = 'https://shop.example'
  const { testApp } = await open()
  const preflight = await testApp.client.request('OPTIONS', '/v1/identify', { headers: { origin } })
  const allowed = preflight.headers.get('access-control-allow-headers')?.toLowerCase().split(', ')
  expect(allowed).toContain('payment-signature')
  // The official client sends this one as a request header.
  expect(allowed).toContain('access-control-expose-headers')
  for (const headers of [{ origin }, { origin, ...signed(testApp) }]) {
    const testResponse = await send(testApp, { headers })
    const exposed = testResponse.headers.get('access-control-expose-headers')?.split(', ')
    expect(exposed).toEqual(expect.arrayContaining(['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE']))
    expect(testResponse.headers.get('access-control-allow-origin')).toBe('*')
  }
})

describe('over a socket', () => {
  test('the official client pays for a photo by itself', async () => {
    const { testApp, x402 } = await open({ now: new Date() })
    const url = `${testApp.listen().url}/v1/identify?payment=x402`
    const signer = privateKeyToAccount(generatePrivateKey())
    const pay = wrapFetchWithPayment(fetch, registerExactEvmScheme(new x402Client(), { signer }))
    const form = new FormData()
    form.append('image', new File([PHOTO.jpeg], 'card.jpg'))
    const jpeg = { 'content-type': 'image/jpeg' }
    for (const init of [{ body: form }, { body: PHOTO.jpeg, headers: jpeg }]) {
      const response = await pay(url, { method: 'POST', ...init })
      expect(response.status).toBe(200)
      const receipt = decodePaymentResponseHeader(response.headers.get('payment-response') ?? '')
      expect(receipt.payer).toBe(signer.address.toLowerCase())
      expect(await response.json()).toMatchObject({ meta: { charged: 'payment' } })
    }
    expect(x402.moved.size).toBe(2)
  })

  test('rejects a header of 1 MB, and continues to run', async () => {
    const { testApp } = await open({ now: new Date() })
    const url = `${testApp.listen().url}/v1/identify`
    const post = async (length: number) => {
      const headers = { 'payment-signature': 'A'.repeat(length), 'content-type': 'image/jpeg' }
      const response = await fetch(url, { method: 'POST', body: PHOTO.jpeg, headers })
      return [response.status, (await response.text()).includes('PAYMENT_INVALID')]
    }
    expect(await post(12_000)).toEqual([400, true])
    expect(await post(1_000_000)).toEqual([431, false])
    expect(await post(12)).toEqual([400, true])
  })
})
