// A photo worker's HTTP service on a real port: who may use it, and how its responses are protected.
import { describe, expect, test } from 'bun:test'
import { readWorkerConfig } from '#config.ts'
import { listen } from '#http/listener.ts'
import { createWorkerApp } from '#http/worker-app.ts'
import { openPhotoWorker } from '#outbound/photos/photo-worker-client.ts'
import { ClientLeft } from '#rules/photos/client-left.ts'
import { DamagedPhoto } from '#rules/photos/photo-quality.ts'
import type { PrintedLine } from '#rules/photos/text-line.ts'
import {
  createWorkerSigner,
  hashBody,
  parseReply,
  WORKER_HEADERS,
  type WorkerRequestFacts,
} from '#rules/photos/worker-messages.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { closeAfterUse } from '../../support/end-of-tests.ts'
import { findFreePort } from '../../support/free-port.ts'
import { cutCardAt, fakeReader, OBSERVATION, PHOTO } from '../../support/photos/reader-fixtures.ts'
import { WORKER_SECRET } from '../../support/photos/worker-process.ts'

const SIGNER = createWorkerSigner(WORKER_SECRET)
const SENDER = { network: '192.0.2.0/24', payer: 'account 7' }
const NEVER = new AbortController().signal

async function openWorker() {
  const PORT = String(await findFreePort())
  const config = readWorkerConfig({ APP_SECRET: WORKER_SECRET, PORT })
  const reader = fakeReader()
  const log = { debug() {}, info() {}, warn() {}, error() {} }
  const worker = createWorkerApp({
    config,
    reader,
    log,
    now: () => new Date(),
    close: () => reader.close(),
  })
  listen(worker, config)
  closeAfterUse(() => worker.app.server?.stop(true))
  const url = `http://127.0.0.1:${PORT}`
  return { url, reader, drain: worker.drain, client: openPhotoWorker(url, WORKER_SECRET) }
}

/** Creates a signed request that a test can change before or after signing. */
function createRequest({
  facts: given = {},
  signer = SIGNER,
  body = PHOTO.jpeg,
}: {
  facts?: Partial<WorkerRequestFacts>
  signer?: typeof SIGNER
  body?: Uint8Array<ArrayBuffer>
} = {}) {
  const facts = JSON.stringify({
    path: '/read',
    time: Date.now(),
    body: hashBody(PHOTO.jpeg),
    network: 'n',
    payer: 'p',
    ...given,
  })
  const headers: Record<string, string> = {
    [WORKER_HEADERS.protocol]: '1',
    [WORKER_HEADERS.facts]: facts,
    [WORKER_HEADERS.signature]: signer.signRequest(facts),
  }
  return { method: 'POST', headers, body }
}

type SignedRequest = ReturnType<typeof createRequest>

/** Creates a request that was signed at this minute from now. */
const requestAt = (minute: number) =>
  createRequest({ facts: { time: Date.now() + minute * 60_000 } })

/** Changes a header of a signed request. */
const withHeader =
  (header: keyof typeof WORKER_HEADERS, change: (value: string, facts: string) => string) =>
  (signed: SignedRequest): SignedRequest => {
    const name = WORKER_HEADERS[header]
    const value = change(signed.headers[name] ?? '', signed.headers[WORKER_HEADERS.facts] ?? '')
    return { ...signed, headers: { ...signed.headers, [name]: value } }
  }

