import { describe, expect, test } from 'bun:test'
import { DamagedPhoto } from '#rules/photos/photo-quality.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import type { Identification } from '../../../src/client/endpoints.ts'
import {
  type FakeReader,
  fakeReader,
  OBSERVATION,
  PHOTO,
} from '../../support/photos/reader-fixtures.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts'
import type { TestRequestOptions } from '../../support/test-client.ts'

// Identifying a photo over HTTP. The photo reader is simulated: these tests cover only the request and its response.

const PHOTO_BYTES_MAX = 8_388_608
const BASE64 = PHOTO.jpeg.toBase64()

async function open(
  options: TestAppOptions = {},
): Promise<{ testApp: TestApp; reader: FakeReader }> {
  const reader = fakeReader()
  const testApp = await createTestApp({ reader, ...options })
  return { testApp, reader }
}

type SendOptions = Omit<TestRequestOptions, 'body'> & {
  path?: string
  /** Type of the body, undefined to send none. */
  type?: string | undefined
  body?: TestRequestOptions['body'] | undefined
}

/** Sends a photo unchanged, as a JPEG by default. */
function send({ client }: TestApp, { path = '', headers, ...options }: SendOptions = {}) {
  const { type, body, ...sent } = {
    as: 'free',
    type: 'image/jpeg',
    body: PHOTO.jpeg,
    ...options,
  } as const
  const labeled = { ...(type !== undefined && { 'content-type': type }), ...headers }
  return client.request<Identification>('POST', `/v1/identify${path}`, {
    ...sent,
    ...(body !== undefined && { body }),
    headers: labeled,
  })
}

function formOf(fields: Record<string, string | Blob>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  return form
}

const file = (bytes: Uint8Array<ArrayBuffer> = PHOTO.jpeg) => new File([bytes], 'card.jpg')

/** Bytes of the right length that start like a JPEG. */
function longPhoto(bytes: number): Uint8Array<ArrayBuffer> {
  const photo = new Uint8Array(bytes)
  photo.set(PHOTO.jpeg)
  return photo
}

function streamOf(...chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
}

const scansOf = async ({ client }: TestApp, as: TestRequestOptions['as'] = 'free') =>
  (await client.get<Record<string, unknown>>('/v1/identify/usage', { as })).body.data

