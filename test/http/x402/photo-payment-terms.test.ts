import { expect, test } from 'bun:test'
import { purgeLedger } from '#actions/operations/purge-ledger.ts'
import { createApp } from '#http/app.ts'
import { fakeReader, PHOTO } from '../../support/photos/reader-fixtures.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { createTestClient } from '../../support/test-client.ts'
import { fakeX402, paymentHeader, X402_ENV } from '../../support/x402/x402-config.ts'

// Payments after a change of the terms, and after a month.

/** Restarts the service with another payee. */
function paidElsewhere({ deps, keys }: TestApp, payTo: string) {
  const { x402 } = deps.config
  if (x402 === undefined) throw new Error('no payments are taken here')
  const config = { ...deps.config, x402: { ...x402, payTo } }
  const { app } = createApp({ ...deps, config })
  return createTestClient((request) => app.handle(request), keys)
}

test('a paid photo is answered again after the operator has changed the recipient', async () => {
  const x402 = fakeX402(() => testApp.deps.now())
  const reader = fakeReader()
  const testApp = await createTestApp({ env: X402_ENV, reader, x402 })
  const withHeader = (header: string) => ({
    body: PHOTO.jpeg,
    headers: { 'payment-signature': header, 'content-type': 'image/jpeg' },
  })
  const before = withHeader(paymentHeader(testApp.deps.now()))
  const first = await testApp.client.request('POST', '/v1/identify', before)
  expect(first.status).toBe(200)

  const client = paidElsewhere(testApp, `0x${'cd'.repeat(20)}`)
  const again = await client.request('POST', '/v1/identify', before)
  expect([again.status, again.text]).toEqual([200, first.text])
  const unknown = withHeader(paymentHeader(testApp.deps.now()))
  expectRefusal(await client.request('POST', '/v1/identify', unknown), 402, 'PAYMENT_REJECTED')
  expect([reader.requests.length, x402.moved.size]).toEqual([1, 1])
})

test('after thirty days the response is deleted, the payment is used up, and it remains recorded', async () => {
  const x402 = fakeX402(() => testApp.deps.now())
  const testApp = await createTestApp({ env: X402_ENV, x402 })
  const options = {
    body: PHOTO.jpeg,
    headers: {
      'payment-signature': paymentHeader(testApp.deps.now()),
      'content-type': 'image/jpeg',
    },
  }
  expect((await testApp.client.request('POST', '/v1/identify', options)).status).toBe(200)
  const paidAt = testApp.deps.now().getTime()
  testApp.setClock(new Date(paidAt + 31 * 86_400_000).toISOString())
  await purgeLedger(testApp.deps)
  const again = await testApp.client.request('POST', '/v1/identify', options)
  expect([again.status, again.body.error.code]).toEqual([402, 'PAYMENT_REJECTED'])
  const books = await testApp.deps.ledger.billingReport.listPhotoPayments([paidAt, paidAt + 1])
  expect(books).toEqual([{ state: 'settled', payments: 1 }])
})
