import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { PHOTO } from '../support/photos/reader-fixtures.ts'
import { SEED } from '../support/random.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { documentOf, openBodyCheck } from './openapi.ts'
import { createHeldScanSession, type HeldScanSession } from './scan-session-endpoints.ts'

// Generated changes, ids, keys and photos. FUZZ_SEED=… replays a failure; FUZZ_RUNS=… sets the number of runs.

const RUNS = Number(process.env.FUZZ_RUNS ?? 150)

let testApp: TestApp
let held: HeldScanSession
let faultOf: ReturnType<typeof openBodyCheck>

beforeAll(async () => {
  testApp = await createTestApp()
  faultOf = openBodyCheck(await documentOf(testApp))
  held = await createHeldScanSession(testApp, 'business')
  console.log(`fuzz of scan sessions: FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`)
})
afterAll(() => testApp.close())

const AT = '/v1/scan-sessions/{id}'

const VALUE = fc.oneof(
  fc.constantFrom(null, '', 'Normal', 'Foil', 'damaged', 'ja', true, false, 0, 1, 900401, 900402),
  fc.double(),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.anything({ maxDepth: 1 }),
)

const MEMBERS = [
  ...['card_id', 'printing', 'quantity', 'condition', 'language', 'grade', 'is_reviewed'],
  ...['revision', 'id', 'name'],
]

const CHANGES = fc.dictionary(fc.constantFrom(...MEMBERS), VALUE, { maxKeys: 4 })

/** Text of a path, without the segments that lead to another endpoint. */
const SEGMENT = fc
  .oneof(fc.stringMatching(/^[\w.-]{1,66}$/), fc.string({ unit: 'binary', minLength: 1 }))
  .filter((text) => text !== '.' && text !== '..')
  .map((text) => encodeURIComponent(text.toWellFormed()))

test('answers any change, duplicate and session as documented, never with 500', async () => {
  await fc.assert(
    fc.asyncProperty(CHANGES, async (json) => {
      const ask = async (method: string, path: string) => {
        const at = path.replace('{id}', held.id).replace('{item}', held.item)
        const reply = await testApp.client.ask(method, at, { as: 'business', json })
        expect(faultOf(path, reply.status, reply.body, method)).toBeUndefined()
        return reply.status
      }
      expect([200, 400, 404, 409]).toContain(await ask('PATCH', `${AT}/items/{item}`))
      expect([201, 400, 404]).toContain(await ask('POST', `${AT}/items/{item}/duplicate`))
      expect([201, 400, 404, 409]).toContain(await ask('POST', '/v1/scan-sessions'))
      expect([200, 400]).toContain(await ask('PATCH', AT))
    }),
    { seed: SEED, numRuns: RUNS },
  )
})

test('answers any photo as documented, and charges what it says', async () => {
  const requests = fc.record({
    key: SEGMENT,
    query: fc.constantFrom('', '?page=true', '?page=1', '?max_scans=0', '?page=true&max_scans=2'),
    body: fc.oneof(
      fc.constantFrom(PHOTO.jpeg, PHOTO.png),
      fc.uint8Array({ maxLength: 30 }).map((bytes) => Uint8Array.from(bytes)),
    ),
  })
  const account = await testApp.deps.ledger.accounts.getByEmail('business@guests.example')
  const account_id = account?.id ?? 0
  const grant = { account_id, n: 1_000, ref: 'of this test' }
  await testApp.deps.ledger.scans.grant(grant, { now: testApp.deps.now(), address: undefined })
  const left = async () => (await testApp.deps.ledger.accounts.getScans(account_id)).balance
  await fc.assert(
    fc.asyncProperty(requests, async ({ key, query, body }) => {
      const before = await left()
      const reply = await testApp.client.ask(
        'POST',
        `${AT}/photos/${key}${query}`.replace('{id}', held.id),
        {
          ...{ as: 'business', body, headers: { 'content-type': 'image/jpeg' } },
        },
      )
      // A slash in a key leads to no endpoint.
      expect([200, 400, 404]).toContain(reply.status)
      if (reply.status !== 404) {
        const path = `${AT}/photos/{photo}`
        expect(faultOf(path, reply.status, reply.body, 'POST')).toBeUndefined()
      }
      const charged = reply.status === 200 ? reply.body.meta.scans_charged : 0
      expect(await left()).toBe(before - charged)
    }),
    { seed: SEED, numRuns: RUNS },
  )
  expect(await testApp.deps.ledger.scans.listUnbalanced()).toEqual([])
})

test('logs no internal error', () => {
  expect(testApp.log).toEqual([])
})
