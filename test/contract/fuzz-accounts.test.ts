import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { BILLABLE_ITEMS } from '#rules/billing/plans.ts'
import { SERVICE_MODES } from '#rules/operations/service-settings.ts'
import { CONFIDENCE_LEVELS } from '#rules/pricing/confidence.ts'
import { createAlertTestApp } from '../support/alerts/webhook-fixtures.ts'
import { expectProperty } from '../support/properties.ts'
import { SEED } from '../support/random.ts'
import { emailOf, PASSWORD, SETUP_TOKEN, type TestApp } from '../support/test-app.ts'
import { pathFor } from './account-calls.ts'
import { ACCOUNT_ENDPOINTS, type AccountEndpoint, namedAccount } from './endpoints.ts'
import { documentOf, type OpenApi, openBodyCheck, operationAt } from './openapi.ts'

// Generated bodies, cookies, headers and URLs for every account operation of the API document.
// FUZZ_SEED=… replays a failure; FUZZ_RUNS=… sets the number of runs per operation. Operations that
// may hash a password run less often: a hash takes 50 ms.

const RUNS = Number(process.env.FUZZ_RUNS ?? 100)
const DEADLINE_MS = 60_000

const NO_LIMITS = {
  LOGIN_FAILURES_PER_EMAIL_AND_IP: '0',
  LOGIN_FAILURES_PER_EMAIL: '0',
  LOGIN_FAILURES_PER_IP: '0',
  REGISTRATIONS_PER_IP: '0',
}

let testApp: TestApp
let document: OpenApi
let faultOf: ReturnType<typeof openBodyCheck>
let requestCount = 0

beforeAll(async () => {
  testApp = await createAlertTestApp({
    env: { ...NO_LIMITS, CORS_ORIGINS: 'https://shop.example' },
  })
  await testApp.makeOperator('pro')
  document = await documentOf(testApp)
  faultOf = openBodyCheck(document)
  console.log(`fuzz of accounts: FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`)
})
afterAll(() => testApp.close())

/** Stands for the id of something that is there. */
const OWN = 'own'

type Sent = {
  /** Suffix of the path. */
  query: string
  id: string
  body: string | Uint8Array<ArrayBuffer> | undefined
  headers: Record<string, string>
  /** True if the cookie has a valid session. */
  known: boolean
}

/** Without the file, and without the end of the account. */
const FUZZED = ACCOUNT_ENDPOINTS.filter(({ file, deletesAccount }) => !file && !deletesAccount)

describe.each(namedAccount(FUZZED))('%s', (_name, endpoint) => {
  test(
    'accepts every input that the document allows',
    async () => {
      const numRuns = endpoint.hashes ? Math.ceil(RUNS / 30) : RUNS
      await holdsFor(validRequest(endpoint), numRuns, async (sent) => {
        const { status, text } = await visit(endpoint, sent)
        if ([400, 403, 413, 415].includes(status)) throw new Error(`refused: ${text}`)
      })
    },
    DEADLINE_MS,
  )

  test(
    'answers any input as documented, without internal details',
    () => holdsFor(mutatedRequest(endpoint), RUNS, (sent) => visit(endpoint, sent)),
    DEADLINE_MS,
  )
})

test('generates at least 2,000 requests without an internal error in the log', () => {
  console.log(`fuzz of accounts: ${requestCount} requests`)
  if (RUNS >= 100) expect(requestCount).toBeGreaterThanOrEqual(2_000)
  expect(testApp.log.filter(({ level }) => level !== 'debug')).toEqual([])
})

/** A failure is made smaller in so many steps: some of them cost a hash each. */
const SHRINKS_MAX = 200

async function holdsFor(
  requests: fc.Arbitrary<Sent>,
  numRuns: number,
  promise: (sent: Sent) => Promise<unknown>,
): Promise<void> {
  let shrinks = 0
  let failed = false
  const property = fc.asyncProperty(requests, async (sent) => {
    if (failed && ++shrinks > SHRINKS_MAX) return
    try {
      await promise(sent)
    } catch (error) {
      failed = true
      throw error
    }
  })
  await expectProperty(property, { seed: SEED, numRuns })
}

