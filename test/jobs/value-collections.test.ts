import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createWorkers } from '#jobs/workers.ts'
import { createHeldCollection, type HeldCollection } from '../contract/collection-endpoints.ts'
import { createTestApp, emailOf, type TestApp } from '../support/test-app.ts'

let testApp: TestApp
let held: HeldCollection
let account_id: number

beforeAll(async () => {
  testApp = await createTestApp({ onDisk: true })
  held = await createHeldCollection(testApp, 'pro')
  account_id = (await testApp.deps.ledger.accounts.getByEmail(emailOf('pro')))?.id ?? 0
})
afterAll(() => testApp.close())

test('a thread values one collection, and all whose prices are outdated', async () => {
  const { ledger, catalog } = testApp.deps
  const { collections } = createWorkers(testApp.deps)
  const collection = { id: held.id, account_id }
  expect(await collections.run({ kind: 'value', collection })).toEqual({ collections: 1 })
  const valued = await ledger.collectionValuations.get(held.id)
  expect(valued).toMatchObject({
    value: 1_024,
    catalog_version: catalog.publication.getCurrent().version,
  })

  const all = { kind: 'value', collection: undefined } as const
  expect(await collections.run(all)).toEqual({ collections: 0 })
  testApp.publish('UPDATE prices SET market_price = 600 WHERE card_id = 900401')
  expect(await collections.run(all)).toEqual({ collections: 1 })
  expect(await ledger.collectionValuations.get(held.id)).toMatchObject({ value: 1_200 })
}, 30_000)
