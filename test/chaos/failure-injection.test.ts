// Random operations on accounts, sessions, keys, webhooks and quotas: the service must agree with a short model.
// Calls, keys and sessions use HTTP; operations that hash passwords are called as actions, with cheap hashes.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { changePassword, logIn } from '#actions/accounts/log-in.ts'
import { changeTier } from '#actions/accounts/manage-accounts.ts'
import { authenticateSession } from '#actions/accounts/manage-sessions.ts'
import { registerAccount } from '#actions/accounts/register-account.ts'
import { readConfig } from '#config.ts'
import { DAILY_REQUESTS, isTierAtLeast, type Tier } from '#rules/accounts/tiers.ts'
import { dayOf } from '#rules/primitives/days.ts'
import { describeOutcome, fastPasswords } from '../support/accounts/fast-passwords.ts'
import { sizedFor } from '../support/chaos.ts'
import { createTestApp, FROZEN_TIME, type TestApp } from '../support/test-app.ts'

const DAY_MS = 86_400_000
const IDLE_MS = 7 * DAY_MS
const LIFETIME_MS = 30 * DAY_MS
const SEEN_EVERY_MS = 300_000
const SESSIONS_MAX = 20
const KEYS_MAX = 25

/** Requests with the required tier, and the status if nothing rejects them. */
const CALLS = [
  { path: '/v1/sets/90011', needs: 'free', status: 200 },
  { path: '/v1/sets/1', needs: 'free', status: 404 },
  { path: '/v1/sets/90011/cards?page=none', needs: 'free', status: 400 },
  { path: '/v1/cards/900201/history', needs: 'hobby', status: 200 },
  { path: '/v1/sets/90011/prices', needs: 'starter', status: 200 },
] as const

type AccountModel = {
  id: number
  email: string
  password: string
  tier: Tier
  /** Charged requests by day, and those that another server has leased. */
  used: Map<number, number>
  elsewhere: Map<number, number>
}
type SessionModel = {
  token: string
  account: AccountModel
  created: number
  seen: number
  ended: boolean
}
type KeyModel = {
  id: string
  key: string
  account: AccountModel
  active: boolean
  used: Map<number, number>
}
type WatchModel = { id: string; account: AccountModel; threshold: number; paused: boolean }
type Model = {
  now: number
  accounts: AccountModel[]
  sessions: SessionModel[]
  keys: KeyModel[]
  watches: WatchModel[]
}

type Real = ReturnType<typeof openReal>
type Command = fc.AsyncCommand<Model, Real>

let testApps: TestApp[]
let runs = 0

beforeAll(async () => {
  testApps = [await createTestApp(), await createTestApp({ onDisk: true })]
})
afterAll(() => {
  for (const testApp of testApps) testApp.close()
})

/** Opens a part of an app for this run alone, with its own addresses and time. */
function openReal(testApp: TestApp) {
  const run = runs++
  // No run sees the days of another one: quotas belong to accounts, but the clock belongs to the app.
  let now = Date.parse(FROZEN_TIME) + run * 400 * DAY_MS
  const { passwords } = fastPasswords()
  const config = readConfig({
    LOGIN_FAILURES_PER_EMAIL_AND_IP: '0',
    LOGIN_FAILURES_PER_EMAIL: '0',
    LOGIN_FAILURES_PER_IP: '0',
    REGISTRATIONS_PER_IP: '0',
  })
  const { ledger, secrets } = testApp.deps
  const deps = { ledger, config, secrets, now: () => new Date(now) }
  const address = '192.0.2.7'
  const set = (time: number) => {
    now = time
    testApp.setClock(new Date(now).toISOString())
  }
  set(now)
  return {
    ledger,
    start: now,
    set,
    emailOf: (name: number) => `${name}-${run}@model.example`,
    register: (email: string, password: string) =>
      registerAccount(deps, passwords, { email, password, tier: 'free', address }),
    async login(email: string, password: string, token: string | undefined) {
      const session = token === undefined ? undefined : await authenticateSession(deps, token)
      return logIn(deps, passwords, { email, password, address, session })
    },
    async changePassword(token: string, current: string, wanted: string) {
      const session = await authenticateSession(deps, token)
      return session && changePassword(deps, passwords, { session, current, wanted, address })
    },
    changeTier: (email: string, tier: Tier) => changeTier(deps, { email, tier }),
    /** Leases quota as another server would. */
    async takeElsewhere(account: AccountModel, wanted: number): Promise<number> {
      const limit = DAILY_REQUESTS[account.tier]
      const claim = { limit, wanted, needed: wanted }
      return (await ledger.usage.lease(account.id, dayOf(new Date(now)), claim)).granted
    },
    async request(method: string, path: string, headers: Record<string, string>, body?: object) {
      const response = await testApp.app.handle(
        new Request(`http://localhost${path}`, {
          method,
          headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
        }),
      )
      return { status: response.status, body: JSON.parse((await response.text()) || '{}') }
    },
  }
}

