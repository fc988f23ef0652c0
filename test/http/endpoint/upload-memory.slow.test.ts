import { afterAll, describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { createUploadMemory, UPLOAD_LIMITS } from '#http/endpoint/upload-memory.ts'
import { CSV_MAX_BYTES } from '#http/input/csv-body.ts'
import { PHOTO_MAX_BYTES } from '#http/input/photo-body.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { fakeReader, OBSERVATION, PHOTO } from '../../support/photos/reader-fixtures.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { waitFor } from '../../support/wait-for.ts'
import { fakeX402, paymentHeader, X402_ENV } from '../../support/x402/x402-config.ts'

// Slow senders of large bodies, over real connections.

/** Photos of the maximum size that an account, or an address without one, may send at once. */
const EACH = UPLOAD_LIMITS.owner / PHOTO_MAX_BYTES

const reader = fakeReader()
const testApp: TestApp = await createTestApp({
  env: { ...X402_ENV, TRUST_PROXY: '1', IDENTIFY_BLOCKED_COUNTRIES: 'FR' },
  reader,
  x402: fakeX402(() => testApp.deps.now()),
})
const { port } = testApp.listen()
const senders = new Set<Socket>()
afterAll(() => {
  for (const socket of senders) socket.destroy()
})

type Answer = { status: number; retryAfter: string | undefined; text: string }

type Upload = {
  path?: string
  type?: string
  length?: number
  headers?: Record<string, string>
}

const newPayment = () => ({ 'payment-signature': paymentHeader(testApp.deps.now()) })
const keyOf = (account: 'free' | 'pro' | 'hobby') => ({ 'x-api-key': testApp.keys[account] })

/** Announces a body, and sends its first bytes. @param address the client's address as sent by the proxy */
function start(address: string, upload: Upload) {
  const { path = '/v1/identify', type = 'image/jpeg', length = PHOTO_MAX_BYTES } = upload
  const socket = connect(port, '127.0.0.1')
  senders.add(socket)
  socket.on('error', () => {})
  socket.on('close', () => senders.delete(socket))
  const lines = Object.entries({
    host: 'localhost',
    connection: 'close',
    'content-type': type,
    'x-forwarded-for': address,
    'content-length': String(length),
    ...upload.headers,
  }).map(([name, value]) => `${name}: ${value}`)
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  const { jpeg } = PHOTO
  socket.write(jpeg.subarray(0, length))
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
  return { socket, answer, finish: () => socket.write(Buffer.alloc(length - jpeg.length)) }
}

/** Sends a whole photo of the maximum size. */
function send(address: string, headers: Record<string, string>): Promise<Answer> {
  const upload = start(address, { headers })
  upload.finish()
  return upload.answer
}

/** Opens stalled uploads until one is rejected. Returns that one. */
async function fill(address: string, count: number, upload: () => Upload) {
  const slow = Array.from({ length: count }, () => start(address, upload()))
  for (;;) {
    const next = start(address, upload())
    // A stalled upload gets no response; a rejected one gets it at once.
    const rejected = await Promise.race([next.answer, Bun.sleep(100)])
    next.socket.destroy()
    if (rejected?.status !== undefined) return { slow, rejected }
  }
}

describe('uploads in progress of an account', () => {
  test('are limited in bytes: the next is rejected with 429, unread', async () => {
    const from = '192.0.2.10'
    const { slow, rejected } = await fill(from, EACH, () => ({ headers: keyOf('pro') }))
    expect([rejected.status, rejected.retryAfter]).toEqual([429, '1'])
    expect(rejected.text).toContain('TOO_MANY_ATTEMPTS')
    // Other accounts are not affected, even from the same address.
    expect((await send(from, keyOf('hobby'))).status).toBe(200)
    for (const { socket } of slow) socket.destroy()
    await waitFor(async () => (await send(from, keyOf('pro'))).status === 200)
  })

  test('count until their photos are read, and use no scan when they are rejected', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    reader.script(async () => {
      await promise
      throw new ServiceError('IDENTIFY_UNAVAILABLE', 'The reader is busy.', { retryAfter: 1 })
    })
    const before = reader.requests.length
    const photos = Array.from({ length: EACH }, () => send('192.0.2.12', keyOf('free')))
    await waitFor(async () => reader.requests.length === before + EACH)
    const rejected = await send('192.0.2.12', keyOf('free'))
    expect([rejected.status, rejected.text]).toEqual([429, expect.stringContaining('rate_limit')])
    resolve()
    for (const { status } of await Promise.all(photos)) expect(status).toBe(503)
    reader.script(() => OBSERVATION)
    const usage = await testApp.client.get('/v1/identify/usage', { as: 'free' })
    expect(usage.body.data).toMatchObject({ balance: 25, debt: 0 })
  })
})

