import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { addPriceSources } from '../support/pricing/price-sources.ts'
import { createTestApp } from '../support/test-app.ts'
import { call, createContractApp, credentialsFor } from './calls.ts'
import {
  ENDPOINTS,
  endpoint,
  endpointOf,
  GOLDEN,
  GOLDEN_FOLDER,
  type Golden,
  isCatalog,
  isFile,
} from './endpoints.ts'
import type { Operation, Schema } from './openapi.ts'

// Complete bodies of all endpoints, from the sample at a frozen time. UPDATE_GOLDEN=1 rewrites them; review the diff.
// A value that differs between apps is "…" in the file, and stays masked.

test.each(GOLDEN.map((golden) => [golden.name, golden] as const))(
  'the body of %s equals its golden body',
  async (name, golden) => {
    const { body: expected, name: _, ...request } = golden
    const body = copyMasks(expected, await requestBody(golden))
    const text = `${JSON.stringify({ ...request, body }, null, 2)}\n`
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(join(GOLDEN_FOLDER, `${name}.json`), text)
    expect(text).toBe(`${JSON.stringify({ ...request, body: expected }, null, 2)}\n`)
  },
)

/** Sends the request of a golden body to a new app, because each body contains the remaining quota. */
async function requestBody({ request, name: _, as, session, body: __, ...sent }: Golden) {
  const one = endpoint(endpointOf(request))
  const path = request.split(' ')[1] ?? ''
  const create = isCatalog(one) ? createTestApp : createContractApp
  const testApp = await create({ bulkFiles: path.startsWith('/v1/bulk-data') })
  if (path.includes('currency=EUR')) addPriceSources(testApp)
  // Gives the account some usage.
  if (session !== undefined) await testApp.client.get('/v1/sets', { as: session })
  const credentials = session === undefined ? { as } : await credentialsFor(testApp, one, 'pro')
  const reply = await call(testApp, one, { request: { path, ...sent }, ...credentials })
  expect(reply.status).toBe(one.status)
  if (!isFile(one) && !path.includes('format=csv')) return reply.body
  if (isCatalog(one)) return linesOf(reply.bytes)
  return reply.text.startsWith('{') ? JSON.parse(reply.text) : reply.text.split('\r\n')
}

/** Masks what a golden body masks. */
function copyMasks(expected: unknown, actual: unknown): unknown {
  if (expected === '…') return '…'
  if (Array.isArray(actual)) {
    const list = Array.isArray(expected) ? expected : []
    return actual.map((one, index) => copyMasks(list[index], one))
  }
  if (typeof actual !== 'object' || actual === null) return actual
  const members = new Map(Object.entries(expected ?? {}))
  return Object.fromEntries(
    Object.entries(actual).map(([name, one]) => [name, copyMasks(members.get(name), one)]),
  )
}

test('every endpoint has a golden body, and every golden body an endpoint', () => {
  const requested = new Set(GOLDEN.map(({ request }) => endpointOf(request)))
  expect([...requested].sort()).toEqual(ENDPOINTS.map(({ name }) => name).sort())
})

const INPUTS_FILE = join(import.meta.dir, 'inputs.txt')

// Otherwise, a limit that a declaration loses would also be lost to the tests derived from it.
test('inputs.txt has the statuses and the schemas of all requests', () => {
  const text = ENDPOINTS.map(
    ({ name, operation }) => `${name}\n${describeInput(operation)}\n`,
  ).join('')
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(INPUTS_FILE, text)
  expect(text).toBe(readFileSync(INPUTS_FILE, 'utf8'))
})

/** Renders a line for the statuses, for each parameter, and for each type of the body. */
function describeInput({ parameters, requestBody, responses }: Operation): string {
  const types = Object.entries(requestBody?.content ?? {})
  const body = requestBody?.required ? 'body' : 'optional body'
  return [
    `  statuses ${Object.keys(responses).join(' ')}`,
    ...parameters.map(({ name, required, schema }) => {
      return `  ${required ? 'required ' : ''}${name} ${renderSchema(schema)}`
    }),
    ...types.map(([type, { schema }]) => `  ${body} ${type} ${renderSchema(schema)}`),
  ].join('\n')
}

/** Renders a schema without its descriptions. */
function renderSchema(schema: Schema): string {
  return JSON.stringify(schema, (member, value) =>
    member === 'description' && typeof value === 'string' ? undefined : value,
  )
}

/** Splits a file into lines, and unpacks it. */
function linesOf(bytes: Uint8Array<ArrayBuffer>): string[] {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  return Buffer.from(isPacked ? gunzipSync(bytes) : bytes)
    .toString()
    .split('\n')
}