function command(
  name: string,
  check: (model: Model) => boolean,
  run: (model: Model, real: Real) => Promise<void>,
): Command {
  return { check: (model) => check(model), run, toString: () => name }
}

const pick = <T>(from: readonly T[], at: number): T => {
  const one = from[at % from.length]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}

const today = (model: Model) => dayOf(new Date(model.now))
const of = (counts: Map<number, number>, day: number) => counts.get(day) ?? 0
const add = (counts: Map<number, number>, day: number, count: number) =>
  void counts.set(day, of(counts, day) + count)

/** Returns true if a session is valid, and marks it as used. */
function use(model: Model, session: SessionModel): boolean {
  const { created, seen } = session
  const holds = !session.ended && model.now < Math.min(created + LIFETIME_MS, seen + IDLE_MS)
  if (holds && model.now - seen >= SEEN_EVERY_MS) session.seen = model.now
  return holds
}

function begin(model: Model, account: AccountModel, token: string): void {
  // Expired sessions count until they are deleted.
  const others = model.sessions.filter((one) => one.account === account && !one.ended)
  const newest = others
    .map((one, at) => ({ one, at }))
    .sort((a, b) => b.one.seen - a.one.seen || b.at - a.at)
  for (const { one } of newest.slice(SESSIONS_MAX - 1)) one.ended = true
  const session = { token, account, created: model.now, seen: model.now, ended: false }
  model.sessions.push(session)
}

/** Picks a session, and tells whether it is valid; that uses it. */
function useOf(model: Model, at: number) {
  const session = pick(model.sessions, at)
  return { session, account: session.account, holds: use(model, session) }
}

/** The status of a change to something of an account, by this session. */
function statusOfChange(model: Model, at: number, owner: AccountModel) {
  const { session, account, holds } = useOf(model, at)
  return { session, status: holds ? (owner === account ? 200 : 404) : 401 }
}

const cookieOf = ({ token }: SessionModel) => ({ cookie: `session=${token}` })

const hasAccounts = (model: Model) => model.accounts.length > 0
const hasSessions = (model: Model) => model.sessions.length > 0
const hasKeys = (model: Model) => model.keys.length > 0

const number = fc.nat({ max: 1_000 })
const name = fc.nat({ max: 2 })

const register = fc.tuple(name, fc.boolean()).map(([at, shouts]) =>
  command(
    `register ${at}${shouts ? ' in capitals' : ''}`,
    () => true,
    async (model, real) => {
      const email = real.emailOf(at)
      const isTaken = model.accounts.some((account) => account.email === email)
      const password = `the password of ${at}`
      const typed = shouts && isTaken ? email.toUpperCase() : email
      const registered = real.register(typed, password)
      expect(await describeOutcome(registered)).toBe(isTaken ? 'EMAIL_TAKEN' : 'done')
      if (isTaken) return
      const { id } = await registered
      const fresh = { used: new Map<number, number>(), elsewhere: new Map<number, number>() }
      model.accounts.push({ id, email, password, tier: 'free', ...fresh })
    },
  ),
)

