import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { SEED } from '../support/random.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { createHeldCollection, type HeldCollection } from './collection-endpoints.ts'
import { documentOf, openBodyCheck } from './openapi.ts'

// Generated items, changes and files. FUZZ_SEED=… replays a failure; FUZZ_RUNS=… sets the number of runs.

const RUNS = Number(process.env.FUZZ_RUNS ?? 300)

let testApp: TestApp
let held: HeldCollection
let faultOf: ReturnType<typeof openBodyCheck>

beforeAll(async () => {
  testApp = await createTestApp()
  faultOf = openBodyCheck(await documentOf(testApp))
  held = await createHeldCollection(testApp, 'business')
  console.log(`fuzz of collections: FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`)
})
afterAll(() => testApp.close())

const AT = '/v1/collections/{id}'

const VALUE = fc.oneof(
  fc.constantFrom(null, '', 'Normal', 'Cold Foil', 'damaged', 'ja', '2026-05-31', 0, 1, 0.01, 1e15),
  fc.double(),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.anything({ maxDepth: 1 }),
)

const MEMBERS = [
  ...['printing', 'condition', 'grade', 'language', 'quantity', 'price_paid', 'acquired_on'],
  ...['place', 'note', 'target_price', 'revision'],
]

const CHANGES = fc.dictionary(fc.constantFrom(...MEMBERS), VALUE, { maxKeys: 4 })

test('answers any items and changes as documented, never with 500', async () => {
  const requests = fc.record({ changes: CHANGES, card_id: fc.constantFrom(900401, 900402, 1) })
  await fc.assert(
    fc.asyncProperty(requests, async ({ changes, card_id }) => {
      const at = AT.replace('{id}', held.id)
      const ask = (method: string, path: string, json: object) =>
        testApp.client.ask(method, path, { as: 'business', json })
      const item = await ask('PATCH', `${at}/items/${held.item_id}`, changes)
      expect([200, 400, 409]).toContain(item.status)
      expect(faultOf(`${AT}/items/{item_id}`, item.status, item.body, 'PATCH')).toBeUndefined()
      const added = await ask('POST', `${at}/items`, { items: [{ ...changes, card_id }] })
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

test('answers any file as documented, and stores what it says', async () => {
  const header = 'Quantity,Name,Condition,Price Paid,Date,Place,Note'
  const rows = fc.array(fc.array(CELL, { maxLength: 8 }), { maxLength: 12 })
  const text = rows.map((cells) => [header, ...cells.map((row) => row.join(','))].join('\n'))
  const files = fc.oneof(
    text,
    fc.uint8Array({ maxLength: 80 }).map((bytes) => Uint8Array.from(bytes)),
  )
  const at = AT.replace('{id}', held.id)
  const count = async () =>
    (await testApp.deps.ledger.collectionItems.listAfter(held.id, '', 100_000)).length
  await fc.assert(
    fc.asyncProperty(files, async (body) => {
      // A file of another run may be equal, and an account can send 60 an hour.
      testApp.setClock(new Date(testApp.deps.now().getTime() + 3_600_000).toISOString())
      const before = await count()
      const path = `${at}/import?again=true`
      const headers = { 'content-type': 'text/csv' }
      const reply = await testApp.client.ask<{ imported: number }>('POST', path, {
        ...{ as: 'business', body, headers },
      })
      expect([200, 400]).toContain(reply.status)
      expect(faultOf(`${AT}/import`, reply.status, reply.body, 'POST')).toBeUndefined()
      const added = reply.status === 200 ? reply.body.data.imported : 0
      expect(await count()).toBe(before + added)
    }),
    { seed: SEED, numRuns: RUNS },
  )
})

test('logs no internal error', () => {
  expect(testApp.log).toEqual([])
})
