import { expect } from 'bun:test'
import type {
  CollectionDay,
  CollectionHistoryMeta,
  CollectionImportReport,
  CollectionItem,
  CollectionSummary,
} from '../../../src/client/endpoints.ts'
import type { TestAccount, TestApp } from '../test-app.ts'
import type { TestResponse } from '../test-client.ts'

/** Returns the calls of an account that manage collections. */
export function callsOf(app: TestApp, as: TestAccount = 'pro') {
  const at = (id: string, path = '') => `/v1/collections/${id}${path}`
  const send = <Data>(method: string, path: string, json?: unknown) =>
    app.client.request(method, path, {
      as,
      ...(json !== undefined && { json }),
    }) as Promise<TestResponse<Data>>
  return {
    async create(kind = 'owned'): Promise<string> {
      const { status, body } = await send<{ id: string }>('POST', '/v1/collections', {
        name: 'Binder',
        kind,
      })
      expect(status).toBe(201)
      return body.data.id
    },
    add: (id: string, items: object[]) =>
      send<CollectionItem[]>('POST', at(id, '/items'), { items }),
    items: async (id: string, query = '?per_page=100') =>
      (await send<CollectionItem[]>('GET', at(id, `/items${query}`))).body.data,
    summary: async (id: string) =>
      (await send<CollectionSummary>('GET', at(id, '/summary'))).body.data,
    async history(id: string, query = '') {
      const { body } = await send<CollectionDay[]>('GET', at(id, `/history?range=all${query}`))
      return { data: body.data, meta: body.meta as unknown as CollectionHistoryMeta }
    },
    get: <Data>(id: string, path: string) => send<Data>('GET', at(id, path)),
    change: (id: string, item: string, json: object) =>
      send<CollectionItem>('PATCH', at(id, `/items/${item}`), json),
    remove: (id: string, path: string) => send<object>('DELETE', at(id, path)),
    share: (id: string) => send<{ token: string; url: string }>('POST', at(id, '/share')),
    async import(id: string, body: string, query = ''): Promise<CollectionImportReport> {
      const headers = { 'content-type': 'text/csv' }
      const reply = await app.client.request<CollectionImportReport>(
        'POST',
        at(id, `/import${query}`),
        {
          as,
          body,
          headers,
        },
      )
      expect([reply.status, reply.text]).toEqual([200, expect.any(String)])
      return reply.body.data
    },
  }
}
