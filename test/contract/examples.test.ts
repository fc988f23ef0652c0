/** The API document has an example for each body: the golden bodies, with one entry per list. */
import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv2020 from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { formatAlertBody } from '#rules/alerts/alert-message.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { fakeReader } from '../support/photos/reader-fixtures.ts'
import { createTestApp, FROZEN_TIME, PASSWORD, type TestApp } from '../support/test-app.ts'
import type { TestResponse } from '../support/test-client.ts'
import {
  DOCUMENT,
  ENDPOINTS,
  endpoint,
  endpointOf,
  GOLDEN,
  type Golden,
  named,
} from './endpoints.ts'
import { closed, type Operation, type Schema } from './openapi.ts'

const FILE = join(import.meta.dir, '../../src/http/openapi/examples.json')

const testApp = await createTestApp()

type Examples = { request?: unknown; response?: unknown }

test('src/http/openapi/examples.json has the golden bodies (UPDATE_GOLDEN=1 rewrites it)', async () => {
  const operations = ENDPOINTS.map(({ name, operation }) => {
    const golden = GOLDEN.find(
      ({ request }) => endpointOf(request) === name && !request.includes('currency='),
    )
    if (golden === undefined) throw new Error(`${name} has no golden body`)
    return [operation.operationId, examplesOf(operation, golden)] as const
  })
  const examples = {
    operations: Object.fromEntries(operations),
    failures: await failuresOf(testApp),
    webhooks: { price_alert: JSON.parse(formatAlertBody(ALERT, new Date(FROZEN_TIME))) },
  }
  const text = `${JSON.stringify(examples, null, 2)}\n`
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(FILE, text)
  expect(text).toBe(readFileSync(FILE, 'utf8'))
})

const ALERT = {
  card_id: 900401,
  card_name: 'T.S.V. Marigold',
  condition: 'below',
  threshold: 1250,
  price: 1210,
} as const

function examplesOf(
  { requestBody, responses }: Operation,
  { json, csv, list, bytes, body }: Golden,
): Examples {
  const success = responses[200] ?? responses[201] ?? responses[202]
  const schemaIn = (content: Operation['responses'][string]['content'] = {}) =>
    content['application/json']?.schema
  const request = csv ?? list ?? bytes ?? shortened(json, schemaIn(requestBody?.content) ?? {})
  const isCsv = Array.isArray(body) && success?.content?.['text/csv'] !== undefined
  const response = isCsv
    ? body.slice(0, 2).join('\n')
    : Array.isArray(body)
      ? undefined
      : shortened(body, schemaIn(success?.content) ?? {})
  return { ...(request !== undefined && { request }), ...(response !== undefined && { response }) }
}

/** Keeps one entry of each list and empties nested lists, and replaces masked members. */
function shortened(value: unknown, schema: Schema, name = '', isInList = false): unknown {
  if (value === '…') return sampleOf(schema, name)
  if (typeof value === 'string' && name in RANDOM) return RANDOM[name]
  const [shape = schema] = (schema.anyOf ?? []).filter(
    ({ type }) => (type === 'array') === Array.isArray(value),
  )
  if (Array.isArray(value)) {
    return isInList
      ? []
      : value.slice(0, 1).map((one) => shortened(one, shape.items ?? {}, name, true))
  }
  if (typeof value !== 'object' || value === null) return value
  const isRecord = shape.properties === undefined
  const members = Object.entries(value).slice(0, isRecord ? Number(!isInList) : undefined)
  return Object.fromEntries(
    members.map(([key, one]) => [
      key,
      shortened(one, shape.properties?.[key] ?? {}, key, isInList),
    ]),
  )
}

function sampleOf({ type, format }: Schema, name: string): unknown {
  const [kind] = [type].flat()
  if (kind === 'array') return []
  if (kind === 'integer') return 1024
  return format === 'uri' ? 'https://payments.example/1' : (SAMPLES[name] ?? '1')
}

const SAMPLES: Readonly<Record<string, string>> = {
  id: '0190b6e47c3a7b1f9d2e5f6071829304',
  webhook_id: '0190b6e47c3a7b1f9d2e5f6071829305',
  item_id: 'item_0190b6e47c3a7b1f9d2e5f6071829306',
  token: 'q83vEjRWq83vEjRWq83vEj',
  url: 'https://cards.example/shared/q83vEjRWq83vEjRWq83vEj',
  key: 'tcg_live_…',
  key_prefix: 'tcg_live_3f9a',
  last4: '8c1d',
  secret: 'whsec_…',
  version: '1.0.0',
  sha256: '9f86d081'.repeat(8),
}

/** Members of random text, which would take as much of the document as a paragraph. */
const RANDOM: Readonly<Record<string, string>> = { push_key: `${'BHkqNUfd'.repeat(10)}BHkqNUf` }

