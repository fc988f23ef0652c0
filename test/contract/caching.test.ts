/** ETags of the catalog, and conditional requests. */
import { describe, expect, spyOn, test } from 'bun:test'
import { dayOf } from '#rules/primitives/days.ts'
import { openCatalogWriter } from '#store/open-catalog-writer.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'
import { type CallOptions, call, createContractApp } from './calls.ts'
import { type Endpoint, isCatalog, named } from './endpoints.ts'

const testApp = await createContractApp({ bulkFiles: true })

const get: TestApp['client']['get'] = (...of) => testApp.client.get(...of)

const isCatalogGet = (endpoint: Endpoint) => isCatalog(endpoint) && endpoint.method === 'GET'

/** Calls an endpoint with its sample. */
const send = (endpoint: Endpoint, options: CallOptions = {}) =>
  call(testApp, endpoint, { as: endpoint.auth === 'key' ? 'business' : undefined, ...options })

describe('the ETag', () => {
  test.each(named(isCatalogGet))(
    'of %s is strong, and If-None-Match with it returns 304',
    async (_, e) => {
      const first = await send(e)
      const tag = first.headers.get('etag') ?? ''
      expect(tag).toMatch(/^"[\x21\x23-\x7e]+"$/)

      for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
        const again = await send(e, { headers: { 'if-none-match': known } })
        expect([known, again.status, again.text]).toEqual([known, 304, ''])
        expect(again.headers.get('etag')).toBe(tag)
        expect(again.headers.get('cache-control')).toBe(first.headers.get('cache-control'))
        expect(again.headers.get('vary')).toBe(first.headers.get('vary'))
      }
      for (const unknown of ['"other"', tag.slice(1, -1), `${tag.slice(0, -1)}x"`, '']) {
        const again = await send(e, { headers: { 'if-none-match': unknown } })
        expect([unknown, again.status]).toEqual([unknown, 200])
      }
    },
  )

  test.each(named((one) => isCatalogGet(one) && one.auth === 'key'))(
    'of %s saves the transfer, not the request: a 304 is charged',
    async (_, e) => {
      const first = await send(e)
      const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
      const again = await send(e, { headers })
      expect(again.status).toBe(304)
      const left = Number(first.headers.get('x-ratelimit-remaining')) - 1
      expect(again.headers.get('x-ratelimit-remaining')).toBe(String(left))
    },
  )

  test('does not grant access: 401, 403 and 429 come before 304', async () => {
    const headers = { 'if-none-match': '*' }
    expect((await get('/v1/sets', { headers })).status).toBe(401)
    expect((await get('/v1/sets', { as: 'deactivated', headers })).status).toBe(401)
    expect((await get('/v1/cards/900401/history', { as: 'free', headers })).status).toBe(403)
    expect((await get('/v1/sets', { as: 'exhausted', headers })).status).toBe(429)
    expect((await get('/v1/sets/1', { as: 'pro', headers })).status).toBe(404)
  })

  test('of a history differs by depth and by day', async () => {
    const own = await createTestApp()
    const path = '/v1/cards/900401/history?range=all'
    const tagOf = async (as: TestUser) => (await own.client.get(path, { as })).headers.get('etag')
    const tags = [await tagOf('hobby'), await tagOf('starter'), await tagOf('pro')]
    own.setClock('2026-11-16T00:00:01Z')
    tags.push(await tagOf('hobby'))
    expect(new Set(tags).size).toBe(4)
  })

  test('of a new version is never sent with data of the previous one', async () => {
    const own = await createTestApp({ onDisk: true })
    own.setClock('2026-12-01T21:30:00Z')
    const realNow = performance.now.bind(performance)
    let passed = 0
    const clock = spyOn(performance, 'now').mockImplementation(() => realNow() + passed)
    const path = '/v1/cards/900081/history?range=all'
    const readTag = async () => {
      const { headers, body } = await own.client.get<{ date: string }[]>(path, { as: 'pro' })
      return { tag: headers.get('etag'), newest: body.data?.at(-1)?.date }
    }
    const before = await readTag()

    const intake = openCatalogWriter(own.deps.config.dataDir)
    const price = { card_id: 900081, printing: 'Normal', market_price: 30_000 }
    intake.history
      .openImport()
      .putDays([{ day: dayOf(new Date('2026-12-01')), files: [[{ ...NOTHING_KNOWN, ...price }]] }])
    intake.history.recount(() => new Date('2026-12-01T21:00:00Z'))
    intake.close()
    passed = 1_000

    const first = await readTag()
    const second = await readTag()
    expect(second.newest).toBe('2026-12-01')
    expect(second.tag).not.toBe(before.tag)
    // Otherwise, a client that caches the first response by its tag would keep old data.
    if (first.newest !== second.newest) expect(first.tag).not.toBe(second.tag)
    clock.mockRestore()
  })

  test('of the freshness changes when the data becomes stale', async () => {
    const own = await createTestApp()
    const fresh = (await own.client.get('/v1/meta')).headers.get('etag')
    own.setClock('2027-03-01T00:00:00Z')
    expect((await own.client.get('/v1/meta')).headers.get('etag')).not.toBe(fresh)
  })
})

const NOTHING_KNOWN = {
  low_price: null,
  median_price: null,
  lowest_with_shipping: null,
  buylist_price: null,
  avg_sales_price: null,
  sales_volume: null,
}
