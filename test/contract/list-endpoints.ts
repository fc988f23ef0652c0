import type { TestAccount, TestApp } from '../support/test-app.ts'
import type { Row, TestRequestOptions, TestResponse } from '../support/test-client.ts'
import { COLLECTION_ENDPOINTS, createHeldCollection } from './collection-endpoints.ts'
import type { Call } from './endpoints.ts'
import type { OwnedEndpoint } from './owned-endpoints.ts'
import { createHeldScanSession, SCAN_SESSION_ENDPOINTS } from './scan-session-endpoints.ts'

/** Endpoints of collections and of scan sessions. */
export const LIST_ENDPOINTS = [...COLLECTION_ENDPOINTS, ...SCAN_SESSION_ENDPOINTS]

/** Rows for test.each: method and path first. */
export function namedList(): [string, OwnedEndpoint][] {
  return LIST_ENDPOINTS.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint])
}

/** Ids of a list and of what it has, by the names in braces that stand for them. */
export type HeldList = Readonly<Record<string, string>>

export const isScanSession = ({ path }: Pick<OwnedEndpoint, 'path'>): boolean =>
  path.startsWith('/v1/scan-sessions')

/** Creates the list that an endpoint is called for, with one item. */
export function createHeldList(
  testApp: Pick<TestApp, 'client' | 'createSession'>,
  endpoint: OwnedEndpoint,
  account: TestAccount,
): Promise<HeldList> {
  const create = isScanSession(endpoint) ? createHeldScanSession : createHeldCollection
  return create(testApp, account)
}

/** Calls an endpoint for a list. */
export function callList(
  testApp: Pick<TestApp, 'client'>,
  { method, sample }: OwnedEndpoint,
  { held, made = sample, ...options }: TestRequestOptions & { held: HeldList; made?: Call },
): Promise<TestResponse<Row>> {
  const { csv } = made
  const json = made.json && JSON.parse(insertHeld(JSON.stringify(made.json), held))
  const headers = { ...(csv !== undefined && { 'content-type': 'text/csv' }), ...options.headers }
  const sent = {
    ...(csv !== undefined && { body: csv }),
    ...(json && { json }),
    ...options,
    headers,
  }
  return testApp.client.request(method, insertHeld(made.path, held), sent)
}

/** Replaces names in braces by what a caller holds. */
export function insertHeld(text: string, held: HeldList): string {
  return text.replaceAll(/\{(\w+)\}/g, (name, member) => held[member] ?? name)
}
