import { expect } from 'bun:test'
import type { CollectionImport, UpdateImportRequest } from '../../../src/client/endpoints.ts'
import type { TestAccount, TestApp } from '../test-app.ts'
import { callsOf } from './collection-calls.ts'

/** Returns the calls of an account about drafts of imports. */
export function draftCallsOf(app: TestApp, as: TestAccount = 'pro') {
  const collections = callsOf(app, as)
  const at = (id: string, path = '') => `/v1/imports/${id}${path}`
  const send = (method: string, path: string, json?: unknown) =>
    app.client.request<CollectionImport>(method, path, {
      as,
      ...(json !== undefined && { json }),
    })
  return {
    ...collections,
    send,
    /** Reads a file into a draft of a collection. @returns its id */
    async draft(collection: string, file: string, query = ''): Promise<string> {
      return (await collections.import(collection, file, `?draft=true${query}`)).import_id
    },
    /** Lists the drafts of the account, and its imports that have not ended. */
    async listOpen(): Promise<CollectionImport[]> {
      const { status, body } = await app.client.get<CollectionImport[]>('/v1/imports', { as })
      expect(status).toBe(200)
      return body.data
    },
    async get(id: string, query = ''): Promise<CollectionImport> {
      const { status, body } = await send('GET', at(id, query))
      expect(status).toBe(200)
      return body.data
    },
    /** Decides about rows. @returns the draft with these rows */
    async decide(id: string, json: UpdateImportRequest): Promise<CollectionImport> {
      const { status, text, body } = await send('PATCH', at(id), json)
      expect([status, text]).toEqual([200, expect.any(String)])
      return body.data
    },
    store: (id: string, revision: number) => send('POST', at(id, '/import'), { revision }),
    takeBack: (id: string, query = '') => send('DELETE', at(id, query)),
    async failed(id: string): Promise<string[]> {
      const { text } = await app.client.get(at(id, '/failed'), { as })
      return text.split('\r\n')
    },
  }
}

/** Returns the sums of a kind. */
export function sumsOf({ totals }: CollectionImport, kind: string) {
  return totals.find((sums) => sums.kind === kind)
}
