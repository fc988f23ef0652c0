import { afterEach, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { setOperator } from '#actions/accounts/manage-accounts.ts'
import { createSetupToken } from '#actions/accounts/set-up-operator.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp, PASSWORD, SETUP_TOKEN, type TestApp } from '../../support/test-app.ts'

const OWNER = { email: 'owner@shop.example', password: PASSWORD }

let open: TestApp[] = []
afterEach(() => {
  for (const one of open) one.close()
  open = []
})

async function openApp(env: Record<string, string> = {}, isNew = true): Promise<TestApp> {
  const testApp = await createTestApp({ env, isNew })
  open.push(testApp)
  return testApp
}

const setUp = ({ client }: TestApp, input: object = {}) =>
  client.post('/v1/auth/setup', { token: SETUP_TOKEN, ...OWNER, ...input })

/** Returns the session in a login response. */
const sessionOf = ({ headers }: { headers: Headers }) =>
  /session=([^;]+)/.exec(headers.get('set-cookie') ?? '')?.[1] ?? ''

const change = ({ client }: TestApp, session: string, json: object) =>
  client.post('/v1/operator/settings', json, { session })

/** Serves a mirror from files on a local server. */
function serveMirror(files: Record<string, string>) {
  const server = Bun.serve({
    port: 0,
    fetch({ url }) {
      const body = files[new URL(url).pathname.slice(1)]
      return body === undefined ? new Response('', { status: 404 }) : new Response(body)
    },
  })
  return { url: `http://127.0.0.1:${server.port}`, close: () => server.stop(true) }
}

const SAMPLE = join(import.meta.dir, '../../../data/sample')

describe('the first operator', () => {
  test('proves with the token to own the server, and is logged in with all features', async () => {
    const testApp = await openApp()
    expectRefusal(await setUp(testApp, { token: `${SETUP_TOKEN}x` }), 401, 'SETUP_TOKEN_INVALID')
    const made = await setUp(testApp)
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({ is_operator: true, tier: 'business' })
    const me = await testApp.client.get('/v1/auth/me', { session: sessionOf(made) })
    expect(me.body.data).toMatchObject({ email: OWNER.email, is_operator: true })
    expect(JSON.stringify(testApp.log)).not.toContain(SETUP_TOKEN)
  })

  test('is one of several people who try concurrently', async () => {
    const testApp = await openApp()
    const emails = ['a', 'b', 'c', 'd'].map((name) => `${name}@shop.example`)
    const replies = await Promise.all(emails.map((email) => setUp(testApp, { email })))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
    const accounts = await testApp.deps.ledger.accounts.list()
    expect(accounts.filter(({ is_operator }) => is_operator)).toHaveLength(1)
    expectRefusal(await setUp(testApp, { email: 'late@shop.example' }), 409, 'SETUP_DONE')
  })

  test('is made once: no token is valid afterwards, even if the account is deleted', async () => {
    const testApp = await openApp()
    const { client, deps } = testApp
    const earlier = (await createSetupToken(deps)) ?? ''
    const session = sessionOf(await setUp(testApp))
    await change(testApp, session, { mode: 'private', finish: true })
    expect((await client.post('/v1/auth/delete', OWNER, { session })).status).toBe(200)
    for (const token of [SETUP_TOKEN, earlier]) {
      const email = 'again@shop.example'
      const refused = await setUp(testApp, { token, email })
      expectRefusal(refused, 409, 'SETUP_DONE')
      expect(refused.body.error.message).toContain('bun run admin account operator')
    }
    expect(await createSetupToken(deps)).toBeUndefined()
    await testApp.makeOperator('pro')
    expect((await change(testApp, await testApp.createSession('pro'), {})).status).toBe(200)
  })

  test('can use the token of an earlier start, until there is an operator', async () => {
    const testApp = await openApp()
    const later = (await createSetupToken(testApp.deps)) ?? ''
    expect(later).toMatch(/^[\w-]{22}$/)
    expect(later).not.toBe(await createSetupToken(testApp.deps))
    const reply = await setUp(testApp)
    expect(reply.status).toBe(201)
    expectRefusal(
      await setUp(testApp, { token: later, email: 'b@shop.example' }),
      409,
      'SETUP_DONE',
    )
    // Also if the operator is gone before the setup is finished.
    await testApp.client.post('/v1/auth/delete', OWNER, { session: sessionOf(reply) })
    expectRefusal(await setUp(testApp, { token: later }), 401, 'SETUP_TOKEN_INVALID')
    const token = await createSetupToken(testApp.deps)
    expect((await setUp(testApp, { token, email: 'c@shop.example' })).status).toBe(201)
  })

  test('has an address of its own, and a password like any account', async () => {
    const testApp = await openApp()
    expectRefusal(await setUp(testApp, { email: 'free@guests.example' }), 409, 'EMAIL_TAKEN')
    expect((await setUp(testApp, { password: 'short' })).status).toBe(400)
    expect((await setUp(testApp)).status).toBe(201)
  })
})

test('the API works before the setup as after it', async () => {
  const testApp = await openApp()
  expect((await testApp.client.get('/v1/games', { as: 'free' })).status).toBe(200)
  const account = { email: 'new@guests.example', password: PASSWORD }
  expect((await testApp.client.post('/v1/auth/register', account)).status).toBe(201)
  expect((await testApp.client.get('/v1/plans')).body.data.provider).toBe('manual')
})

describe('settings', () => {
  test('take effect at once: a private server has no limits, registration, visitors or plans', async () => {
    const testApp = await openApp()
    const session = sessionOf(await setUp(testApp))
    const { client } = testApp
    const visit = () => client.get('/v1/cards/900003', { headers: { 'x-cardstock-page': '1' } })
    expect((await client.get('/v1/prices/top-movers', { as: 'exhausted' })).status).toBe(429)
    const changed = await change(testApp, session, { mode: 'private' })
    expect(changed.body.data.mode).toEqual({ value: 'private', source: 'stored' })

    const free = await client.get('/v1/sets/90022/prices', { as: 'free' })
    expect(free.status).toBe(200)
    expect(free.body.rate_limit.daily_limit).toBe(1_000_000_000)
    expect((await client.get('/v1/prices/top-movers', { as: 'exhausted' })).status).toBe(200)
    const account = { email: 'new@guests.example', password: PASSWORD }
    const registered = await client.post('/v1/auth/register', account)
    expect(registered.body.error.code).toBe('REGISTRATION_CLOSED')
    expect((await client.get('/v1/plans')).body.data.provider).toBe('off')
    expect((await visit()).status).toBe(401)

    await change(testApp, session, { mode: 'community' })
    expect((await client.get('/v1/prices/top-movers', { as: 'exhausted' })).status).toBe(429)
    expect((await client.get('/v1/sets/90022/prices', { as: 'free' })).status).toBe(403)
    await change(testApp, session, { mode: 'business' })
    expect((await client.get('/v1/plans')).body.data.provider).toBe('manual')
  })

  test('private keep the limits of accounts that people have registered themselves, and list them', async () => {
    const testApp = await openApp()
    const { client, deps } = testApp
    const account = { email: 'first@strangers.example', password: PASSWORD }
    expect((await client.post('/v1/auth/register', account)).status).toBe(201)
    const by = { session: sessionOf(await client.post('/v1/auth/login', account)) }
    const key = await client.post<{ key: string }>('/v1/keys', { name: 'key' }, by)
    const headers = { 'x-api-key': key.body.data.key }
    const limitsOf = async () => {
      const me = await client.get('/v1/auth/me', by)
      const list = await client.get('/v1/games', { headers })
      const prices = await client.get('/v1/sets/90022/prices', { headers })
      const collections = await client.get('/v1/collections', { headers })
      const alerts = await client.get('/v1/alerts', { headers })
      const { tier, is_unlimited } = me.body.data
      const maxima = [collections.body.meta, alerts.body.meta]
      return [tier, is_unlimited, list.body.rate_limit.daily_limit, prices.status, maxima]
    }
    const limited = [
      expect.objectContaining({ collections_max: 1, items_max: 500 }),
      expect.objectContaining({ alerts_max: 25 }),
    ]
    const unlimited = [
      expect.objectContaining({ collections_max: null, items_max: null }),
      expect.objectContaining({ alerts_max: null }),
    ]
    const session = sessionOf(await setUp(testApp))
    const changed = await change(testApp, session, { mode: 'private' })
    expect(changed.body.data.registered_accounts).toEqual({
      accounts: [expect.objectContaining({ email: 'first@strangers.example' })],
      has_more: false,
    })
    expect(await limitsOf()).toEqual(['free', false, 100, 403, limited])
    const full = await client.request('POST', '/v1/identify', {
      headers: { ...headers, 'content-type': 'image/jpeg' },
      body: await Bun.file(join(SAMPLE, 'photos/clean.jpg')).bytes(),
    })
    expect([full.status, full.body.meta.scans_remaining]).toEqual([200, 24])

    await setOperator(deps, { email: 'first@strangers.example', is_operator: true })
    expect(await limitsOf()).toEqual(['business', true, 1_000_000_000, 200, unlimited])
    const { body } = await client.get('/v1/operator/settings', { session })
    expect(body.data.registered_accounts).toEqual({ accounts: [], has_more: false })
  })

  test('of the environment cannot be changed, and win', async () => {
    const env = {
      SERVICE_MODE: 'community',
      UPSTREAM_URL: 'https://own.example',
      INDEX_PICTURES: 'off',
      EXCHANGE_RATES_URL: 'https://bank.example/rates.xml',
    }
    const testApp = await openApp(env)
    const session = sessionOf(await setUp(testApp))
    for (const json of [
      { mode: 'private' },
      { mirror: '' },
      { index_pictures: true },
      { exchange_rates: false },
    ]) {
      expectRefusal(await change(testApp, session, json), 409, 'SETTING_FIXED')
    }
    const { body } = await testApp.client.get('/v1/operator/settings', { session })
    expect(body.data).toMatchObject({
      mode: { value: 'community', source: 'environment' },
      mirror: { value: 'own.example', source: 'environment' },
      index_pictures: { value: false, source: 'environment' },
      exchange_rates: { value: true, source: 'environment' },
      is_finished: false,
      has_sample: true,
    })
  })

  test('fetch the rates of the European Central Bank, or no longer', async () => {
    const testApp = await openApp()
    const session = sessionOf(await setUp(testApp))
    const { body } = await testApp.client.get('/v1/operator/settings', { session })
    expect(body.data.exchange_rates).toEqual({ value: false, source: 'default' })
    for (const value of [true, false]) {
      const { body } = await change(testApp, session, { exchange_rates: value })
      expect(body.data.exchange_rates).toEqual({ value, source: 'stored' })
      const { exchangeRatesUrl } = testApp.deps.config
      expect(exchangeRatesUrl?.startsWith('https://www.ecb.europa.eu/')).toBe(value || undefined)
    }
  })

  test('take a mirror that can be read, and name the reason if it cannot', async () => {
    const testApp = await openApp()
    const session = sessionOf(await setUp(testApp))
    const read = (name: string) => Bun.file(join(SAMPLE, name)).text()
    const [time, games] = await Promise.all([
      read('last-updated.txt'),
      read('tcgplayer/categories'),
    ])
    const whole = serveMirror({ 'last-updated.txt': time, 'tcgplayer/categories': games })
    const half = serveMirror({ 'last-updated.txt': time })
    const other = serveMirror({ 'last-updated.txt': '<html>' })
    const empty = serveMirror({
      'last-updated.txt': time,
      'tcgplayer/categories': '{"results":[]}',
    })
    try {
      for (const { url } of [half, other, empty, { url: 'http://127.0.0.1:1' }]) {
        const refused = await change(testApp, session, { mirror: url })
        expect([url, refused.body.error.code]).toEqual([url, 'MIRROR_UNUSABLE'])
        expect(refused.body.error.message).toStartWith('The mirror cannot be used: ')
      }
      const folder = await change(testApp, session, { mirror: `file://${SAMPLE}` })
      expect([folder.status, folder.body.error.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(testApp.deps.config.upstreamUrl).toBeUndefined()

      const taken = await change(testApp, session, { mirror: `${whole.url}/`, remove_sample: true })
      expect(taken.body.data.mirror).toEqual({ value: whole.url.slice(7), source: 'stored' })
      expect(testApp.deps.config).toMatchObject({ upstreamUrl: whole.url, removesSample: true })
    } finally {
      for (const { close } of [whole, half, other, empty]) close()
    }
  })

  test('are for operators, are in the audit log, and end the setup', async () => {
    const testApp = await openApp()
    const session = sessionOf(await setUp(testApp))
    const stranger = await testApp.createSession('business')
    expect((await change(testApp, stranger, { finish: true })).status).toBe(403)
    await change(testApp, session, { mode: 'business', finish: true })
    const { body } = await testApp.client.get('/v1/operator/settings', { session })
    expect(body.data.is_finished).toBe(true)
    const [entry] = await testApp.deps.ledger.audit.list(1)
    expect(entry).toMatchObject({ event: 'settings_changed', detail: 'mode, isSetUp' })
  })
})

test('a private server reads photos without end, and each is in the ledger', async () => {
  const testApp = await openApp({ SERVICE_MODE: 'private' }, false)
  const { ledger } = testApp.deps
  const account = await ledger.accounts.getByEmail('free@guests.example')
  const image = await Bun.file(join(SAMPLE, 'photos/clean.jpg')).bytes()
  const headers = { 'content-type': 'image/jpeg' }
  for (let index = 0; index < 30; index++) {
    const reply = await testApp.client.request('POST', '/v1/identify', {
      as: 'free',
      headers,
      body: image,
    })
    expect(reply.status).toBe(200)
  }
  const { balance } = await ledger.accounts.getScans(account?.id ?? 0)
  expect(balance).toBe(25 + 1_000 - 30)
  expect(await ledger.scans.listUnbalanced()).toEqual([])
})