const login = fc
  .tuple(number, fc.boolean(), fc.option(number, { freq: 3 }))
  .map(([at, isRight, from]) =>
    command(
      `log in ${isRight ? 'rightly' : 'wrongly'}${from === null ? '' : ` with session ${from}`}`,
      hasAccounts,
      async (model, real) => {
        const account = pick(model.accounts, at)
        const had = from === null || !hasSessions(model) ? undefined : pick(model.sessions, from)
        const replaces = had !== undefined && use(model, had) ? had : undefined
        const password = isRight ? account.password : `${account.password}!`
        const login = real.login(account.email, password, had?.token)
        expect(await describeOutcome(login)).toBe(isRight ? 'done' : 'INVALID_CREDENTIALS')
        if (!isRight) return
        if (replaces !== undefined) replaces.ended = true
        begin(model, account, (await login).token)
      },
    ),
  )

const logout = fc.tuple(number, fc.boolean()).map(([at, all]) =>
  command(
    `log out${all ? ' everywhere' : ''} with session ${at}`,
    hasSessions,
    async (model, real) => {
      const { session, holds } = useOf(model, at)
      const path = `/v1/auth/logout${all ? '?all=true' : ''}`
      const { status, body } = await real.request('POST', path, cookieOf(session))
      expect([status, body.data]).toEqual([200, { logged_out: holds }])
      if (!holds) return
      session.ended = true
      for (const one of model.sessions) if (all && one.account === session.account) one.ended = true
    },
  ),
)

const changePasswords = fc.tuple(number, fc.boolean()).map(([at, isRight]) =>
  command(
    `change the password ${isRight ? 'rightly' : 'wrongly'} with session ${at}`,
    hasSessions,
    async (model, real) => {
      const { session, account, holds } = useOf(model, at)
      const wanted = `${account.password}+`
      const current = isRight ? account.password : `${account.password}!`
      const changed = real.changePassword(session.token, current, wanted)
      expect(await describeOutcome(changed)).toBe(
        holds && !isRight ? 'INVALID_CREDENTIALS' : 'done',
      )
      if (!holds || !isRight) return
      account.password = wanted
      for (const one of model.sessions) if (one.account === account) one.ended = true
      begin(model, account, (await changed) ?? '')
    },
  ),
)

const makeKey = number.map((at) =>
  command(`make a key with session ${at}`, hasSessions, async (model, real) => {
    const { session, account, holds } = useOf(model, at)
    const active = model.keys.filter((key) => key.account === account && key.active).length
    const status = holds ? (active < KEYS_MAX ? 201 : 409) : 401
    const made = await real.request('POST', '/v1/keys', cookieOf(session), { name: 'Shop' })
    expect(made.status).toBe(status)
    if (status !== 201) return
    const { id, key } = made.body.data
    model.keys.push({ id, key, account, active: true, used: new Map() })
  }),
)

const revokeKey = fc.tuple(number, number).map(([at, which]) =>
  command(
    `revoke key ${which} with session ${at}`,
    (model) => hasSessions(model) && hasKeys(model),
    async (model, real) => {
      const key = pick(model.keys, which)
      const { session, status } = statusOfChange(model, at, key.account)
      const revoked = await real.request('DELETE', `/v1/keys/${key.id}`, cookieOf(session))
      expect(revoked.status).toBe(status)
      if (status === 200) key.active = false
    },
  ),
)

const WATCHED = { url: 'https://shop.example/', card_id: 900201, condition: 'above' } as const

const makeWatch = fc.tuple(number, fc.integer({ min: 1, max: 99_999 })).map(([at, cents]) =>
  command(`watch a price with session ${at}`, hasSessions, async (model, real) => {
    const { session, account, holds } = useOf(model, at)
    const status = holds ? (isTierAtLeast(account.tier, 'pro') ? 201 : 403) : 401
    const threshold = cents / 100
    const input = { ...WATCHED, threshold }
    const made = await real.request('POST', '/v1/webhooks', cookieOf(session), input)
    expect(made.status).toBe(status)
    if (status !== 201) return
    model.watches.push({ id: made.body.data.id, account, threshold, paused: false })
  }),
)

const changeWatch = fc.tuple(number, number, fc.boolean()).map(([at, which, paused]) =>
  command(
    `${paused ? 'pause' : 'resume'} watch ${which} with session ${at}`,
    (model) => hasSessions(model) && model.watches.length > 0,
    async (model, real) => {
      const watch = pick(model.watches, which)
      const { session, status } = statusOfChange(model, at, watch.account)
      const path = `/v1/webhooks/${watch.id}`
      const changed = await real.request('PATCH', path, cookieOf(session), { paused })
      expect(changed.status).toBe(status)
      if (status === 200) watch.paused = paused
    },
  ),
)

