import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { TIERS } from '#rules/accounts/tiers.ts'
import { DamagedPhoto } from '#rules/photos/photo-quality.ts'
import { VERDICT_STATUSES } from '#rules/photos/verdict.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import {
  type FakeReader,
  fakeReader,
  OBSERVATION,
  PHOTO,
} from '../../support/photos/reader-fixtures.ts'
import { createTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts'
import type { TestRequestOptions, TestResponse } from '../../support/test-client.ts'

// Identifying a photo over HTTP. The photo reader is simulated: these tests cover only the request and its response.

const PHOTO_BYTES_MAX = 8_388_608
const BASE64 = PHOTO.jpeg.toBase64()

type Scan = {
  id: string
  status: string
  message: string | null
  read: Record<string, unknown>
  candidates: Record<string, unknown>[]
  warnings: string[]
}

const closers: (() => void)[] = []
afterAll(() => {
  for (const close of closers) close()
})

async function open(
  options: TestAppOptions = {},
): Promise<{ testApp: TestApp; reader: FakeReader }> {
  const reader = fakeReader()
  const testApp = await createTestApp({ reader, ...options })
  closers.push(testApp.close)
  return { testApp, reader }
}

/** Sends a photo unchanged, as a JPEG by default. */
function send(
  { client }: TestApp,
  {
    path = '',
    type = 'image/jpeg',
    headers = {},
    ...options
  }: TestRequestOptions & { path?: string; type?: string } = {},
) {
  const sent = { as: 'free', body: PHOTO.jpeg, ...options } as const
  const labeled = { 'content-type': type, ...headers }
  return client.request<Scan>('POST', `/v1/identify${path}`, { ...sent, headers: labeled })
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

function expectRefusal(testResponse: TestResponse<unknown>, status: number, code: string): void {
  expect([testResponse.status, testResponse.body.error?.code]).toEqual([status, code])
  expect(testResponse.body.data).toBeUndefined()
}

const scansOf = async ({ client }: TestApp, as: TestRequestOptions['as'] = 'free') =>
  (await client.get<Record<string, unknown>>('/v1/identify/usage', { as })).body.data

describe('a photo', () => {
  const WAYS: [
    string,
    (photo: Uint8Array<ArrayBuffer>) => TestRequestOptions & { path?: string; type?: string },
  ][] = [
    ['as it is, as a JPEG', (photo) => ({ body: photo })],
    [
      'as it is, in small pieces',
      (photo) => ({ body: streamOf(...[...photo].map((byte) => Uint8Array.of(byte))) }),
    ],
    ['as it is, with capitals in its type', (photo) => ({ body: photo, type: 'Image/JPEG; q=1' })],
    [
      'as base64',
      (photo) => ({ type: 'application/json', body: JSON.stringify({ image: photo.toBase64() }) }),
    ],
    [
      'as a data URL',
      (photo) => ({
        type: 'application/json',
        body: JSON.stringify({ image: `data:image/jpeg;base64,${photo.toBase64()}` }),
      }),
    ],
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
    ['as bytes without a type', (photo) => ({ body: photo, type: '' })],
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
      const testResponse = await send(testApp, options(photo))
      expect([testResponse.status, testResponse.body.data?.status]).toEqual([
        200,
        expect.any(String),
      ])
      expect(new Uint8Array(reader.requests.at(-1)?.photo ?? [])).toEqual(photo)
    }
  })

  test('reaches the photo reader byte for byte: as a form', async () => {
    const { testApp, reader } = await open()
    const body = formOf({ image: file(), note: 'what is not known is left alone' })
    const reply = await testApp.client.request<Scan>('POST', '/v1/identify', { as: 'free', body })
    expect(reply.status).toBe(200)
    expect(new Uint8Array(reader.requests.at(-1)?.photo ?? [])).toEqual(PHOTO.jpeg)
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
    expect(
      (await testApp.client.request('POST', '/v1/identify', { as: 'free', body: form })).status,
    ).toBe(200)
    expect(reader.requests.map((request) => request.photo.length)).toEqual(
      Array(4).fill(PHOTO_BYTES_MAX),
    )
  })

  test('has the response of the specification', async () => {
    const { testApp } = await open()
    const { status, body, headers } = await send(testApp, { path: '?include=prices' })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['data', 'meta', 'rate_limit'])
    expect(Object.keys(body.data)).toEqual([
      'id',
      'status',
      'message',
      'read',
      'candidates',
      'warnings',
    ])
    expect(VERDICT_STATUSES as readonly string[]).toContain(body.data.status)
    expect(Object.keys(body.data.read)).toEqual([
      'game',
      'name',
      'number',
      'set',
      'language',
      'kind',
      'product_type',
      'finish',
      'stamp',
      'grade',
      'readable',
      'notes',
    ])
    const candidate = [
      'card_id',
      'marketplace_id',
      'name',
      'number',
      'rarity',
      'product_type',
      'set',
      'game',
      'image_url',
      'match',
      'printings',
      'suggested_printing',
      'score',
    ]
    const [top, ...others] = body.data.candidates
    expect(Object.keys(top ?? {})).toEqual([...candidate, 'prices'])
    for (const other of others) expect(Object.keys(other)).toEqual(candidate)
    expect(body.data.candidates.length).toBeLessThanOrEqual(10)
    expect(body.meta).toEqual({ charged: 'scan', scans_remaining: 24 } as never)
    expect(headers.get('x-scans-remaining')).toBe('24')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('has the prices of the top candidate as its own endpoint returns them', async () => {
    const { testApp } = await open()
    const { body } = await send(testApp, { path: '?include=prices' })
    const [top] = body.data.candidates
    const { body: own } = await testApp.client.get(`/v1/cards/${top?.card_id}/prices`, {
      as: 'free',
    })
    expect(top?.prices).toEqual([own.data].flat())
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

  test.each(TIERS)('of the tier %s is accepted', async (as) => {
    const { testApp } = await open()
    expect((await send(testApp, { as })).status).toBe(200)
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

describe('an option', () => {
  let testApp: TestApp
  let reader: FakeReader
  beforeAll(async () => {
    ;({ testApp, reader } = await open())
  })

  const json = (more: object) => ({
    type: 'application/json',
    body: JSON.stringify({ image: BASE64, ...more }),
  })
  const form = (more: Record<string, string>) =>
    testApp.client.request<Scan>('POST', '/v1/identify', {
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
    for (const testResponse of replies) {
      expectRefusal(testResponse, 400, 'VALIDATION_ERROR')
      expect(testResponse.body.error.message).toContain(`"${name}" is given more than once`)
    }
    expect(reader.requests.length).toBe(before)
  })

  test.each([[null], [7], [true], [['prices']], [{}], ['\ud800']])(
    'that is not a string is rejected: %p',
    async (value) => {
      for (const name of ['game', 'include']) {
        const reply = await send(testApp, { as: 'pro', ...json({ [name]: value }) })
        expectRefusal(reply, 400, 'VALIDATION_ERROR')
        expect(reply.body.error.message).toContain(`"${name}"`)
      }
    },
  )

  test('that is a file is rejected', async () => {
    const body = formOf({ image: file(), game: file() })
    const reply = await testApp.client.request('POST', '/v1/identify', { as: 'pro', body })
    expectRefusal(reply, 400, 'VALIDATION_ERROR')
  })

  test('include accepts only prices and confidence', async () => {
    for (const include of ['history', 'Prices', 'prices,prices']) {
      const reply = await send(testApp, { as: 'pro', ...json({ include }) })
      expectRefusal(reply, 400, 'VALIDATION_ERROR')
      expect(reply.body.error.message).toBe(
        '"include" must be one of prices, confidence, prices,confidence.',
      )
    }
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
      expect(reply.body.error.message).toContain('GET /v1/games')
    }
    expect(reader.requests.length).toBe(before)
    expect(await scansOf(testApp, 'pro')).toEqual(scans)
  })
})

describe('an invalid photo returns 400 INVALID_IMAGE with a remedy, and uses no scan:', () => {
  let testApp: TestApp
  let reader: FakeReader
  beforeAll(async () => {
    ;({ testApp, reader } = await open())
  })

  const text = (content: string) => new TextEncoder().encode(content)
  const GIF = text('GIF89a\x01\0\x01\0\x80\0\0')
  const SVG = text('<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>')
  const NOT_PHOTOS: [string, Uint8Array<ArrayBuffer>][] = [
    ['nothing', new Uint8Array()],
    ['a word', text('card')],
    ['a GIF', GIF],
    ['an SVG', SVG],
    ['a BMP', text('BM\x36\0\0\0\0\0\0\0')],
    ['a TIFF', text('II*\0')],
    ['an AVIF', text('\0\0\0\x1cftypavif')],
    ['a PDF', text('%PDF-1.7')],
    ['a web page', text('<!DOCTYPE html>')],
    ['two bytes of a JPEG', PHOTO.jpeg.slice(0, 2)],
    ['seven bytes of a PNG', PHOTO.png.slice(0, 7)],
    ['a RIFF file other than WebP', text('RIFF\x1a\0\0\0WAVEfmt ')],
    ['one byte too many', longPhoto(PHOTO_BYTES_MAX + 1)],
  ]

  async function expectNoPhoto(
    testResponse: TestResponse<unknown>,
    message: RegExp,
  ): Promise<void> {
    expectRefusal(testResponse, 400, 'INVALID_IMAGE')
    expect(testResponse.body.error.message).toMatch(message)
    expect(testResponse.headers.get('x-scans-remaining')).toBe('25')
    expect(testResponse.body.rate_limit.daily_remaining).toBe(100)
    expect(reader.requests).toEqual([])
    expect(await scansOf(testApp)).toMatchObject({ balance: 0, trial_pending: true, ledger: [] })
  }

  describe.each(NOT_PHOTOS)('%s', (_what, bytes) => {
    test('as the body', async () => {
      for (const type of ['image/jpeg', 'image/png', 'image/webp']) {
        await expectNoPhoto(await send(testApp, { type, body: bytes }), /[Ss]end/)
      }
    })

    test('in a form', async () => {
      const body = formOf({ image: file(bytes) })
      await expectNoPhoto(
        await testApp.client.request('POST', '/v1/identify', { as: 'free', body }),
        /[Ss]end/,
      )
    })

    test('in base64, bare and as a data URL', async () => {
      for (const start of ['', 'data:image/jpeg;base64,']) {
        const body = JSON.stringify({ image: start + bytes.toBase64() })
        await expectNoPhoto(await send(testApp, { type: 'application/json', body }), /[Ss]end/)
      }
    })
  })

  test.each([
    ['image/gif', GIF],
    ['image/svg+xml', SVG],
    ['image/heic', PHOTO.jpeg],
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
    await expectNoPhoto(await send(testApp, { type, body }), /multipart\/form-data .+image\/webp/)
  })

  test('no body at all', async () => {
    for (const type of ['image/jpeg', 'application/json', 'multipart/form-data; boundary=x']) {
      const headers = { 'content-type': type }
      const reply = await testApp.client.request('POST', '/v1/identify', { as: 'free', headers })
      await expectNoPhoto(reply, /image is missing/)
    }
    await expectNoPhoto(
      await testApp.client.request('POST', '/v1/identify', { as: 'free' }),
      /Send/,
    )
  })

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
  ])('base64 with %s', async (_what, image) => {
    const body = JSON.stringify({ image })
    await expectNoPhoto(await send(testApp, { type: 'application/json', body }), /base64/)
  })

  test.each([
    ['no JSON', '{', /not valid JSON/],
    ['base64 alone', BASE64, /not valid JSON/],
    ['a list', JSON.stringify([BASE64]), /JSON object/],
    ['a text', JSON.stringify(BASE64), /JSON object/],
    ['null', 'null', /JSON object/],
    ['no member "image"', '{"photo":"x"}', /image is missing/],
    ['an inherited "image"', `{"__proto__":{"image":"${BASE64}"}}`, /image is missing/],
    ['null for "image"', '{"image":null}', /must be a base64 string/],
    ['a list for "image"', JSON.stringify({ image: [...PHOTO.jpeg] }), /must be a base64 string/],
    ['an object for "image"', '{"image":{"data":"x"}}', /must be a base64 string/],
  ])('JSON that is %s', async (_what, body, message) => {
    await expectNoPhoto(await send(testApp, { type: 'application/json', body }), message)
  })

  test('JSON that is not UTF-8', async () => {
    const body = Uint8Array.from([...text('{"image":"'), 0xff, ...text('"}')])
    await expectNoPhoto(await send(testApp, { type: 'application/json', body }), /not valid JSON/)
  })

  const form = (lines: string[]) => lines.join('\r\n')
  const DISPOSITION = 'Content-Disposition: form-data; name="image"; filename="a.jpg"'
  test.each([
    [
      'has no boundary',
      'multipart/form-data',
      form(['--x', DISPOSITION, '', '\xff', '--x--', '']),
      /form is invalid/,
    ],
    [
      'has another boundary',
      'multipart/form-data; boundary=y',
      form(['--x', DISPOSITION, '', 'a', '--x--', '']),
      /form is invalid|image is missing/,
    ],
    [
      'ends before its end',
      'multipart/form-data; boundary=x',
      form(['--x', DISPOSITION, '', 'abc']),
      /form is invalid|no image|could not be decoded/,
    ],
    ['is a word', 'multipart/form-data; boundary=x', 'card', /form is invalid|image is missing/],
    [
      'has no part',
      'multipart/form-data; boundary=x',
      '--x--\r\n',
      /form is invalid|image is missing/,
    ],
    [
      'has no name',
      'multipart/form-data; boundary=x',
      form(['--x', '', 'a', '--x--', '']),
      /form is invalid|image is missing/,
    ],
  ])('a form that %s', async (_what, type, body, message) => {
    await expectNoPhoto(await send(testApp, { type, body: text(body) }), message)
  })

  test('a form without "image", with a text for it, or with two of it', async () => {
    const two = formOf({ image: file() })
    two.append('image', file())
    for (const [body, message] of [
      [formOf({ photo: file() }), /image is missing/],
      [formOf({ image: BASE64 }), /as a file/],
      [two, /several/],
    ] as const) {
      await expectNoPhoto(
        await testApp.client.request('POST', '/v1/identify', { as: 'free', body }),
        message,
      )
    }
  })

  test('an incomplete body', async () => {
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new Error('the connection broke'))
      },
    })
    await expectNoPhoto(await send(testApp, { body }), /ended before/)
  })

  test('a body that is too large, declared or not', async () => {
    const length = String(PHOTO_BYTES_MAX + 1)
    const never = () => new ReadableStream({ pull: () => new Promise<void>(() => {}) })
    const refused = await send(testApp, { body: never(), headers: { 'content-length': length } })
    await expectNoPhoto(refused, /too large/)
    let pulled = 0
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1_048_576
        controller.enqueue(longPhoto(1_048_576))
      },
    })
    await expectNoPhoto(await send(testApp, { body: endless }), /too large/)
    expect(pulled).toBeLessThan(2 * PHOTO_BYTES_MAX)
  })

  test.each([
    ['application/json', 11_949_400],
    ['multipart/form-data; boundary=x', 8_454_144],
  ])('a body of %s with a declared length of more than %i bytes', async (type, bytesMax) => {
    const body = () => new ReadableStream({ pull: () => new Promise<void>(() => {}) })
    const headers = { 'content-length': String(bytesMax + 1) }
    await expectNoPhoto(await send(testApp, { type, body: body(), headers }), /too large/)
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
      expect([free.body.meta, free.body.error.message]).toEqual([
        undefined as never,
        'The image is damaged.',
      ])
    }
    expect(await scansOf(testApp)).toMatchObject({ balance: 0, trial_pending: true })
    const charged = await send(testApp)
    expectRefusal(charged, 400, 'INVALID_IMAGE')
    expect(charged.body.error.message).toMatch(/damaged\. It used one scan, because more than 5/)
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

  test('refunds each of many scans once', async () => {
    const { testApp, reader } = await open()
    reader.script(async () => {
      await Promise.resolve()
      if (reader.requests.length % 2 === 0) return OBSERVATION
      throw new ServiceError('IDENTIFY_UNAVAILABLE', 'The reader died.', { retryAfter: 2 })
    })
    const replies = await Promise.all(Array.from({ length: 25 }, () => send(testApp)))
    const read = replies.filter(({ status }) => status === 200).length
    expect(await scansOf(testApp)).toMatchObject({ balance: 25 - read })
    expect(await testApp.deps.ledger.scans.listUnbalanced()).toEqual([])
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

  test.each([
    ['community', 'Ask the operator for more.'],
    ['business', 'Buy a scan pack to continue.'],
  ])('names the way to more of a %s', async (SERVICE_MODE, remedy) => {
    const { testApp } = await open({ env: { SERVICE_MODE } })
    for (let left = 25; left > 0; left--) expect((await send(testApp)).status).toBe(200)
    expect((await send(testApp)).body.error.message).toBe(`No scans are left. ${remedy}`)
  })

  test('reads exactly 25 of 40 concurrent photos', async () => {
    const { testApp } = await open()
    const replies = await Promise.all(Array.from({ length: 40 }, () => send(testApp)))
    const statuses = replies.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(25).fill(200), ...Array(15).fill(402)])
    expect(await scansOf(testApp)).toMatchObject({
      balance: 0,
      ledger: [{ reason: 'trial', scans: 25 }],
    })
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
