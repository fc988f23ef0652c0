// Logins in a network whose limit others have used up, on two servers with one ledger.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { logIn } from '#actions/accounts/log-in.ts'
import { isKnownPlace } from '#actions/accounts/manage-sessions.ts'
import { registerAccount } from '#actions/accounts/register-account.ts'
import { readConfig } from '#config.ts'
import {
  describeOutcome,
  fastPasswords,
  testSecrets,
} from '../../support/accounts/fast-passwords.ts'
import { LEDGERS, type TestLedgers } from '../../support/ledger/ledgers.ts'
import { FROZEN_TIME } from '../../support/test-app.ts'
import { waitFor } from '../../support/wait-for.ts'

const EMAIL = 'ada@letters.example'
const STRANGER = 'nobody@letters.example'
const PASSWORD = 'the right one'
const SHOP = '192.0.2.7'
const ELSEWHERE = '198.51.100.9'
const REFUSAL_MS = 2_000

describe.each(LEDGERS)('a place where an account has logged in, on %s', (_name, create) => {
  let ledgers: TestLedgers
  let servers: [ReturnType<typeof openLogin>, ReturnType<typeof openLogin>]
  let clock: number

  beforeEach(async () => {
    ledgers = await create()
    clock = Date.parse(FROZEN_TIME)
    servers = [openLogin(), openLogin()]
    await servers[0].register()
    await servers[0].login(PASSWORD, SHOP)
  })
  afterEach(() => ledgers.close())

  /** Opens the login part of a server. The test ends its waits. */
  function openLogin() {
    const config = readConfig({})
    const deps = {
      ledger: ledgers.open(),
      config,
      secrets: testSecrets(),
      now: () => new Date(clock),
    }
    const sleeps: { ms: number; wake: () => void }[] = []
    const { passwords, steps } = fastPasswords((ms) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      sleeps.push({ ms, wake: resolve })
      return promise
    })
    const login = (password: string, address: string, email = EMAIL) =>
      logIn(deps, passwords, { email, password, address, session: undefined })
    return {
      steps,
      login,
      register: () => {
        const account = { email: EMAIL, password: PASSWORD, tier: 'free' as const }
        return registerAccount(deps, passwords, { ...account, address: undefined })
      },
      async isKnown(address: string) {
        const account = await deps.ledger.accounts.getByEmail(EMAIL)
        return isKnownPlace(deps, account?.id ?? 0, address)
      },
      /** Returns the response, and the milliseconds that it waited for. */
      async answer(password: string, address: string, email?: string) {
        const waited: number[] = []
        let isOver = false
        const response = login(password, address, email)
          .then(
            () => ({ code: 'done', message: '', retryAfter: 0 }),
            ({ code, message, retryAfter }) => ({ code, message, retryAfter }),
          )
          .finally(() => {
            isOver = true
          })
        await waitFor(() => {
          for (const { ms, wake } of sleeps.splice(0)) {
            waited.push(ms)
            wake()
          }
          return isOver
        })
        return { ...(await response), waited }
      },
    }
  }

  const chooseServer = (index: number) => servers[index % 2 === 0 ? 0 : 1]

  /** Uses up the limit of the shop's network. */
  async function guessInShop(): Promise<void> {
    for (let index = 0; index < 100; index++) {
      const { code } = await chooseServer(index).answer('a guess', SHOP, `${index}@letters.example`)
      expect(code).toBe('INVALID_CREDENTIALS')
    }
  }

  test('logs in while others there guess, immediately, on each server', async () => {
    await guessInShop()
    for (const server of servers) {
      expect(await describeOutcome(server.login(PASSWORD, SHOP))).toBe('done')
    }
    expect(await describeOutcome(servers[0].login(PASSWORD, ELSEWHERE))).toBe('done')
  })

  test('stays known on a day on which the account logs in from many others', async () => {
    const forgotten: number[] = []
    for (let tried = 0; tried < 30; tried++) {
      clock += 1
      await chooseServer(tried).answer(PASSWORD, `203.0.113.${tried}`)
      if (!(await chooseServer(tried).isKnown(SHOP))) forgotten.push(tried)
      clock += 1
      await chooseServer(tried).answer(PASSWORD, SHOP)
    }
    expect(forgotten).toEqual([])
    expect(await servers[0].isKnown('203.0.113.1')).toBe(false)
  })

  test('refuses a wrong password there like that of any address, after the same time', async () => {
    await guessInShop()
    for (let tried = 0; tried < 12; tried++) {
      const server = chooseServer(tried)
      const known = await server.answer('a guess', SHOP)
      expect(known).toEqual(await server.answer('a guess', SHOP, STRANGER))
      expect(known).toMatchObject({
        code: 'TOO_MANY_ATTEMPTS',
        retryAfter: 9,
        waited: [REFUSAL_MS],
      })
    }
  })

  test('checks ten wrong passwords while the network is refused, and then not even the right one', async () => {
    await guessInShop()
    for (const server of servers) server.steps.length = 0
    for (let tried = 0; tried < 15; tried++) await chooseServer(tried).answer('a guess', SHOP)
    expect(servers.flatMap(({ steps }) => steps)).toHaveLength(10)
    for (const server of servers) {
      expect((await server.answer(PASSWORD, SHOP)).code).toBe('TOO_MANY_ATTEMPTS')
    }
    clock += 90_000
    expect((await servers[1].answer(PASSWORD, SHOP)).code).toBe('done')
  })

  test('neither counts correct passwords nor reveals itself by what is counted', async () => {
    for (let login = 0; login < 150; login++) await chooseServer(login).login(PASSWORD, SHOP)
    for (let tried = 0; tried < 4; tried++) await servers[0].answer('a guess', SHOP)
    for (let index = 0; index < 96; index++) {
      const { code } = await servers[1].answer('a guess', SHOP, `${index}@letters.example`)
      expect(code).toBe('INVALID_CREDENTIALS')
    }
    expect((await servers[0].answer('a guess', SHOP, STRANGER)).code).toBe('TOO_MANY_ATTEMPTS')
  })

  test('logs in although the turns of its address are used up', async () => {
    for (let index = 0; index < 6; index++) {
      const guess = await chooseServer(index).answer('a guess', `203.0.113.${index}`)
      expect(guess).toMatchObject({ code: 'INVALID_CREDENTIALS' })
    }
    const refused = [
      await servers[0].answer('a guess', SHOP),
      await servers[0].answer('a guess', ELSEWHERE),
    ]
    expect(refused[0]).toEqual(refused[1])
    expect(refused[0]).toMatchObject({ code: 'TOO_MANY_ATTEMPTS', waited: [REFUSAL_MS] })
    for (const server of servers) {
      expect(await describeOutcome(server.login(PASSWORD, SHOP))).toBe('done')
    }
  })

  test('answers wrong passwords in the turns of all, and the right one immediately', async () => {
    const answers: unknown[] = []
    for (const email of [EMAIL, STRANGER]) {
      const [server] = servers
      for (let tried = 0; tried < 4; tried++)
        answers.push(await server.answer('a guess', SHOP, email))
    }
    expect(answers.slice(0, 4)).toEqual(answers.slice(4))
    expect(answers).toContainEqual(expect.objectContaining({ waited: [4_000] }))
    expect(await describeOutcome(servers[1].login(PASSWORD, SHOP))).toBe('done')
  })

  test('limits its own account to ten wrong passwords in a quarter of an hour', async () => {
    for (let tried = 0; tried < 10; tried++) {
      clock += REFUSAL_MS
      expect((await chooseServer(tried).answer('a guess', SHOP)).code).toBe('INVALID_CREDENTIALS')
    }
    for (const server of servers) {
      expect(await server.answer(PASSWORD, SHOP)).toMatchObject({
        code: 'TOO_MANY_ATTEMPTS',
        waited: [],
      })
    }
  })
})