describe('a photo', () => {
  const WAYS: [string, (photo: Uint8Array<ArrayBuffer>) => SendOptions][] = [
    ['as it is, as a JPEG', (photo) => ({ body: photo })],
    [
      'as it is, in small pieces',
      (photo) => ({ body: streamOf(...[...photo].map((byte) => Uint8Array.of(byte))) }),
    ],
    ['as it is, with capitals in its type', (photo) => ({ body: photo, type: 'Image/JPEG; q=1' })],
    ['as base64', (photo) => inJson(photo.toBase64())],
    ['as a data URL', (photo) => inJson(`data:image/jpeg;base64,${photo.toBase64()}`)],
    ['as base64 in lines, as MIME has them', (photo) => inJson(inLines(photo, 76, '\r\n'))],
    ['as base64 with a line break at its end', (photo) => inJson(`${photo.toBase64()}\n`)],
    ['as base64 with blanks', (photo) => inJson(` ${inLines(photo, 3, ' \t')} `)],
    ['as base64 without padding', (photo) => inJson(photo.toBase64({ omitPadding: true }))],
    ['as base64url', (photo) => inJson(photo.toBase64({ alphabet: 'base64url' }))],
    [
      'as base64url without padding',
      (photo) => inJson(photo.toBase64({ alphabet: 'base64url', omitPadding: true })),
    ],
    [
      'as a data URL in lines',
      (photo) => inJson(`data:image/jpeg;base64,\n${inLines(photo, 64, '\n')}`),
    ],
    ['as bytes of no known type', (photo) => ({ body: photo, type: 'application/octet-stream' })],
    ['as image/jpg', (photo) => ({ body: photo, type: 'image/jpg' })],
    ['as image/heic by its label', (photo) => ({ body: photo, type: 'image/heic' })],
    ['as bytes without a type', (photo) => ({ body: photo, type: '' })],
    [
      'as a form',
      (photo) => ({ type: undefined, body: formOf({ image: file(photo), note: 'left alone' }) }),
    ],
  ]

  const inJson = (image: string) => ({
    type: 'application/json',
    body: JSON.stringify({ image }),
  })
  const inLines = (photo: Uint8Array, length: number, end: string) =>
    photo.toBase64().replaceAll(new RegExp(`.{${length}}`, 'g'), (line) => line + end)

  test.each(WAYS)('reaches the photo reader byte for byte: %s', async (_way, options) => {
    const { testApp, reader } = await open()
    for (const photo of Object.values(PHOTO)) {
      expect((await send(testApp, options(photo))).status).toBe(200)
      expect(new Uint8Array(reader.requests.at(-1)?.photo ?? [])).toEqual(photo)
    }
  })

  test('is recognized by its first bytes, regardless of its label', async () => {
    const { testApp } = await open()
    for (const type of ['image/jpeg', 'image/png', 'image/webp']) {
      for (const body of Object.values(PHOTO))
        expect((await send(testApp, { type, body })).status).toBe(200)
    }
  })

  test('of exactly 8 MB is accepted in each format', async () => {
    const { testApp, reader } = await open()
    const photo = longPhoto(PHOTO_BYTES_MAX)
    const form = formOf({ image: file(photo), game: 'wickerwild' })
    const json = JSON.stringify({ image: `data:image/jpeg;base64,${photo.toBase64()}` })
    expect((await send(testApp, { body: photo })).status).toBe(200)
    expect((await send(testApp, { type: 'application/json', body: json })).status).toBe(200)
    const image = photo.toBase64().replaceAll(/.{64}/g, (line) => `${line}\r\n`)
    const lines = JSON.stringify({ image })
    expect((await send(testApp, { type: 'application/json', body: lines })).status).toBe(200)
    expect((await send(testApp, { type: undefined, body: form })).status).toBe(200)
    expect(reader.requests.map((request) => request.photo.length)).toEqual(
      Array(4).fill(PHOTO_BYTES_MAX),
    )
  })

  test('has the prices of the top candidate as its own endpoint returns them', async () => {
    const { testApp } = await open()
    const { body } = await send(testApp, { path: '?include=prices' })
    const [top] = body.data.candidates
    const { body: own } = await testApp.client.get(`/v1/cards/${top?.card_id}/prices`, {
      as: 'free',
    })
    expect(top?.prices).toEqual([own.data as never].flat())
    const without = await send(testApp)
    expect(without.body.data.candidates[0]).not.toHaveProperty('prices')
  })

  test('leaves out cards that the catalog does not have, as the index of a photo worker may be newer', async () => {
    const { testApp, reader } = await open()
    const neighbors = [
      { card_id: 987_654_321, cosine: 0.99, distance: 10 },
      ...OBSERVATION.neighbors,
      { card_id: 987_654_322, cosine: 0.9, distance: undefined },
    ]
    reader.script(() => ({ ...OBSERVATION, neighbors }))
    const { status, body } = await send(testApp)
    expect(status).toBe(200)
    expect(body.data?.candidates.map(({ card_id }) => card_id)).toContain(900401)
    expect(JSON.stringify(body)).not.toContain('98765432')
    reader.script(() => ({ ...OBSERVATION, neighbors: neighbors.slice(0, 1) }))
    expect((await send(testApp)).body.data?.candidates).toEqual([])
  })

  test('uses no request of the day, even if none is left', async () => {
    const { testApp } = await open()
    const { body, headers } = await send(testApp, { as: 'exhausted' })
    expect([body.rate_limit.daily_remaining, body.meta.scans_remaining]).toEqual([0, 24])
    expect(headers.get('x-ratelimit-remaining')).toBe('0')
  })

  test('without a card uses its scan too, because it was read', async () => {
    const { testApp, reader } = await open()
    reader.script(() => ({
      ...OBSERVATION,
      kind: undefined,
      items: 0,
      quality: undefined,
      neighbors: [],
    }))
    const { body } = await send(testApp)
    expect([body.data.status, body.data.candidates]).toEqual(['retake', []])
    expect(body.data.message).toBeString()
    expect(body.meta.scans_remaining).toBe(24)
  })
})

