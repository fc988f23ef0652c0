/** Invalid requests to every endpoint: a 4xx that names the mistake and changes nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { setOperator } from '#actions/accounts/manage-accounts.ts'
import { emailOf, type TestApp } from '../support/test-app.ts'
import type { TestRequestOptions } from '../support/test-client.ts'
import { call, createContractApp, credentialsFor, expectReply, stateOf } from './calls.ts'
import {
  type Endpoint,
  isCatalog,
  isChange,
  isForSessions,
  isStored,
  named,
  takesJson,
} from './endpoints.ts'
import { holdingsOf, insertHoldings, prepareHoldings } from './holdings.ts'
import { malformedRequests, unknownRequest } from './malformed.ts'

let testApp: TestApp
let session: string

beforeAll(async () => {
  testApp = await createContractApp({ bulkFiles: true })
  await prepareHoldings(testApp)
  session = await testApp.createSession('pro')
})
afterAll(() => {
  expect(testApp.log).toEqual([])
})

/** Returns the credentials of an account that may call an endpoint. */
async function credentialsOf(endpoint: Endpoint): Promise<TestRequestOptions> {
  const { auth } = endpoint
  // Once there is an operator, the setup is closed.
  await setOperator(testApp.deps, { email: emailOf('pro'), is_operator: auth === 'operator' })
  return isForSessions(endpoint) || auth === 'account' ? { session } : { as: 'business' }
}

const JSON_TYPE = { 'content-type': 'application/json' }

describe.each(named((one) => malformedRequests(one).length > 0))('%s', (_, endpoint) => {
  test('returns 400 for each malformed parameter and member, and names it', async () => {
    const credentials = await credentialsOf(endpoint)
    const before = await stateOf(testApp)
    for (const request of malformedRequests(endpoint)) {
      const reply = await call(testApp, endpoint, { request, ...credentials })
      const { path, json, names } = request
      const sent = `${path} ${JSON.stringify(json) ?? ''}`.slice(0, 300)
      expect([sent, reply.status]).toEqual([sent, 400])
      expectReply(endpoint, reply, 400, names === 'image' ? undefined : 'VALIDATION_ERROR')
      const { message } = reply.body.error
      // The message may name an entry or a member of the field, or only the member.
      const isNamed =
        ['"', '[', '.'].some((end) => message.includes(`"${names}${end}`)) ||
        message.includes(`"${names.split('.').at(-1)}"`)
      expect([sent, message, isNamed]).toEqual([sent, message, true])
    }
    expect(await stateOf(testApp)).toBe(before)
  })
})

describe.each(named((one) => isCatalog(one) && unknownRequest(one) !== undefined))(
  '%s',
  (_, endpoint) => {
    test('returns 404 for objects that are not in the catalog', async () => {
      const request = unknownRequest(endpoint) ?? endpoint.sample
      const missing = await call(testApp, endpoint, { request, as: 'business' })
      expectReply(endpoint, missing, 404, 'NOT_FOUND')
    })
  },
)

test.each(named(isStored))('%s returns 416 for a part behind its end', async (_, endpoint) => {
  const options = { as: 'business', headers: { range: 'bytes=1000000-' } } as const
  expectReply(endpoint, await call(testApp, endpoint, options), 416, 'RANGE_NOT_SATISFIABLE')
})

const bytes = (text: string) => new TextEncoder().encode(text)