const endWatch = fc.tuple(number, number).map(([at, which]) =>
  command(
    `end watch ${which} with session ${at}`,
    (model) => hasSessions(model) && model.watches.length > 0,
    async (model, real) => {
      const watch = pick(model.watches, which)
      const { session, status } = statusOfChange(model, at, watch.account)
      const ended = await real.request('DELETE', `/v1/webhooks/${watch.id}`, cookieOf(session))
      expect(ended.status).toBe(status)
      if (status === 200) model.watches.splice(model.watches.indexOf(watch), 1)
    },
  ),
)

const lookAtWatches = number.map((at) =>
  command(`look at the watches with session ${at}`, hasSessions, async (model, real) => {
    const { session, account, holds } = useOf(model, at)
    const { status, body } = await real.request('GET', '/v1/webhooks', cookieOf(session))
    expect(status).toBe(holds ? 200 : 401)
    if (!holds) return
    const own = model.watches.filter((watch) => watch.account === account)
    expect(body.data).toHaveLength(own.length)
    for (const { id, threshold, paused } of own) {
      const listed = body.data.find((one: { id: string }) => one.id === id)
      const reason = paused ? 'paused' : isTierAtLeast(account.tier, 'pro') ? null : 'tier'
      const state = reason === null ? 'active' : 'paused'
      expect([listed.threshold, listed.status, listed.status_reason]).toEqual([
        threshold,
        state,
        reason,
      ])
    }
  }),
)