const optional = await open()

describe('an option', () => {
  const { testApp, reader } = optional
  const json = (more: object) => ({
    type: 'application/json',
    body: JSON.stringify({ image: BASE64, ...more }),
  })
  const form = (more: Record<string, string>) =>
    testApp.client.request<Identification>('POST', '/v1/identify', {
      as: 'pro',
      body: formOf({ image: file(), ...more }),
    })

  test('may be in the query, in JSON or in the form', async () => {
    const game = 'wickerwild'
    const replies = [
      await send(testApp, { as: 'pro', path: `?game=${game}&include=prices` }),
      await send(testApp, { as: 'pro', ...json({ game, include: 'prices' }) }),
      await send(testApp, { as: 'pro', path: `?game=${game}`, ...json({ include: 'prices' }) }),
      await form({ game, include: 'prices' }),
    ]
    const gameIds = reader.requests.slice(-4).map(({ gameId }) => gameId)
    expect(new Set(gameIds).size).toBe(1)
    expect(gameIds[0]).toBeNumber()
    for (const { body } of replies) expect(body.data.candidates[0]).toHaveProperty('prices')
  })

  test.each([
    ['game', 'wickerwild'],
    ['include', 'prices'],
  ])('in two places is rejected as a duplicate: %s', async (name, value) => {
    const before = reader.requests.length
    const replies = [
      await send(testApp, { as: 'pro', path: `?${name}=${value}`, ...json({ [name]: value }) }),
      await send(testApp, { as: 'pro', path: `?${name}=${value}&${name}=${value}` }),
    ]
    const twice = formOf({ image: file(), [name]: value })
    twice.append(name, value)
    replies.push(await testApp.client.request('POST', '/v1/identify', { as: 'pro', body: twice }))
    for (const refused of replies) expectRefusal(refused, 400, 'VALIDATION_ERROR')
    expect(reader.requests.length).toBe(before)
  })

  test('that is a file is rejected', async () => {
    const body = formOf({ image: file(), game: file() })
    const reply = await testApp.client.request('POST', '/v1/identify', { as: 'pro', body })
    expectRefusal(reply, 400, 'VALIDATION_ERROR')
  })

  test('game may be in any case, and counts as absent without a value', async () => {
    for (const path of ['?game=WickerWild', '?game=']) {
      expect((await send(testApp, { as: 'pro', path })).status).toBe(200)
    }
  })

  test('game must be in the catalog; otherwise no scan is used and nothing is read', async () => {
    const before = reader.requests.length
    const scans = await scansOf(testApp, 'pro')
    for (const reply of [
      await send(testApp, { as: 'pro', path: '?game=no-such-game' }),
      await send(testApp, { as: 'pro', ...json({ game: 'no-such-game' }) }),
      await form({ game: 'no-such-game' }),
      // Slugs only: other endpoints also accept the category id.
      await send(testApp, { as: 'pro', path: '?game=9001' }),
    ]) {
      expectRefusal(reply, 400, 'INVALID_GAME')
    }
    expect(reader.requests.length).toBe(before)
    expect(await scansOf(testApp, 'pro')).toEqual(scans)
  })
})

const untouched = await open()

