import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type House, openHouse } from '../support/house.ts'
import type { Ask } from '../support/visitor.ts'
import { ENDPOINTS, type Endpoint, named } from './endpoints.ts'
import { documentOf, openBodyCheck } from './openapi.ts'

let house: House
let faultOf: ReturnType<typeof openBodyCheck>

beforeAll(async () => {
  house = await openHouse()
  faultOf = openBodyCheck(await documentOf(house))
})
afterAll(() => house.close())

async function expectDocumented({ path }: Endpoint, asked: string, status: number, ask: Ask = {}) {
  const reply = await house.visitor.get(asked, ask)
  expect(reply.status).toBe(status)
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(faultOf(path, status, reply.body)).toBeUndefined()
}

describe.each(named())('%s answers as the document says', (_path, endpoint) => {
  const as = endpoint.lowest === undefined ? undefined : 'business'
  const { sample, golden, malformed, unknown } = endpoint

  test('200', async () => {
    await expectDocumented(endpoint, sample, 200, { as })
    await expectDocumented(endpoint, golden.path, 200, { as: golden.as ?? as })
  })

  if (malformed !== undefined) {
    test('400', () => expectDocumented(endpoint, malformed.path, 400, { as }))
  }
  if (unknown !== undefined) {
    test('404', () => expectDocumented(endpoint, unknown, 404, { as }))
  }
  if (endpoint.lowest === undefined) return

  test('401', async () => {
    await expectDocumented(endpoint, sample, 401)
    await expectDocumented(endpoint, sample, 401, { as: 'deactivated' })
  })
  if (endpoint.lowest['five-tier'] !== 'free') {
    test('403', () => expectDocumented(endpoint, sample, 403, { as: 'free' }))
  }
  test('429', () => expectDocumented(endpoint, sample, 429, { as: 'exhausted_pro' }))
})

test('every card of the sample, in each of its shapes, is as the document says', async () => {
  const of = (path: string) => ENDPOINTS.find((one) => one.path === path) ?? fail(path)
  const sets = [90011, 90012, 90021, 90022, 90031]
  for (const set of sets) {
    const as = 'business'
    await expectDocumented(of('/v1/sets/{id}'), `/v1/sets/${set}`, 200, { as })
    await expectDocumented(of('/v1/sets/{id}/cards'), `/v1/sets/${set}/cards`, 200, { as })
    await expectDocumented(of('/v1/sets/{id}/prices'), `/v1/sets/${set}/prices`, 200, { as })
    const { body } = await house.visitor.get<{ id: number }[]>(`/v1/sets/${set}/cards`, { as })
    for (const { id } of body.data) {
      const card = `/v1/cards/${id}`
      await expectDocumented(of('/v1/cards/{id}'), card, 200, { as })
      await expectDocumented(of('/v1/cards/{id}/prices'), `${card}/prices`, 200, { as })
      await expectDocumented(of('/v1/cards/{id}/history'), `${card}/history`, 200, { as })
    }
  }
})

function fail(path: string): never {
  throw new Error(`${path} is not in the contract`)
}
