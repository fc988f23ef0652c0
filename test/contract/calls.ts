import { expect } from 'bun:test'
import { dayOf } from '#rules/primitives/days.ts'
import { createAlertTestApp } from '../support/alerts/webhook-fixtures.ts'
import {
  FROZEN_TIME,
  type TestAccount,
  type TestApp,
  type TestAppOptions,
} from '../support/test-app.ts'
import type { Row, TestRequestOptions, TestResponse } from '../support/test-client.ts'
import { type Endpoint, faultOf, isCatalog, type Sample } from './endpoints.ts'
import { forgetHoldings, type Holdings, holdingsOf, insertHoldings } from './holdings.ts'

export type CallOptions = TestRequestOptions & {
  /** Account that owns what the request names. */
  owner?: TestAccount
  /** Request that replaces the sample. */
  request?: Sample
  /** IDs that replace those of the owner. */
  held?: Holdings
}

/** Creates an app in which every endpoint succeeds. */
export function createContractApp(options: TestAppOptions = {}): Promise<TestApp> {
  const env = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'cards@shop.example', ...options.env }
  return createAlertTestApp({ ...options, env })
}

/** Calls an endpoint with its sample or another request, without credentials if none are given. */
export async function call(
  testApp: TestApp,
  { method, path, auth, sample }: Endpoint,
  { owner = 'pro', request = sample, held, ...options }: CallOptions = {},
): Promise<TestResponse<Row>> {
  const ids = { ...(await holdingsOf(testApp, path, owner)), ...held }
  const body = renderBody(request, ids)
  const headers = { ...body.headers, ...options.headers }
  const sent = { ...body, ...options, headers }
  const reply = await testApp.client.request(method, insertHoldings(request.path, ids), sent)
  // Links can be used once.
  const isGone = method === 'DELETE' || auth === 'optional session'
  if (isGone && reply.status < 300) forgetHoldings(testApp, path, owner)
  return reply
}

function renderBody({ json, csv, list, bytes }: Sample, ids: Holdings): TestRequestOptions {
  if (json !== undefined) return { json: JSON.parse(insertHoldings(JSON.stringify(json), ids)) }
  if (bytes !== undefined) {
    return { body: bytes, headers: { 'content-type': 'application/octet-stream' } }
  }
  const body = csv ?? list
  if (body === undefined) return {}
  return { body, headers: { 'content-type': csv === undefined ? 'text/plain' : 'text/csv' } }
}

/** Returns the credentials with which an account may call an endpoint. */
export async function credentialsFor(
  testApp: TestApp,
  { auth }: Endpoint,
  account: TestAccount,
): Promise<Pick<TestRequestOptions, 'as' | 'session'>> {
  if (auth === 'anyone' || auth === 'optional session') return {}
  if (auth === 'operator') await testApp.makeOperator(account)
  if (auth === 'operator' || auth === 'session') {
    return { session: await testApp.createSession(account) }
  }
  return { as: account }
}

/** Asserts the status and the error code of a response, and that the API document describes its body. */
export function expectReply(
  { name, method, path, operation }: Endpoint,
  { status, body, headers }: TestResponse<unknown>,
  expected: number,
  code?: string,
): void {
  expect([name, status, code && body.error?.code]).toEqual([name, expected, code])
  const type = headers.get('content-type') ?? ''
  if (headers.has('content-disposition')) {
    expect(Object.keys(operation.responses[status]?.content ?? {})).toContain(
      type.split(';')[0] ?? '',
    )
    return
  }
  expect(type).toBe('application/json; charset=utf-8')
  expect(faultOf(path, status, body, method)).toBeUndefined()
}

/** Asserts a success, or that an earlier request has used up what this one would change. */
export function expectAdmitted(endpoint: Endpoint, reply: TestResponse<unknown>): void {
  const isRepeatable = isCatalog(endpoint) || endpoint.method === 'GET'
  const used = isRepeatable ? [] : [404, 409, 429]
  expect([endpoint.name, reply.status]).toBeOneOf(
    [endpoint.status, ...used].map((status) => [endpoint.name, status]),
  )
  expectReply(endpoint, reply, reply.status, reply.body.error?.code)
}

/** Returns everything that a request can change in accounts, as text for comparison. */
export async function stateOf({ deps: { ledger } }: TestApp): Promise<string> {
  const accounts = await ledger.accounts.list()
  const all = accounts.map(async ({ id }) => ({
    account: await ledger.accounts.getById(id),
    keys: await ledger.keys.list({ account_id: id, today: dayOf(new Date(FROZEN_TIME)) }),
    sessions: await ledger.sessions.list(id),
    webhooks: await Promise.all(
      (await ledger.webhooks.list({ account_id: id })).rows.map(withDeliveries),
    ),
  }))
  async function withDeliveries(webhook: { id: string }) {
    return { webhook, ...(await ledger.messages.list(webhook.id, { limit: 1_000, offset: 0 })) }
  }
  return JSON.stringify({
    all: await Promise.all(all),
    audit: await ledger.audit.list(1_000),
    checkouts: await ledger.checkouts.listOpen(new Date('9999-01-01'), 1_000),
  })
}
