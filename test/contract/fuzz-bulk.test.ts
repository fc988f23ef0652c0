import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { resolveCredits } from '#rules/matching/bulk-limits.ts'
import { SEED } from '../support/random.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import type { TestRequestOptions } from '../support/test-client.ts'
import { documentOf, openBodyCheck } from './openapi.ts'

// Generated bodies for the resolve endpoints. FUZZ_SEED=… replays a failure; FUZZ_RUNS=… sets the
// number of runs.

const RUNS = Number(process.env.FUZZ_RUNS ?? 250)

let testApp: TestApp
let faultOf: ReturnType<typeof openBodyCheck>
let left: number

beforeAll(async () => {
  testApp = await createTestApp()
  faultOf = openBodyCheck(await documentOf(testApp))
  left = (await testApp.client.get('/v1/sets', { as: 'business' })).body.rate_limit.daily_remaining
  console.log(`fuzz of bulk: FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`)
})
afterAll(() => testApp.close())

const LEAKS = /SQLITE_|sqlite|node_modules|\/src\/|\.[jt]s:\d|\b(?:Type|Range|Syntax)Error\b/

const TEXT = fc.oneof(
  fc.constantFrom('Cindle', 'cindel', 'Marginwyrm', 'whisht', "dribbit's", 'wickerwild', 'LSN'),
  fc.constantFrom('=1+1', '"', "' OR 1=1 --", '*', '__proto__', '🃏', 'é\u0301', '001/024', ' '),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 10 }).map((units) => {
    return String.fromCharCode(...units)
  }),
)

const ANYTHING = fc.oneof(TEXT, fc.anything({ maxDepth: 3 }), fc.jsonValue())

const LABEL = fc.oneof(
  { weight: 9, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/json;charset=x', 'x/y', ';') },
)

const VALID_ITEM = fc.record(
  {
    name: fc.oneof(
      fc.constantFrom('Cindle', 'Marginwyrm', 'Nobody at All', '🃏'.repeat(500)),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }).filter(isPrintable),
    ),
    game: fc.constantFrom('wickerwild', 'vellum-and-thorn', 'no-such-game', null),
    set: fc.constantFrom('LSN', 'tidepool-parade', 'Drowned Abbey', 'x', null),
    number: fc.constantFrom('001/020', '1', 'x', null),
    printing: fc.constantFrom('Foil', 'Normal', 'x', null),
    ref: fc.oneof(fc.constantFrom('a', null), fc.maxSafeInteger()),
    location: fc.jsonValue({ maxDepth: 3 }),
  },
  { requiredKeys: ['name'] },
)

const VALID_ID = fc.oneof(
  fc.integer({ min: 900001, max: 900430 }),
  fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
)

const BODIES: Record<string, { valid: fc.Arbitrary<object>; hostile: fc.Arbitrary<object> }> = {
  '/v1/bulk/resolve/marketplace': {
    valid: fc.record({ ids: fc.array(VALID_ID, { minLength: 1, maxLength: 60 }) }),
    hostile: fc.record(
      { ids: fc.oneof(ANYTHING, fc.array(fc.oneof(VALID_ID, ANYTHING), { maxLength: 5 })) },
      { requiredKeys: [] },
    ),
  },
  '/v1/bulk/resolve/name': {
    valid: fc.record({ items: fc.array(VALID_ITEM, { minLength: 1, maxLength: 20 }) }),
    hostile: fc.record(
      {
        items: fc.oneof(
          ANYTHING,
          fc.array(
            fc.oneof(
              VALID_ITEM,
              ANYTHING,
              fc.record({ name: TEXT, game: ANYTHING, set: TEXT, number: TEXT, printing: TEXT }),
            ),
            { maxLength: 5 },
          ),
        ),
      },
      { requiredKeys: [] },
    ),
  },
}

function isPrintable(text: string): boolean {
  // The letters that a text of one line may not have: docs/reference/choices.md, row 32.
  return [...text].every((sign) => sign >= ' ' && sign !== '\u007f') && text.isWellFormed()
}

