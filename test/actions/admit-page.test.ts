import { describe, expect, test } from 'bun:test'
import { openPageAdmission } from '#actions/admit-page.ts'
import { openSpending } from '#actions/spend-request.ts'
import { openHouse } from '../support/house.ts'

// What pages are let in for is tested over HTTP (test/http/pages.test.ts). Here: what no endpoint needs yet.

describe('a visitor', () => {
  test('sends nothing by POST, be it of the catalog itself', async () => {
    const house = await openHouse()
    const admit = openPageAdmission(house.deps, openSpending(house.deps))
    const ask = { session: undefined, address: '192.0.2.1', feature: 'catalog' } as const
    expect(admit({ ...ask, method: 'GET' }).tier).toBe('pro')
    expect(() => admit({ ...ask, method: 'POST' })).toThrow('send your API key')
    house.close()
  })
})
