/** Rare responses match the API document, too. Tests of access and validation check the others. */
import { afterAll, beforeAll, describe, test } from 'bun:test'
import { ServiceError } from '#rules/primitives/errors.ts'
import { WEBHOOK_INPUT } from '../support/alerts/webhook-fixtures.ts'
import { fakeReader } from '../support/photos/reader-fixtures.ts'
import type { TestApp } from '../support/test-app.ts'
import type { TestRequestOptions } from '../support/test-client.ts'
import { call, createContractApp, expectReply } from './calls.ts'
import { endpoint, isCatalog, named } from './endpoints.ts'
import { prepareHoldings } from './holdings.ts'

describe('when the ledger fails', () => {
  let broken: TestApp
  let session: string

  beforeAll(async () => {
    broken = await createContractApp()
    await prepareHoldings(broken)
    session = await broken.createSession('pro')
    // The key is cached from now on.
    await broken.client.get('/v1/sets', { as: 'pro' })
    broken.deps.ledger.close()
  })
  afterAll(() => broken.deps.catalog.close())

  test.each(named((one) => !isCatalog(one) && one.auth !== 'optional session'))(
    '%s returns 500 without details',
    async (_, one) => {
      const isSession = one.auth === 'session' || one.auth === 'operator'
      const credentials = isSession ? { session } : { as: 'pro' as const }
      expectReply(one, await call(broken, one, credentials), 500, 'INTERNAL_ERROR')
    },
  )

  test.each(['POST /v1/auth/register', 'POST /v1/auth/login'])('%s returns 500', async (name) => {
    expectReply(endpoint(name), await call(broken, endpoint(name)), 500, 'INTERNAL_ERROR')
  })
})

describe('/v1/identify', () => {
  const identify = endpoint('POST /v1/identify')

  test('returns 402 without scans, 403 in a blocked country and 503 while the reader is busy', async () => {
    const env = { IDENTIFY_BLOCKED_COUNTRIES: 'FR', TRUST_PROXY: '1' }
    const reader = fakeReader()
    const own = await createContractApp({ env, reader })
    const send = (options: TestRequestOptions = {}) =>
      call(own, identify, { as: 'free', owner: 'pro', ...options })
    for (let left = 25; left > 0; left--) expectReply(identify, await send(), 200)
    expectReply(identify, await send(), 402, 'SCAN_BALANCE_EMPTY')
    const blocked = await send({ headers: { 'cf-ipcountry': 'FR' } })
    expectReply(identify, blocked, 403, 'IDENTIFY_REGION_UNAVAILABLE')
    reader.script(() => {
      throw new ServiceError('IDENTIFY_UNAVAILABLE', 'The reader is busy.', { retryAfter: 2 })
    })
    expectReply(identify, await send({ as: 'pro' }), 503, 'IDENTIFY_UNAVAILABLE')
  })
})

describe('accounts', () => {
  test('get 401 for wrong passwords, 409 for existing objects, and 429 for too many attempts', async () => {
    const env = { LOGIN_FAILURES_PER_EMAIL_AND_IP: '1', REGISTRATIONS_PER_IP: '2' }
    const own = await createContractApp({ env })
    const session = await own.createSession('pro')
    const expectNext = async (name: string, json: unknown, expected: [number, string?]) => {
      const one = endpoint(name)
      const request = { ...one.sample, ...(json !== undefined && { json }) }
      expectReply(one, await call(own, one, { session, request }), ...expected)
    }
    await expectNext('POST /v1/auth/register', undefined, [201])
    await expectNext('POST /v1/auth/register', undefined, [409, 'EMAIL_TAKEN'])
    await expectNext('POST /v1/auth/register', undefined, [429, 'TOO_MANY_ATTEMPTS'])
    const login = { email: 'no@body.example', password: 'wrong' }
    await expectNext('POST /v1/auth/login', login, [401, 'INVALID_CREDENTIALS'])
    await expectNext('POST /v1/auth/login', login, [429, 'TOO_MANY_ATTEMPTS'])
    const change = { current_password: 'wrong', new_password: 'another of them' }
    await expectNext('POST /v1/auth/password', change, [401, 'INVALID_CREDENTIALS'])
    await expectNext('POST /v1/auth/password', change, [429, 'TOO_MANY_ATTEMPTS'])
  })

  test('get 404 for cards that do not exist, and 409 beyond their limits', async () => {
    const own = await createContractApp()
    const session = await own.createSession('pro')
    const [createKey, watch] = [endpoint('POST /v1/keys'), endpoint('POST /v1/webhooks')]
    for (let more = 1; more < 25; more++) await call(own, createKey, { session })
    expectReply(createKey, await call(own, createKey, { session }), 409, 'TOO_MANY_KEYS')
    const nowhere = { path: '/v1/webhooks', json: { ...WEBHOOK_INPUT, card_id: 1 } }
    expectReply(watch, await call(own, watch, { request: nowhere, session }), 404, 'NOT_FOUND')
    for (let more = 0; more < 100; more++) await call(own, watch, { session })
    expectReply(watch, await call(own, watch, { session }), 409, 'TOO_MANY_WEBHOOKS')
  })
})

test('every card of the sample, in each representation, matches the API document', async () => {
  const testApp = await createContractApp()
  const expectAt = async (path: string, requested: string) => {
    const one = endpoint(`GET ${path}`)
    const options = { request: { path: requested }, as: 'business' } as const
    expectReply(one, await call(testApp, one, options), 200)
  }
  for (const set of [90011, 90012, 90021, 90022, 90031]) {
    await expectAt('/v1/sets/{id}', `/v1/sets/${set}`)
    await expectAt('/v1/sets/{id}/cards', `/v1/sets/${set}/cards`)
    await expectAt('/v1/sets/{id}/prices', `/v1/sets/${set}/prices`)
    const { body } = await testApp.client.get<{ id: number }[]>(`/v1/sets/${set}/cards`, {
      as: 'business',
    })
    for (const { id } of body.data) {
      const card = `/v1/cards/${id}`
      await expectAt('/v1/cards/{id}', card)
      await expectAt('/v1/cards/{id}/prices', `${card}/prices`)
      await expectAt('/v1/cards/{id}/history', `${card}/history`)
    }
  }
})
