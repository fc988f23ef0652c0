import { expect, test } from 'bun:test'
import { valueCollection } from '#actions/collections/value-collection.ts'
import { createTestApp, emailOf } from '../../support/test-app.ts'

test('stores few values in a transaction, because requests that write wait for it', async () => {
  const { deps, client } = await createTestApp()
  const as = 'business'
  const created = await client.request<{ id: string }>('POST', '/v1/collections', {
    as,
    json: { name: 'Binder' },
  })
  const { id } = created.body.data
  const items = Array.from({ length: 100 }, () => ({ card_id: 900_101 }))
  const added = await client.request('POST', `/v1/collections/${id}/items`, { as, json: { items } })
  expect(added.status).toBe(201)
  const { id: account_id = 0 } = (await deps.ledger.accounts.getByEmail(emailOf(as))) ?? {}
  const stored: number[] = []
  const collectionValuations: typeof deps.ledger.collectionValuations = {
    ...deps.ledger.collectionValuations,
    putItemValues(list, values) {
      stored.push(values.length)
      return deps.ledger.collectionValuations.putItemValues(list, values)
    },
  }
  const ledger = { ...deps.ledger, collectionValuations }
  await valueCollection({ ...deps, ledger }, { id, account_id })
  expect(stored).toEqual([25, 25, 25, 25])
})
