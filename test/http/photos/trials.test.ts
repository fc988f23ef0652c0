// Trial scans of new accounts, limited per client network and day.

import { afterEach, expect, test } from 'bun:test'
import { grantScans } from '#actions/photos/maintain-scans.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { fakeReader, OBSERVATION, PHOTO } from '../../support/photos/reader-fixtures.ts'
import { createTestApp, emailOf, type TestApp, type TestUser } from '../../support/test-app.ts'

let testApp: TestApp
const reader = fakeReader()
afterEach(() => reader.script(() => OBSERVATION))

const start = async (TRIALS_PER_IP: string, env: Record<string, string> = {}) => {
  testApp = await createTestApp({ reader, env: { TRUST_PROXY: '1', TRIALS_PER_IP, ...env } })
}

async function identify(as: TestUser, address: string, headers: Record<string, string> = {}) {
  const {
    status,
    body,
    headers: sent,
  } = await testApp.client.request('POST', '/v1/identify', {
    as,
    body: PHOTO.jpeg,
    headers: { 'content-type': 'image/jpeg', 'x-forwarded-for': address, ...headers },
  })
  const outcome: unknown = body.error?.code ?? status
  return { outcome, retryAfter: Number(sent.get('retry-after')) }
}

const outcomeOf = async (as: TestUser, address: string) => (await identify(as, address)).outcome

async function usage(as: TestUser) {
  const { body } = await testApp.client.request<{ trial_pending: boolean; balance: number }>(
    'GET',
    '/v1/identify/usage',
    { as },
  )
  return [body.data.trial_pending, body.data.balance]
}

test('an address starts a limited number of trials a day', async () => {
  await start('1')
  expect(await outcomeOf('free', '192.0.2.1')).toBe(200)
  const { outcome, retryAfter } = await identify('hobby', '192.0.2.1')
  expect([outcome, retryAfter]).toEqual(['SCAN_BALANCE_EMPTY', 86_400])
  expect(await usage('hobby')).toEqual([true, 0])
  // A trial that has started continues.
  expect(await outcomeOf('free', '192.0.2.1')).toBe(200)
  expect(await outcomeOf('hobby', '198.51.100.7')).toBe(200)
  testApp.advance(86_400_000)
  expect(await outcomeOf('starter', '192.0.2.1')).toBe(200)
})

test.each([
  ['an IPv4 /24', (host: number) => `192.0.2.${host}`, '198.51.100.1', 4],
  ['an IPv6 /64', (host: number) => `2001:db8:1:1::${host}`, '2001:db8:9::1', 1],
  ['an IPv6 /56', (host: number) => `2001:db8:1:${host}::1`, '2001:db8:9::1', 2],
  ['an IPv6 /48', (host: number) => `2001:db8:1:${host}00::1`, '2001:db8:9::1', 4],
])('%s starts a limited number of trials', async (_network, address, elsewhere, limit) => {
  await start('1')
  const users = ['free', 'hobby', 'starter', 'pro', 'business'] as const
  const outcomes: unknown[] = []
  for (const [host, user] of users.entries())
    outcomes.push(await outcomeOf(user, address(host + 1)))
  expect(outcomes).toEqual(users.map((_, host) => (host < limit ? 200 : 'SCAN_BALANCE_EMPTY')))
  expect(await outcomeOf('business', elsewhere)).toBe(200)
})

test('a rejected photo does not count its account twice', async () => {
  await start('1')
  reader.script(() => {
    throw new ServiceError('INVALID_IMAGE', 'The image could not be decoded.')
  })
  expect(await outcomeOf('free', '192.0.2.1')).toBe('INVALID_IMAGE')
  reader.script(() => OBSERVATION)
  expect(await usage('free')).toEqual([true, 0])
  expect(await outcomeOf('free', '192.0.2.1')).toBe(200)
  expect(await usage('free')).toEqual([false, 24])
})

test('other scans can be used while the trial is not available', async () => {
  await start('1')
  expect(await outcomeOf('free', '192.0.2.1')).toBe(200)
  await grantScans(testApp.deps, { email: emailOf('hobby'), scans: 2 })
  expect(await outcomeOf('hobby', '192.0.2.1')).toBe(200)
  expect(await usage('hobby')).toEqual([true, 1])
})

test('a photo from a blocked country does not evade the limit', async () => {
  await start('1', { IDENTIFY_BLOCKED_COUNTRIES: 'FR' })
  expect(await outcomeOf('free', '192.0.2.1')).toBe(200)
  const blocked = await identify('hobby', '192.0.2.1', { 'cf-ipcountry': 'FR' })
  expect(blocked.outcome).toBe('IDENTIFY_REGION_UNAVAILABLE')
  expect(await outcomeOf('hobby', '192.0.2.1')).toBe('SCAN_BALANCE_EMPTY')
})

test('a limit of 0 disables it', async () => {
  await start('0')
  for (const user of ['free', 'hobby', 'starter', 'pro', 'business'] as const) {
    expect(await outcomeOf(user, '192.0.2.1')).toBe(200)
  }
})
