// Logins from unknown networks, which wait for turns. The waits advance a simulated clock.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { setImmediate as nextMacrotask } from 'node:timers/promises'
import { changePassword, logIn } from '#actions/accounts/log-in.ts'
import { authenticateSession } from '#actions/accounts/manage-sessions.ts'
import { registerAccount } from '#actions/accounts/register-account.ts'
import { readConfig } from '#config.ts'
import { openDatabase } from '#store/db.ts'
import {
  describeOutcome,
  fastPasswords,
  testSecrets,
} from '../../support/accounts/fast-passwords.ts'
import { createLedgerFile, FROZEN_TIME, openLedgerFile } from '../../support/test-app.ts'

const EMAIL = 'ada@letters.example'
const STRANGER = 'nobody@letters.example'
const PASSWORD = 'the right one'
const HOME = '192.0.2.7'
const FRESH = '198.51.100.9'
const HOUR_S = 3_600

let file: Awaited<ReturnType<typeof createLedgerFile>>
let server: ReturnType<typeof openLogin>
let clock: number

beforeEach(async () => {
  file = await createLedgerFile()
  clock = Date.parse(FROZEN_TIME)
  server = openLogin()
  await server.register()
})
afterEach(() => {
  server.close()
  file.close()
})

/** Seconds of the simulated clock since the beginning of the test. */
const elapsed = () => (clock - Date.parse(FROZEN_TIME)) / 1_000

/** Opens the login part of a server, whose waits advance the simulated clock. */
function openLogin(settings: Record<string, string> = {}) {
  const ledger = openLedgerFile(file.folder)
  const config = readConfig(settings)
  const deps = { ledger, config, secrets: testSecrets(), now: () => new Date(clock) }
  const checks: number[] = []
  const { passwords } = fastPasswords(async (milliseconds) => {
    const until = clock + milliseconds
    await nextMacrotask()
    clock = Math.max(clock, until)
  })
  const hasher = {
    ...passwords,
    verify: (password: string, hash: string | undefined) => {
      checks.push(elapsed())
      return passwords.verify(password, hash)
    },
  }
  const login = (password: string, address: string, email = EMAIL) =>
    logIn(deps, hasher, { email, password, address, session: undefined })
  return {
    ledger,
    checks,
    login,
    outcome: (password: string, address: string, email?: string) =>
      describeOutcome(login(password, address, email)),
    register: () =>
      registerAccount(deps, passwords, {
        email: EMAIL,
        password: PASSWORD,
        tier: 'free',
        address: undefined,
      }),
    async change(token: string, wanted: string, address: string) {
      const session = await authenticateSession(deps, token)
      if (session === undefined) throw new Error('no session')
      return changePassword(deps, hasher, { session, current: PASSWORD, wanted, address })
    },
    close: () => ledger.close(),
  }
}

/** Returns an attacker's address, each in a different /16. */
const attacker = (index: number) => `${20 + Math.floor(index / 256)}.${index % 256}.7.9`

/** Guesses repeatedly from many networks until `stop` is called. */
function startAttack(networks: readonly string[], email = EMAIL, at = server) {
  let isRunning = true
  const outcomes: Record<string, number> = {}
  const guessed = new Set<string>()
  const loops = networks.map(async (network) => {
    while (isRunning) {
      const outcome = await at.outcome('a guess', network, email)
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      if (outcome === 'INVALID_CREDENTIALS') guessed.add(network)
      await nextMacrotask()
    }
  })
  return {
    outcomes,
    /** Resolves once this many guesses were checked. */
    async checked(count: number): Promise<void> {
      while (at.checks.length < count) await nextMacrotask()
    },
    /** Resolves once a guess from each network was checked. */
    async guessed(): Promise<void> {
      while (guessed.size < networks.length) await nextMacrotask()
    },
    async stop(): Promise<void> {
      isRunning = false
      await Promise.all(loops)
    },
  }
}