describe('an invalid photo returns 400 INVALID_IMAGE, and uses no scan:', () => {
  const { testApp, reader } = untouched
  const text = (content: string) => new TextEncoder().encode(content)
  const GIF = text('GIF89a\x01\0\x01\0\x80\0\0')
  const HEIC = text('\0\0\0\x18ftypheic')
  const SVG = text('<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>')
  const NOT_PHOTOS: [string, Uint8Array<ArrayBuffer>][] = [
    ['nothing', new Uint8Array()],
    ['a word', text('card')],
    ['a GIF', GIF],
    ['an SVG', SVG],
    ['a BMP', text('BM\x36\0\0\0\0\0\0\0')],
    ['a TIFF', text('II*\0')],
    ['an AVIF', text('\0\0\0\x1cftypavif')],
    ['a HEIC', HEIC],
    ['a PDF', text('%PDF-1.7')],
    ['a web page', text('<!DOCTYPE html>')],
    ['two bytes of a JPEG', PHOTO.jpeg.slice(0, 2)],
    ['seven bytes of a PNG', PHOTO.png.slice(0, 7)],
    ['a RIFF file other than WebP', text('RIFF\x1a\0\0\0WAVEfmt ')],
    ['one byte too many', longPhoto(PHOTO_BYTES_MAX + 1)],
  ]

  async function expectNoPhoto(options: Parameters<typeof send>[1]): Promise<void> {
    const refused = await send(testApp, options)
    expectRefusal(refused, 400, 'INVALID_IMAGE')
    expect(refused.headers.get('x-scans-remaining')).toBe('25')
    expect(refused.body.rate_limit.daily_remaining).toBe(100)
    expect(reader.requests).toEqual([])
    expect(await scansOf(testApp)).toMatchObject({ balance: 0, trial_pending: true, ledger: [] })
  }
  const JSON_TYPE = 'application/json'
  const expectNoJson = (body: string) => expectNoPhoto({ type: JSON_TYPE, body })

  test.each(NOT_PHOTOS)('%s, as the body, in a form and in base64', async (_what, bytes) => {
    for (const type of ['image/jpeg', 'image/png', 'image/webp']) {
      await expectNoPhoto({ type, body: bytes })
    }
    await expectNoPhoto({ type: undefined, body: formOf({ image: file(bytes) }) })
    for (const start of ['', 'data:image/jpeg;base64,']) {
      await expectNoJson(JSON.stringify({ image: start + bytes.toBase64() }))
    }
  })

  test.each([
    ['image/gif', GIF],
    ['image/svg+xml', SVG],
    ['image/heic', HEIC],
    ['image/*', PHOTO.jpeg],
    ['application/octet-stream', GIF],
    ['application/octet-stream', text(JSON.stringify({ image: BASE64 }))],
    ['text/plain', PHOTO.jpeg],
    ['application/x-www-form-urlencoded', text(`image=${BASE64}`)],
    ['application/jsonp', text(JSON.stringify({ image: BASE64 }))],
    ['__proto__', PHOTO.jpeg],
    ['constructor', PHOTO.jpeg],
    ['', SVG],
    [';', text('card')],
  ])('a body of the type %p', async (type, body) => {
    await expectNoPhoto({ type, body })
  })

  test.each(['image/jpeg', JSON_TYPE, 'multipart/form-data; boundary=x', undefined])(
    'no body, of the type %p',
    async (type) => {
      await expectNoPhoto({ type, body: undefined })
    },
  )

  test.each([
    ['too much padding', `${BASE64}=`],
    ['padding in its middle', `${BASE64.slice(0, 4)}=${BASE64.slice(4)}`],
    ['signs of two alphabets', '_9j/4AAQSkZJRgA-'],
    ['a sign of no alphabet', `${BASE64.slice(0, 4)}*${BASE64.slice(5)}`],
    ['a blank of no line', `${BASE64.slice(0, 4)}\u00a0${BASE64.slice(4)}`],
    ['a part of its padding', PHOTO.png.subarray(0, 70).toBase64().slice(0, -1)],
    ['one sign too few', BASE64.slice(0, -3)],
    ['bits in its last sign that mean nothing', '/9j/4B=='],
    ['percent signs', encodeURIComponent(`${BASE64}//==`)],
    ['a data URL that is not in base64', 'data:image/jpeg,%FF%D8%FF'],
    ['a data URL without a comma', 'data:image/jpeg;base64'],
    ['a data URL within a data URL', `data:image/jpeg;base64,data:image/jpeg;base64,${BASE64}`],
    ['an address', 'https://cards.example/card.jpg'],
    ['half of a character', '\ud800'],
  ])('base64 with %s', (_what, image) => expectNoJson(JSON.stringify({ image })))

  test.each<[string, string | Uint8Array<ArrayBuffer>]>([
    ['no JSON', '{'],
    ['base64 alone', BASE64],
    ['a list', JSON.stringify([BASE64])],
    ['a text', JSON.stringify(BASE64)],
    ['null', 'null'],
    ['no member "image"', '{"photo":"x"}'],
    ['an inherited "image"', `{"__proto__":{"image":"${BASE64}"}}`],
    ['a list for "image"', JSON.stringify({ image: [...PHOTO.jpeg] })],
    ['an object for "image"', '{"image":{"data":"x"}}'],
    ['not UTF-8', Uint8Array.from([...text('{"image":"'), 0xff, ...text('"}')])],
  ])('JSON that is %s', async (_what, body) => {
    await expectNoPhoto({ type: JSON_TYPE, body })
  })

  const DISPOSITION = 'Content-Disposition: form-data; name="image"; filename="a.jpg"'
  test.each([
    ['has no boundary', '', ['--x', DISPOSITION, '', '\xff', '--x--', '']],
    ['has another boundary', '; boundary=y', ['--x', DISPOSITION, '', 'a', '--x--', '']],
    ['ends before its end', '; boundary=x', ['--x', DISPOSITION, '', 'abc']],
    ['is a word', '; boundary=x', ['card']],
    ['has no part', '; boundary=x', ['--x--', '']],
    ['has no name', '; boundary=x', ['--x', '', 'a', '--x--', '']],
  ])('a form that %s', async (_what, boundary, lines) => {
    await expectNoPhoto({ type: `multipart/form-data${boundary}`, body: text(lines.join('\r\n')) })
  })

  test('a form without "image", with a text for it, or with two of it', async () => {
    const two = formOf({ image: file() })
    two.append('image', file())
    for (const body of [formOf({ photo: file() }), formOf({ image: BASE64 }), two]) {
      await expectNoPhoto({ type: undefined, body })
    }
  })

  test('an incomplete body', async () => {
    const body = new ReadableStream({
      pull: (controller) => controller.error(new Error('the connection broke')),
    })
    await expectNoPhoto({ body })
  })

  test.each([
    ['image/jpeg', PHOTO_BYTES_MAX],
    [JSON_TYPE, 11_949_400],
    ['multipart/form-data; boundary=x', 8_454_144],
  ])('a body of %s with a declared length of more than %i bytes', async (type, bytesMax) => {
    const body = new ReadableStream({ pull: () => new Promise<void>(() => {}) })
    await expectNoPhoto({ type, body, headers: { 'content-length': String(bytesMax + 1) } })
  })

  test('a body that turns out to be too large', async () => {
    let pulled = 0
    const body = new ReadableStream({
      pull(controller) {
        pulled += 1_048_576
        controller.enqueue(longPhoto(1_048_576))
      },
    })
    await expectNoPhoto({ body })
    expect(pulled).toBeLessThan(2 * PHOTO_BYTES_MAX)
  })
})

