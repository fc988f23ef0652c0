import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { call, enterFor, stateOf } from '../../contract/account-calls.ts'
import { ACCOUNT_ENDPOINTS, CHANGING, namedAccount } from '../../contract/endpoints.ts'
import { createAlertTestApp } from '../../support/alerts/webhook-fixtures.ts'
import { createTestApp, PASSWORD, type TestApp } from '../../support/test-app.ts'
import type { TestRequestOptions, TestResponse } from '../../support/test-client.ts'

// Invalid bodies to account endpoints: a 4xx with the reason.

const JSON_TYPE = { 'content-type': 'application/json' }
const WITH_BODY = ACCOUNT_ENDPOINTS.filter(({ body }) => body !== undefined)
const BODY_BYTES_MAX = 16_384

const bytes = (text: string) => new TextEncoder().encode(text)

const NOT_JSON: [string, string | Uint8Array<ArrayBuffer>][] = [
  ['a word', 'password'],
  ['a form', 'email=a%40b.example&password=eight+characters'],
  ['half an object', '{"email":"a@b.example",'],
  ['blanks', '  \n '],
  ['two objects', '{}{}'],
  ['a comment', '{/**/}'],
  ['single quotes', "{'email':'a@b.example'}"],
  ['NaN', '{"email":NaN}'],
  ['a NUL', '\0'],
  ['a NUL after the object', '{}\0'],
  ['a NUL that is not escaped', '{"email":"a\0b"}'],
  ['sixteen thousand brackets', '['.repeat(16_000)],
  ['thousands of objects in each other', '{"a":'.repeat(3_000)],
  ['invalid UTF-8', Uint8Array.from([...bytes('{"email":"'), 0xff, ...bytes('"}')])],
  [
    'UTF-8 of half a character',
    Uint8Array.from([...bytes('{"a":"'), 0xed, 0xa0, 0x80, 0x22, 0x7d]),
  ],
  ['overlong UTF-8', Uint8Array.from([0xc1, 0xbb, 0xc1, 0xbd])],
  ['UTF-16', Uint8Array.from([0xff, 0xfe, 0x7b, 0, 0x7d, 0])],
  ['what is compressed', Bun.gzipSync(bytes('{}'))],
]

const NO_OBJECT: [string, string][] = [
  ['null', 'null'],
  ['a list', '[]'],
  ['a list of objects', '[{"email":"a@b.example","password":"eight characters"}]'],
  ['lists in each other', `${'['.repeat(8_000)}${']'.repeat(8_000)}`],
  ['a number', '1e400'],
  ['a text', '"{}"'],
  ['true', 'true'],
]

const OTHER_TYPES = [
  undefined,
  '',
  'text/plain',
  'text/plain; application/json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonp',
  'application/json2',
  'text/json',
  'application/vnd.api+json',
  'application/octet-stream',
  '*/*',
]

describe.each(namedAccount(WITH_BODY))('%s', (_name, endpoint) => {
  const { method, path, sample, bodyRequired, needsOne, malformed } = endpoint
  const complaint = needsOne ? 'at least one of' : `"${bodyRequired?.[0]}" is required`
  let testApp: TestApp
  let session: string
  let before: string

  beforeAll(async () => {
    testApp = await createAlertTestApp()
    session = await enterFor(testApp, endpoint, 'pro')
    before = await stateOf(testApp)
  })
  afterAll(async () => {
    expect(await stateOf(testApp)).toBe(before)
    expect(testApp.log).toEqual([])
    testApp.close()
  })

  const send = (body: TestRequestOptions['body'], headers: Record<string, string> = JSON_TYPE) =>
    testApp.client.request(method, path, {
      session,
      headers,
      ...(body === undefined ? {} : { body }),
    })

  test.each(NOT_JSON)('of %s returns 400: not JSON', async (_what, body) => {
    const testResponse = await send(body)
    expectRefusal(testResponse, 400, 'VALIDATION_ERROR')
    expect(testResponse.body.error.message).toContain('not valid JSON')
  })

  test.each(NO_OBJECT)('of %s returns 400: not an object', async (_what, body) => {
    const reply = await send(body)
    expectRefusal(reply, 400, 'VALIDATION_ERROR')
    expect(reply.body.error.message).toContain('JSON object')
  })

  test.each(OTHER_TYPES)('of the type %p returns 415', async (type) => {
    const headers = type === undefined ? {} : { 'content-type': type }
    // As bytes: the client labels a string as text.
    const body = bytes(JSON.stringify(sample.json))
    expectRefusal(await send(body, headers), 415, 'UNSUPPORTED_MEDIA_TYPE')
    expectRefusal(await send(bytes('x'), headers), 415, 'UNSUPPORTED_MEDIA_TYPE')
  })

  test.each(['application/json; charset=utf-8', 'Application/JSON', ' application/json ;x=y'])(
    'of the type %p is accepted',
    async (type) => {
      const reply = await send('[]', { 'content-type': type })
      expectRefusal(reply, 400, 'VALIDATION_ERROR')
    },
  )

  const isRequired = bodyRequired !== undefined || needsOne
  if (isRequired) {
    test('returns 400 if it is missing', async () => {
      for (const body of [undefined, '', new Uint8Array(), streamOf([])]) {
        const reply = await send(body)
        expectRefusal(reply, 400, 'VALIDATION_ERROR')
        expect(reply.body.error.message).toContain('missing')
      }
      for (const json of [{}, { else: 1 }, JSON.parse('{"__proto__":{"email":"a@b.example"}}')]) {
        const reply = await send(JSON.stringify(json))
        expectRefusal(reply, 400, 'VALIDATION_ERROR')
        expect(reply.body.error.message).toContain(complaint)
      }
    })
  }

  test.each(malformed.map((made) => [JSON.stringify(made.json).slice(0, 60), made] as const))(
    'of %s returns 400 and names the field',
    async (_json, made) => {
      const reply = await call(testApp, endpoint, { made, session })
      expectRefusal(reply, 400, 'VALIDATION_ERROR')
      expect(reply.body.error.message).toContain(`"${made.names}"`)
    },
  )

  test('that is too large returns 413, declared or not', async () => {
    const padded = (length: number) => `{"pad":"${'x'.repeat(length - 10)}"}`
    const tooLong = padded(BODY_BYTES_MAX + 1)
    expectRefusal(await send(tooLong), 413, 'BODY_TOO_LARGE')
    expectRefusal(await send(streamOf([tooLong])), 413, 'BODY_TOO_LARGE')
    expectRefusal(await send('€'.repeat(6_000)), 413, 'BODY_TOO_LARGE')
    const declaredHeaders = { ...JSON_TYPE, 'content-length': String(BODY_BYTES_MAX + 1) }
    expectRefusal(await send('{}', declaredHeaders), 413, 'BODY_TOO_LARGE')
    if (bodyRequired === undefined) return
    for (const fits of [padded(BODY_BYTES_MAX), streamOf([padded(BODY_BYTES_MAX)])]) {
      expectRefusal(await send(fits), 400, 'VALIDATION_ERROR')
    }
  })

  test('without an end is aborted as soon as it is too large', async () => {
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1_024
        controller.enqueue(new Uint8Array(1_024).fill(0x20))
      },
    })
    expectRefusal(await send(endless), 413, 'BODY_TOO_LARGE')
    expect(sent).toBeLessThan(10 * BODY_BYTES_MAX)
  })

  test('that is incomplete returns 400, not an internal error', async () => {
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(bytes('{"email":'))
      },
      pull(controller) {
        controller.error(new Error('the connection is gone'))
      },
    })
    expectRefusal(await send(broken), 400, 'VALIDATION_ERROR')
  })
})