describe('uploads of clients without an account', () => {
  const paid = (): Upload => ({ headers: newPayment() })

  test('are limited by address: rejected with 503, and never reported as unpaid', async () => {
    const payment = newPayment()
    expect((await send('192.0.2.20', payment)).status).toBe(200)
    const { slow, rejected } = await fill('192.0.2.20', EACH, paid)
    expect([rejected.status, rejected.retryAfter]).toEqual([503, '1'])
    expect(rejected.text).toContain('PAYMENT_UNAVAILABLE')
    const again = await send('192.0.2.20', payment)
    expect([again.status, again.text]).toEqual([503, expect.stringContaining('not pay twice')])
    expect((await send('192.0.2.21', newPayment())).status).toBe(200)
    expect((await send('192.0.2.20', keyOf('hobby'))).status).toBe(200)
    for (const { socket } of slow) socket.destroy()
    await waitFor(async () => (await send('192.0.2.20', payment)).status === 200)
  })

  test('free their memory when they are complete, photos or not', async () => {
    const { slow } = await fill('192.0.2.22', EACH, paid)
    slow[0]?.finish()
    expect((await slow[0]?.answer)?.status).toBe(200)
    expect((await send('192.0.2.22', newPayment())).status).toBe(200)
    const noPhoto = start('192.0.2.22', { headers: newPayment(), type: 'image/gif' })
    expect((await noPhoto.answer).text).toContain('INVALID_IMAGE')
    expect((await send('192.0.2.22', newPayment())).status).toBe(200)
    for (const { socket } of slow) socket.destroy()
  })

  test('leave memory for small bodies, such as logins', async () => {
    const networks = UPLOAD_LIMITS.strangers / UPLOAD_LIMITS.owner
    const all: Socket[] = []
    for (let network = 0; network < networks; network++) {
      const { slow } = await fill(`198.51.100.${network}`, EACH, paid)
      all.push(...slow.map(({ socket }) => socket))
    }
    // A stalled upload is aborted to make room.
    expect((await send('198.51.100.200', newPayment())).status).toBe(200)
    expect((await send('198.51.100.200', keyOf('hobby'))).status).toBe(200)
    for (const socket of all) socket.destroy()
    await waitFor(async () => (await send('198.51.100.200', newPayment())).status === 200)
  })
})

describe('an upload is rejected before it is read', () => {
  test('if the account has no scans left, or its country is blocked', async () => {
    const { ledger, now } = testApp.deps
    const account_id = await testApp.accountId('starter')
    for (let scan = 0; scan < 25; scan++) {
      const hold = { id: `scan ${scan}`, account_id, taken_at: now(), holdMs: 0 }
      await ledger.scans.reserve(hold)
    }
    const key = { 'x-api-key': testApp.keys.starter }
    const empty = await start('192.0.2.30', { headers: key }).answer
    expect([empty.status, empty.text]).toEqual([402, expect.stringContaining('SCAN_BALANCE_EMPTY')])
    for (const headers of [keyOf('pro'), newPayment()]) {
      const blocked = start('192.0.2.30', { headers: { ...headers, 'cf-ipcountry': 'FR' } })
      expect((await blocked.answer).text).toContain('IDENTIFY_REGION_UNAVAILABLE')
    }
  })
})

