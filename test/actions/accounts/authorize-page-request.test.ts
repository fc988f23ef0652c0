import { describe, expect, test } from 'bun:test'
import { createPageAuthorizer } from '#actions/accounts/authorize-page-request.ts'
import { createQuotaCharger } from '#actions/accounts/charge-quota.ts'
import { createTestApp } from '../../support/test-app.ts'

// What pages are let in for is tested over HTTP (test/http/pages/pages.test.ts). Here: what no endpoint needs yet.

describe('a visitor', () => {
  test('sends nothing by POST, be it of the catalog itself', async () => {
    const testApp = await createTestApp()
    const admit = createPageAuthorizer(testApp.deps, createQuotaCharger(testApp.deps))
    const ask = { session: undefined, address: '192.0.2.1', feature: 'catalog' } as const
    expect(admit({ ...ask, method: 'GET' }).tier).toBe('pro')
    expect(() => admit({ ...ask, method: 'POST' })).toThrow('send your API key')
    testApp.close()
  })
})
