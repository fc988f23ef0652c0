/** HEAD, OPTIONS and unsupported methods. */
import { describe, expect, test } from 'bun:test'
import { call, createContractApp, credentialsFor } from './calls.ts'
import { ENDPOINTS, type Endpoint, isCatalog, isFile, named } from './endpoints.ts'
import { holdingsOf, insertHoldings } from './holdings.ts'

const testApp = await createContractApp({ bulkFiles: true })
await testApp.makeOperator('pro')

describe.each(named(({ method }) => method === 'GET'))('HEAD of %s', (_, endpoint) => {
  const head: Endpoint = { ...endpoint, method: 'HEAD' }

  test('returns the headers of GET without a body', async () => {
    const credentials = await credentialsFor(testApp, endpoint, 'pro')
    const options = isCatalog(endpoint) ? { as: 'business' as const } : credentials
    const plain = await call(testApp, endpoint, options)
    const { status, text, headers } = await call(testApp, head, options)
    // A server sends no body for HEAD, even for a file.
    expect([status, isFile(endpoint) ? '' : text]).toEqual([200, ''])
    for (const name of [
      'content-type',
      'etag',
      'cache-control',
      'vary',
      'x-ratelimit-limit',
      'content-disposition',
      'accept-ranges',
    ]) {
      expect([name, headers.get(name)]).toEqual([name, plain.headers.get(name)])
    }
    if (isCatalog(endpoint)) return
    expect(headers.get('x-ratelimit-remaining')).toBe(plain.headers.get('x-ratelimit-remaining'))
    if (!isFile(endpoint)) {
      expect(headers.get('content-length')).toBe(String(Buffer.byteLength(plain.text)))
    }
  })

  test('is rejected as GET is', async () => {
    expect((await call(testApp, head)).status).toBe((await call(testApp, endpoint)).status)
  })
})

test('HEAD is rejected and charged as GET is', async () => {
  const { get, head } = testApp.client
  expect(await head('/v1/sets')).toMatchObject({ status: 401, text: '' })
  expect(await head('/v1/sets?page=0', { as: 'pro' })).toMatchObject({ status: 400, text: '' })
  expect(await head('/v1/sets/1', { as: 'pro' })).toMatchObject({ status: 404, text: '' })
  expect((await head('/v1/no-such-thing')).status).toBe(404)
  const before = await get('/v1/sets', { as: 'pro' })
  await head('/v1/sets', { as: 'pro' })
  const { body } = await get('/v1/sets', { as: 'pro' })
  expect(before.body.rate_limit.daily_remaining - body.rate_limit.daily_remaining).toBe(2)
})

const PATHS = [...new Set(ENDPOINTS.map(({ path }) => path))].map((path) => [path] as const)

test.each(PATHS)('%s returns 405 with the allowed methods for all others', async (path) => {
  const endpoints = ENDPOINTS.filter((one) => one.path === path)
  const [endpoint] = endpoints
  if (endpoint === undefined) throw new Error(`${path} has no endpoint`)
  const methods = endpoints.map(({ method }) => method)
  const allowed = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort()
  const held = await holdingsOf(testApp, path, 'pro')
  const target = insertHoldings(endpoint.sample.path, held)
  const allowedIn = (headers: Headers) => headers.get('allow')?.split(', ').sort()
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    if (allowed.includes(method)) continue
    const reply = await testApp.client.request(method, target, { as: 'business' })
    expect([method, reply.status, allowedIn(reply.headers)]).toEqual([method, 405, allowed])
    if (method !== 'HEAD') expect(reply.body.error.code).toBe('METHOD_NOT_ALLOWED')
    expect(reply.headers.get('cache-control')).toBe('no-store')
  }
  expect(allowedIn((await testApp.client.request('OPTIONS', target)).headers)).toEqual(allowed)
})

test('an unsupported method is not charged', async () => {
  const remaining = async () => {
    const { body } = await testApp.client.get('/v1/sets', { as: 'starter' })
    return body.rate_limit.daily_remaining
  }
  const before = await remaining()
  await testApp.client.request('POST', '/v1/sets', { as: 'starter' })
  expect(before - (await remaining())).toBe(1)
})
