import fc from 'fast-check'
import { CLIENT_UUID } from '#http/input/fields.ts'
import { BILLABLE_ITEMS } from '#rules/billing/plans.ts'
import { PHOTO } from '../support/photos/reader-fixtures.ts'
import { emailOf, PASSWORD, SETUP_TOKEN } from '../support/test-app.ts'
import { type Endpoint, isCatalog } from './endpoints.ts'
import type { Parameter, Schema } from './openapi.ts'

// Generated values of parameters and members: valid ones, and values that are often misparsed.

const CARD_IDS = ['900001', '900082', '900121', '900423']
const SET_IDS = ['90011', '90012', '90021', '90022', '90031']

/** Values of parameters in the sample, so that not every request ends in 404. */
const KNOWN_TEXTS: Readonly<Record<string, readonly string[]>> = {
  slug: ['wickerwild', '9001', 'vellum-and-thorn', 'perihelion-drift'],
  game: ['wickerwild', 'vellum-and-thorn', 'perihelion-drift'],
  printing: ['Normal', 'Foil', 'Holofoil', 'Reverse Holofoil', '1st Edition', 'Cold Foil'],
  rarity: ['Common', 'Holo Rare', 'L', 'Black Box'],
  q: ['whisht', 'lantern season booster', 'cafe', 'PD1-001', '001/024', "dribbit's", 'st. oda'],
  marketplace_id: CARD_IDS,
  set_id: SET_IDS,
  version: ['3'],
  name: ['cards.jsonl.gz', 'cards.csv.gz', 'prices.jsonl.gz', 'prices.csv.gz', 'catalog.sqlite.gz'],
}

/**
 * Texts of parameters whose rules a schema cannot state: each catalog has its own prices, and each list its own
 * members.
 */
const ALLOWED_TEXTS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  fields: fc.constantFrom('', 'id', ' id,,'),
  currency: fc.constantFrom('EUR', 'GBP', 'JPY', 'USD'),
  source: fc.constant('tcgplayer'),
  include: fc.constantFrom('', 'confidence', ' confidence,,'),
  ids: fc
    .array(fc.oneof(fc.constantFrom(...CARD_IDS), fc.integer({ min: 1 }).map(String)), {
      minLength: 1,
      maxLength: 50,
    })
    .map((ids) => ids.join(ids.length % 2 === 0 ? ', ' : ',')),
}

/** Values of members whose rules a schema cannot state. */
const ALLOWED_VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  acquired_on: fc.constantFrom('2026-05-31', null),
  card_id: fc.oneof(fc.constantFrom(900401, 900402), fc.integer({ min: 1, max: 2 ** 31 })),
  currency: fc.constantFrom('USD', 'EUR'),
  paid_currency: fc.constantFrom('USD', 'EUR'),
  current_password: fc.constant('not the password'),
  email: fc.oneof(
    fc.constant(emailOf('pro')),
    fc.emailAddress({ size: 'small' }).filter((email) => email.length < 200),
  ),
  game: fc.constantFrom('wickerwild', '9002', 'no-such-game'),
  image: fc.constant(PHOTO.jpeg.toBase64()),
  include: fc.constantFrom('prices', 'confidence'),
  mirror: fc.constant(''),
  name: fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 100 })
    .filter((name) => [...name].length <= 100),
  new_password: wellFormed(8, 250),
  password: fc.oneof(fc.constant(PASSWORD), wellFormed(8, 250)),
  plan: fc.constantFrom(...BILLABLE_ITEMS),
  price_paid: fc.integer({ min: 1, max: 100_000 }).map((cents) => cents / 100),
  printing: fc.constantFrom('Foil', 'Cold Foil'),
  ref: fc.oneof(fc.constantFrom('a', null), fc.maxSafeInteger()),
  source: fc.constant('tcgplayer'),
  target_price: fc.integer({ min: 1, max: 100_000 }).map((cents) => cents / 100),
  threshold: fc.integer({ min: 1, max: 1_000_000_000 }).map((cents) => cents / 100),
  token: fc.oneof(fc.constant(SETUP_TOKEN), fc.constant('another')),
  url: fc.webPath({ size: 'small' }).map((path) => `https://shop.example${path}`),
}

