// Registration with invitations, and closed registration.

import { beforeEach, describe, expect, test } from 'bun:test'
import { createInvitation, revokeInvitation } from '#actions/accounts/manage-invitations.ts'
import { createPasswordHasher } from '#actions/accounts/passwords.ts'
import { registerAccount } from '#actions/accounts/register-account.ts'
import { openLedger } from '#store/open-ledger.ts'
import { describeOutcome, fastPasswords } from '../../support/accounts/fast-passwords.ts'
import { createTestApp, emailOf, PASSWORD, type TestApp } from '../../support/test-app.ts'

const DAY_MS = 86_400_000

let testApp: TestApp

const start = async (REGISTRATION: string) => {
  testApp = await createTestApp({ env: { REGISTRATION }, onDisk: true })
}

const invite = (email?: string, days = 14) => createInvitation(testApp.deps, { email, days })

async function register(email: string, invitation?: unknown): Promise<unknown[]> {
  const json = { email, password: PASSWORD, ...(invitation === undefined ? {} : { invitation }) }
  const { status, body } = await testApp.client.post('/v1/auth/register', json)
  return [status, body.error?.code]
}

const CREATED = [201, undefined]
const REQUIRED = [403, 'INVITATION_REQUIRED']

describe('registration by invitation', () => {
  beforeEach(() => start('invite'))

  test('needs a code that exists', async () => {
    const { code } = await invite()
    for (const wrong of [undefined, '', 'nothing', code.slice(1), `${code}0`, 'f'.repeat(32)]) {
      expect(await register('ada@letters.example', wrong)).toEqual(REQUIRED)
    }
    expect(await register('ada@letters.example', 7)).toEqual([400, 'VALIDATION_ERROR'])
    expect(await register('ada@letters.example', ` ${code} `)).toEqual(CREATED)
  })

  test('uses a code once', async () => {
    const { code } = await invite()
    expect(await register('ada@letters.example', code)).toEqual(CREATED)
    expect(await register('bob@letters.example', code)).toEqual(REQUIRED)
  })

  test('does not use a code up if it fails', async () => {
    const { code } = await invite()
    expect(await register('no address', code)).toEqual([400, 'VALIDATION_ERROR'])
    expect(await register(emailOf('pro'), code)).toEqual([409, 'EMAIL_TAKEN'])
    expect(await register('ada@letters.example', code)).toEqual(CREATED)
  })

  test('does not reveal without a code whether an address is in use', async () => {
    expect(await register(emailOf('pro'))).toEqual(REQUIRED)
  })

  test('refuses a code that has expired or is revoked', async () => {
    const [short, revoked] = [await invite(undefined, 1), await invite()]
    await revokeInvitation(testApp.deps, revoked.id)
    expect(await register('ada@letters.example', revoked.code)).toEqual(REQUIRED)
    testApp.advance(DAY_MS)
    expect(await register('ada@letters.example', short.code)).toEqual(REQUIRED)
  })

  test('accepts a code for one address from that address only, in any letter case', async () => {
    const { code } = await invite('Ada@letters.example')
    expect(await register('bob@letters.example', code)).toEqual(REQUIRED)
    expect(await register('ada@letters.example', code)).toEqual(CREATED)
  })

  test('creates one account from a code, also with two concurrent servers', async () => {
    const { code } = await invite()
    const other = openLedger(testApp.deps.config.dataDir)
    const { passwords } = fastPasswords()
    const tries = Array.from({ length: 40 }, (_, index) => {
      const ledger = index % 2 === 0 ? testApp.deps.ledger : other
      return describeOutcome(
        registerAccount({ ...testApp.deps, ledger }, passwords, {
          email: `${index}@letters.example`,
          password: PASSWORD,
          tier: 'free',
          address: '192.0.2.7',
          invitation: code,
        }),
      )
    })
    const outcomes = await Promise.all(tries)
    expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'INVITATION_REQUIRED')).toHaveLength(39)
    other.close()
  })

  test('costs no hashing without a valid code', async () => {
    const { passwords, steps } = fastPasswords()
    const account = { email: 'ada@letters.example', password: PASSWORD, tier: 'free' } as const
    const input = { ...account, address: '192.0.2.7', invitation: 'guess' }
    expect(await describeOutcome(registerAccount(testApp.deps, passwords, input))).toBe(
      'INVITATION_REQUIRED',
    )
    expect(steps).toEqual([])
  })

  test('stores no code, and names the invitation in the audit log', async () => {
    const { id, code, url } = await invite()
    expect(url).toBe(`${testApp.deps.config.publicUrl}/register#invitation=${code}`)
    await register('ada@letters.example', code)
    const [entry] = await testApp.deps.ledger.audit.list(1)
    expect(entry).toMatchObject({ event: 'registered', detail: `invitation ${id}` })
    const { dataDir } = testApp.deps.config
    for (const file of ['ledger.db', 'ledger.db-wal']) {
      expect(await Bun.file(`${dataDir}/${file}`).text()).not.toContain(code)
    }
  })
})

describe('closed registration', () => {
  beforeEach(() => start('closed'))

  test('refuses everybody, also with an invitation', async () => {
    const { code } = await invite()
    for (const invitation of [undefined, code]) {
      expect(await register('ada@letters.example', invitation)).toEqual([
        403,
        'REGISTRATION_CLOSED',
      ])
    }
  })

  test('lets the operator create accounts by command', async () => {
    const account = { email: 'ada@letters.example', password: PASSWORD, tier: 'free' } as const
    const input = { ...account, address: undefined }
    const made = await registerAccount(testApp.deps, createPasswordHasher(), input)
    expect(made.email).toBe('ada@letters.example')
  })
})

describe('open registration', () => {
  beforeEach(() => start('open'))

  test('needs no invitation, and leaves a given one unused', async () => {
    const { code } = await invite()
    expect(await register('ada@letters.example')).toEqual(CREATED)
    expect(await register('bob@letters.example', code)).toEqual(CREATED)
    expect(await register('eve@letters.example', 'unknown')).toEqual(CREATED)
    const [invitation] = await testApp.deps.ledger.invitations.list()
    expect(invitation?.used_at).toBeNull()
  })
})

test.each(['open', 'invite', 'closed'])('GET /v1/plans reports %s registration', async (mode) => {
  await start(mode)
  const { body } = await testApp.client.get('/v1/plans')
  expect(body.data.registration).toBe(mode)
})