describe.each(Object.entries(BODIES))('POST %s', (path, { valid, hostile }) => {
  const json = { 'content-type': 'application/json' }

  test('accepts every input that the document allows', async () => {
    await holdsFor(valid, async (made) => {
      expect(await visit(path, { body: JSON.stringify(made), headers: json })).toBe(200)
    })
  })

  test('answers any input as documented, and charges only accepted items', async () => {
    const bodies = fc.oneof(
      hostile.map((made) => JSON.stringify(made, withoutBigInts) ?? ''),
      ANYTHING.map((made) => JSON.stringify(made, withoutBigInts) ?? ''),
      TEXT,
      valid.map((made) => JSON.stringify(made).slice(0, -1)),
      fc.integer({ min: 1, max: 5_000 }).map((deep) => `{"items":${'['.repeat(deep)}`),
    )
    await holdsFor(fc.tuple(bodies, LABEL), async ([body, label]) => {
      const headers = label === '' ? json : { 'content-type': label }
      await visit(path, { body, headers })
    })
  })
})

describe('POST /v1/bulk/resolve/csv', () => {
  const path = '/v1/bulk/resolve/csv'
  const cell = TEXT.map((text) => `"${text.replaceAll('"', '""')}"`)
  const headers = fc.constantFrom('Name', 'Name,Set', 'Quantity,Name', 'Product ID', 'x', '"', ';')

  test('answers any table as documented, and charges only accepted rows', async () => {
    const tables = fc
      .tuple(headers, fc.array(fc.tuple(fc.oneof(cell, TEXT), cell), { maxLength: 12 }))
      .map(([header, rows]) => [header, ...rows.map((row) => row.join(','))].join('\r\n'))
    const bytes = fc.uint8Array({ maxLength: 300 }).map((some) => Uint8Array.from(some))
    const query = fc.constantFrom('', '?format=csv', '?game=wickerwild', '?game=none', '?format=')
    await holdsFor(fc.tuple(fc.oneof(tables, bytes), query), async ([body, queryString]) => {
      const headers = { 'content-type': 'text/csv' }
      await visit(path + queryString, {
        body: typeof body === 'string' ? utf8(body) : body,
        headers,
      })
    })
  })
})

describe('POST /v1/bulk/resolve/list', () => {
  const path = '/v1/bulk/resolve/list'
  const mark = fc.constantFrom(
    '4 ',
    '2x ',
    'SB: ',
    '(3) ',
    ' [TPP]',
    ' (',
    ')',
    ' 1/20',
    ' *F*',
    '|',
    ' #a',
    '{R}',
  )

  test('answers any text as documented, and charges only accepted lines', async () => {
    const line = fc.array(fc.oneof(mark, TEXT, fc.constant('Cindle')), { maxLength: 5 })
    const lists = fc
      .array(line, { maxLength: 12 })
      .map((lines) => lines.map((parts) => parts.join('')).join('\n'))
    const query = fc.constantFrom('', '?format=csv', '?game=wickerwild', '?game=none', '?format=')
    await holdsFor(fc.tuple(lists, query), async ([body, queryString]) => {
      const headers = { 'content-type': 'text/plain' }
      await visit(path + queryString, { body: utf8(body), headers })
    })
  })
})

test('logs no internal error', () => expect(testApp.log).toEqual([]))

/** Values without a JSON form. */
function withoutBigInts(_member: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

/** Half of a character has no bytes. */
function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

async function holdsFor<T>(made: fc.Arbitrary<T>, promise: (one: T) => Promise<void>) {
  await fc.assert(fc.asyncProperty(made, promise), { seed: SEED, numRuns: RUNS })
}

/** Sends a request and checks all invariants of a response. */
async function visit(target: string, options: TestRequestOptions): Promise<number> {
  const reply = await testApp.client.post(target, undefined, { as: 'business', ...options })
  const { status, text, body, headers } = reply
  const description = `${status} ${text.slice(0, 300)}`
  if (status >= 500) throw new Error(`our fault: ${description}`)
  const [path = ''] = target.split('?')
  const now = Number(headers.get('x-ratelimit-remaining'))
  const charged = left - now
  left = now
  if (status === 200 && headers.has('content-disposition')) {
    expect(charged).toBeGreaterThan(0)
    return status
  }
  if (status !== 200 && LEAKS.test(text)) throw new Error(`a leak: ${description}`)
  const fault = faultOf(path, status, body, 'POST')
  if (fault !== undefined) throw new Error(`${fault}: ${description}`)
  // A refusal is free, but for one of what is not there.
  if (status !== 200) expect([description, charged]).toEqual([description, status === 404 ? 1 : 0])
  else {
    const { total_requested, credits_consumed } = body.meta
    expect(charged).toBe(credits_consumed)
    expect(credits_consumed).toBe(resolveCredits('business', total_requested))
  }
  return status
}
