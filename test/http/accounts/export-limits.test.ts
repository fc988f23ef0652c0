import { expect, test } from 'bun:test'
import { exportLimits } from '#actions/accounts/rate-limits.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp } from '../../support/test-app.ts'

test('files of an account are limited to sixty an hour, whatever they contain', async () => {
  const { client, deps, accountId, advance, createSession } = await createTestApp()
  const limits = exportLimits(await accountId('pro'))
  for (let file = 0; file < 57; file++) await deps.ledger.attempts.consume(limits, deps.now())
  const created = await client.post<{ id: string }>('/v1/scan-sessions', {}, { as: 'pro' })
  const collection = await client.post<{ id: string }>(
    '/v1/collections',
    { name: 'Box' },
    { as: 'pro' },
  )
  const session = await createSession('pro')
  const FILES = [
    () => client.get('/v1/auth/export', { session }),
    () => client.get('/v1/collections/export', { as: 'pro' }),
    () => client.get(`/v1/collections/${collection.body.data.id}/export`, { as: 'pro' }),
    () => client.get(`/v1/scan-sessions/${created.body.data.id}/export`, { as: 'pro' }),
  ]
  const statuses: number[] = []
  for (const get of FILES) statuses.push((await get()).status)
  expect(statuses).toEqual([200, 200, 200, 429])
  for (const get of FILES) {
    const refused = await get()
    expectRefusal(refused, 429, 'TOO_MANY_ATTEMPTS')
    expect(refused.headers.get('retry-after')).toBe('60')
  }
  expect((await client.get('/v1/collections/export', { as: 'free' })).status).toBe(200)
  advance(60_000)
  expect((await client.get('/v1/collections/export', { as: 'pro' })).status).toBe(200)
})