describe('unknown members', () => {
  test('are ignored, whatever their names', async () => {
    const testApp = await createTestApp()
    const session = await testApp.createSession('pro')
    const body =
      '{"name":"Shop","tier":"business","account_id":1,"id":"mine","key":"tcg_live_mine",' +
      '"is_active":false,"__proto__":{"name":"Other"},"constructor":{"prototype":{"name":"Other"}}}'
    const request = { session, body, headers: JSON_TYPE }
    const { status, body: reply } = await testApp.client.request('POST', '/v1/keys', request)
    expect([status, reply.data.name, reply.data.is_active]).toEqual([201, 'Shop', true])
    expect(reply.data.key).toMatch(/^tcg_live_[0-9A-Za-z]{38}$/)
    expect(Object.keys({})).toEqual([])
    expect(({} as { name?: string }).name).toBeUndefined()

    const json = { email: 'new@guests.example', password: PASSWORD, tier: 'business', id: 1 }
    const registered = await testApp.client.post('/v1/auth/register', json)
    expect([registered.status, registered.body.data.tier]).toEqual([201, 'free'])
    testApp.close()
  })

  test('that a prototype has are not values', async () => {
    const testApp = await createTestApp()
    const session = await testApp.createSession('pro')
    const request = { session, body: '{"__proto__":{"name":"Other"}}', headers: JSON_TYPE }
    const { status, body } = await testApp.client.request('POST', '/v1/keys', request)
    expect([status, body.data.name]).toEqual([201, 'Default'])
    testApp.close()
  })

  test('that are duplicated count with the last value', async () => {
    const testApp = await createTestApp()
    const session = await testApp.createSession('pro')
    const request = { session, body: '{"name":"One","name":"Two"}', headers: JSON_TYPE }
    const { body } = await testApp.client.request('POST', '/v1/keys', request)
    expect(body.data.name).toBe('Two')
    testApp.close()
  })
})

describe('an endpoint without a body', () => {
  test.each(namedAccount(CHANGING.filter(({ body }) => body === undefined)))(
    '%s ignores one',
    async (_name, endpoint) => {
      const testApp = await createAlertTestApp()
      for (const body of ['x', '{"all":"true"}', 'x'.repeat(100_000)]) {
        const session = await testApp.createSession('pro')
        expect((await call(testApp, endpoint, { session, body })).status).toBe(200)
      }
      testApp.close()
    },
  )

  test.each(namedAccount(ACCOUNT_ENDPOINTS.filter(({ malformed }) => malformed.length > 0)))(
    '%s names the malformed parameter or member',
    async (_name, endpoint) => {
      const testApp = await createAlertTestApp()
      const session = await enterFor(testApp, endpoint, 'pro')
      for (const made of endpoint.malformed) {
        const testResponse = await call(testApp, endpoint, { made, session })
        expectRefusal(testResponse, 400, 'VALIDATION_ERROR')
        expect(testResponse.body.error.message).toContain(`"${made.names}"`)
      }
      testApp.close()
    },
  )
})

function streamOf(parts: readonly string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(bytes(part))
      controller.close()
    },
  })
}

function expectRefusal(testResponse: TestResponse<unknown>, status: number, code: string): void {
  expect([testResponse.status, testResponse.body.error?.code]).toEqual([status, code])
  expect(testResponse.body.error.message).toMatch(/^.{10,200}$/)
  expect(testResponse.body.data).toBeUndefined()
  expect(testResponse.headers.get('cache-control')).toBe('no-store')
}
