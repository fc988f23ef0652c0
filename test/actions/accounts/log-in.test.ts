import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { changePassword, logIn } from '#actions/accounts/log-in.ts'
import { authenticateSession } from '#actions/accounts/manage-sessions.ts'
import { createPasswordHasher } from '#actions/accounts/passwords.ts'
import { registerAccount } from '#actions/accounts/register-account.ts'
import { readConfig } from '#config.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { openDatabase } from '#store/db.ts'
import type { Session } from '#store/ledger/sessions.ts'
import {
  describeOutcome,
  fastPasswords,
  outdatedHashOf,
  testSecrets,
} from '../../support/accounts/fast-passwords.ts'
import { createLedgerFile, FROZEN_TIME, openLedgerFile } from '../../support/test-app.ts'

const EMAIL = 'ada@letters.example'
const PASSWORD = 'the right one'
const HERE = '192.0.2.7'
const THERE = '198.51.100.9'
const MINUTE = 60_000

let file: Awaited<ReturnType<typeof createLedgerFile>>
let server: ReturnType<typeof openLogin>
let clock: number

beforeEach(async () => {
  file = await createLedgerFile()
  clock = Date.parse(FROZEN_TIME)
  server = openLogin()
  await server.register(EMAIL)
})
afterEach(() => {
  server.close()
  file.close()
})

/** Opens the login part of a server, with its own connection to the ledger. Turns are tested in login-turns.test.ts. */
function openLogin(settings: Record<string, string> = {}) {
  const ledger = openLedgerFile(file.folder)
  const config = readConfig({ LOGIN_FAILURES_PER_EMAIL: '0', ...settings })
  const deps = { ledger, config, secrets: testSecrets(), now: () => new Date(clock) }
  const { passwords, steps, gate } = fastPasswords()
  const login = (password: string, address = HERE, email = EMAIL, session?: Session) =>
    logIn(deps, passwords, { email, password, address, session })
  return {
    ledger,
    steps,
    gate,
    login,
    outcome: (password: string, address?: string, email?: string) =>
      describeOutcome(login(password, address, email)),
    async enter(password = PASSWORD, address = HERE, session?: Session): Promise<string> {
      return (await login(password, address, EMAIL, session)).token
    },
    session: (token: string) => authenticateSession(deps, token),
    register: (email: string, address: string | undefined = undefined) =>
      registerAccount(deps, passwords, { email, password: PASSWORD, tier: 'free', address }),
    change: (session: Session, current: string, wanted: string, address = HERE) =>
      changePassword(deps, passwords, { session, current, wanted, address }),
    close: () => ledger.close(),
  }
}

