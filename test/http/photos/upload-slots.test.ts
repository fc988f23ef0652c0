import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { createUploadSlots } from '#http/endpoint/upload-slots.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { fakeReader, PHOTO } from '../../support/photos/reader-fixtures.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { fakeX402, paymentHeader, X402_ENV } from '../../support/x402/x402-config.ts'

// Unknown senders of photos with unverified payments, over real connections.

setDefaultTimeout(60_000)

/** Limit per address. */
const EACH = 8

let testApp: TestApp
let port: number
const senders = new Set<Socket>()

beforeAll(async () => {
  const x402 = fakeX402(() => testApp.deps.now())
  const env = { ...X402_ENV, TRUST_PROXY: '1' }
  testApp = await createTestApp({ env, reader: fakeReader(), x402 })
  // As main.ts: the service's own limits are lower.
  testApp.app.listen({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 30,
    maxRequestBodySize: 2 ** 40,
  })
  port = testApp.app.server?.port ?? 0
})
afterAll(async () => {
  for (const socket of senders) socket.destroy()
  await testApp.app.server?.stop(true)
  testApp.close()
})

type Answer = { status: number; retryAfter: string | undefined; text: string }

const newPayment = () => ({ 'payment-signature': paymentHeader(testApp.deps.now()) })

/**
 * Announces a photo and sends its beginning.
 * @param address the client's address as the proxy sends it
 * @param start how many bytes to send at once
 */
function startPhoto(address: string, start: number, headers: Record<string, string>) {
  const socket = connect(port, '127.0.0.1')
  senders.add(socket)
  socket.on('error', () => {})
  socket.on('close', () => senders.delete(socket))
  const lines = Object.entries({
    ...{ host: 'localhost', connection: 'close', 'content-type': 'image/jpeg' },
    ...{ 'content-length': String(PHOTO.jpeg.length), 'x-forwarded-for': address },
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`POST /v1/identify HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  socket.write(PHOTO.jpeg.subarray(0, start))
  const answer = new Promise<Answer>((resolve) => {
    let text = ''
    socket.on('data', (data) => {
      text += data.toString()
    })
    socket.on('close', () => {
      const retryAfter = /^retry-after: (\d+)/im.exec(text)?.[1]
      resolve({ status: Number(text.split(' ')[1] ?? 0), retryAfter, text })
    })
  })
  return { socket, answer, finish: () => socket.write(PHOTO.jpeg.subarray(start)) }
}

const sendPhoto = (address: string, headers: Record<string, string> = newPayment()) =>
  startPhoto(address, PHOTO.jpeg.length, headers).answer

/** Opens stalled uploads, until another one finds no slot. */
async function trickle(address: string, count = EACH) {
  const slow = Array.from({ length: count }, () => startPhoto(address, 10, newPayment()))
  if (count === EACH) await until(async () => (await sendPhoto(address)).status === 503)
  return slow
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error('it never was')
    await Bun.sleep(20)
  }
}

describe('slow photo uploads with a payment', () => {
  test('have eight slots per address: the ninth is rejected with Retry-After, and not read', async () => {
    await trickle('192.0.2.1')
    const ninth = await startPhoto('192.0.2.1', 0, newPayment()).answer
    expect([ninth.status, ninth.retryAfter]).toEqual([503, '1'])
    expect(ninth.text).toContain('PAYMENT_UNAVAILABLE')
    expect((await sendPhoto('192.0.2.2')).status).toBe(200)
  })

  test('leave a slot free if there are seven', async () => {
    await trickle('192.0.2.3', EACH - 1)
    await Bun.sleep(200)
    for (let count = 0; count < 3; count++) expect((await sendPhoto('192.0.2.3')).status).toBe(200)
  })

  test('free their slots when their senders disconnect', async () => {
    const [first, ...others] = await trickle('192.0.2.4')
    first?.socket.destroy()
    await until(async () => (await sendPhoto('192.0.2.4')).status === 200)
    for (const { socket } of others) socket.destroy()
    await until(async () => {
      const whole = Array.from({ length: EACH }, () => sendPhoto('192.0.2.4'))
      return (await Promise.all(whole)).every(({ status }) => status === 200)
    })
    expect((await sendPhoto('192.0.2.4')).status).toBe(200)
  })

  test('free their slots when they are complete, photos or not', async () => {
    const [first, second] = await trickle('192.0.2.5')
    first?.finish()
    expect((await first?.answer)?.status).toBe(200)
    expect((await sendPhoto('192.0.2.5')).status).toBe(200)
    const place = startPhoto('192.0.2.5', 0, newPayment())
    place.socket.write(Buffer.alloc(PHOTO.jpeg.length, 1))
    expect((await place.answer).text).toContain('INVALID_IMAGE')
    second?.finish()
    expect((await second?.answer)?.status).toBe(200)
    expect((await sendPhoto('192.0.2.5')).status).toBe(200)
  })

  test('do not affect callers with a key, or payments that are rejected', async () => {
    await trickle('192.0.2.6')
    const keyed = await sendPhoto('192.0.2.6', { 'x-api-key': testApp.keys.pro })
    expect(keyed.status).toBe(200)
    const none = await sendPhoto('192.0.2.6', { 'payment-signature': 'what?' })
    expect([none.status, none.text]).toEqual([400, expect.stringContaining('PAYMENT_INVALID')])
  })

  test('never report a paid photo as unpaid', async () => {
    const payment = newPayment()
    expect((await sendPhoto('192.0.2.7', payment)).status).toBe(200)
    const slow = await trickle('192.0.2.7')
    const { status, text } = await sendPhoto('192.0.2.7', payment)
    expect([status, text]).toEqual([503, expect.not.stringContaining('Nothing was paid')])
    for (const { socket } of slow) socket.destroy()
    await until(async () => (await sendPhoto('192.0.2.7', payment)).status === 200)
  })
})

describe('places', () => {
  const codeOf = (tried: Promise<unknown>) =>
    tried.then(
      () => 'within',
      (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
    )

  test('are limited for all addresses together, and a failed one is free again', async () => {
    const places = createUploadSlots({ total: 3, perClient: 2 })
    const ends = [1, 2, 3].map(() => Promise.withResolvers<void>())
    const taken = ends.map(({ promise }, number) =>
      codeOf(places.run(number < 2 ? 'a' : 'b', () => promise)),
    )
    let reads = 0
    const another = (address: string) => codeOf(places.run(address, async () => void reads++))
    for (const address of ['a', 'b', 'c']) {
      expect([await another(address), reads]).toEqual(['PAYMENT_UNAVAILABLE', 0])
    }
    ends[2]?.reject(new Error('it went away'))
    expect(await taken[2]).toBe('Error: it went away')
    expect(await another('a')).toBe('PAYMENT_UNAVAILABLE')
    for (const address of ['b', 'c', 'd']) expect(await another(address)).toBe('within')
    ends[0]?.resolve()
    expect([await taken[0], await another('a'), reads]).toEqual(['within', 'within', 4])
    ends[1]?.resolve()
    expect(await taken[1]).toBe('within')
  })
})
