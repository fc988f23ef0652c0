import { expect, test } from 'bun:test'
import { createWorkers } from '#jobs/workers.ts'
import { createHeldCollection } from '../contract/holdings.ts'
import { createTestApp } from '../support/test-app.ts'

const testApp = await createTestApp({ onDisk: true })
const held = await createHeldCollection(testApp, 'pro')
const account_id = await testApp.accountId('pro')

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
})