const call = fc
  .tuple(number, fc.nat({ max: CALLS.length - 1 }), fc.oneof(fc.constant(1), fc.constant(45)))
  .map(([which, kind, times]) =>
    command(
      `call ${CALLS[kind]?.path} ${times} times with key ${which}`,
      hasKeys,
      async (model, real) => {
        const key = pick(model.keys, which)
        const { path, needs, status } = pick(CALLS, kind)
        const { account } = key
        const day = today(model)
        const limit = DAILY_REQUESTS[account.tier]
        for (let time = 0; time < times; time++) {
          const spent = of(account.used, day) + of(account.elsewhere, day)
          const { status: actual, body } = await real.request('GET', path, { 'x-api-key': key.key })
          if (!key.active) expect([actual, body.error.code]).toEqual([401, 'INVALID_API_KEY'])
          else if (!isTierAtLeast(account.tier, needs)) expect(actual).toBe(403)
          else if (status === 400) expect(actual).toBe(400)
          else if (spent >= limit)
            expect([actual, body.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
          else {
            expect(actual).toBe(status)
            add(account.used, day, 1)
            add(key.used, day, 1)
          }
          if (!key.active) continue
          expect(body.rate_limit.daily_limit).toBe(limit)
          // Quota leased by other servers is seen with the next lease.
          const left = limit - of(account.used, day) - of(account.elsewhere, day)
          const { daily_remaining } = body.rate_limit
          if (of(account.elsewhere, day) === 0) expect(daily_remaining).toBe(Math.max(0, left))
          else expect(daily_remaining).toBeGreaterThanOrEqual(Math.max(0, left))
        }
      },
    ),
  )

const elsewhere = fc.tuple(number, fc.integer({ min: 1, max: 99 })).map(([at, wanted]) =>
  command(`take ${wanted} elsewhere`, hasAccounts, async (model, real) => {
    const account = pick(model.accounts, at)
    const granted = await real.takeElsewhere(account, wanted)
    const day = today(model)
    const limit = DAILY_REQUESTS[account.tier]
    const spent = of(account.used, day) + of(account.elsewhere, day)
    expect(granted).toBeLessThanOrEqual(Math.max(0, limit - spent))
    add(account.elsewhere, day, granted)
  }),
)

const tier = fc
  .tuple(number, fc.constantFrom<Tier>('free', 'hobby', 'starter', 'pro'))
  .map(([at, to]) =>
    command(
      `put account ${at} on ${to}`,
      // An open lease ignores other servers' leases, and may outlast a lower tier.
      (model) => hasAccounts(model) && of(pick(model.accounts, at).elsewhere, today(model)) === 0,
      async (model, real) => {
        const account = pick(model.accounts, at)
        await real.changeTier(account.email, to)
        account.tier = to
      },
    ),
  )

const wait = fc.constantFrom(60_000, 3_600_000, 8 * 3_600_000, DAY_MS, 6 * DAY_MS).map((pause) =>
  command(
    `wait ${pause / 60_000} minutes`,
    () => true,
    async (model, real) => {
      model.now += pause
      real.set(model.now)
    },
  ),
)

const look = number.map((at) =>
  command(`look at the usage with session ${at}`, hasSessions, async (model, real) => {
    const { session, account, holds } = useOf(model, at)
    const { status, body } = await real.request('GET', '/v1/usage', cookieOf(session))
    expect(status).toBe(holds ? 200 : 401)
    if (!holds) return
    const day = today(model)
    const keys = model.keys.filter((key) => key.account === account)
    const sum = (counts: Map<number, number>) => [...counts.values()].reduce((a, b) => a + b, 0)
    expect(body.data.keys).toHaveLength(keys.length)
    for (const key of keys) {
      const listed = body.data.keys.find((one: { id: string }) => one.id === key.id)
      expect([listed.is_active, listed.requests_today, listed.requests_total]).toEqual([
        key.active,
        of(key.used, day),
        sum(key.used),
      ])
    }
    expect(body.data.days.at(-1).requests).toBe(of(account.used, day))
    expect(body.data.account.tier).toBe(account.tier)
    if (of(account.elsewhere, day) > 0) return
    const today_requests = Math.min(of(account.used, day), DAILY_REQUESTS[account.tier])
    expect(body.data.account.today_requests).toBe(today_requests)
  }),
)

const COMMANDS = [
  register,
  login,
  login,
  logout,
  changePasswords,
  makeKey,
  makeKey,
  revokeKey,
  call,
  call,
  call,
  call,
  elsewhere,
  tier,
  tier,
  wait,
  look,
  makeWatch,
  makeWatch,
  changeWatch,
  endWatch,
  lookAtWatches,
]

describe.each([
  ['in memory', 0, sizedFor(120, 500)],
  ['on disk', 1, sizedFor(25, 100)],
] as const)('the service %s', (_where, testApp, numRuns) => {
  test(`agrees with the model in ${numRuns} random runs`, async () => {
    let done = 0
    const count = (commands: Iterable<Command>): Command[] =>
      [...commands].map((one) => ({
        check: (model) => one.check(model),
        run: async (model, real) => {
          done++
          await one.run(model, real)
        },
        toString: () => one.toString(),
      }))
    await fc.assert(
      fc.asyncProperty(
        fc.commands([...COMMANDS], { maxCommands: 80, size: 'max' }),
        async (commands) => {
          await fc.asyncModelRun(async () => {
            const at = testApps[testApp]
            if (at === undefined) throw new Error('no such test app')
            const real = openReal(at)
            const model: Model = {
              now: real.start,
              accounts: [],
              sessions: [],
              keys: [],
              watches: [],
            }
            // Starts with a login and a key, so that most operations have an effect.
            const email = real.emailOf(0)
            const { id } = await real.register(email, 'the password of 0')
            const { token } = await real.login(email, 'the password of 0', undefined)
            const password = 'the password of 0'
            const account = { id, email, password, tier: 'free' as const }
            model.accounts.push({ ...account, used: new Map(), elsewhere: new Map() })
            begin(model, pick(model.accounts, 0), token)
            const { body } = await real.request(
              'POST',
              '/v1/keys',
              cookieOf(pick(model.sessions, 0)),
              {},
            )
            const { id: key_id, key } = body.data
            const owner = pick(model.accounts, 0)
            model.keys.push({ id: key_id, key, account: owner, active: true, used: new Map() })
            return { model, real }
          }, count(commands))
        },
      ),
      // A failing run is shrunk for as long as the test may still run.
      { numRuns, interruptAfterTimeLimit: 45_000 },
    )
    console.info(`${numRuns} histories, ${done} commands`)
  })
})
