/** The types of the client match the API document. */
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderClientTypes } from '../../scripts/tools/generate-client.ts'
import { createTestApp } from '../support/test-app.ts'

const FILE = join(import.meta.dir, '../../src/client/endpoints.ts')

test('src/client/endpoints.ts is up to date (run `bun scripts/tools/generate-client.ts`)', async () => {
  const testApp = await createTestApp()
  const { text } = await testApp.client.get('/openapi.json')
  // A difference would be thousands of lines long.
  expect(readFileSync(FILE, 'utf8') === (await renderClientTypes(JSON.parse(text)))).toBe(true)
})
