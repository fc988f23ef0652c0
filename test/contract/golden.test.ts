import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openHouse } from '../support/house.ts'
import { call } from './account-calls.ts'
import { ACCOUNT_ENDPOINTS, ENDPOINTS, SCAN_ENDPOINTS } from './endpoints.ts'
import { callScan, identifiedBy } from './scan-calls.ts'

// One whole body of each endpoint, from the sample at the frozen hour. UPDATE_GOLDEN=1 writes them
// anew: what changes is then to be read in the diff.

const FOLDER = join(import.meta.dir, '../golden')

test.each(ENDPOINTS.map((endpoint) => [endpoint.golden.name, endpoint] as const))(
  'the body of %s is the one that was agreed',
  async (name, { golden, lowest }) => {
    // What is left of the quota is in the body, so each body comes from a house of its own.
    const house = await openHouse()
    const as = golden.as ?? (lowest === undefined ? undefined : 'business')
    const reply = await house.visitor.get(golden.path, { as })
    house.close()
    expect(reply.status).toBe(200)

    expectGolden(name, { request: `GET ${golden.path}`, ...(as && { as }), body: reply.body })
  },
)

test.each(ACCOUNT_ENDPOINTS.map((endpoint) => [endpoint.golden, endpoint] as const))(
  'the body of %s is the one that was agreed',
  async (name, endpoint) => {
    const house = await openHouse()
    await house.visitor.get('/v1/sets', { as: 'pro' })
    const session = endpoint.access === 'session' ? await house.enter('pro') : undefined
    const reply = await call(house, endpoint, { session })
    house.close()
    expect(reply.status).toBe(endpoint.status)

    const { method, sample } = endpoint
    const told = {
      request: `${method} ${sample.path}`,
      ...(session !== undefined && { session: 'pro' }),
      ...(sample.json !== undefined && { json: sample.json }),
      body: JSON.parse(reply.text, (member, value) => (RANDOM.has(member) ? '…' : value)),
    }
    expectGolden(name, told)
  },
)

test.each(SCAN_ENDPOINTS.map((endpoint) => [endpoint.golden, endpoint] as const))(
  'the body of %s is the one that was agreed',
  async (name, endpoint) => {
    const house = await openHouse()
    const id = await identifiedBy(house, 'pro')
    const { status, text } = await callScan(house, endpoint, { id, as: 'pro' })
    house.close()
    expect(status).toBe(200)

    const { method, sample } = endpoint
    const told = {
      request: `${method} ${sample.path}`,
      as: 'pro',
      ...(sample.json !== undefined && { json: sample.json }),
      body: JSON.parse(text, (_member, value) => (value === id ? '…' : value)),
    }
    if (endpoint.takesPhoto) told.body.data.id = '…'
    expectGolden(name, told)
  },
)

test('there is no golden body without an endpoint', () => {
  const files = readdirSync(FOLDER).sort()
  const names = [...ENDPOINTS.map(({ golden }) => golden.name)]
  for (const { golden } of [...ACCOUNT_ENDPOINTS, ...SCAN_ENDPOINTS]) names.push(golden)
  expect(files).toEqual(names.map((name) => `${name}.json`).sort())
})

/** Members of accounts and keys that are another one in each house. */
const RANDOM = new Set(['id', 'key', 'key_prefix', 'last4'])

function expectGolden(name: string, told: object): void {
  const file = join(FOLDER, `${name}.json`)
  const text = `${JSON.stringify(told, null, 2)}\n`
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, text)
  expect(existsSync(file)).toBe(true)
  expect(text).toBe(readFileSync(file, 'utf8'))
}