/** Logs in as a person does: tries again after each 429. @returns seconds until it succeeds */
async function logInPatiently(address: string, email = EMAIL, at = server): Promise<number> {
  const started = elapsed()
  for (;;) {
    const outcome = await at.outcome(PASSWORD, address, email)
    if (outcome === 'done') return elapsed() - started
    expect(outcome).toBe('TOO_MANY_ATTEMPTS')
    await nextMacrotask()
  }
}

describe('an attacker with many networks', () => {
  const networks = Array.from({ length: 40 }, (_, index) => attacker(index))

  test('gets one check every two seconds', async () => {
    const attack = startAttack(networks)
    await attack.checked(60)
    await attack.stop()
    expect(server.checks.length).toBeLessThanOrEqual(elapsed() / 2 + 1)
    for (const [index, at] of server.checks.entries()) {
      if (index > 0) expect(at - (server.checks[index - 1] ?? at)).toBeGreaterThanOrEqual(2)
    }
  })

  test('does not delay a login from where the account has logged in before', async () => {
    await server.login(PASSWORD, HOME)
    const attack = startAttack(networks)
    await attack.checked(50)
    const before = elapsed()
    // Also after typing errors, which count only for this network.
    expect(await server.outcome('a typo', HOME)).toBe('INVALID_CREDENTIALS')
    expect(await server.outcome(PASSWORD, HOME)).toBe('done')
    expect(elapsed() - before).toBeLessThanOrEqual(4)
    await attack.stop()
  })

  test('delays a login from a new place by seconds, once each network has guessed', async () => {
    const attack = startAttack(networks)
    await attack.guessed()
    for (const place of [FRESH, '203.0.113.5', '2001:db8:1:2::3']) {
      expect(await logInPatiently(place)).toBeLessThanOrEqual(6)
    }
    await attack.stop()
  })

  test('delays a login from the beginning by about one guess of each network', async () => {
    const many = Array.from({ length: 200 }, (_, index) => attacker(index))
    const attack = startAttack(many)
    await attack.checked(1)
    await logInPatiently(FRESH)
    // Some networks guess again between two attempts of this network.
    expect(server.checks.length).toBeLessThanOrEqual(1.5 * many.length)
    await attack.stop()
  })

  test('accepts a person who mistypes the password in a new network', async () => {
    const attack = startAttack(networks)
    await attack.checked(120)
    expect(await server.outcome('a typo', FRESH)).toBe('INVALID_CREDENTIALS')
    expect(await logInPatiently(FRESH)).toBeLessThanOrEqual(10)
    await attack.stop()
  })

  test('of one provider does not push back its neighbors', async () => {
    const neighbors = Array.from({ length: 40 }, (_, host) => `203.0.113.${host}`)
    const attack = startAttack(neighbors)
    await attack.guessed()
    expect(await logInPatiently('203.0.113.250')).toBeLessThanOrEqual(6)
    await attack.stop()
  })

  test('within one IPv6 block does not starve other places', async () => {
    let next = 0
    let isRunning = true
    const loops = Array.from({ length: 20 }, async () => {
      while (isRunning) {
        // A fresh /64 for each guess.
        await server.outcome('a guess', `2001:db8:7:${(next++ % 65_536).toString(16)}::1`)
        await nextMacrotask()
      }
    })
    while (server.checks.length < 30) await nextMacrotask()
    expect(await logInPatiently(FRESH)).toBeLessThanOrEqual(6)
    isRunning = false
    await Promise.all(loops)
  })
})

