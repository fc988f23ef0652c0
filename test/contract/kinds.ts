import { emailOf, type TestApp } from '../support/test-app.ts'
import type { Row, TestRequestOptions, TestResponse } from '../support/test-client.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const WRONG = { email: emailOf('pro'), password: 'wrong password' }

/** Caller known to a response: nobody, an account with a key, or a session. */
type Known = 'nobody' | 'key' | 'session'

/** A kind of response: its request, its status, and the caller known at that point. */
export type Kind = readonly [
  kind: string,
  request: string,
  options: Omit<TestRequestOptions, 'session'>,
  status: number,
  known: Known,
]

/** Refusals of the catalog. */
export const CATALOG_REFUSALS: readonly Kind[] = [
  ['400 of a stranger', 'GET /v1/games?page=0', {}, 400, 'nobody'],
  ['404 of a stranger', 'GET /v1/games/no-such-game', {}, 404, 'nobody'],
  ['404 of an unknown path', 'GET /v1/no-such-thing', {}, 404, 'nobody'],
  ['401 without a key', 'GET /v1/sets', {}, 401, 'nobody'],
  ['401 with a wrong key', 'GET /v1/sets', { as: 'unknown' }, 401, 'nobody'],
  ['403', 'GET /v1/cards/900401/history', { as: 'free' }, 403, 'key'],
  ['400 of a key', 'GET /v1/sets?page=0', { as: 'pro' }, 400, 'key'],
  ['404 of a key', 'GET /v1/sets/1', { as: 'pro' }, 404, 'key'],
  ['429', 'GET /v1/sets', { as: 'exhausted' }, 429, 'key'],
  ['405', 'POST /v1/games', {}, 405, 'nobody'],
]

/** Responses to a session from endpoints for accounts. */
export const ACCOUNT_KINDS: readonly Kind[] = [
  ['200 of a session', 'GET /v1/auth/me', {}, 200, 'session'],
  ['201', 'POST /v1/keys', {}, 201, 'session'],
  ['400 of a session', 'POST /v1/keys', { json: { name: 7 } }, 400, 'session'],
  ['401 of wrong credentials', 'POST /v1/auth/login', { json: WRONG }, 401, 'nobody'],
  [
    '403 of another origin',
    'POST /v1/keys',
    { headers: { 'sec-fetch-site': 'cross-site' } },
    403,
    'nobody',
  ],
  ['404 of a session', 'DELETE /v1/keys/no-such-key', {}, 404, 'session'],
  ['409', 'POST /v1/auth/register', { json: WRONG }, 409, 'nobody'],
  ['413', 'POST /v1/keys', { body: 'x'.repeat(20_000), headers: JSON_TYPE }, 413, 'session'],
  [
    '415',
    'POST /v1/keys',
    { body: 'x', headers: { 'content-type': 'text/plain' } },
    415,
    'session',
  ],
  ['405 of a session', 'PUT /v1/keys', {}, 405, 'nobody'],
  ['HEAD', 'HEAD /v1/usage', {}, 200, 'session'],
  ['OPTIONS', 'OPTIONS /v1/keys', {}, 204, 'nobody'],
]

/** Rows for `test.each`: the name first, so that it is in the title of the test. */
export function namedKinds(kinds: readonly Kind[]): [string, Kind][] {
  return kinds.map((kind) => [kind[0], kind])
}

/** Sends the request of a kind of response, with further headers. */
export function sendKind(
  { client }: Pick<TestApp, 'client'>,
  [, request, options]: Kind,
  { session, headers }: Pick<TestRequestOptions, 'session' | 'headers'> = {},
): Promise<TestResponse<Row>> {
  const [method = '', path = ''] = request.split(' ')
  const sent = { ...options, session, headers: { ...headers, ...options.headers } }
  return client.request(method, path, sent)
}