describe('a photo worker', () => {
  test('reads a signed photo, and identifies accounts only by a keyed hash', async () => {
    const { client, reader } = await openWorker()
    const answer = await client.read(PHOTO.jpeg, { gameId: 3, sender: SENDER }, NEVER)
    expect(answer).toEqual({
      kind: 'reply',
      reply: {
        state: expect.objectContaining({ ready: true, threads: 1 }),
        result: { kind: 'read', observation: OBSERVATION },
      },
    })
    const [request] = reader.requests
    expect(request).toEqual({ photo: new Uint8Array(PHOTO.jpeg), gameId: 3 })
  })

  test('ends a photo whose server closes the connection', async () => {
    const { client, reader } = await openWorker()
    const leaving = new AbortController()
    const { promise: ended, resolve } = Promise.withResolvers<unknown>()
    reader.read = (_, { clientSignal }) =>
      new Promise((_, reject) => {
        clientSignal?.addEventListener('abort', () => {
          resolve('left')
          reject(new ClientLeft(false))
        })
        leaving.abort()
      })
    const answer = client.read(PHOTO.jpeg, { gameId: 3, sender: SENDER }, leaving.signal)
    expect(await ended).toBe('left')
    expect(await answer).toMatchObject({ kind: 'failed' })
  })

  test('cuts a page into photos of one card, and reads one of them at its place', async () => {
    const { client, reader } = await openWorker()
    reader.page = [Uint8Array.of(0, 255, 128), Uint8Array.of(7)]
    const answer = await client.cut(PHOTO.jpeg, { gameId: undefined, sender: SENDER }, NEVER)
    const cards = reader.page.map(cutCardAt)
    expect(answer).toMatchObject({
      reply: { result: { kind: 'cut', cut: { size: { width: 3000, height: 4000 }, cards } } },
    })
    const { placement } = cutCardAt(PHOTO.jpeg, 0)
    await client.read(PHOTO.jpeg, { gameId: undefined, sender: SENDER, placement }, NEVER)
    expect(reader.requests.at(-1)).toMatchObject({ placement })
  })

  test('returns an observation exactly as the reader made it', async () => {
    const { client, reader } = await openWorker()
    const line: PrintedLine = {
      text: 'Pikachu',
      confidence: 0.9,
      legibility: 0.8,
      script: 'latin',
      kind: 'name',
      box: { left: 0, top: 0.1, right: 1 / 3, bottom: 0.2 },
      heightPx: 12.5,
      ctc: { alphabet: ['', 'é', '一'], logProbabilities: Float32Array.of(-0.1, -7e-9, -123.456) },
    }
    const observation = { ...OBSERVATION, lines: [{ ...line }, { ...line }] }
    reader.script(() => observation)
    const answer = await client.read(PHOTO.jpeg, { gameId: undefined, sender: SENDER }, NEVER)
    expect(answer).toMatchObject({ reply: { result: { observation } } })
  })

  test.each<[string, (signed: SignedRequest) => SignedRequest, number]>([
    ['a valid request', (signed) => signed, 200],
    ['a request that is sent again', (signed) => signed, 200],
    ['another secret', () => createRequest({ signer: createWorkerSigner('x'.repeat(32)) }), 401],
    ['a time six minutes ago', () => requestAt(-6), 401],
    ['a time six minutes ahead', () => requestAt(6), 401],
    ['a clock that is four minutes behind', () => requestAt(-4), 200],
    ['no time', () => createRequest({ facts: { time: Number.NaN } }), 401],
    ['the signature of another path', () => createRequest({ facts: { path: '/state' } }), 401],
    ['another photo', (signed) => ({ ...signed, body: PHOTO.png }), 401],
    ['no photo', (signed) => ({ ...signed, body: new Uint8Array() }), 401],
    ['another payer', withHeader('facts', (facts) => facts.replace('"p"', '"q"')), 401],
    [
      'a signature of a response',
      withHeader('signature', (_, facts) => SIGNER.signResponse('', facts)),
      401,
    ],
    ['no signature', (signed) => ({ ...signed, headers: { [WORKER_HEADERS.protocol]: '1' } }), 401],
    ['another protocol', withHeader('protocol', () => '2'), 400],
  ])('answers %s', async (name, change, status) => {
    const { url, reader } = await openWorker()
    const signed = change(createRequest())
    if (name === 'a request that is sent again') await fetch(`${url}/read`, signed)
    const response = await fetch(`${url}/read`, signed)
    expect(response.status).toBe(status)
    expect(response.headers.get(WORKER_HEADERS.protocol)).toBe('1')
    expect(reader.requests.length > 0).toBe(status === 200)
    if (status !== 200) expect(await response.text()).toBe('')
  })

  test('refuses a stranger before the body of the request, and a photo above 8 MB', async () => {
    const { url } = await openWorker()
    const large = new Uint8Array(9 * 1024 * 1024)
    const unsigned = { method: 'POST', headers: { [WORKER_HEADERS.protocol]: '1' }, body: large }
    expect((await fetch(`${url}/read`, unsigned)).status).toBe(401)
    const signed = createRequest({ facts: { body: hashBody(large) }, body: large })
    expect((await fetch(`${url}/read`, signed)).status).toBe(413)
  })

  test('signs its responses, each for its request alone', async () => {
    const { url } = await openWorker()
    const signed = createRequest()
    const response = await fetch(`${url}/read`, signed)
    const body = await response.text()
    const signature = response.headers.get(WORKER_HEADERS.signature) ?? ''
    const request = signed.headers[WORKER_HEADERS.signature] ?? ''
    expect(SIGNER.isResponseSigned(request, body, signature)).toBe(true)
    expect(SIGNER.isResponseSigned(request, body.replace('900401', '900402'), signature)).toBe(
      false,
    )
    expect(SIGNER.isResponseSigned(`${request}x`, body, signature)).toBe(false)
    expect(parseReply(body).result?.kind).toBe('read')
  })

  test.each([
    [new DamagedPhoto('The image is damaged.'), { code: 'INVALID_IMAGE', isDamaged: true }],
    [
      new ServiceError('TOO_MANY_ATTEMPTS', 'Two photos are waiting.', { retryAfter: 2 }),
      { code: 'TOO_MANY_ATTEMPTS', isDamaged: false, retryAfter: 2 },
    ],
  ])('passes on the error %s', async (error, result) => {
    const { client, reader } = await openWorker()
    reader.script(() => Promise.reject(error))
    const answer = await client.read(PHOTO.jpeg, { gameId: undefined, sender: SENDER }, NEVER)
    expect(answer).toMatchObject({
      reply: { result: { kind: 'refused', message: error.message, ...result } },
    })
  })

  test('fails without a reply after a bug', async () => {
    const { client, reader } = await openWorker()
    reader.script(() => Promise.reject(new TypeError('internal')))
    expect(await client.read(PHOTO.jpeg, { gameId: undefined, sender: SENDER }, NEVER)).toEqual({
      kind: 'failed',
      why: 'its response with status 500 is not signed',
      remedy: expect.stringContaining('APP_SECRET'),
      isLost: false,
    })
  })

  test('rejects further photos once it stops', async () => {
    const { client, drain, url } = await openWorker()
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    drain.begin()
    const answer = await client.read(PHOTO.jpeg, { gameId: undefined, sender: SENDER }, NEVER)
    expect(answer).toMatchObject({
      reply: { state: { ready: false }, result: { kind: 'stopping' } },
    })
    const readyz = await fetch(`${url}/readyz`)
    expect([readyz.status, await readyz.json()]).toEqual([503, { status: 'not ready' }])
  })
})

