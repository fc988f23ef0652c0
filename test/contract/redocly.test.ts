/** Redocly's linter accepts the API document. */
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { lintFromString, loadConfig } from '@redocly/openapi-core'
import { createTestApp } from '../support/test-app.ts'

test('the API document has no error and no warning of the linter', async () => {
  const testApp = await createTestApp()
  const { text: source } = await testApp.client.get('/openapi.json')
  const config = await loadConfig({ configPath: join(import.meta.dir, '../../redocly.yaml') })
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config })
  const found = problems.map(({ ruleId, message, location }) => {
    return `${ruleId}: ${message} (${location[0]?.pointer})`
  })
  expect(found).toEqual([])
})
