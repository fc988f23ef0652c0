/** Generated requests to every endpoint: the response is always as documented. */
import { beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { sizedFor } from '../support/chaos.ts'
import { addPriceSources } from '../support/pricing/price-sources.ts'
import { expectProperty } from '../support/properties.ts'
import { SEED } from '../support/random.ts'
import type { TestApp } from '../support/test-app.ts'
import type { Row, TestResponse } from '../support/test-client.ts'
import { createContractApp } from './calls.ts'
import {
  DOCUMENT,
  type Endpoint,
  faultOf,
  hashes,
  isForSessions,
  named,
  takesJson,
} from './endpoints.ts'
import { type FuzzedRequest, mutatedRequest, validRequest } from './fuzz-requests.ts'
import { SENT_HASH } from './fuzz-values.ts'
import { holdingsOf, insertHoldings } from './holdings.ts'
import { operationAt } from './openapi.ts'

// FUZZ_SEED=… repeats a failure with the seed that the run prints; FUZZ_RUNS=… sets the number of runs per endpoint,
// which is 100 in `bun run chaos service`.
// Endpoints that may hash a password run less often: a hash takes 50 ms.

const RUNS = Number(process.env.FUZZ_RUNS ?? sizedFor(40, 100))
const DEADLINE_MS = 60_000

const NO_LIMITS = {
  LOGIN_FAILURES_PER_EMAIL_AND_IP: '0',
  LOGIN_FAILURES_PER_EMAIL: '0',
  LOGIN_FAILURES_PER_IP: '0',
  REGISTRATIONS_PER_IP: '0',
}

let testApp: TestApp
let sent = 0

beforeAll(async () => {
  testApp = await createContractApp({
    bulkFiles: true,
    env: { ...NO_LIMITS, CORS_ORIGINS: 'https://shop.example' },
  })
  addPriceSources(testApp)
  await testApp.makeOperator('pro')
  console.log(`fuzz: FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`)
})

/**
 * Excludes the deletion and the export of the account. DELETE comes last, so that data still exists for the other
 * requests.
 */
const FUZZED = named(({ path }) => path !== '/v1/auth/delete' && path !== '/v1/auth/export').sort(
  ([, one], [, other]) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'),
)

/** Returns true for the endpoint with a member whose format depends on another member, which no schema can state. */
function isDependent({ method, path }: Endpoint): boolean {
  return method === 'POST' && path === '/v1/channels'
}

/** Statuses that refuse valid input. */
const REFUSALS = [400, 403, 413, 415]

describe.each(FUZZED)('%s', (_, endpoint) => {
  const { requestBody } = endpoint.operation

  if ((requestBody === undefined || takesJson(endpoint)) && !isDependent(endpoint)) {
    test(
      'accepts every input that the document allows',
      async () => {
        const numRuns = hashes(endpoint) ? Math.ceil(RUNS / 30) : RUNS
        await expectForAll(validRequest(endpoint), numRuns, async (request) => {
          const { status, text } = await send(endpoint, request)
          if (REFUSALS.includes(status)) throw new Error(`refused: ${text}`)
        })
      },
      DEADLINE_MS,
    )
  }

  test(
    'answers any input as documented, without internal details',
    () => expectForAll(mutatedRequest(endpoint), RUNS, (request) => send(endpoint, request)),
    DEADLINE_MS,
  )
})

test('no request causes an error in the log; at full size there are at least 15,000', () => {
  console.log(`fuzz: ${sent} requests`)
  if (RUNS >= 100) expect(sent).toBeGreaterThanOrEqual(15_000)
  expect(testApp.log.filter(({ level }) => level !== 'debug')).toEqual([])
})

/** Maximum number of steps in which a failure is shrunk, because each step uses quota. */
const SHRINKS_MAX = 200

async function expectForAll(
  requests: fc.Arbitrary<FuzzedRequest>,
  numRuns: number,
  promise: (request: FuzzedRequest) => Promise<unknown>,
): Promise<void> {
  let shrinks = 0
  let failed = false
  const property = fc.asyncProperty(requests, async (request) => {
    if (failed && ++shrinks > SHRINKS_MAX) return
    try {
      await promise(request)
    } catch (error) {
      failed = true
      throw error
    }
  })
  await expectProperty(property, { seed: SEED, numRuns })
}

/** Sends a request and checks all invariants of a response. */
async function send(endpoint: Endpoint, { path, body, headers, isKnown }: FuzzedRequest) {
  sent++
  const owner = isForSessions(endpoint) ? 'pro' : 'business'
  const session = owner === 'pro' && isKnown ? await testApp.createSession('pro') : undefined
  const address = insertHoldings(path, await holdingsOf(testApp, endpoint.path, owner))
  const reply = await testApp.client.request(endpoint.method, address, {
    session,
    as: owner === 'business' && isKnown ? 'business' : undefined,
    headers,
    ...(body !== undefined && { body }),
  })
  const problem = findProblem(endpoint, address, reply)
  if (problem !== undefined) {
    throw new Error(`${problem}: ${reply.status} ${reply.text.slice(0, 300)}`)
  }
  return reply
}

/** Internal details: a stack, a driver, a path, an error class, a hash. */
const LEAKS =
  /SQLITE_|sqlite(?!\.gz)|drizzle|node_modules|\/work\/|\/src\/|\.[jt]s:\d|\$argon2|\b(?:Type|Range|Syntax|Reference|URI)Error\b/

function findProblem(
  { method }: Endpoint,
  address: string,
  { status, text, body, headers }: TestResponse<Row>,
): string | undefined {
  if (status >= 500) return 'internal error'
  const isFile = headers.has('content-disposition')
  if (!isFile && LEAKS.test(text.replaceAll(SENT_HASH, ''))) return 'leak'
  const { pathname } = new URL(address, 'http://localhost')
  const [path, operation] = operationAt(DOCUMENT, pathname, method) ?? []
  if (path === undefined || operation === undefined) {
    return [400, 404, 405].includes(status) ? undefined : 'reached no endpoint'
  }
  const response = operation.responses[status]
  if (response === undefined) return 'status not documented'
  if (response.content === undefined) return text === '' ? undefined : 'body not documented'
  const type = headers.get('content-type') ?? ''
  if (isFile)
    return (type.split(';')[0] ?? '') in response.content ? undefined : 'type not documented'
  if (type !== 'application/json; charset=utf-8') return `type ${type}`
  if ((body.rate_limit !== undefined) !== headers.has('x-ratelimit-limit')) {
    return 'quota in one place only'
  }
  if (headers.has('set-cookie') && status !== 200 && status !== 201) return 'cookie with a refusal'
  // Entries that were trimmed lack required members (test/http/endpoint/answer-options.test.ts).
  if (status === 200 && /[?&]fields=[^&]/.test(address)) return undefined
  return faultOf(path, status, body, method)
}
