/** Bodies with unknown members. */
import { describe, expect, test } from 'bun:test'
import { createTestApp, PASSWORD } from '../../support/test-app.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

describe('unknown members', () => {
  test('are ignored, whatever their names', async () => {
    const testApp = await createTestApp()
    const session = await testApp.createSession('pro')
    const body =
      '{"name":"Shop","tier":"business","account_id":1,"id":"mine","key":"tcg_live_mine",' +
      '"is_active":false,"__proto__":{"name":"Other"},"constructor":{"prototype":{"name":"Other"}}}'
    const request = { session, body, headers: JSON_TYPE }
    const { status, body: reply } = await testApp.client.request('POST', '/v1/keys', request)
    expect([status, reply.data.name, reply.data.is_active]).toEqual([201, 'Shop', true])
    expect(reply.data.key).toMatch(/^tcg_live_[0-9A-Za-z]{38}$/)
    expect(Object.keys({})).toEqual([])
    expect(({} as { name?: string }).name).toBeUndefined()

    const json = { email: 'new@guests.example', password: PASSWORD, tier: 'business', id: 1 }
    const registered = await testApp.client.post('/v1/auth/register', json)
    expect([registered.status, registered.body.data.tier]).toEqual([201, 'free'])
  })

  test('that a prototype has are not values', async () => {
    const testApp = await createTestApp()
    const session = await testApp.createSession('pro')
    const request = { session, body: '{"__proto__":{"name":"Other"}}', headers: JSON_TYPE }
    const { status, body } = await testApp.client.request('POST', '/v1/keys', request)
    expect([status, body.data.name]).toEqual([201, 'Default'])
  })

  test('that are duplicated count with the last value', async () => {
    const testApp = await createTestApp()
    const session = await testApp.createSession('pro')
    const request = { session, body: '{"name":"One","name":"Two"}', headers: JSON_TYPE }
    const { body } = await testApp.client.request('POST', '/v1/keys', request)
    expect(body.data.name).toBe('Two')
  })
})
