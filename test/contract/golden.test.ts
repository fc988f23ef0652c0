import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import packageJson from '../../package.json' with { type: 'json' }
import { createAlertTestApp, WEBHOOK_INPUT } from '../support/alerts/webhook-fixtures.ts'
import { addPriceSources } from '../support/pricing/price-sources.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { call, enterFor } from './account-calls.ts'
import { ALERT_APP, ALERT_ENDPOINTS, callAlert, createHeldAlerts } from './alert-endpoints.ts'
import { callCatalog, createAppFor, inView } from './catalog-calls.ts'
import { ACCOUNT_ENDPOINTS, ENDPOINTS, type Endpoint, PRICED, SCAN_ENDPOINTS } from './endpoints.ts'
import { callList, createHeldList, LIST_ENDPOINTS } from './list-endpoints.ts'
import { callScan, identifiedBy } from './scan-calls.ts'

// Complete bodies of all endpoints, from the sample at a frozen time. UPDATE_GOLDEN=1 rewrites them; review the diff.

const FOLDER = join(import.meta.dir, '../golden')

test.each(ENDPOINTS.map((endpoint) => [endpoint.golden.name, endpoint] as const))(
  'the body of %s equals its golden body',
  (_name, endpoint) => expectGoldenReply(endpoint, endpoint.golden),
)

const IN_EUROS = PRICED.map((endpoint) => {
  const { golden } = endpoint
  return { endpoint, made: inView(golden, 'currency=EUR'), name: `${golden.name}-eur` }
})

test.each(IN_EUROS.map((one) => [one.name, one] as const))(
  'the body of %s equals its golden body',
  (name, { endpoint, made }) => expectGoldenReply(endpoint, { ...made, name }, addPriceSources),
)

async function expectGoldenReply(
  endpoint: Endpoint,
  golden: Endpoint['golden'],
  prepare: (testApp: TestApp) => void = () => {},
): Promise<void> {
  const { method, lowest } = endpoint
  // Each body contains the remaining quota, so each comes from its own app.
  const testApp = await createAppFor(endpoint)
  prepare(testApp)
  const as = golden.as ?? (lowest === undefined ? undefined : 'business')
  const reply = await callCatalog(testApp, endpoint, { made: golden, as })
  testApp.close()
  expect(reply.status).toBe(200)

  const { name, as: _, path, ...sent } = golden
  const body = endpoint.file === undefined ? reply.body : linesOf(reply.bytes)
  const exchange = { request: `${method} ${path}`, ...(as && { as }), ...sent, body }
  expectGolden(name, exchange, COMPRESSED)
}

test.each(ACCOUNT_ENDPOINTS.map((endpoint) => [endpoint.golden, endpoint] as const))(
  'the body of %s equals its golden body',
  async (name, endpoint) => {
    const testApp = await createAlertTestApp()
    await testApp.client.get('/v1/sets', { as: 'pro' })
    const session =
      endpoint.access === 'session' ? await enterFor(testApp, endpoint, 'pro') : undefined
    const reply = await call(testApp, endpoint, { session })
    testApp.close()
    expect(reply.status).toBe(endpoint.status)

    const { method, sample } = endpoint
    const exchange = {
      request: `${method} ${sample.path}`,
      ...(session !== undefined && { session: 'pro' }),
      ...(sample.json !== undefined && { json: sample.json }),
      body: JSON.parse(reply.text, (member, value) =>
        (RANDOM.has(member) && value !== WEBHOOK_INPUT.url) ||
        (endpoint.file && IN_FILE.has(member)) ||
        value === packageJson.version
          ? '…'
          : value,
      ),
    }
    expectGolden(name, exchange, endpoint.operator && OF_MACHINE)
  },
)