function wellFormed(minLength: number, maxLength: number): fc.Arbitrary<string> {
  const text = fc.string({ unit: 'binary', minLength, maxLength })
  return text.filter((one) => one.isWellFormed() && [...one].length >= minLength)
}

/** Generates what the API document allows for a parameter; a name in braces stays unchanged. */
export function validText(
  endpoint: Endpoint,
  { name, schema, ...one }: Parameter,
): fc.Arbitrary<string> {
  const { path, sample } = endpoint
  const own = one.in === 'path' ? segmentOf(path, sample.path, name) : ''
  if (own.startsWith('{')) return fc.constant(own)
  const allowed = ALLOWED_TEXTS[name]
  if (allowed !== undefined) return allowed
  const ids = /\/sets?\//.test(path) ? SET_IDS : CARD_IDS
  const known = name === 'id' && isCatalog(endpoint) ? ids : KNOWN_TEXTS[name]
  const any = textFor(schema)
  // "q" needs a letter or a digit, which its description says, because a pattern cannot express it well.
  const fitting = name === 'q' ? any.filter((text) => /[\p{L}\p{N}]/u.test(text)) : any
  return known === undefined ? fitting : fc.oneof(fc.constantFrom(...known), fitting)
}

/** Generates what a schema allows for a parameter. */
function textFor(schema: Schema): fc.Arbitrary<string> {
  const { minimum = 0, maximum = 1e9, minLength = 0, maxLength = 100, pattern } = schema
  // No random text matches this pattern.
  if (pattern === CLIENT_UUID.pattern) return fc.uuid()
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum.map(String))
  if (schema.format === 'date-time') {
    const [min, max] = [new Date('0000-01-01T00:00:00Z'), new Date('9999-12-31T23:59:59Z')]
    const texts = fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString())
    return fc.oneof(
      texts,
      texts.map((text) => text.slice(0, 10)),
    )
  }
  if (schema.type === 'integer') {
    return fc.maxSafeInteger().map((n) => String(within(n, minimum, maximum)))
  }
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

/** Generates what a schema allows for a member of a body. */
export function validValue(name: string, schema: Schema): fc.Arbitrary<unknown> {
  const allowed = ALLOWED_VALUES[name]
  if (allowed !== undefined) return allowed.filter((value) => isAllowed(value, schema))
  const { anyOf, items, properties, required = [], minProperties = 0 } = schema
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (anyOf !== undefined) return fc.oneof(...anyOf.map((one) => validValue(name, one)))
  const [kind, nothing] = [schema.type].flat()
  if (nothing !== undefined) {
    const present = { ...schema, type: kind ?? 'null' } as Schema // Its only other type.
    return fc.oneof(fc.constant(null), validValue(name, present))
  }
  if (kind === 'boolean') return fc.boolean()
  if (kind === 'integer' || kind === 'number') return textFor(schema).map(Number)
  if (kind === 'array') {
    return fc.array(validValue(name.replace(/s$/, ''), items ?? {}), { minLength: 1, maxLength: 5 })
  }
  if (kind !== 'object' || properties === undefined) return textFor(schema)
  const members = Object.entries(properties).map(([member, one]) => [
    member,
    validValue(member, one),
  ])
  return fc
    .record(Object.fromEntries(members), { requiredKeys: required as never[] })
    .filter((value) => Object.keys(value as object).length >= minProperties)
}

/** Returns true unless the value is a string that the schema's pattern forbids. */
function isAllowed(value: unknown, { pattern }: Schema): boolean {
  return typeof value !== 'string' || pattern === undefined || new RegExp(pattern).test(value)
}

