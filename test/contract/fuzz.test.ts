import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { addPriceSources } from '../support/pricing/price-sources.ts'
import { expectProperty } from '../support/properties.ts'
import { SEED } from '../support/random.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { GETS } from './endpoints.ts'
import {
  documentOf,
  type OpenApi,
  type Operation,
  openBodyCheck,
  operationAt,
  type Parameter,
  type Schema,
} from './openapi.ts'

// Generated requests to every operation of the API document. FUZZ_SEED=… replays a failure with the
// seed that the run prints; FUZZ_RUNS=… sets the number of runs per operation.

const RUNS = Number(process.env.FUZZ_RUNS ?? 100)

let testApp: TestApp
let document: OpenApi
let faultOf: ReturnType<typeof openBodyCheck>
let requestCount = 0

beforeAll(async () => {
  testApp = await createTestApp({ bulkFiles: true })
  addPriceSources(testApp)
  document = await documentOf(testApp)
  faultOf = openBodyCheck(document)
  console.log(`fuzz: FUZZ_SEED=${SEED} FUZZ_RUNS=${RUNS}`)
})
afterAll(() => testApp.close())

describe.each(GETS.map(({ path }) => path))('%s', (path) => {
  test('accepts every input that the document allows', async () => {
    await holdsFor(validRequest(path, operationOf(path)), async (target) => {
      const { status, text } = await visit(target)
      if (status === 400) throw new Error(`refused: ${text}`)
    })
  })

  test('answers any input as documented, without internal details', async () => {
    await holdsFor(mutatedRequest(path, operationOf(path)), visit)
  })
})

test('generates at least 5,000 requests without an internal error in the log', () => {
  console.log(`fuzz: ${requestCount} requests`)
  if (RUNS >= 100) expect(requestCount).toBeGreaterThanOrEqual(5_000)
  expect(testApp.log).toEqual([])
})

/** A failure is made smaller in so many steps: without an end it would use up the quota. */
const SHRINKS_MAX = 500

async function holdsFor(
  requests: fc.Arbitrary<string>,
  promise: (target: string) => Promise<unknown>,
): Promise<void> {
  let shrinks = 0
  let failed = false
  const property = fc.asyncProperty(requests, async (target) => {
    if (failed && ++shrinks > SHRINKS_MAX) return
    try {
      await promise(target)
    } catch (error) {
      failed = true
      throw error
    }
  })
  await expectProperty(property, { seed: SEED, numRuns: RUNS })
}

/** Sends a request and checks all invariants of a response. */
async function visit(target: string): Promise<{ status: number; text: string }> {
  requestCount++
  // Some requests, always the same ones, are conditional.
  const headers = target.length % 9 === 0 ? { 'if-none-match': '"v1", "v3"' } : {}
  const reply = await testApp.client.get(target, { as: 'business', headers })
  const { status, text, body } = reply
  const description = `${status} ${text.slice(0, 300)}`
  if (status >= 500) throw new Error(`our fault: ${description}`)
  const isFile = reply.headers.has('content-disposition')
  if (!isFile && LEAKS.test(text)) throw new Error(`a leak: ${description}`)
  const { pathname } = new URL(target, 'http://localhost')
  const at = operationAt(document, pathname)
  if (at === undefined) {
    if (status !== 404) throw new Error(`at no address: ${description}`)
    return reply
  }
  const [path, operation] = at
  const response = operation.responses[status]
  if (response === undefined) throw new Error(`no documented status: ${description}`)
  if (response.content === undefined) {
    if (text !== '') throw new Error(`a body where none is documented: ${description}`)
    return reply
  }
  const type = reply.headers.get('content-type') ?? ''
  if (isFile) {
    if ((type.split(';')[0] ?? '') in response.content) return reply
    throw new Error(`${type} is not documented: ${description}`)
  }
  if (type !== 'application/json; charset=utf-8') throw new Error(`${type}: ${description}`)
  // Entries that were trimmed lack required members (test/http/endpoint/answer-options.test.ts).
  if (status === 200 && /[?&]fields=[^&]/.test(target)) return reply
  const fault = faultOf(path, status, body)
  if (fault !== undefined) throw new Error(`${fault}: ${description}`)
  return reply
}

/** Internal details: a stack, a driver, a path, an error class. */
const LEAKS =
  /SQLITE_|sqlite(?!\.gz)|drizzle|node_modules|\/work\/|\/src\/|\.[jt]s:\d|\b(?:Type|Range|Syntax|Reference|URI)Error\b/

function operationOf(path: string): Operation {
  const operation = document.paths[path]?.get
  if (operation === undefined) throw new Error(`${path} is not in the document`)
  return operation
}

// --- valid requests ---

