import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { PHOTO } from '../support/photos/reader-fixtures.ts'
import { SEED } from '../support/random.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { createHeldCollection, type HeldCollection } from './collection-endpoints.ts'
import { documentOf, openBodyCheck } from './openapi.ts'
import { createHeldScanSession, type HeldScanSession } from './scan-session-endpoints.ts'

// Generated items, changes, ids, files and photos of collections and scan sessions. FUZZ_SEED=… replays a failure; FUZZ_RUNS=… sets the number of runs.

const RUNS = Number(process.env.FUZZ_RUNS ?? 300)
/** Photos take longer. */
const SCAN_RUNS = Number(process.env.FUZZ_RUNS ?? 150)

let testApp: TestApp
let held: HeldCollection
let scanned: HeldScanSession
let faultOf: ReturnType<typeof openBodyCheck>

beforeAll(async () => {
  testApp = await createTestApp()
  faultOf = openBodyCheck(await documentOf(testApp))
  held = await createHeldCollection(testApp, 'business')
  scanned = await createHeldScanSession(testApp, 'business')
  console.log(`fuzz of lists: FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`)
})
afterAll(() => testApp.close())

const AT = '/v1/collections/{id}'
const SCAN_AT = '/v1/scan-sessions/{id}'

const VALUE = fc.oneof(
  fc.constantFrom(null, '', 'Normal', 'Foil', 'Cold Foil', 'damaged', 'ja', '2026-05-31'),
  fc.constantFrom(true, false, 0, 1, 0.01, 1e15, 900401, 900402),
  fc.double(),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.anything({ maxDepth: 1 }),
)

const MEMBERS = [
  'printing',
  'condition',
  'grade',
  'language',
  'quantity',
  'price_paid',
  'acquired_on',
  'place',
  'note',
  'target_price',
  'revision',
]

const CHANGES = fc.dictionary(fc.constantFrom(...MEMBERS), VALUE, { maxKeys: 4 })

test('answers any items and changes as documented, never with 500', async () => {
  const requests = fc.record({ changes: CHANGES, card_id: fc.constantFrom(900401, 900402, 1) })
  await fc.assert(
    fc.asyncProperty(requests, async ({ changes, card_id }) => {
      const at = AT.replace('{id}', held.id)
      const request = (method: string, path: string, json: object) =>
        testApp.client.request(method, path, { as: 'business', json })
      const item = await request('PATCH', `${at}/items/${held.item_id}`, changes)
      expect([200, 400, 409]).toContain(item.status)
      expect(faultOf(`${AT}/items/{item_id}`, item.status, item.body, 'PATCH')).toBeUndefined()
      const added = await request('POST', `${at}/items`, { items: [{ ...changes, card_id }] })
      expect([201, 400, 404]).toContain(added.status)
      expect(faultOf(`${AT}/items`, added.status, added.body, 'POST')).toBeUndefined()
    }),
    { seed: SEED, numRuns: RUNS },
  )
})

const CELL = fc.oneof(
  fc.constantFrom('Cindle', 'Tide Clerk', '2', '-1', '1e9', '"', 'NM', '$1.50', '2026-01-01', '€'),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
)

test('responds to any file as documented, and stores what the response states', async () => {
  const header = 'Quantity,Name,Condition,Price Paid,Date,Place,Note'
  const rows = fc.array(fc.array(CELL, { maxLength: 8 }), { maxLength: 12 })
  const text = rows.map((cells) => [header, ...cells.map((row) => row.join(','))].join('\n'))
  const files = fc.oneof(
    text,
    fc.uint8Array({ maxLength: 80 }).map((bytes) => Uint8Array.from(bytes)),
  )
  const at = AT.replace('{id}', held.id)
  const count = async () =>
    (await testApp.deps.ledger.listItems.listAfter(held.id, '', 100_000)).length
  await fc.assert(
    fc.asyncProperty(files, async (body) => {
      // A file of another run may be equal, and an account can send 60 an hour.
      testApp.setClock(new Date(testApp.deps.now().getTime() + 3_600_000).toISOString())
      const before = await count()
      const path = `${at}/import?again=true`
      const headers = { 'content-type': 'text/csv' }
      const reply = await testApp.client.request<{ imported: number }>('POST', path, {
        as: 'business',
        body,
        headers,
      })
      expect([200, 400]).toContain(reply.status)
      expect(faultOf(`${AT}/import`, reply.status, reply.body, 'POST')).toBeUndefined()
      const added = reply.status === 200 ? reply.body.data.imported : 0
      expect(await count()).toBe(before + added)
    }),
    { seed: SEED, numRuns: RUNS },
  )
})

const SCAN_MEMBERS = [
  'card_id',
  'printing',
  'quantity',
  'condition',
  'language',
  'grade',
  'is_reviewed',
  'revision',
  'id',
  'name',
]

const SCAN_CHANGES = fc.dictionary(fc.constantFrom(...SCAN_MEMBERS), VALUE, { maxKeys: 4 })

/** Text of a path, without the segments that lead to another endpoint. */
const SEGMENT = fc
  .oneof(fc.stringMatching(/^[\w.-]{1,66}$/), fc.string({ unit: 'binary', minLength: 1 }))
  .filter((text) => text !== '.' && text !== '..')
  .map((text) => encodeURIComponent(text.toWellFormed()))

test('answers any change, duplicate and scan session as documented, never with 500', async () => {
  await fc.assert(
    fc.asyncProperty(SCAN_CHANGES, async (json) => {
      const request = async (method: string, path: string) => {
        const at = path.replace('{id}', scanned.id).replace('{item}', scanned.item)
        const reply = await testApp.client.request(method, at, { as: 'business', json })
        expect(faultOf(path, reply.status, reply.body, method)).toBeUndefined()
        return reply.status
      }
      expect([200, 400, 404, 409]).toContain(await request('PATCH', `${SCAN_AT}/items/{item}`))
      expect([201, 400, 404]).toContain(await request('POST', `${SCAN_AT}/items/{item}/duplicate`))
      expect([201, 400, 404, 409]).toContain(await request('POST', '/v1/scan-sessions'))
      expect([200, 400]).toContain(await request('PATCH', SCAN_AT))
    }),
    { seed: SEED, numRuns: SCAN_RUNS },
  )
})

test('responds to any photo as documented, and charges what the response states', async () => {
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
      const reply = await testApp.client.request(
        'POST',
        `${SCAN_AT}/photos/${key}${query}`.replace('{id}', scanned.id),
        {
          as: 'business',
          body,
          headers: { 'content-type': 'image/jpeg' },
        },
      )
      // A slash in a key leads to no endpoint.
      expect([200, 400, 404]).toContain(reply.status)
      if (reply.status !== 404) {
        const path = `${SCAN_AT}/photos/{photo}`
        expect(faultOf(path, reply.status, reply.body, 'POST')).toBeUndefined()
      }
      const charged = reply.status === 200 ? reply.body.meta.scans_charged : 0
      expect(await left()).toBe(before - charged)
    }),
    { seed: SEED, numRuns: SCAN_RUNS },
  )
  expect(await testApp.deps.ledger.scans.listUnbalanced()).toEqual([])
})

test('logs no internal error', () => {
  expect(testApp.log).toEqual([])
})