describe('a server', () => {
  const answering = (respond: (request: Request) => Response | Promise<Response>) => {
    const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: respond })
    closeAfterUse(() => server.stop(true))
    return openPhotoWorker(`http://127.0.0.1:${server.port}`, WORKER_SECRET)
  }

  test.each<[string, () => Response, object]>([
    [
      'a stranger without a protocol',
      () => Response.json({ state: {} }),
      { remedy: 'Check its address in READERS.' },
    ],
    [
      'a worker of another version',
      () => new Response(null, { status: 400, headers: { [WORKER_HEADERS.protocol]: '2' } }),
      { why: 'it has protocol 2, this server 1', remedy: expect.stringContaining('Upgrade') },
    ],
    [
      'a worker with another secret',
      () => new Response(null, { status: 401, headers: { [WORKER_HEADERS.protocol]: '1' } }),
      { why: 'it rejected the signature', remedy: expect.stringContaining('APP_SECRET') },
    ],
    [
      'an invented observation',
      () =>
        new Response(JSON.stringify({ state: {}, result: { kind: 'read', observation: {} } }), {
          headers: {
            [WORKER_HEADERS.protocol]: '1',
            [WORKER_HEADERS.signature]: SIGNER.signRequest('{}'),
          },
        }),
      { why: 'its response with status 200 is not signed' },
    ],
  ])('does not believe %s', async (_, respond, expected) => {
    const answer = await answering(respond).getState()
    expect(answer).toMatchObject({ kind: 'failed', isLost: false, ...expected })
  })

  test('distinguishes a refused connection from a lost one', async () => {
    const request = { gameId: undefined, sender: SENDER }
    const nobody = openPhotoWorker(`http://127.0.0.1:${await findFreePort()}`, WORKER_SECRET)
    expect(await nobody.read(PHOTO.jpeg, request, NEVER)).toMatchObject({ isLost: false })
    const listener = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: { data: (socket) => socket.terminate() },
    })
    closeAfterUse(() => listener.stop(true))
    const rude = openPhotoWorker(`http://127.0.0.1:${listener.port}`, WORKER_SECRET)
    expect(await rude.read(PHOTO.jpeg, request, NEVER)).toMatchObject({ isLost: true })
  })
})
