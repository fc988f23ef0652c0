import { describe, expect, test } from 'bun:test'
import { createPageAuthorizer } from '#actions/accounts/authorize-page-request.ts'
import { createQuotaCharger } from '#actions/accounts/charge-quota.ts'
import { createTestApp } from '../../support/test-app.ts'

// Page authorization is tested over HTTP (test/http/pages/pages.test.ts). This file has a case that no endpoint has
// yet.

describe('a visitor', () => {
  test('may send no POST, not even for the catalog', async () => {
    const testApp = await createTestApp()
    const authorize = createPageAuthorizer(testApp.deps, createQuotaCharger(testApp.deps))
    const pageRequest = { session: undefined, address: '192.0.2.1', feature: 'catalog' } as const
    expect(authorize({ ...pageRequest, method: 'GET' }).tier).toBe('pro')
    expect(() => authorize({ ...pageRequest, method: 'POST' })).toThrow('send your API key')
    testApp.close()
  })
})