/** Counts the attempts by result. */
async function tally(outcomes: readonly Promise<string>[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const outcome of await Promise.all(outcomes)) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

const times = <T>(count: number, create: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => create(index))

async function fail(count: number, address = HERE, email = EMAIL, at = server): Promise<void> {
  for (let tried = 0; tried < count; tried++) {
    expect(await at.outcome('a wrong one', address, email)).toBe('INVALID_CREDENTIALS')
  }
}

/** Returns the error of a refused login. */
async function refusalOf(login: Promise<unknown>): Promise<ServiceError> {
  const error = await login.then(
    () => undefined,
    (thrown) => thrown,
  )
  if (error instanceof ServiceError) return error
  throw new Error(`no refusal: ${error}`)
}

describe('a login', () => {
  test('creates a session, which its token opens', async () => {
    const { account, token } = await server.login(PASSWORD)
    expect(account).toMatchObject({ email: EMAIL, tier: 'free' })
    expect(await server.session(token)).toMatchObject({ account_id: account.id, email: EMAIL })
    expect(await server.session(`${token}x`)).toBeUndefined()
  })

  test('accepts the address in any letter case, and counts its failures together', async () => {
    expect(await server.outcome(PASSWORD, HERE, EMAIL.toUpperCase())).toBe('done')
    await fail(5, HERE, EMAIL)
    await fail(5, HERE, EMAIL.toUpperCase())
    expect(await server.outcome(PASSWORD, HERE, 'Ada@Letters.Example')).toBe('TOO_MANY_ATTEMPTS')
  })

  test('ends the session that the browser had', async () => {
    const first = await server.enter()
    const second = await server.enter(PASSWORD, HERE, await server.session(first))
    expect(await server.session(first)).toBeUndefined()
    expect(await server.session(second)).toBeDefined()
  })

  test('with a wrong password keeps the session that the browser had', async () => {
    const token = await server.enter()
    const login = server.login('a wrong one', HERE, EMAIL, await server.session(token))
    expect(await describeOutcome(login)).toBe('INVALID_CREDENTIALS')
    expect(await server.session(token)).toBeDefined()
  })

  test('with a password that is too long fails without hashing', async () => {
    server.steps.length = 0
    expect(await server.outcome('a'.repeat(1_025))).toBe('INVALID_CREDENTIALS')
    expect(server.steps).toEqual([])
  })
})

describe('an unknown address', () => {
  test('is rejected with the same message after the same work as a wrong password', async () => {
    const works: unknown[] = []
    for (const email of [EMAIL, 'nobody@letters.example']) {
      server.steps.length = 0
      const { code, message, retryAfter } = await refusalOf(
        server.login('a wrong one', HERE, email),
      )
      const written = (await server.ledger.audit.list(1)).map(({ event, address }) => [
        event,
        address,
      ])
      works.push({ code, message, retryAfter, steps: [...server.steps], written })
    }
    expect(works[1]).toEqual(works[0])
    expect(works[0]).toMatchObject({ steps: ['verify'], written: [['login_failed', HERE]] })
  })

  test('is limited like a known one', async () => {
    const waits: unknown[] = []
    for (const [email, address] of [
      [EMAIL, HERE],
      ['nobody@letters.example', THERE],
    ] as const) {
      await fail(10, address, email)
      const { code, message, retryAfter } = await refusalOf(server.login(PASSWORD, address, email))
      waits.push({ code, message, retryAfter })
    }
    expect(waits[1]).toEqual(waits[0])
    expect(waits[0]).toMatchObject({ code: 'TOO_MANY_ATTEMPTS' })
  })
})

describe('wrong passwords for one address from one client', () => {
  test('are limited to ten; then the correct one is rejected too, with the time to wait', async () => {
    await fail(10)
    for (const password of ['a wrong one', PASSWORD]) {
      const { code, message, retryAfter = 0 } = await refusalOf(server.login(password))
      expect(code).toBe('TOO_MANY_ATTEMPTS')
      expect(retryAfter).toBe(90)
      expect(message).toContain(`${retryAfter} seconds`)
    }
    clock += 90_000 - 1
    expect(await server.outcome(PASSWORD)).toBe('TOO_MANY_ATTEMPTS')
    clock += 1
    expect(await server.outcome(PASSWORD)).toBe('done')
  })

  test('that are rejected by the limit are not checked, and do not extend it', async () => {
    await fail(10)
    server.steps.length = 0
    for (let tried = 0; tried < 50; tried++) await server.outcome('a wrong one')
    expect(server.steps).toEqual([])
    clock += 90_000
    expect(await server.outcome(PASSWORD)).toBe('done')
  })

  test('do not affect the address for other clients, or other addresses for the client', async () => {
    await fail(10)
    expect(await server.outcome(PASSWORD, THERE)).toBe('done')
    await server.register('bob@letters.example')
    expect(await server.outcome(PASSWORD, HERE, 'bob@letters.example')).toBe('done')
  })

  test('are allowed again after a quarter of an hour', async () => {
    await fail(10)
    clock += 15 * MINUTE
    await fail(10)
    expect(await server.outcome(PASSWORD)).toBe('TOO_MANY_ATTEMPTS')
  })

  test('from one IPv6 household are limited to ten', async () => {
    for (let host = 1; host <= 10; host++) await fail(1, `2001:db8:1:2::${host.toString(16)}`)
    expect(await server.outcome(PASSWORD, '2001:0db8:1:2:ffff::9')).toBe('TOO_MANY_ATTEMPTS')
    expect(await server.outcome(PASSWORD, '2001:db8:1:3::1')).toBe('done')
  })

  test('are checked ten times if 64 arrive concurrently', async () => {
    server.steps.length = 0
    const open = server.gate()
    const tries = times(64, () => server.outcome('a wrong one'))
    open()
    expect(await tally(tries)).toEqual({ INVALID_CREDENTIALS: 10, TOO_MANY_ATTEMPTS: 54 })
    expect(server.steps).toHaveLength(10)
  })
})

describe('wrong passwords from one client', () => {
  test('are limited to a hundred per quarter of an hour over all addresses', async () => {
    for (let name = 0; name < 100; name++) await fail(1, HERE, `${name}@letters.example`)
    const { code, retryAfter } = await refusalOf(server.login(PASSWORD))
    expect([code, retryAfter]).toEqual(['TOO_MANY_ATTEMPTS', 9])
    expect(await server.outcome(PASSWORD, THERE)).toBe('done')
  })

  test('tried for a thousand addresses concurrently are limited to a hundred', async () => {
    const tries = times(1_000, (name) => server.outcome('wrong', HERE, `${name}@letters.example`))
    expect(await tally(tries)).toEqual({ INVALID_CREDENTIALS: 100, TOO_MANY_ATTEMPTS: 900 })
  })
})

describe('correct passwords', () => {
  test('are never counted', async () => {
    for (let login = 0; login < 250; login++) expect(await server.outcome(PASSWORD)).toBe('done')
    await fail(9)
    for (let login = 0; login < 25; login++) expect(await server.outcome(PASSWORD)).toBe('done')
    await fail(1)
    expect(await server.outcome(PASSWORD)).toBe('TOO_MANY_ATTEMPTS')
  })

  test('of one account all succeed, however many arrive concurrently', async () => {
    const tries = times(60, () => server.outcome(PASSWORD))
    expect(await tally(tries)).toEqual({ done: 60 })
  })

  test('are not counted if they could not be checked', async () => {
    const busy = openLogin()
    for (let tried = 0; tried < 40; tried++) {
      const passwords = {
        ...createPasswordHasher(),
        hash: () => Promise.reject(new ServiceError('UNAVAILABLE', 'Busy.')),
        verify: () => Promise.reject(new ServiceError('UNAVAILABLE', 'Busy.')),
      }
      const { ledger } = busy
      const now = () => new Date(clock)
      const deps = { ledger, config: readConfig({}), secrets: testSecrets(), now }
      const login = { email: EMAIL, password: PASSWORD, address: HERE, session: undefined }
      expect(await describeOutcome(logIn(deps, passwords, login))).toBe('UNAVAILABLE')
    }
    expect(await server.outcome(PASSWORD)).toBe('done')
    busy.close()
  })
})

describe('a limit', () => {
  test.each([
    ['LOGIN_FAILURES_PER_EMAIL_AND_IP', 100],
    ['LOGIN_FAILURES_PER_IP', 10],
  ])('of 0 in %s disables it, and the others apply', async (name, failures) => {
    const own = openLogin({ [name]: '0' })
    await fail(failures, HERE, EMAIL, own)
    expect(await own.outcome(PASSWORD)).toBe('TOO_MANY_ATTEMPTS')
    own.close()
  })

  test('of 0 in all of them disables all', async () => {
    const own = openLogin({
      LOGIN_FAILURES_PER_EMAIL_AND_IP: '0',
      LOGIN_FAILURES_PER_IP: '0',
      REGISTRATIONS_PER_IP: '0',
    })
    await fail(300, HERE, EMAIL, own)
    expect(await own.outcome(PASSWORD)).toBe('done')
    for (let name = 0; name < 300; name++) await own.register(`${name}@letters.example`, HERE)
    own.close()
  })

  test('is shared by two servers on one file', async () => {
    const other = openLogin()
    const tries = times(64, (index) => (index % 2 === 0 ? server : other).outcome('a wrong one'))
    expect(await tally(tries)).toEqual({ INVALID_CREDENTIALS: 10, TOO_MANY_ATTEMPTS: 54 })
    expect(await other.outcome(PASSWORD)).toBe('TOO_MANY_ATTEMPTS')
    other.close()
  })

  test('blocks nobody for longer than its period when the clock is set back a day', async () => {
    await fail(10)
    clock -= 86_400_000
    const outcome = await server.outcome(PASSWORD)
    if (outcome === 'TOO_MANY_ATTEMPTS') clock += 15 * MINUTE
    expect(await server.outcome(PASSWORD)).toBe('done')
  })

  test('leaves nothing behind after its period', async () => {
    await tally(times(90, (name) => server.outcome('a wrong one', HERE, `${name}@letters.example`)))
    clock += 61 * MINUTE
    await fail(1)
    const db = openDatabase(`${file.folder}/ledger.db`, { readonly: true })
    expect(db.prepare('SELECT count(*) FROM attempts').pluck().get()).toBe(2)
    db.close()
  })
})

describe('registrations', () => {
  test('from one client are limited to two hundred an hour, successful or not', async () => {
    const register = (name: string) =>
      describeOutcome(server.register(`${name}@letters.example`, HERE))
    for (let name = 0; name < 150; name++) expect(await register(`${name}`)).toBe('done')
    for (let again = 0; again < 50; again++) expect(await register('0')).toBe('EMAIL_TAKEN')
    expect(await register('one-more')).toBe('TOO_MANY_ATTEMPTS')
    expect(await describeOutcome(server.register('one-more@letters.example', THERE))).toBe('done')
  })

  test('hash the password only if the address is not taken', async () => {
    for (const [email, steps] of [
      [EMAIL, []],
      ['new@letters.example', ['hash']],
    ] as const) {
      server.steps.length = 0
      await describeOutcome(server.register(email, HERE))
      expect(server.steps).toEqual([...steps])
    }
  })

  test('of one address that run concurrently create one account', async () => {
    const tries = times(20, () => describeOutcome(server.register('new@letters.example', HERE)))
    expect(await tally(tries)).toEqual({ done: 1, EMAIL_TAKEN: 19 })
  })

  test.each(['', '@', 'a@', '@b', 'a b@c', 'a@b\n', 'a\0@b', 'a@b@c', '<a@b>', 'a@b>'])(
    'of %p are rejected as invalid addresses',
    async (email) => {
      expect(await describeOutcome(server.register(email, HERE))).toBe('VALIDATION_ERROR')
    },
  )
})

describe('a hash with outdated parameters', () => {
  const hashIn = async () => (await server.ledger.accounts.getByEmail(EMAIL))?.password_hash ?? ''
  const makeOld = async () => {
    const { id = 0, password_hash = '' } = (await server.ledger.accounts.getByEmail(EMAIL)) ?? {}
    await server.ledger.accounts.updatePasswordHash(id, outdatedHashOf(PASSWORD), password_hash)
  }

  test('is replaced at the next login', async () => {
    const today = await hashIn()
    await makeOld()
    expect(await server.outcome(PASSWORD)).toBe('done')
    expect(await hashIn()).toBe(today)
  })

  test('is kept if the password is wrong', async () => {
    await makeOld()
    await fail(1)
    expect(await hashIn()).toBe(outdatedHashOf(PASSWORD))
  })

  test('is replaced by one of many concurrent logins, which all succeed', async () => {
    await makeOld()
    const open = server.gate()
    const logins = times(8, () => server.outcome(PASSWORD))
    open()
    expect(await tally(logins)).toEqual({ done: 8 })
  })

  test('never replaces a password that was changed in the meantime', async () => {
    const session = await server.session(await server.enter())
    if (session === undefined) throw new Error('no session')
    await makeOld()
    const open = server.gate()
    const late = server.outcome(PASSWORD, THERE)
    const { id = 0 } = (await server.ledger.accounts.getByEmail(EMAIL)) ?? {}
    const context = { now: new Date(clock), address: undefined }
    await server.ledger.accounts.updatePassword(id, outdatedHashOf('a new password'), context)
    open()
    expect(await late).toBe('INVALID_CREDENTIALS')
    expect(await hashIn()).toBe(outdatedHashOf('a new password'))
  })
})

describe('a changed password', () => {
  async function sessionOf(token: string): Promise<Session> {
    const session = await server.session(token)
    if (session === undefined) throw new Error('the session has ended')
    return session
  }

  test('ends every session, and creates a new one for the requesting browser', async () => {
    const tokens = await Promise.all(times(5, () => server.enter()))
    const own = await sessionOf(await server.enter())
    const token = await server.change(own, PASSWORD, 'another one')
    for (const old of tokens) expect(await server.session(old)).toBeUndefined()
    expect(await server.session(token)).toMatchObject({ email: EMAIL })
    expect(await server.outcome(PASSWORD)).toBe('INVALID_CREDENTIALS')
    expect(await server.outcome('another one')).toBe('done')
  })

  test('requires the current one, whose failures count like those of logins', async () => {
    const own = await sessionOf(await server.enter())
    for (let tried = 0; tried < 10; tried++) {
      expect(await describeOutcome(server.change(own, 'a wrong one', 'another one'))).toBe(
        'INVALID_CREDENTIALS',
      )
    }
    expect(await describeOutcome(server.change(own, PASSWORD, 'another one'))).toBe(
      'TOO_MANY_ATTEMPTS',
    )
    expect(await server.outcome(PASSWORD)).toBe('TOO_MANY_ATTEMPTS')
    expect(await server.outcome(PASSWORD, THERE)).toBe('done')
  })

  test('that is too short is rejected before anything is counted', async () => {
    const own = await sessionOf(await server.enter())
    for (let tried = 0; tried < 20; tried++) {
      expect(await describeOutcome(server.change(own, 'a wrong one', 'short'))).toBe(
        'VALIDATION_ERROR',
      )
    }
    expect(await describeOutcome(server.change(own, PASSWORD, 'another one'))).toBe('done')
  })

  test('rejects a concurrent login with the old one', async () => {
    const own = await sessionOf(await server.enter())
    const open = server.gate()
    const late = server.outcome(PASSWORD, THERE)
    const { id = 0 } = (await server.ledger.accounts.getByEmail(EMAIL)) ?? {}
    const context = { now: new Date(clock), address: HERE }
    await server.ledger.accounts.updatePassword(id, outdatedHashOf('another one'), context)
    open()
    expect(await late).toBe('INVALID_CREDENTIALS')
    expect(await server.ledger.sessions.list(own.account_id)).toEqual([])
  })

  test('is one of the two new ones if two changes run concurrently', async () => {
    const own = await sessionOf(await server.enter())
    const wanted = ['a first one', 'a second one']
    const changes = wanted.map((password) =>
      describeOutcome(server.change(own, PASSWORD, password)),
    )
    expect(await tally(changes)).toEqual({ done: 1, INVALID_CREDENTIALS: 1 })
    const entered = await Promise.all(wanted.map((password) => server.outcome(password)))
    expect(entered.sort()).toEqual(['INVALID_CREDENTIALS', 'done'])
  })
})
