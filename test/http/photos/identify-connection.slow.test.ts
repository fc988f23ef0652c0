import { describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { fakeReader, OBSERVATION, PHOTO } from '../../support/photos/reader-fixtures.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp } from '../../support/test-app.ts'
import { waitFor } from '../../support/wait-for.ts'

// Photos over real connections: how much of them is read before the sender is known.

const PHOTO_BYTES_MAX = 8_388_608
const CHUNK = 65_536

const reader = fakeReader()
const testApp = await createTestApp({ reader })
const { port, url } = testApp.listen()

type Answer = { status: number; text: string; body: { error?: { code: string } } }

/** Opens a client that sends its headers, then the given bytes until it gets a response. */
function openClient(headers: Record<string, string>) {
  let answered = ''
  const socket = connect(port, '127.0.0.1')
  const lines = Object.entries({ host: 'localhost', ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  socket.write(`POST /v1/identify HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  // A server that has responded may close the connection while more is sent.
  socket.on('error', () => {})
  const answer = new Promise<Answer>((resolve) => {
    socket.on('data', (data) => {
      answered += data.toString()
      const [head = '', body = ''] = answered.split('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? Number.NaN)
      if (Buffer.byteLength(body) !== length) return
      resolve({ status: Number(answered.split(' ')[1]), text: body, body: JSON.parse(body) })
    })
  })
  return { socket, answer }
}

/** Sends chunks until there is a response, or `bytesMax` are sent. */
async function pour(socket: Socket, answer: Promise<unknown>, bytesMax: number): Promise<number> {
  const piece = new Uint8Array(CHUNK)
  let [sent, isAnswered] = [0, false]
  void answer.then(() => {
    isAnswered = true
  })
  while (!isAnswered && sent < bytesMax && !socket.destroyed) {
    const data = Buffer.concat([
      Buffer.from(`${CHUNK.toString(16)}\r\n`),
      piece,
      Buffer.from('\r\n'),
    ])
    sent += CHUNK
    await new Promise<void>((done) => {
      if (socket.write(data)) setImmediate(done)
      else {
        socket.once('drain', done)
        socket.once('close', done)
        void answer.then(() => done())
      }
    })
  }
  return sent
}

test.each([
  ['without a key', {}, 'API_KEY_REQUIRED'],
  ['with a wrong key', { 'x-api-key': 'tcg_live_wrong' }, 'INVALID_API_KEY'],
])(
  'an unknown caller is rejected with %s before any of the photo is sent',
  async (_who, key: object, code) => {
    for (const length of [{ 'content-length': '8000000' }, { 'transfer-encoding': 'chunked' }]) {
      const { socket, answer } = openClient({ 'content-type': 'image/jpeg', ...length, ...key })
      const { status, body } = await answer
      expect([status, body.error?.code]).toEqual([401, code])
      socket.destroy()
    }
    expect(reader.requests).toEqual([])
  },
)

describe('a photo that is too large', () => {
  const key = () => ({ 'x-api-key': testApp.keys.free })

  test.each([
    ['image/jpeg', PHOTO_BYTES_MAX + 1],
    ['image/jpeg', 200_000_000],
    ['image/jpeg', 20_000_000_000],
    ['application/json', 11_949_401],
    ['multipart/form-data; boundary=x', PHOTO_BYTES_MAX + 65_537],
  ])('of %s is rejected by its length (%i) before it is sent', async (type, length) => {
    const { socket, answer } = openClient({
      'content-type': type,
      'content-length': String(length),
      ...key(),
    })
    expectRefusal(await answer, 400, 'INVALID_IMAGE')
    socket.destroy()
  })

  test('is aborted if its length is not declared', async () => {
    const { socket, answer } = openClient({
      'content-type': 'image/jpeg',
      'transfer-encoding': 'chunked',
      ...key(),
    })
    const sent = await pour(socket, answer, 64 * 1024 * 1024)
    expectRefusal(await answer, 400, 'INVALID_IMAGE')
    expect(sent).toBeLessThan(3 * PHOTO_BYTES_MAX)
    socket.destroy()
  })

  test('does not affect the server, and is not read', async () => {
    expect(reader.requests).toEqual([])
    const reply = await fetch(`${url}/v1/identify`, {
      method: 'POST',
      headers: { 'content-type': 'image/jpeg', ...key() },
      body: PHOTO.jpeg,
    })
    expect([reply.status, reply.headers.get('x-scans-remaining')]).toEqual([200, '24'])
    expect(testApp.log).toEqual([])
  })
})

describe('a client that leaves while its photo is read', () => {
  const PATHS = ['/v1/identify', '/v1/identify/page', '/v1/scan-sessions/{}/photos/a']
  const send = (path: string, signal?: AbortSignal) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'image/jpeg', 'x-api-key': testApp.keys.hobby },
      body: PHOTO.jpeg,
      ...(signal && { signal }),
    })
  const usage = async () => {
    const { body } = await testApp.client.get('/v1/identify/usage', { as: 'hobby' })
    return body.data as { balance: number; trial_pending: boolean }
  }

  test.each([...PATHS, '/v1/scan-sessions/{}/photos/b?page=true'])(
    'pays nothing to %s, and its photo can be sent again',
    async (path) => {
      const created = await testApp.client.post<{ id: string }>(
        '/v1/scan-sessions',
        {},
        {
          as: 'hobby',
        },
      )
      const to = path.replace('{}', created.body.data.id)
      // Starts the trial.
      expect((await send('/v1/identify')).status).toBe(200)
      const { balance } = await usage()
      for (let photo = 0; photo < 6; photo++) {
        const client = new AbortController()
        const { promise: isLeft, resolve: leave } = Promise.withResolvers<void>()
        reader.script(() => {
          client.abort()
          // The request ends although the reader has not finished.
          return new Promise(() => {})
        })
        void send(to, client.signal).catch(() => leave())
        await isLeft
        await waitFor(() => reader.state().reading === 0)
      }
      reader.script(() => OBSERVATION)
      await waitFor(async () => (await usage()).balance === balance)
      expect((await send(to)).status).toBe(200)
      expect(await usage()).toMatchObject({ balance: balance - 1, trial_pending: false })
      expect(await testApp.deps.ledger.scans.listUnbalanced()).toEqual([])
    },
  )
})

test('a client that disconnects during its photo uses no scan', async () => {
  const before = reader.requests.length
  const { socket } = openClient({
    'content-type': 'image/jpeg',
    'content-length': '1000',
    'x-api-key': testApp.keys.pro,
  })
  await new Promise<void>((done) => {
    socket.write(PHOTO.jpeg, () => done())
  })
  socket.destroy()
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect(reader.requests.length).toBe(before)
  const { body } = await testApp.client.get('/v1/identify/usage', { as: 'pro' })
  expect(body.data).toMatchObject({ balance: 0, trial_pending: true })
})
