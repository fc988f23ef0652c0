import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openHouse } from '../support/house.ts'
import { ENDPOINTS } from './endpoints.ts'

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

    const file = join(FOLDER, `${name}.json`)
    const told = { request: `GET ${golden.path}`, ...(as && { as }), body: reply.body }
    const text = `${JSON.stringify(told, null, 2)}\n`
    if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, text)
    expect(existsSync(file)).toBe(true)
    expect(text).toBe(readFileSync(file, 'utf8'))
  },
)

test('there is no golden body without an endpoint', () => {
  const files = readdirSync(FOLDER).sort()
  expect(files).toEqual(ENDPOINTS.map(({ golden }) => `${golden.name}.json`).sort())
})