test.each(SCAN_ENDPOINTS.map((endpoint) => [endpoint.golden, endpoint] as const))(
  'the body of %s equals its golden body',
  async (name, endpoint) => {
    const testApp = await createTestApp()
    const id = await identifiedBy(testApp, 'pro')
    const { status, text } = await callScan(testApp, endpoint, { id, as: 'pro' })
    testApp.close()
    expect(status).toBe(200)

    const { method, sample } = endpoint
    const exchange = {
      request: `${method} ${sample.path}`,
      as: 'pro',
      ...(sample.json !== undefined && { json: sample.json }),
      body: JSON.parse(text, (_member, value) => (value === id ? '…' : value)),
    }
    if (endpoint.takesPhoto) {
      for (const card of exchange.body.data.cards ?? [exchange.body.data]) card.id = '…'
    }
    expectGolden(name, exchange)
  },
)

test.each(LIST_ENDPOINTS.map((endpoint) => [endpoint.golden, endpoint] as const))(
  'the body of %s equals its golden body',
  async (name, endpoint) => {
    const testApp = await createTestApp()
    const held = await createHeldList(testApp, endpoint, 'pro')
    const { status, text } = await callList(testApp, endpoint, { held, as: 'pro' })
    testApp.close()
    expect(status).toBe(endpoint.status)
    const { path, ...sent } = endpoint.sample
    const isRandom = (member: string, value: unknown) =>
      OF_LIST.has(member) && typeof value === 'string'
    const mask = (member: string, value: unknown) => (isRandom(member, value) ? '…' : value)
    const body = endpoint.answers === undefined ? JSON.parse(text, mask) : text.split('\r\n')
    expectGolden(name, { request: `${endpoint.method} ${path}`, as: 'pro', ...sent, body })
  },
)

test.each(ALERT_ENDPOINTS.map((endpoint) => [endpoint.golden, endpoint] as const))(
  'the body of %s equals its golden body',
  async (name, endpoint) => {
    const testApp = await createTestApp(ALERT_APP)
    const held = await createHeldAlerts(testApp, 'pro')
    const { status, body } = await callAlert(testApp, endpoint, { held, as: 'pro' })
    testApp.close()
    expect(status).toBe(endpoint.status)
    const { path, ...sent } = endpoint.sample
    const request = `${endpoint.method} ${path}`
    expectGolden(name, { request, as: 'pro', ...sent, body }, OF_ALERTS)
  },
)

test('every golden body belongs to an endpoint', () => {
  const files = readdirSync(FOLDER).sort()
  const names = ENDPOINTS.map(({ golden }) => golden.name)
  names.push(...IN_EUROS.map(({ name }) => name))
  for (const { golden } of [
    ...ACCOUNT_ENDPOINTS,
    ...SCAN_ENDPOINTS,
    ...LIST_ENDPOINTS,
    ...ALERT_ENDPOINTS,
  ]) {
    names.push(golden)
  }
  expect(files).toEqual(names.map((name) => `${name}.json`).sort())
})

/** Members of accounts, keys, checkouts and watches that are another one in each app. */
const RANDOM = new Set(['id', 'webhook_id', 'key', 'key_prefix', 'last4', 'url', 'secret'])

/** Members of the file of an account that are another one in each app. */
const IN_FILE = new Set(['account_id', 'key_id', 'channel_id', 'message_id', 'detail'])

/** Members of the operator's status that are another one on each machine. */
const OF_MACHINE = new Set(['files', 'total_bytes', 'free_bytes'])

/** Texts in lists that are another one in each app. */
const OF_LIST = new Set(['id', 'item_id', 'token', 'url', 'identification_id', 'copied_from'])

/** Members of price alerts that are another one in each app. */
const OF_ALERTS = new Set(['id', 'source_id'])

/** Members that depend on the version of zlib. */
const COMPRESSED = new Set(['size', 'sha256'])

/** A file's lines, unpacked. */
function linesOf(bytes: Uint8Array<ArrayBuffer>): string[] {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  return Buffer.from(isPacked ? gunzipSync(bytes) : bytes)
    .toString()
    .split('\n')
}

function expectGolden(name: string, body: object, masked: ReadonlySet<string> = new Set()): void {
  const file = join(FOLDER, `${name}.json`)
  const mask = (member: string, value: unknown) => (masked.has(member) ? '…' : value)
  const text = `${JSON.stringify(body, mask, 2)}\n`
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, text)
  expect(existsSync(file)).toBe(true)
  expect(text).toBe(readFileSync(file, 'utf8'))
}