describe('turns', () => {
  test('are the same for an address without an account', async () => {
    const seen: unknown[] = []
    for (const email of [EMAIL, STRANGER]) {
      const started = elapsed()
      const results: unknown[] = []
      for (let place = 0; place < 5; place++) {
        results.push([await server.outcome('a guess', attacker(place), email), elapsed() - started])
      }
      seen.push(results)
    }
    expect(seen[1]).toEqual(seen[0])
  })

  test('are shared by two servers on one file, and kept across restarts', async () => {
    const other = openLogin()
    const first = startAttack(Array.from({ length: 20 }, (_, index) => attacker(index)))
    const second = startAttack(
      Array.from({ length: 20 }, (_, index) => attacker(100 + index)),
      EMAIL,
      other,
    )
    while (server.checks.length + other.checks.length < 40) await nextMacrotask()
    await Promise.all([first.stop(), second.stop()])
    const checks = server.checks.length + other.checks.length
    expect(checks).toBeLessThanOrEqual(elapsed() / 2 + 1)
    other.close()
    server.close()
    server = openLogin()
    const before = clock
    await server.outcome('a guess', attacker(300))
    await server.outcome('a guess', attacker(301))
    expect(clock - before).toBeGreaterThanOrEqual(2_000)
  })

  test('do not slow correct passwords from many new places', async () => {
    const places = Array.from({ length: 30 }, (_, index) => attacker(index))
    const outcomes = await Promise.all(places.map((place) => server.outcome(PASSWORD, place)))
    expect(new Set(outcomes)).toEqual(new Set(['done']))
    expect(elapsed()).toBe(0)
  })

  test('wait for at most ten seconds, and are then refused with Retry-After', async () => {
    const attack = startAttack(Array.from({ length: 40 }, (_, index) => attacker(index)))
    await attack.checked(30)
    expect(attack.outcomes.TOO_MANY_ATTEMPTS).toBeGreaterThan(0)
    await attack.stop()
    // Fills the queue, so that the last logins are refused.
    const waits: number[] = []
    const many = Array.from({ length: 560 }, (_, index) =>
      server.login('a guess', attacker(index)).catch(({ code, retryAfter }) => {
        if (code === 'TOO_MANY_ATTEMPTS') waits.push(retryAfter)
      }),
    )
    await Promise.all(many)
    expect(waits.length).toBeGreaterThan(400)
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(2)
  })

  test('come at least every ten seconds, however few an operator allows', async () => {
    const own = openLogin({ LOGIN_FAILURES_PER_EMAIL: '1' })
    expect(await own.outcome('a guess', attacker(1))).toBe('INVALID_CREDENTIALS')
    expect(await own.outcome(PASSWORD, FRESH)).toBe('done')
    expect(elapsed()).toBe(10)
    own.close()
  })
})

describe('a place', () => {
  test('is known after a login, for 90 days without another', async () => {
    await server.login(PASSWORD, HOME)
    clock += 90 * 24 * HOUR_S * 1_000
    await server.outcome('a guess', attacker(1))
    let before = elapsed()
    expect(await server.outcome(PASSWORD, HOME)).toBe('done')
    expect(elapsed()).toBe(before)
    clock += 91 * 24 * HOUR_S * 1_000
    await server.outcome('a guess', attacker(1))
    before = elapsed()
    expect(await server.outcome(PASSWORD, HOME)).toBe('done')
    expect(elapsed() - before).toBe(2)
  })

  test('is known for its own account only', async () => {
    await server.login(PASSWORD, HOME)
    await server.outcome('a guess', attacker(1), STRANGER)
    const before = elapsed()
    await server.outcome('a guess', HOME, STRANGER)
    expect(elapsed() - before).toBe(2)
  })

  test('is forgotten when the password is changed elsewhere', async () => {
    await server.login(PASSWORD, HOME)
    const { token } = await server.login(PASSWORD, FRESH)
    await server.change(token, 'another password', FRESH)
    const known = async (address: string) => {
      const before = elapsed()
      await server.outcome('a guess', attacker(1))
      await server.outcome('a guess', address)
      return elapsed() - before < 4
    }
    expect([await known(FRESH), await known(HOME)]).toEqual([true, false])
  })

  test('is stored as a hash, ten per account at most', async () => {
    for (let index = 0; index < 15; index++) await server.login(PASSWORD, `10.0.0.${index}`)
    const db = openDatabase(`${file.folder}/ledger.db`, { readonly: true })
    const rows = db.prepare<[], { place: Buffer }>('SELECT place FROM login_places').all()
    db.close()
    expect(rows).toHaveLength(10)
    for (const { place } of rows) expect(place).toHaveLength(16)
    const before = elapsed()
    await server.outcome('a guess', attacker(1))
    expect(await server.outcome(PASSWORD, '10.0.0.14')).toBe('done')
    expect(elapsed()).toBe(before)
  })
})