/** Bodies that are not a JSON object, by kind. */
const NO_OBJECTS: readonly [string, string | Uint8Array<ArrayBuffer>][] = [
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

/** Maximum size in bytes of a body of short members. */
const SHORT_BODY_MAX = 16_384
/** More bytes than any body may have. */
const TOO_LONG = 22_000_000

describe.each(named(takesJson))('the body of %s', (_, endpoint) => {
  const { method, path, operation } = endpoint
  const isShort = isForSessions(endpoint)
  let target: string
  let before: string
  let credentials: TestRequestOptions

  beforeAll(async () => {
    credentials = await credentialsOf(endpoint)
    target = insertHoldings(path, await holdingsOf(testApp, path, 'pro'))
    before = await stateOf(testApp)
  })
  afterAll(async () => expect(await stateOf(testApp)).toBe(before))

  async function expectRefused(
    body: TestRequestOptions['body'],
    refusal: readonly [status: number, code: string],
    headers: Record<string, string> = JSON_TYPE,
  ): Promise<string> {
    const sent = { ...credentials, headers, ...(body !== undefined && { body }) }
    const reply = await testApp.client.request(method, target, sent)
    expectReply(endpoint, reply, ...refusal)
    expect(reply.headers.get('cache-control')).toBe('no-store')
    return reply.body.error.message
  }

  const INVALID = [400, 'VALIDATION_ERROR'] as const

  test.each(NO_OBJECTS)('is refused with 400: %s', async (_what, body) => {
    await expectRefused(body, INVALID)
  })

  test('is refused with 415 if it is of another type', async () => {
    for (const type of OTHER_TYPES) {
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type }
      // As bytes, because the client labels a string as text.
      for (const body of [bytes(JSON.stringify(endpoint.sample.json)), bytes('x')]) {
        await expectRefused(body, [415, 'UNSUPPORTED_MEDIA_TYPE'], headers)
      }
    }
  })

  test.each(['application/json; charset=utf-8', 'Application/JSON', ' application/json ;x=y'])(
    'may be of the type %p',
    async (type) => {
      await expectRefused('[]', INVALID, { 'content-type': type })
    },
  )

  if (operation.requestBody?.required) {
    test('is refused with 400 if it is missing or empty', async () => {
      const { required = [] } = operation.requestBody?.content['application/json']?.schema ?? {}
      for (const body of [undefined, '', new Uint8Array(), streamOf([])]) {
        await expectRefused(body, INVALID)
      }
      for (const body of ['{}', '{"else":1}', '{"__proto__":{"email":"a@b.example"}}']) {
        expect(await expectRefused(body, INVALID)).toContain(required[0] ?? 'at least one of')
      }
    })
  }

  test('is refused with 413 if it is too large, declared or not', async () => {
    const padded = (length: number) => `{"pad":"${'x'.repeat(length - 10)}"}`
    const max = isShort ? SHORT_BODY_MAX : TOO_LONG
    const tooLarge = [413, 'BODY_TOO_LARGE'] as const
    await expectRefused(padded(max + 1), tooLarge)
    await expectRefused(streamOf([padded(max + 1)]), tooLarge)
    await expectRefused('{}', tooLarge, { ...JSON_TYPE, 'content-length': String(max + 1) })
    if (!isShort) return
    await expectRefused('€'.repeat(6_000), tooLarge)
    if (!operation.requestBody?.required) return
    for (const fits of [padded(max), streamOf([padded(max)])]) await expectRefused(fits, INVALID)
  })

  test('is refused as soon as it is too large, and if it ends early', async () => {
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1_024
        controller.enqueue(new Uint8Array(1_024).fill(0x20))
      },
    })
    await expectRefused(endless, [413, 'BODY_TOO_LARGE'])
    if (isShort) expect(sent).toBeLessThan(10 * SHORT_BODY_MAX)
    const broken = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(bytes('{"email":')),
      pull: (controller) => controller.error(new Error('the connection is gone')),
    })
    await expectRefused(broken, INVALID)
  })
})

describe.each(named((one) => one.operation.requestBody !== undefined && !takesJson(one)))(
  'the body of %s',
  (_, endpoint) => {
    const types = Object.keys(endpoint.operation.requestBody?.content ?? {})
    if (types.includes('image/jpeg')) return

    test('is refused with 413 if it is too large, and with 415 if it is of another type', async () => {
      const target = insertHoldings(
        endpoint.sample.path,
        await holdingsOf(testApp, endpoint.path, 'pro'),
      )
      const credentials = await credentialsOf(endpoint)
      const send = (type: string, body: string) => {
        const headers = { 'content-type': type }
        return testApp.client.request('POST', target, { ...credentials, headers, body })
      }
      const tooLarge = await send(types[0] ?? '', ' '.repeat(TOO_LONG))
      expectReply(endpoint, tooLarge, 413, 'BODY_TOO_LARGE')
      expectReply(endpoint, await send('image/png', '{}'), 415, 'UNSUPPORTED_MEDIA_TYPE')
    })
  },
)

test.each(named((one) => isChange(one) && one.operation.requestBody === undefined))(
  '%s ignores a body',
  async (_, endpoint) => {
    const own = await createContractApp()
    for (const body of ['x', '{"all":"true"}', 'x'.repeat(100_000)]) {
      const credentials = await credentialsFor(own, endpoint, 'pro')
      expectReply(endpoint, await call(own, endpoint, { ...credentials, body }), endpoint.status)
    }
    own.close()
  },
)

function streamOf(parts: readonly string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(bytes(part))
      controller.close()
    },
  })
}
