import { expect, test } from 'bun:test'
import { addPriceSources } from '../../support/pricing/price-sources.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp } from '../../support/test-app.ts'

const testApp = await createTestApp()

const ALERT = { card_id: 900401, condition: 'below', threshold: 5, printing: 'Foil' } as const

const create = (json: object) =>
  testApp.client.post<{ id: string }>('/v1/alerts', json, { as: 'free' })

test('a free account has 25 price alerts', async () => {
  const created = await Promise.all(Array.from({ length: 25 }, () => create(ALERT)))
  expect(created.map(({ status }) => status)).toEqual(created.map(() => 201))
  expectRefusal(await create(ALERT), 409, 'TOO_MANY_ALERTS')
  const list = await testApp.client.get('/v1/alerts?card_id=900401&per_page=10&page=3', {
    as: 'free',
  })
  expect(list.body.data).toHaveLength(5)
  expect(list.text).toContain(
    '"meta":{"total":25,"page":3,"per_page":10,"has_more":false,"alerts_max":25}',
  )
  const other = await testApp.client.get('/v1/alerts?card_id=1', { as: 'free' })
  expect(other.text).toStartWith('{"data":[]')
})

test('a price alert is of a card of the catalog, and of one of its printings', async () => {
  const by = { as: 'pro' } as const
  const unknown = await testApp.client.post('/v1/alerts', { ...ALERT, card_id: 1 }, by)
  expectRefusal(unknown, 404, 'NOT_FOUND')
  const other = await testApp.client.post('/v1/alerts', { ...ALERT, printing: 'Gold' }, by)
  expectRefusal(other, 400, 'VALIDATION_ERROR')
})

test('a price alert has the currency that it was created with, or US dollars', async () => {
  addPriceSources(testApp)
  const createdIn = async (choice: object) => {
    const { body } = await testApp.client.post('/v1/alerts', { ...ALERT, ...choice }, { as: 'pro' })
    return body.data ?? body.error
  }
  expect(await createdIn({})).toMatchObject({ currency: 'USD', source: null })
  expect(await createdIn({ currency: 'GBP' })).toMatchObject({ currency: 'GBP', source: null })
  const native = { currency: 'EUR', source: 'cardmarket' }
  expect(await createdIn({ source: 'cardmarket' })).toMatchObject(native)
  expect(await createdIn({ currency: 'XXX' })).toMatchObject({ code: 'VALIDATION_ERROR' })
})
