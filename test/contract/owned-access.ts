import { expect, test } from 'bun:test'
import type { Row, TestRequestOptions, TestResponse } from '../support/test-client.ts'
import type { Call } from './endpoints.ts'
import type { openBodyCheck } from './openapi.ts'
import type { OwnedEndpoint } from './owned-endpoints.ts'

/** Options of a request to an endpoint for something that an account owns. */
export type OwnedRequest<Held> = TestRequestOptions & { held?: Held; made?: Call }

/** State of the test file, which is complete when the tests run. */
type OwnedAccess<Held> = {
  faultOf: () => ReturnType<typeof openBodyCheck>
  /** Session of the owner. */
  session: () => string
  /** Calls the endpoint, by default for what the owner has. */
  call: (request?: OwnedRequest<Held>) => Promise<TestResponse<Row>>
  /** Ids that nothing has. */
  unknown: Held
}

/** Returns an assertion that a response has a status, and matches the API document. */
export function createDocumentedCheck(
  endpoint: OwnedEndpoint,
  { faultOf }: Pick<OwnedAccess<never>, 'faultOf'>,
): (status: number, reply: TestResponse<unknown>) => void {
  return (status, reply) => {
    expect([status, reply.text.slice(0, 300)]).toEqual([reply.status, expect.any(String)])
    const type = reply.headers.get('content-type') ?? ''
    if (endpoint.answers !== undefined && status === 200) {
      expect(endpoint.answers).toContain(type.split(';')[0] ?? '')
      return
    }
    expect(type).toBe('application/json; charset=utf-8')
    expect(faultOf()(endpoint.path, status, reply.body, endpoint.method)).toBeUndefined()
  }
}

/** Declares the tests of refusals that all endpoints for something that an account owns have in common. */
export function testOwnedRefusals<Held>(
  endpoint: OwnedEndpoint,
  { faultOf, session, call, unknown }: OwnedAccess<Held>,
): void {
  const expectDocumented = createDocumentedCheck(endpoint, { faultOf })

  test('returns 401 without a valid key or session before any other check', async () => {
    for (const made of [endpoint.sample, ...endpoint.malformed]) {
      for (const [of, code] of [
        [{}, 'API_KEY_REQUIRED'],
        [{ headers: { cookie: 'session=none' } }, 'API_KEY_REQUIRED'],
        [{ as: 'unknown' }, 'INVALID_API_KEY'],
        [{ as: 'deactivated', session: session() }, 'INVALID_API_KEY'],
      ] as const) {
        const reply = await call({ made, ...of })
        expectDocumented(401, reply)
        expect(reply.body.error.code).toBe(code)
      }
    }
  })

  if (endpoint.malformed.length > 0) {
    test('returns 400 that names the field', async () => {
      for (const made of endpoint.malformed) {
        const reply = await call({ made, as: 'pro' })
        expectDocumented(400, reply)
        expect(reply.body.error.message).toContain(made.names)
      }
    })
  }

  if (endpoint.path.includes('{id}')) {
    test('returns 404 for what another account has, as for an unknown id', async () => {
      const missing = await call({ as: 'business', held: unknown })
      expectDocumented(404, missing)
      const theirs = await call({ as: 'business' })
      expect([theirs.status, theirs.body.error]).toEqual([404, missing.body.error])
    })
  }

  if (endpoint.method !== 'GET') {
    test('returns 403 for a session that a page of another origin uses', async () => {
      const headers = { origin: 'https://other.example', 'sec-fetch-site': 'cross-site' }
      expectDocumented(403, await call({ session: session(), headers }))
    })
  }
}

/** Declares the tests of bodies that no endpoint reads. Photos have limits of their own. */
export function testBodyRefusals(
  endpoint: OwnedEndpoint,
  { faultOf, session }: Pick<OwnedAccess<never>, 'faultOf' | 'session'>,
  body: { send: (sent: TestRequestOptions) => Promise<TestResponse<Row>>; tooLong: number },
): void {
  if (endpoint.body === undefined || endpoint.body === 'photo') return
  const expectDocumented = createDocumentedCheck(endpoint, { faultOf })
  const type = endpoint.body === 'file' ? 'text/csv' : 'application/json'

  test('returns 413 for a body that is too large, and 415 for another type', async () => {
    const large = { headers: { 'content-type': type }, body: ' '.repeat(body.tooLong) }
    expectDocumented(413, await body.send({ session: session(), ...large }))
    const other = { headers: { 'content-type': 'image/png' }, body: '{}' }
    expectDocumented(415, await body.send({ session: session(), ...other }))
  })
}