/** Returns a refusal with each status from running apps, without the optional quota. */
async function failuresOf({ client }: TestApp): Promise<Record<string, unknown>> {
  const email = { email: 'new@guests.example', password: PASSWORD }
  const csv = { as: 'pro', headers: { 'content-type': 'text/csv' } } as const
  const names = '/v1/bulk/resolve/name'
  await client.post('/v1/auth/register', email)
  const refusals: Record<string, TestResponse<unknown>> = {
    BadRequest: await client.get('/v1/cards/abc', { as: 'pro' }),
    Unauthorized: await client.get('/v1/cards/900003'),
    PaymentRequired: await withoutScans(),
    Forbidden: await client.get('/v1/cards/900003/history', { as: 'free' }),
    NotFound: await client.get('/v1/cards/1', { as: 'pro' }),
    Conflict: await client.post('/v1/auth/register', email),
    ContentTooLarge: await client.request('POST', names, { ...csv, body: ' '.repeat(3_000_000) }),
    UnsupportedMediaType: await client.request('POST', names, { ...csv, body: 'x' }),
    RangeNotSatisfiable: await beyondTheEnd(),
    TooManyRequests: await client.get('/v1/sets', { as: 'exhausted_pro' }),
    ...(await withFaults()),
  }
  return Object.fromEntries(
    Object.entries(refusals).map(([name, { body }]) => [name, { error: body.error }]),
  )
}

async function withoutScans(): Promise<TestResponse<unknown>> {
  const own = await createTestApp()
  const { json } = endpoint('POST /v1/identify').sample
  for (let left = 25; left > 0; left--) await own.client.post('/v1/identify', json, { as: 'free' })
  const refused = await own.client.post('/v1/identify', json, { as: 'free' })
  return refused
}

async function beyondTheEnd(): Promise<TestResponse<unknown>> {
  const own = await createTestApp({ bulkFiles: true })
  const headers = { range: 'bytes=1000000-' }
  const path = '/v1/bulk-data/3/wickerwild/cards.jsonl.gz'
  const refused = await own.client.get(path, { as: 'pro', headers })
  // The length depends on the zlib version.
  const error = JSON.parse(refused.text.replace(/\(\d+ bytes\)/, '(52110 bytes)'))
  return { ...refused, body: error }
}

async function withFaults() {
  const reader = fakeReader()
  reader.script(() => {
    throw new ServiceError('IDENTIFY_UNAVAILABLE', 'The reader is busy. Send the photo again.')
  })
  const own = await createTestApp({ reader })
  const { json } = endpoint('POST /v1/identify').sample
  const Unavailable = await own.client.post('/v1/identify', json, { as: 'pro' })
  own.deps.ledger.close()
  const ServerError = await own.client.post('/v1/auth/login', {
    email: 'a@b.example',
    password: PASSWORD,
  })
  own.deps.catalog.close()
  return { ServerError, Unavailable }
}

type Content = Record<string, { schema: object; example?: unknown }>

const ajv = addFormats(new Ajv2020({ strict: false, allErrors: true }))

/** Checks the examples of a body; a text body must have one, unless it is a JSON file. */
function faultsIn(content: Content, adapt: (schema: object) => object): string[] {
  const shown = Object.values(content).filter(({ example }) => example !== undefined)
  const json = content['application/json']
  const needsOne = 'text/csv' in content || (json !== undefined && !('format' in json.schema))
  return [
    ...(needsOne && shown.length === 0 ? ['has no example'] : []),
    ...shown.flatMap(({ schema, example }) => {
      const validate = ajv.compile(adapt(schema))
      return validate(example) ? [] : [ajv.errorsText(validate.errors)]
    }),
  ]
}

test.each(named())('%s has a valid example for each body', (_, { operation }) => {
  const { requestBody, responses } = operation
  // A request may have further members, which are ignored.
  expect(faultsIn(requestBody?.content ?? {}, (schema) => schema)).toEqual([])
  for (const { content = {} } of Object.values(responses)) {
    expect(faultsIn(content, closed)).toEqual([])
  }
})

test('the webhook of price alerts has a valid example', () => {
  const { price_alert } = DOCUMENT.webhooks
  expect(faultsIn(price_alert?.post?.requestBody?.content ?? {}, closed)).toEqual([])
})

test('the API document is under 50 KB as clients receive it', async () => {
  const headers = { 'accept-encoding': 'gzip' }
  const { headers: sent, bytes } = await testApp.client.request('GET', '/openapi.json', { headers })
  expect(sent.get('content-encoding')).toBe('gzip')
  expect(bytes.byteLength).toBeLessThan(50_000)
})