/** Values in the sample, so that not every request ends in 404. */
const KNOWN: Record<string, readonly string[]> = {
  slug: ['wickerwild', '9001', 'vellum-and-thorn', 'perihelion-drift'],
  game: ['wickerwild', 'vellum-and-thorn', 'perihelion-drift'],
  printing: ['Normal', 'Foil', 'Holofoil', 'Reverse Holofoil', '1st Edition', 'Cold Foil'],
  rarity: ['Common', 'Holo Rare', 'L', 'Black Box'],
  q: ['whisht', 'lantern season booster', 'cafe', 'PD1-001', '001/024', "dribbit's", 'st. oda'],
  marketplace_id: ['900001', '900082', '900121', '900423'],
  set_id: ['90011', '90012', '90021', '90022', '90031'],
  version: ['3'],
  name: ['cards.jsonl.gz', 'cards.csv.gz', 'prices.jsonl.gz', 'prices.csv.gz', 'catalog.sqlite.gz'],
}
const KNOWN_IDS = {
  sets: KNOWN.set_id ?? [],
  cards: KNOWN.marketplace_id ?? [],
}

function validRequest(path: string, { parameters }: Operation): fc.Arbitrary<string> {
  const inPath = parameters.filter((one) => one.in === 'path')
  const inQuery = parameters.filter((one) => one.in === 'query')
  return fc
    .tuple(
      fc.tuple(...inPath.map((one) => validText(path, one))),
      fc.tuple(
        ...inQuery.map((one) => {
          const text = validText(path, one)
          return one.required ? text : fc.option(text, { freq: 2, nil: undefined })
        }),
      ),
    )
    .map(([segments, values]) => {
      const query = inQuery.flatMap(({ name }, index) => {
        const value = values[index]
        return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]
      })
      return addressOf(path, inPath, segments.map(encodeURIComponent)) + queryText(query)
    })
    .filter((target) => !(target.includes('all=true') && /currency=|source=/.test(target)))
}

function validText(path: string, { name, schema }: Parameter): fc.Arbitrary<string> {
  if (name === 'ids') return ID_LIST
  // The document has no pattern for lists of words; the id is a member of all entries.
  if (name === 'fields') return fc.constantFrom('', 'id', ' id,,')
  // Each catalog has its own.
  if (name === 'currency') return fc.constantFrom('EUR', 'GBP', 'JPY', 'USD')
  if (name === 'source') return fc.constant('tcgplayer')
  if (name === 'include') return fc.constantFrom('', 'confidence', ' confidence,,')
  const known = name === 'id' ? KNOWN_IDS[/\/sets?\//.test(path) ? 'sets' : 'cards'] : KNOWN[name]
  const any = ofSchema(schema)
  // "q" needs a letter or a digit: a pattern cannot well say so, but its description does.
  const fitting = name === 'q' ? any.filter((text) => /[\p{L}\p{N}]/u.test(text)) : any
  return known === undefined ? fitting : fc.oneof(fc.constantFrom(...known), fitting)
}

/** The description also explains a list of IDs. */
const ID_LIST = fc
  .array(fc.oneof(fc.constantFrom(...KNOWN_IDS.cards), fc.integer({ min: 1 }).map(String)), {
    minLength: 1,
    maxLength: 50,
  })
  .map((ids) => ids.join(ids.length % 2 === 0 ? ', ' : ','))

function ofSchema(schema: Schema): fc.Arbitrary<string> {
  const { minimum = 0, maximum = 1e9, minLength = 0, maxLength = 100, pattern } = schema
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum.map(String))
  if (schema.format === 'date-time') {
    const [min, max] = [new Date('0000-01-01T00:00:00Z'), new Date('9999-12-31T23:59:59Z')]
    const texts = fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString())
    return fc.oneof(
      texts,
      texts.map((text) => text.slice(0, 10)),
    )
  }
  if (schema.type === 'integer')
    return fc.maxSafeInteger().map((n) => String(within(n, minimum, maximum)))
  if (schema.type === 'number') {
    return fc
      .oneof(
        fc.integer({ min: minimum * 100, max: maximum }).map((cents) => cents / 100),
        // Floating-point results as programs compute them: 0.1 + 0.2 is 0.30000000000000004.
        fc.double({ min: minimum, max: maximum, noNaN: true }).filter((n) => n === 0 || n >= 1e-6),
      )
      .map(String)
  }
  const units = (unit: 'grapheme-ascii' | 'binary') =>
    fc.string({ unit, minLength, maxLength, size: 'large' })
  // Characters beyond the basic plane count once here; test/http/search/search.test.ts tests them.
  const text = fc.oneof(
    units('grapheme-ascii'),
    units('binary').filter((one) => one.length <= maxLength),
  )
  return pattern === undefined ? text : text.filter((one) => new RegExp(pattern).test(one))
}