describe('an upload is also rejected before it is read', () => {
  test('if two photos of the account wait for the reader', async () => {
    const assertRoom = reader.assertRoom
    reader.assertRoom = (payer) => {
      throw new ServiceError('TOO_MANY_ATTEMPTS', `Two of ${payer}.`, { retryAfter: 2 })
    }
    const { status, retryAfter, text } = await start('192.0.2.31', { headers: keyOf('pro') }).answer
    reader.assertRoom = assertRoom
    expect([status, retryAfter, text]).toEqual([429, '2', expect.stringMatching(/Two of account/)])
  })
})

test('files share the memory of photos', async () => {
  const csv = { path: '/v1/bulk/resolve/csv', type: 'text/csv', length: CSV_MAX_BYTES }
  const upload = () => ({ ...csv, headers: keyOf('pro') })
  const { slow, rejected } = await fill('192.0.2.40', 4, upload)
  expect([rejected.status, rejected.text]).toEqual([429, expect.stringContaining('TOO_MANY_ATT')])
  for (const { socket } of slow) socket.destroy()
})

describe('the memory for uploads', () => {
  const limits = { total: 30, totalWithSmall: 40, small: 5, strangers: 20, network: 15, owner: 10 }

  const request = (bytes: number) =>
    new Request('http://localhost/', {
      method: 'POST',
      body: 'x',
      headers: { 'content-length': `${bytes}` },
    })

  test('is shared as configured, and a failed upload frees its part', async () => {
    const memory = createUploadMemory(limits)
    const { promise, reject } = Promise.withResolvers<never>()
    const hold = (account_id: number | undefined, address: string, bytes: number) =>
      memory
        .hold(request(bytes), { account_id, address, bytesMax: 100 }, () => promise)
        .catch((error) => (error instanceof ServiceError ? error.code : 'failed'))
    const held = [hold(1, 'a', 10), hold(2, 'a', 5), hold(3, 'b', 10), hold(undefined, 'c', 5)]
    const rejected = [
      await hold(1, 'b', 1),
      await hold(4, 'a', 1),
      await hold(4, 'd', 6),
      await hold(undefined, 'd', 6),
    ]
    expect(rejected).toEqual([
      'TOO_MANY_ATTEMPTS',
      'TOO_MANY_ATTEMPTS',
      'UNAVAILABLE',
      'UNAVAILABLE',
    ])
    const small = hold(4, 'd', 5)
    reject(new Error('the client left'))
    expect(await Promise.all([...held, small])).toEqual(
      held.concat(small).map(() => 'failed') as never,
    )
    const answer = memory.hold(request(10), { account_id: 1, address: 'a', bytesMax: 10 }, () => 7)
    expect(await answer).toBe(7)
  })

  test('goes to a sender who holds less, or else from an upload that is late', async () => {
    const memory = createUploadMemory(limits)
    const aborted: number[] = []
    const waiting = Promise.withResolvers<void>()
    const upload = (account_id: number, bytes: number, lagMs: number) =>
      memory
        .hold(
          request(bytes),
          { account_id, address: `${account_id}`, bytesMax: 100 },
          (reserve) => {
            reserve(bytes, { lagMs: () => lagMs, abort: () => void aborted.push(account_id) })
            return waiting.promise
          },
        )
        .catch((error) => (error instanceof ServiceError ? error.code : 'failed'))
    const complete = memory.hold(
      request(10),
      { account_id: 1, address: '1', bytesMax: 100 },
      () => waiting.promise,
    )
    for (const [account, lagMs] of [
      [2, 10],
      [3, 20],
    ] as const)
      void upload(account, 10, lagMs)
    void upload(4, 6, 0)
    expect(aborted).toEqual([3])
    // Account 1 is not affected: its body is complete.
    void upload(5, 6, 0)
    expect(aborted).toEqual([3, 2])
    expect(await upload(6, 9, 0)).toBe('UNAVAILABLE')
    void upload(7, 8, 5_000)
    void upload(8, 9, 0)
    expect(aborted).toEqual([3, 2, 7])
    waiting.resolve()
    await complete
  })

  test('is reserved for at most the limit of the endpoint', async () => {
    const memory = createUploadMemory(limits)
    const sender = { account_id: 1, address: 'a', bytesMax: 10 }
    expect(await memory.hold(request(1_000_000), sender, () => 'refused later')).toBe(
      'refused later',
    )
  })
})
