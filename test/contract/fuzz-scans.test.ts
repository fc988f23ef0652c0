import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { PHOTO } from '../support/photos/reader-fixtures.ts'
import { SEED } from '../support/random.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { documentOf, openBodyCheck } from './openapi.ts'
import { identifiedBy } from './scan-calls.ts'

// Generated bodies, labels, options and feedback for the scan endpoints. FUZZ_SEED=… replays a
// failure; FUZZ_RUNS=… sets the number of runs.

const RUNS = Number(process.env.FUZZ_RUNS ?? 300)

let testApp: TestApp
let faultOf: ReturnType<typeof openBodyCheck>

beforeAll(async () => {
  testApp = await createTestApp()
  faultOf = openBodyCheck(await documentOf(testApp))
  console.log(`fuzz of scans: FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`)
})
afterAll(() => testApp.close())

const BASE64 = PHOTO.jpeg.toBase64()

const TYPE = fc.oneof(
  fc.constantFrom(
    'image/jpeg',
    'image/png',
    'application/json',
    'application/json;charset=x',
    'text/plain',
    '',
    'multipart/form-data',
    'multipart/form-data; boundary=x',
    'multipart/form-data; boundary="',
  ),
  fc.string({ unit: 'grapheme-ascii', maxLength: 30 }).filter((text) => !/[\r\n\0]/.test(text)),
)

const MEMBER = fc.oneof(
  fc.constantFrom(BASE64, `data:image/jpeg;base64,${BASE64}`, 'wickerwild', 'prices', '', null),
  fc.anything({ maxDepth: 2 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
)

const BYTES = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Uint8Array.from(bytes)),
  fc.uint8Array({ maxLength: 50 }).map((bytes) => Uint8Array.from([...PHOTO.jpeg, ...bytes])),
)

const BODY = fc.oneof(
  BYTES,
  fc
    .record({ image: MEMBER, game: MEMBER, include: MEMBER }, { requiredKeys: [] })
    .map((members) => JSON.stringify(members)),
  fc.json(),
  // Parts of a form, whole and broken.
  fc
    .array(
      fc.constantFrom(
        '--x\r\n',
        '--x--\r\n',
        '\r\n',
        '\r\n\r\n',
        PHOTO.jpeg.toBase64(),
        'GIF89a',
        '\0',
        'Content-Disposition: form-data; name="image"; filename="a.jpg"\r\n',
        'Content-Disposition: form-data; name="game"\r\n',
        'Content-Disposition: form-data; name="include"; filename=""\r\n',
        'Content-Type: image/jpeg\r\n',
      ),
      { maxLength: 16 },
    )
    .map((parts) => parts.join('')),
)

const QUERY = fc.constantFrom(
  '',
  '',
  '?game=wickerwild',
  '?include=prices',
  '?game=a&game=b',
  '?include=',
  '?%ff',
  '?game=%00',
)

const LEAKS =
  /SQLITE_|sqlite|node_modules|\/src\/|\.[jt]s:\d|\b(?:Type|Range|Syntax|Reference)Error\b/

test('answers any photo request as documented, never with 500', async () => {
  const requests = fc.record({ type: TYPE, body: BODY, query: QUERY })
  await fc.assert(
    fc.asyncProperty(requests, async ({ type, body, query }) => {
      const {
        status,
        text,
        body: answer,
      } = await testApp.client.request('POST', `/v1/identify${query}`, {
        as: 'pro',
        body,
        headers: { 'content-type': type },
      })
      expect([200, 400, 402]).toContain(status)
      expect(faultOf('/v1/identify', status, answer, 'POST')).toBeUndefined()
      expect(text).not.toMatch(LEAKS)
    }),
    { seed: SEED, numRuns: RUNS },
  )
  expect(await testApp.deps.ledger.scans.listUnbalanced()).toEqual([])
})

test('answers any feedback as documented', async () => {
  const id = await identifiedBy(testApp, 'business')
  const ids = fc.oneof(fc.constant(id), fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }))
  const requests = fc.record({ id: ids, body: fc.oneof(MEMBER, fc.record({ card_id: MEMBER })) })
  const path = '/v1/identify/{id}/feedback'
  await fc.assert(
    fc.asyncProperty(requests, async ({ id, body }) => {
      const at = path.replace('{id}', () => encodeURIComponent(id.toWellFormed()))
      const reply = await testApp.client.request('POST', at, {
        as: 'business',
        body: JSON.stringify(body) ?? '',
        headers: { 'content-type': 'application/json' },
      })
      // A value that matches another route reaches another endpoint.
      if (id === '.' || id === '..') return
      expect([200, 400, 404]).toContain(reply.status)
      expect(faultOf(path, reply.status, reply.body, 'POST')).toBeUndefined()
      expect(reply.text).not.toMatch(LEAKS)
    }),
    { seed: SEED, numRuns: RUNS },
  )
})

test('logs no internal error', () => {
  expect(testApp.log).toEqual([])
})
