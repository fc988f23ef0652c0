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

test('a thread imports a large file, and says why one is refused', async () => {
  const { imports } = createWorkers(testApp.deps)
  testApp.deps.triggers.imports.attach((input) => imports.run({ kind: 'import', input }))
  const send = (body: string) =>
    testApp.client.request('POST', `/v1/collections/${held.id}/import`, {
      as: 'pro',
      headers: { 'content-type': 'text/csv' },
      body,
    })
  const note = 'a note that makes the file large enough for a thread '.repeat(10)
  const rows = Array.from({ length: 150 }, (_, row) => `1,Cindle,Tidepool Parade,${row} ${note}`)
  const file = ['Quantity,Name,Set Name,Note', ...rows].join('\n')
  expect((await send(file)).body.data).toMatchObject({ rows: 150, imported: 150, is_full: false })
  expect((await send(file)).body.data).toMatchObject({ imported: 150, is_repeated: true })
  const broken = await send(file.replace('Quantity,Name', 'Quantity,Color'))
  expect(broken.status).toBe(400)
  expect(broken.body.error).toMatchObject({ code: 'VALIDATION_ERROR' })

  testApp.deps.triggers.imports.attach(async () => undefined)
  const interrupted = await send(`${file}\n1,Cindle,Tidepool Parade,last`)
  expect(interrupted.status).toBe(503)
  expect(interrupted.body.error.message).toContain('Send the same file again')
})