/** Sends a request and checks all invariants of a response. */
async function visit(endpoint: AccountEndpoint, sent: Sent) {
  requestCount++
  const session = sent.known ? await testApp.createSession('pro') : undefined
  const path =
    sent.id === OWN
      ? await pathFor(testApp, endpoint.path, 'pro')
      : endpoint.path.replaceAll(/\{\w+\}/g, () => sent.id)
  const address = path + sent.query
  const reply = await testApp.client.request(endpoint.method, address, {
    session,
    headers: sent.headers,
    ...(sent.body !== undefined && { body: sent.body }),
  })
  const { status, text, body, headers } = reply
  const description = `${status} ${text.slice(0, 300)}`
  if (status >= 500) throw new Error(`our fault: ${description}`)
  if (LEAKS.test(text)) throw new Error(`a leak: ${description}`)
  const at = operationAt(document, new URL(address, 'http://localhost').pathname, endpoint.method)
  if (at === undefined) {
    if (![400, 404, 405].includes(status)) throw new Error(`at no address: ${description}`)
    return reply
  }
  if (at[1].responses[status] === undefined) throw new Error(`no documented status: ${description}`)
  const type = headers.get('content-type')
  if (type !== 'application/json; charset=utf-8') throw new Error(`${type}: ${description}`)
  const fault = faultOf(at[0], status, body, endpoint.method)
  if (fault !== undefined) throw new Error(`${fault}: ${description}`)
  if ((body.rate_limit !== undefined) !== headers.has('x-ratelimit-limit')) {
    throw new Error(`a quota in one place only: ${description}`)
  }
  if (headers.has('set-cookie') && status !== 200 && status !== 201)
    throw new Error(`a cookie: ${description}`)
  return reply
}

/** Internal details: a stack, a driver, a path, an error class, a hash. */
const LEAKS =
  /SQLITE_|sqlite|drizzle|node_modules|\/work\/|\/src\/|\.[jt]s:\d|\$argon2|\b(?:Type|Range|Syntax|Reference|URI)Error\b/

const JSON_TYPE = { 'content-type': 'application/json' }

/** Values that the document calls valid, by the name of the member. */
const VALID: Record<string, fc.Arbitrary<unknown>> = {
  link: fc.boolean(),
  plan: fc.constantFrom(...BILLABLE_ITEMS),
  url: fc.webPath({ size: 'small' }).map((path) => `https://shop.example${path}`),
  card_id: fc.oneof(fc.constantFrom(900401, 900402), fc.integer({ min: 1, max: 2 ** 31 })),
  condition: fc.constantFrom('above', 'below'),
  threshold: fc.integer({ min: 1, max: 1_000_000_000 }).map((cents) => cents / 100),
  printing: fc.constantFrom('Foil', 'Cold Foil'),
  // The only ones without further prices.
  currency: fc.constant('USD'),
  source: fc.constant('tcgplayer'),
  min_confidence: fc.constantFrom(...CONFIDENCE_LEVELS),
  paused: fc.boolean(),
  rotate_secret: fc.constant(true),
  game: fc.constantFrom('wickerwild', '9002', 'no-such-game'),
  force: fc.boolean(),
  token: fc.oneof(fc.constant(SETUP_TOKEN), fc.constant('another')),
  mode: fc.constantFrom(...SERVICE_MODES),
  mirror: fc.constant(''),
  remove_sample: fc.boolean(),
  index_pictures: fc.boolean(),
  exchange_rates: fc.boolean(),
  finish: fc.boolean(),
  email: fc.oneof(
    fc.constant(emailOf('pro')),
    fc.emailAddress({ size: 'small' }).filter((email) => email.length < 200),
  ),
  password: fc.oneof(fc.constant(PASSWORD), wellFormed(8, 250)),
  current_password: fc.constant('not the password'),
  new_password: wellFormed(8, 250),
  name: fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 100 })
    .filter((name) => /^[^\p{Cc}]{1,100}$/u.test(name)),
}

function wellFormed(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const text = fc.string({ unit: 'binary', minLength, maxLength })
  return text.filter((one) => one.isWellFormed() && [...one].length >= minLength)
}

function validRequest(endpoint: AccountEndpoint): fc.Arbitrary<Sent> {
  const fields = Object.keys(endpoint.body ?? {})
  const values = fc.tuple(...fields.map((name) => VALID[name] ?? fc.constant('')))
  const { all, page } = endpoint.parameters
  const queries = [
    ...(all === undefined ? [] : ['?all=true', '?all=false', '?nothing=1']),
    ...(page === undefined ? [] : ['?page=2', '?per_page=1000&page=1', '?per_page=1']),
  ]
  return fc.record({
    query: fc.constantFrom('', ...queries),
    id: fc.oneof(fc.constant(OWN), fc.uuid()),
    body: values.map((found) =>
      fields.length === 0
        ? undefined
        : JSON.stringify(Object.fromEntries(fields.map((name, index) => [name, found[index]]))),
    ),
    headers: fc.constantFrom<Record<string, string>>(
      JSON_TYPE,
      { 'content-type': 'application/json; charset=utf-8', 'sec-fetch-site': 'same-origin' },
      { ...JSON_TYPE, origin: 'https://shop.example', 'sec-fetch-site': 'cross-site' },
    ),
    known: fc.constant(true),
  })
}

