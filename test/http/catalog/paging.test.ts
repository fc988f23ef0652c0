import { describe, expect, test } from 'bun:test'
import { createTestApp, PUBLIC_URL } from '../../support/test-app.ts'
import type { Row, TestResponse } from '../../support/test-client.ts'

// Guarantees of every paged list.

const LISTS = [
  ['/v1/games', 3],
  ['/v1/games/wickerwild/sets', 2],
  ['/v1/sets', 5],
  ['/v1/sets?game=vellum-and-thorn', 2],
  ['/v1/sets/90021/cards', 21],
  ['/v1/search?q=whisht', 2],
] as const

const testApp = await createTestApp()

const list = (path: string, query: string) =>
  testApp.client.get<Row[]>(`${path}${path.includes('?') ? '&' : '?'}${query}`, { as: 'business' })

describe.each(LISTS)('%s', (path, total) => {
  test('has every entry once on its pages, in the order of the list', async () => {
    const { body: whole } = await list(path, 'per_page=100')
    for (const perPage of [1, 2, 3, total]) {
      const pages: Row[] = []
      for (let page = 1; page <= Math.ceil(total / perPage); page++) {
        const { status, body } = await list(path, `page=${page}&per_page=${perPage}`)
        expect(status).toBe(200)
        expect(body.meta).toMatchObject({
          total,
          page,
          per_page: perPage,
          has_more: page * perPage < total,
        })
        pages.push(...body.data)
      }
      expect(pages).toEqual(whole.data)
    }
  })

  test('has every entry once by its links, from either end', async () => {
    const { body: whole } = await list(path, 'per_page=100')
    const first = await list(path, 'per_page=1')
    expect(await followed(first, 'next')).toEqual(whole.data)
    const last = await at(linkIn(first, 'last') ?? '')
    expect((await followed(last, 'prev')).toReversed()).toEqual(whole.data)
    expect((await at(linkIn(last, 'first') ?? '')).body.data).toEqual(first.body.data)
  })

  test.each(['100', '101', '200', '1000000000'])(
    'serves per_page=%s as 100',
    async (requestedPerPage) => {
      const { status, body } = await list(path, `per_page=${requestedPerPage}`)
      expect([status, body.meta.per_page]).toEqual([200, 100])
    },
  )

  test.each(['page=2', 'page=1000000000', 'page=1000000000&per_page=1000000000'])(
    'returns an empty list past the last page (%s)',
    async (query) => {
      const { status, body } = await list(path, query)
      expect([status, body.data]).toEqual([200, []])
      expect(body.meta).toMatchObject({ total, has_more: false })
    },
  )
})

/** Returns the entries of a page and of all following pages, by its links. */
async function followed(page: TestResponse<Row[]>, way: 'next' | 'prev'): Promise<Row[]> {
  const rows: Row[] = []
  for (let here = page; ; ) {
    rows.push(...here.body.data)
    const url = linkIn(here, way)
    if (url === undefined) return rows
    here = await at(url)
  }
}

/** Loads the page of a link. */
function at(url: string): Promise<TestResponse<Row[]>> {
  expect(url).toStartWith(`${PUBLIC_URL}/v1/`)
  return testApp.client.get<Row[]>(url.slice(PUBLIC_URL.length), { as: 'business' })
}

/** Returns the address of another page by its relation. */
function linkIn({ headers }: TestResponse<unknown>, rel: string): string | undefined {
  return new RegExp(`<([^>]*)>; rel="${rel}"`).exec(headers.get('link') ?? '')?.[1]
}
