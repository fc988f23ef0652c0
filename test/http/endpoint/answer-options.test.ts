import { describe, expect, test } from 'bun:test'
import { call, expectReply } from '../../contract/calls.ts'
import { hasParameter, isCatalog, isFile, named } from '../../contract/endpoints.ts'
import { createTestApp } from '../../support/test-app.ts'
import type { Row } from '../../support/test-client.ts'

const testApp = await createTestApp()

const get = <Data = Row>(path: string) => testApp.client.get<Data>(path, { as: 'business' })

const LISTS = named(hasParameter('fields'))
const addTo = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`

describe('fields', () => {
  test('is a parameter of every list of entries', () => {
    expect(LISTS.map(([, { path }]) => path)).toEqual([
      '/v1/games',
      '/v1/games/{slug}/sets',
      '/v1/sets',
      '/v1/sets/{id}/cards',
      '/v1/sets/{id}/prices',
      '/v1/cards/{id}/reprints',
      '/v1/search',
      '/v1/prices/top-movers',
      '/v1/migrations',
      '/v1/bulk/prices',
      '/v1/bulk/cards',
    ])
  })

  test.each(LISTS)('trims the entries of %s to any of their members', async (_, { sample }) => {
    const whole = await get<Row[]>(sample.path)
    expect(whole.status).toBe(200)
    const [first = {}] = whole.body.data
    const id = 'id' in first ? 'id' : 'card_id'
    for (const name of Object.keys(first)) {
      const { status, body } = await get<Row[]>(addTo(sample.path, `fields=${name}`))
      expect(status).toBe(200)
      const kept = [...new Set([id, name])]
      expect(body.data).toEqual(
        whole.body.data.map((row) => {
          const members = kept.filter((member) => member in row)
          return Object.fromEntries(members.map((member) => [member, row[member]]))
        }),
      )
      expect(body.meta).toEqual(whole.body.meta)
    }
  })

  test.each(LISTS)(
    'of %s rejects unknown members by name, before the quota is charged',
    async (_, { sample, lowest }) => {
      const { body, status } = await get(addTo(sample.path, 'fields=nmae,__proto__'))
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
      for (const name of ['fields', 'nmae', '__proto__']) {
        expect(body.error.message).toContain(`"${name}"`)
      }
      if (lowest === undefined) return
      const after = await get(addTo(sample.path, 'fields=nmae'))
      expect(after.body.rate_limit).toEqual(body.rate_limit)
    },
  )

  test.each([
    '/v1/search?q=zzzzqqqq&fields=id',
    '/v1/sets/90011/cards?page=999&fields=id',
    '/v1/cards/900101/reprints?page=999&fields=id',
    '/v1/bulk/cards?ids=1&fields=id',
    '/v1/bulk/cards?ids=1&include=ids',
    '/v1/bulk/prices?ids=1&fields=card_id',
    '/v1/bulk/prices?ids=1&include=confidence',
  ])('%s leaves an empty list empty', async (path) => {
    const { status, body } = await get<Row[]>(path)
    expect(status).toBe(200)
    expect(body.data).toEqual([])
  })

  test('accepts spaces, empty entries, repeated parameters and brackets', async () => {
    const path = '/v1/sets/90011/cards?per_page=1'
    const { text } = await get(`${path}&fields=name,number`)
    for (const query of [
      'fields=%20number%20,name,',
      'fields=name&fields=number',
      'fields[]=name&fields[]=number',
      'fields=name,name,number,id',
    ]) {
      expect(dataOf((await get(`${path}&${query}`)).text)).toBe(dataOf(text))
    }
  })

  test.each(['fields=', 'fields=,', 'fields=%20'])('keeps all members for %p', async (query) => {
    const path = '/v1/sets/90011/cards?per_page=1'
    expect(dataOf((await get(`${path}&${query}`)).text)).toBe(dataOf((await get(path)).text))
  })

  test('is compared by ETag as the whole list is', async () => {
    const path = '/v1/sets/90011/cards?per_page=1&fields=name'
    const { headers } = await get(path)
    const etag = headers.get('etag') ?? ''
    const again = await testApp.client.get(path, {
      as: 'business',
      headers: { 'if-none-match': etag },
    })
    expect([again.status, again.text]).toEqual([304, ''])
  })
})

describe('meta.notes', () => {
  test.each(
    named((one) => isCatalog(one) && !isFile(one) && !one.path.startsWith('/v1/bulk-data')),
  )('of %s reports a misspelled parameter, as documented', async (_, endpoint) => {
    const { sample, operation } = endpoint
    const { name } = operation.parameters.find((one) => one.in === 'query') ?? {}
    const sent = name === undefined ? 'direction' : `${name}_`
    const request = { ...sample, path: addTo(sample.path, `${sent}=up&utm_source=x`) }
    const reply = await call(testApp, endpoint, { request, as: 'business' })
    expectReply(endpoint, reply, 200)
    const { notes = [] } = reply.body.meta
    expect(notes).toHaveLength(1)
    expect(notes[0]).toContain(`"${sent}"`)
    if (name !== undefined) expect(notes[0]).toContain(`"${name}"`)
  })

  test('is absent if every parameter is known or resembles none', async () => {
    const { body } = await get('/v1/sets?per_page=1&utm_source=x&v=2')
    expect(body.meta).not.toHaveProperty('notes')
  })

  test('reports a parameter that only other endpoints have', async () => {
    const { body } = await get('/v1/sets/90011/cards?per_page=1&direction=up')
    expect(body.meta.notes).toEqual([
      '"direction" is not a parameter of this endpoint and was ignored.',
    ])
    const card = await get('/v1/cards/900003?fields=name')
    expect(card.body.meta.notes).toEqual([
      '"fields" is not a parameter of this endpoint and was ignored.',
    ])
  })

  test('stays short, whatever is sent', async () => {
    const names = Array.from({ length: 500 }, (_, at) => `limit${'_'.repeat(at)}=1`)
    const { body } = await get(`/v1/sets?per_page=1&${names.join('&')}`)
    expect(body.meta.notes).toHaveLength(10)
    for (const note of body.meta.notes ?? []) expect(note.length).toBeLessThan(120)
  })

  test('names the parameter that replaces a missing one', async () => {
    const { status, body } = await get('/v1/search?query=marigold')
    expect([status, body.error.message]).toEqual([400, '"q" is required; rename "query".'])
    const bulk = await get('/v1/bulk/cards?cardIds=1')
    expect(bulk.body.error.message).toBe('"ids" is required; rename "cardIds".')
  })
})

test.each([
  ['/v1/sets?per_page=5', 'game=&updated_after='],
  ['/v1/sets/90022/cards?per_page=5', 'type='],
  ['/v1/search?q=marigold', 'game=&rarity=&type=&set_id=&min_price=&max_price=&sort='],
  ['/v1/prices/top-movers?limit=3', 'game=&printing=&type=&direction=&period='],
  ['/v1/cards/900003/prices', 'printing='],
  ['/v1/cards/900003/history', 'range=&printing='],
  ['/v1/bulk/history?ids=900003', 'range='],
])('a filter without a value of %s counts as absent: %s', async (path, query) => {
  const { status, text } = await get(addTo(path, query))
  expect([status, dataOf(text)]).toEqual([200, dataOf((await get(path)).text)])
})

test.each([
  ['per_page=%202', 'per_page=2'],
  ['per_page=2+', 'per_page=2'],
  ['min_price=.5', 'min_price=0.5'],
  ['min_price=%20.5%20', 'min_price=0.5'],
])('a number in the query may be written as %s', async (written, plain) => {
  const path = '/v1/search?q=marigold&'
  const { status, text } = await get(path + written)
  expect([status, dataOf(text)]).toEqual([200, dataOf((await get(path + plain)).text)])
})

describe('a list of ids', () => {
  test.each([
    'ids=900003,900004,',
    'ids=,900003,,900004',
    'ids=900003&ids=900004',
    'ids[]=900003&ids[]=900004',
    'ids%5B%5D=900003&ids=900004',
  ])('may be written as %s', async (query) => {
    const { status, text } = await get(`/v1/bulk/prices?${query}`)
    const plain = await get('/v1/bulk/prices?ids=900003,900004')
    expect([status, dataOf(text)]).toEqual([200, dataOf(plain.text)])
  })

  test('counts repeated parameters against the limit', async () => {
    const ids = Array.from({ length: 101 }, (_, at) => `ids=${at + 1}`)
    const { body } = await get(`/v1/bulk/cards?${ids.join('&')}`)
    expect(body.error.code).toBe('TOO_MANY_ITEMS')
  })
})

/** Returns the response without the quota, which every request changes. */
function dataOf(text: string): string {
  return text.replace(/,"rate_limit".*/, '')
}