const HOSTILE_VALUE: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown[]>(
    null,
    true,
    0,
    -1,
    1e308,
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    '\udfff\ud800',
    '\u202e\u200b',
    'x'.repeat(321),
    'x'.repeat(1_025),
    'x'.repeat(10_000),
    '🃏'.repeat(200),
    "' OR 1=1 --",
    "'); DROP TABLE accounts; --",
    '@',
    'a@',
    '@b',
    'a@b@c',
    'a@b\r\nBcc: c@d',
    '$argon2id$v=19$m=19456,t=2,p=1$AAAA$AAAA',
    [],
    {},
    [[]],
    { $ne: null },
    { toString: 1 },
    { length: 8 },
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.anything({ maxDepth: 2 }),
)

const HOSTILE_BODY: fc.Arbitrary<Sent['body']> = fc.oneof(
  fc.constantFrom<Sent['body'][]>(
    undefined,
    '',
    'null',
    '[]',
    '{}',
    '"x"',
    '{',
    '{"__proto__":{"email":"a@b.example","password":"eight characters"}}',
    '['.repeat(9_000),
    '{"a":'.repeat(2_000),
    ' '.repeat(16_384),
    ' '.repeat(16_385),
    '\ufeff{}',
  ),
  fc.json().filter((text) => text.length < 20_000),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Uint8Array.from(bytes)),
)

const HOSTILE_HEADERS = fc.record(
  {
    'content-type': fc.constantFrom(
      'application/json',
      'Application/JSON;charset=x',
      'text/plain',
      'multipart/form-data',
      ';',
      '',
    ),
    cookie: fc.oneof(
      fc.constantFrom(
        'session=',
        'session',
        ';;;=',
        `session=${'A'.repeat(43)}`,
        `session=${'A'.repeat(43)}; session=${'B'.repeat(43)}`,
        `session=${'x'.repeat(8_000)}`,
        '__proto__=1; constructor=2',
      ),
      fc.base64String({ maxLength: 60 }).map((text) => `session=${text}`),
      headerText(),
    ),
    'sec-fetch-site': fc.constantFrom('same-origin', 'none', 'cross-site', 'same-site', '', 'x'),
    origin: fc.oneof(
      fc.constantFrom('null', '', 'https://shop.example', 'https://', 'http://localhost', '//'),
      headerText(),
    ),
    host: fc.constantFrom('localhost', '', 'x:y:z', '[::1]'),
    'x-forwarded-for': headerText(),
    'x-api-key': headerText(),
  },
  { requiredKeys: [] },
)

function headerText(): fc.Arbitrary<string> {
  return fc.string({ unit: 'grapheme-ascii', maxLength: 40 })
}

const HOSTILE_ID = fc.oneof(
  fc.constantFrom('%00', '%ff', '%', '..', '%2e%2e', '__proto__', '*', "'", 'x'.repeat(101), 'a/b'),
  fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 }).map(encodeURIComponent),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).map(encodeURIComponent),
)

function mutatedRequest(endpoint: AccountEndpoint): fc.Arbitrary<Sent> {
  const fields = Object.keys(endpoint.body ?? {})
  const ofField = (name: string) =>
    fc.oneof(
      // Seldom all of them valid: that is what costs a hash.
      { arbitrary: VALID[name] ?? fc.constant(''), weight: 2 },
      { arbitrary: HOSTILE_VALUE, weight: endpoint.hashes ? 6 : 2 },
      { arbitrary: fc.constant(undefined), weight: 1 },
    )
  const made = fc.tuple(...fields.map(ofField), HOSTILE_VALUE).map((values) => {
    const names = [...fields, 'nothing']
    return JSON.stringify(Object.fromEntries(names.map((name, index) => [name, values[index]])))
  })
  return fc.record({
    query: fc.constantFrom(
      '',
      '',
      '',
      '?all=true',
      '?all=',
      '?all=true&all=false',
      '?%ff',
      '?',
      '/',
    ),
    id: HOSTILE_ID,
    body: endpoint.method === 'GET' ? fc.constant(undefined) : fc.oneof(made, HOSTILE_BODY),
    headers: fc.oneof(fc.constant({ ...JSON_TYPE }), HOSTILE_HEADERS),
    known: fc.boolean(),
  })
}