describe('a photo that cannot be decoded', () => {
  test('returns 400 INVALID_IMAGE, and does not change the account', async () => {
    const { testApp, reader } = await open()
    reader.script(() => {
      throw new ServiceError('INVALID_IMAGE', 'The image is broken: send another one.')
    })
    const before = await scansOf(testApp)
    const testResponse = await send(testApp)
    expectRefusal(testResponse, 400, 'INVALID_IMAGE')
    expect(testResponse.headers.get('x-scans-remaining')).toBe('25')
    expect(await scansOf(testApp)).toEqual(before)
    expect(before).toMatchObject({ balance: 0, trial_pending: true })
    reader.script(() => OBSERVATION)
    expect((await send(testApp)).body.meta.scans_remaining).toBe(24)
    expect(await testApp.deps.ledger.scans.listUnbalanced()).toEqual([])
  })
})

describe('a photo that turns out to be damaged while it is decoded', () => {
  test('uses a scan after the first five of a day, and its response says so', async () => {
    const { testApp, reader } = await open()
    const { deps } = testApp
    reader.script(() => {
      throw new DamagedPhoto('The image is damaged.')
    })
    for (let photo = 1; photo <= 5; photo++) {
      const free = await send(testApp)
      expectRefusal(free, 400, 'INVALID_IMAGE')
      expect(free.body.meta).toBeUndefined()
    }
    expect(await scansOf(testApp)).toMatchObject({ balance: 0, trial_pending: true })
    const charged = await send(testApp)
    expectRefusal(charged, 400, 'INVALID_IMAGE')
    expect(charged.body.meta).toEqual({ charged: 'scan', scans_remaining: 24 } as never)
    expect(charged.headers.get('x-scans-remaining')).toBe('24')
    const { days, ...rest } = (await scansOf(testApp)) as { days: Record<string, number>[] }
    expect(rest).toMatchObject({ balance: 24, trial_pending: false })
    expect(days.at(-1)).toMatchObject({ scans: 1, refunded: 0, matched: 0 })
    // Photos rejected by their header take no time of the reader.
    reader.script(() => {
      throw new ServiceError('INVALID_IMAGE', 'The image has too many pixels.')
    })
    expect((await send(testApp)).body.meta).toBeUndefined()
    testApp.setClock(new Date(deps.now().getTime() + 24 * 3_600_000).toISOString())
    reader.script(() => {
      throw new DamagedPhoto('The image is damaged.')
    })
    expect((await send(testApp)).body.meta).toBeUndefined()
    expect(await deps.ledger.scans.listUnbalanced()).toEqual([])
  })

  test('is not counted if two of its account were waiting, and leaves the account as it was', async () => {
    const { testApp, reader } = await open()
    reader.script(() => {
      throw new ServiceError('TOO_MANY_ATTEMPTS', 'Two are waiting.', { retryAfter: 2 })
    })
    const before = await scansOf(testApp)
    const testResponse = await send(testApp)
    expectRefusal(testResponse, 429, 'TOO_MANY_ATTEMPTS')
    expect(testResponse.headers.get('retry-after')).toBe('2')
    expect(await scansOf(testApp)).toEqual(before)
  })
})