function within(n: number, minimum: number, maximum: number): number {
  return minimum + (Math.abs(n) % (maximum - minimum + 1))
}

// --- mutated requests ---

/** Already as it stands in an address. */
const HOSTILE: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-0',
    '-1',
    '1.5',
    '1e3',
    '1e400',
    '0x10',
    'NaN',
    'Infinity',
    '-Infinity',
    'null',
    'undefined',
    'true',
    '[]',
    '{}',
    '%5B%5D',
    '%7B%22%24gt%22%3A0%7D',
    '9007199254740991',
    '9007199254740993',
    '99999999999999999999999999',
    '-9223372036854775808',
    '9223372036854775807',
    '%00',
    'a%00b',
    '%0a%0d',
    '%1b%5b31m',
    '%7f',
    '%c2%85',
    '%',
    '%%',
    '%zz',
    '%e0%a4%a',
    '%c0%af',
    '%ed%a0%80',
    '%ff%fe',
    '\ud800',
    '\udfff',
    '%u0041',
    '..',
    '%2e%2e',
    '..%2f..%2f..%2fetc%2fpasswd',
    '..%5c..%5cboot.ini',
    'file%3a%2f%2f%2fetc%2fpasswd',
    '%2fetc%2fpasswd',
    "'",
    '%22',
    "' OR 1=1 --",
    "');DROP TABLE cards;--",
    '%22%22%22',
    '*',
    'a*',
    '*a',
    'AND',
    'a AND',
    'OR',
    'NOT',
    'NOT a',
    'NEAR(a b)',
    'NEAR(a, 1e9)',
    'words:a',
    '{words}:a',
    '^a',
    'a^b',
    '-a',
    'a%2bb',
    '(a',
    'a)',
    '((((((((((a))))))))))',
    'a%22 OR %22b',
    '%ee%80%80',
    '%f3%b0%80%80',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '%e2%80%ae%e2%80%8b',
    '\u0130i\u0307',
    '%f0%9f%83%8f',
  ),
  fc
    .constantFrom('x', '9', '%20', '%22', '*', '(', '-', '%e3%81%82', 'a%20', '%00')
    .chain((piece) => fc.constantFrom(201, 1_000, 10_000).map((times) => piece.repeat(times))),
  fc.string({ unit: 'binary', maxLength: 40 }).map(encodeURIComponent),
  fc.string({ unit: 'grapheme-ascii', maxLength: 40 }).map(escaped),
  // Code units one by one: pairs that are torn apart among them.
  fc
    .array(fc.integer({ min: 1, max: 0xffff }), { maxLength: 20 })
    .map((units) => escaped(String.fromCharCode(...units))),
  fc
    .array(fc.integer({ min: 0, max: 255 }), { maxLength: 20 })
    .map((bytes) => bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')),
  fc.maxSafeInteger().map(String),
  fc.double().map(String),
)

function mutatedRequest(path: string, operation: Operation): fc.Arbitrary<string> {
  const { parameters } = operation
  const inPath = parameters.filter((one) => one.in === 'path')
  const inQuery = parameters.filter((one) => one.in === 'query')
  const valid = (one: Parameter) => validText(path, one).map(encodeURIComponent)
  const names = fc.constantFrom(...inQuery.map((one) => one.name), 'page', 'nothing', '__proto__')
  return fc
    .record({
      segments: fc.tuple(...inPath.map((one) => fc.oneof(valid(one), HOSTILE))),
      // Each parameter valid, hostile, or not there at all, be it required or not.
      values: fc.tuple(
        ...inQuery.map((one) => fc.oneof(valid(one), HOSTILE, fc.constant(undefined))),
      ),
      more: fc.array(fc.tuple(names, HOSTILE), { maxLength: 2 }),
      tail: fc.constantFrom('', '', '', '', '/', '/../games', '//', '&', '&&=&=', '?', ';a=b'),
    })
    .map(({ segments, values, more, tail }) => {
      const query = inQuery.flatMap(({ name }, index) => {
        const value = values[index]
        return value === undefined ? [] : [`${name}=${value}`]
      })
      const pairs = [...query, ...more.map(([name, value]) => `${name}=${value}`)]
      const address = addressOf(path, inPath, segments)
      return tail.startsWith('/')
        ? address + tail + queryText(pairs)
        : address + queryText(pairs) + tail
    })
}

/** Without what would end the address or the value; everything else as it is. */
function escaped(text: string): string {
  return text.replace(/[#?&/\\\t\n\r]/g, (sign) => encodeURIComponent(sign))
}

function addressOf(
  path: string,
  inPath: readonly Parameter[],
  segments: readonly string[],
): string {
  return inPath.reduce(
    (address, { name }, index) => address.replace(`{${name}}`, () => segments[index] ?? ''),
    path,
  )
}

function queryText(pairs: readonly string[]): string {
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}
