import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { changePassword, logIn } from '#actions/accounts/log-in.ts'
import { changeTier } from '#actions/accounts/manage-accounts.ts'
import { createKey, revokeKey } from '#actions/accounts/manage-keys.ts'
import { authenticateSession } from '#actions/accounts/manage-sessions.ts'
import { createPasswordHasher } from '#actions/accounts/passwords.ts'
import { registerAccount } from '#actions/accounts/register-account.ts'
import { readConfig } from '#config.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { testSecrets } from '../../support/accounts/fast-passwords.ts'
import { purge } from '../../support/ledger/purge.ts'
import { createLedgerFile, FROZEN_TIME, openLedgerFile } from '../../support/test-app.ts'

const EMAIL = 'ada@letters.example'
const PASSWORDS = ['a first pass-phrase', 'a second pass-phrase', 'a wrong pass-phrase'] as const
const address = '192.0.2.7'
const DAY_MS = 86_400_000

let file: Awaited<ReturnType<typeof createLedgerFile>>
let ledger: ReturnType<typeof openLedgerFile>
let clock: number

beforeEach(async () => {
  file = await createLedgerFile()
  ledger = openLedgerFile(file.folder)
  clock = Date.parse(FROZEN_TIME)
})
afterEach(() => {
  ledger.close()
  file.close()
})

const now = () => new Date(clock)

const add = (event: 'login_failed' | 'logout', account_id?: number) =>
  ledger.audit.create({ at: now(), event, account_id, address })

describe('the audit log', () => {
  test('has an entry for every account event, and the file contains no secret', async () => {
    const config = readConfig({ LOGIN_FAILURES_PER_EMAIL: '0' })
    const deps = { ledger, config, secrets: testSecrets(), now }
    const passwords = createPasswordHasher()
    const [first, second, wrong] = PASSWORDS
    const login = { email: EMAIL, address, session: undefined }
    const account = await registerAccount(deps, passwords, {
      email: EMAIL,
      password: first,
      tier: 'free',
      address,
    })
    for (const email of [EMAIL, wrong]) {
      await logIn(deps, passwords, { ...login, email, password: wrong }).catch(() => {})
    }
    const { token } = await logIn(deps, passwords, { ...login, password: first })
    const { id, key } = await createKey(deps, { account_id: account.id, address, name: 'Shop' })
    await changeTier(deps, { email: EMAIL, tier: 'pro' })
    await revokeKey(deps, { id, account_id: account.id, address })
    const session = await authenticateSession(deps, token)
    if (session === undefined) throw new Error('the session has ended')
    const change = { session, current: first, wanted: second, address }
    const changed = await changePassword(deps, passwords, change)
    const own = await authenticateSession(deps, changed)
    if (own === undefined) throw new Error('the session has ended')
    await ledger.sessions.delete(own, { all: true, now: now(), address })

    const entries = await ledger.audit.list(100)
    expect(
      entries
        .slice(0, 10)
        .map(({ event, email, address: from, detail }) => [event, email, from, detail]),
    ).toEqual([
      ['logout', EMAIL, address, 'everywhere'],
      ['login', EMAIL, address, null],
      ['password_changed', EMAIL, address, null],
      ['key_revoked', EMAIL, address, `${id} "Shop"`],
      ['tier_changed', EMAIL, null, 'free -> pro'],
      ['key_created', EMAIL, address, `${id} "Shop"`],
      ['login', EMAIL, address, null],
      ['login_failed', null, address, null],
      ['login_failed', EMAIL, address, null],
      ['registered', EMAIL, address, null],
    ])

    const bytes = Buffer.concat(
      readdirSync(file.folder).map((name) => readFileSync(join(file.folder, name))),
    )
    expect(bytes.includes(EMAIL)).toBe(true)
    expect(bytes.includes(hashSecret(key))).toBe(true)
    for (const secret of [...PASSWORDS, key, key.slice(9, 41), token, changed]) {
      expect([secret, bytes.includes(secret)]).toEqual([secret, false])
      expect(bytes.includes(Buffer.from(secret, 'utf16le'))).toBe(false)
    }
    // Also searched as bytes: a token is the text of 32 bytes.
    for (const text of [token, changed]) {
      expect(bytes.includes(Buffer.from(text, 'base64url'))).toBe(false)
    }
  })

  test('is listed newest first, with a limit, optionally of one account', async () => {
    const before = (await ledger.audit.list(1_000)).length
    for (let entry = 0; entry < 30; entry++) {
      clock += 1_000
      await add(
        entry % 2 === 0 ? 'login_failed' : 'logout',
        entry % 3 === 0 ? file.accounts.pro : undefined,
      )
    }
    expect(await ledger.audit.list(1_000)).toHaveLength(before + 30)
    const newest = await ledger.audit.list(5)
    expect(newest.map(({ at }) => at)).toEqual([0, 1, 2, 3, 4].map((ago) => clock - ago * 1_000))
    for (const email of ['pro@guests.example', 'PRO@guests.example']) {
      const own = await ledger.audit.list(10, email)
      expect(own).toHaveLength(10)
      expect(own.every(({ account_id }) => account_id === file.accounts.pro)).toBe(true)
    }
    expect(await ledger.audit.list(10, 'nobody@guests.example')).toEqual([])
  })

  test('goes back 400 days', async () => {
    const before = (await ledger.audit.list(1_000)).length
    await add('logout', file.accounts.pro)
    clock += 400 * DAY_MS
    await purge(ledger, now())
    expect(await ledger.audit.list(1_000)).toHaveLength(before + 1)
    clock += 1
    await purge(ledger, now())
    expect(await ledger.audit.list(1_000)).toEqual([])
  })
})