/** Text that looks like a stored hash, and that names of an account can have. */
export const SENT_HASH = '$argon2id$v=19$m=19456,t=2,p=1$AAAA$AAAA'

/** Texts that are often misparsed, not yet encoded. */
const HOSTILE_TEXTS = Object.values({
  nothing: ['', ' ', 'null', 'undefined', 'true', '[]', '{}', '{"$gt":0}'],
  numbers: ['0', '-0', '-1', '1.5', '1e3', '1e400', '0x10', 'NaN', 'Infinity', '-Infinity'],
  large: ['9007199254740993', '99999999999999999999999999', '-9223372036854775808'],
  controls: ['\0', 'a\0b', '\n\r', '\x1b[31m', '\x7f', '\x85', '\u202e\u200b'],
  letters: ['\ud800', '\udfff\ud800', '\ue000', '\u{f0000}', '\u0130i\u0307', '🃏'.repeat(200)],
  paths: ['..', '../../../etc/passwd', '..\\..\\boot.ini', 'file:///etc/passwd', '/etc/passwd'],
  sql: ["'", '"', '"""', "' OR 1=1 --", "');DROP TABLE cards;--"],
  search: ['*', 'a*', '*a', 'AND', 'a AND', 'OR', 'NOT', 'NOT a', 'NEAR(a b)', 'NEAR(a, 1e9)'],
  columns: ['words:a', '{words}:a', '^a', 'a^b', '-a', 'a+b', 'a" OR "b'],
  brackets: ['(a', 'a)', '((((((((((a))))))))))'],
  members: ['__proto__', 'constructor', 'toString', 'hasOwnProperty'],
  lengths: [101, 321, 1_025, 10_000].map((length) => 'x'.repeat(length)),
  addresses: ['@', 'a@', '@b', 'a@b@c', 'a@b\r\nBcc: c@d'],
  hashes: [SENT_HASH],
}).flat()

/** Parts of an address with invalid encoding. */
const BROKEN_PARTS = [
  '%',
  '%%',
  '%zz',
  '%e0%a4%a',
  '%c0%af',
  '%ed%a0%80',
  '%ff%fe',
  '%u0041',
  '%00',
]

/** Texts as they appear in an address. */
export const HOSTILE_PART: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...BROKEN_PARTS),
  fc.constantFrom(...HOSTILE_TEXTS).map(escaped),
  fc
    .constantFrom('x', '9', '%20', '%22', '*', '(', '-', '%e3%81%82', 'a%20', '%00')
    .chain((piece) => fc.constantFrom(201, 1_000, 10_000).map((times) => piece.repeat(times))),
  fc.string({ unit: 'binary', maxLength: 40 }).map(encodeURIComponent),
  fc.string({ unit: 'grapheme-ascii', maxLength: 40 }).map(escaped),
  // Single code units, including halves of surrogate pairs.
  fc
    .array(fc.integer({ min: 1, max: 0xffff }), { maxLength: 20 })
    .map((units) => escaped(String.fromCharCode(...units))),
  fc
    .array(fc.integer({ min: 0, max: 255 }), { maxLength: 20 })
    .map((bytes) => bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')),
  fc.double().map(String),
)

/** Encodes only what would end the address or the value. */
function escaped(text: string): string {
  return text.replace(/[#?&/\\\t\n\r]/g, (sign) => encodeURIComponent(sign))
}

/** JSON values that are often misparsed, and any others. */
export const HOSTILE_VALUE: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown[]>(null, true, 0, -1, 1e308, [], {}, [[]], { $ne: null }, { length: 8 }),
  fc.constantFrom(...HOSTILE_TEXTS),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.anything({ maxDepth: 2 }),
)

/** Returns the value of a path parameter in a request. */
function segmentOf(template: string, path: string, name: string): string {
  const index = template.split('/').indexOf(`{${name}}`)
  return path.split('?')[0]?.split('/')[index] ?? ''
}