describe('a failing photo reader', () => {
  test('returns 503 IDENTIFY_UNAVAILABLE with Retry-After, and refunds the scan', async () => {
    const { testApp, reader } = await open()
    reader.script(() => {
      throw new ServiceError('IDENTIFY_UNAVAILABLE', 'The reader is busy.', { retryAfter: 2 })
    })
    const testResponse = await send(testApp)
    expectRefusal(testResponse, 503, 'IDENTIFY_UNAVAILABLE')
    expect(testResponse.headers.get('retry-after')).toBe('2')
    expect(testResponse.headers.get('x-scans-remaining')).toBe('25')
    const { days, ...rest } = (await scansOf(testApp)) as { days: Record<string, number>[] }
    expect(rest).toMatchObject({ balance: 25, trial_pending: false })
    expect(days.at(-1)).toMatchObject({ scans: 0, refunded: 1 })
    expect(testApp.log).toEqual([])
  })

  test('with an unexpected error returns 500, and refunds the scan', async () => {
    const { testApp, reader } = await open()
    reader.script(() => {
      throw new TypeError('undefined is not a function')
    })
    const reply = await send(testApp)
    expectRefusal(reply, 500, 'INTERNAL_ERROR')
    expect(reply.text).not.toContain('undefined')
    expect(reply.headers.get('x-scans-remaining')).toBe('25')
    expect(await scansOf(testApp)).toMatchObject({ balance: 25 })
  })
})

describe('without a scan', () => {
  test('returns 402 SCAN_BALANCE_EMPTY, and reads nothing', async () => {
    const { testApp, reader } = await open()
    for (let left = 25; left > 0; left--) expect((await send(testApp)).status).toBe(200)
    const testResponse = await send(testApp)
    expectRefusal(testResponse, 402, 'SCAN_BALANCE_EMPTY')
    expect(testResponse.headers.get('x-scans-remaining')).toBe('0')
    expect(reader.requests).toHaveLength(25)
    // Nothing else of the request is read before.
    expectRefusal(await send(testApp, { body: 'x' }), 402, 'SCAN_BALANCE_EMPTY')
  })
})

describe('a country without the photo reader', () => {
  const env = { IDENTIFY_BLOCKED_COUNTRIES: 'FR,DE', TRUST_PROXY: '1' }

  test('returns 403 IDENTIFY_REGION_UNAVAILABLE, and refunds the scan', async () => {
    const { testApp, reader } = await open({ env })
    const testResponse = await send(testApp, { headers: { 'cf-ipcountry': 'fr' } })
    expectRefusal(testResponse, 403, 'IDENTIFY_REGION_UNAVAILABLE')
    expect(testResponse.headers.get('x-scans-remaining')).toBe('25')
    const { days, ...rest } = (await scansOf(testApp)) as { days: Record<string, number>[] }
    expect(rest).toMatchObject({ balance: 25, trial_pending: false })
    expect(days.at(-1)).toMatchObject({ scans: 0, refunded: 1 })
    expect(reader.requests).toEqual([])
  })

  test('is rejected before the balance is checked: 403 before 402', async () => {
    const { testApp } = await open({ env })
    for (let left = 25; left > 0; left--) await send(testApp)
    const reply = await send(testApp, { headers: { 'cf-ipcountry': 'DE' } })
    expectRefusal(reply, 403, 'IDENTIFY_REGION_UNAVAILABLE')
    expect(await scansOf(testApp)).toMatchObject({ balance: 0 })
  })

  test.each([
    ['of another country', { 'cf-ipcountry': 'US' }],
    ['whose proxy does not tell', {}],
    ['who says so in another header', { 'x-country': 'FR' }],
  ])('does not affect a client %s', async (_who, headers: Record<string, string>) => {
    const { testApp } = await open({ env })
    expect((await send(testApp, { headers })).status).toBe(200)
  })

  test('is read from the configured header', async () => {
    const { testApp } = await open({ env: { ...env, IDENTIFY_COUNTRY_HEADER: 'X-Country' } })
    expect((await send(testApp, { headers: { 'x-country': 'FR' } })).status).toBe(403)
    expect((await send(testApp, { headers: { 'cf-ipcountry': 'FR' } })).status).toBe(200)
  })
})

describe('monitoring', () => {
  test('shows when the photo reader is not ready', async () => {
    const { testApp, reader } = await open()
    expect((await testApp.client.get('/readyz')).status).toBe(200)
    reader.setReady(false)
    const testResponse = await testApp.client.get('/readyz')
    expect([testResponse.status, testResponse.body]).toEqual([
      503,
      { status: 'not ready', faults: ['reader'] } as never,
    ])
  })

  test('counts photos and their duration', async () => {
    const { testApp } = await open()
    await send(testApp)
    const { text } = await testApp.client.get('/metrics')
    expect(text).toMatch(/^cardstock_identifications_total\{status="\w+"\} 1$/m)
    expect(text).toContain('cardstock_identification_seconds_count 1')
    for (const name of ['waiting', 'reading', 'replaced', 'pictures']) {
      expect(text).toMatch(new RegExp(`^cardstock_reader_${name} \\d+$`, 'm'))
    }
  })
})
