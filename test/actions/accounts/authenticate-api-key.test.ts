import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { createApiKeyAuthenticator } from '#actions/accounts/authenticate-api-key.ts'
import { changeTier, getAccount } from '#actions/accounts/manage-accounts.ts'
import { createKey, revokeKey } from '#actions/accounts/manage-keys.ts'
import { ACCESS_RECHECK_MS } from '#store/ledger/keys.ts'
import { createLedgerFile, FROZEN_TIME, openLedgerFile } from '../../support/test-app.ts'

const now = () => new Date(FROZEN_TIME)

let file: Awaited<ReturnType<typeof createLedgerFile>>
let ledger: ReturnType<typeof openLedgerFile>
/** The command line or a second server: another connection to the same file. */
let elsewhere: ReturnType<typeof openLedgerFile>

beforeEach(async () => {
  file = await createLedgerFile()
  ledger = openLedgerFile(file.folder)
  elsewhere = openLedgerFile(file.folder)
})
afterEach(() => {
  ledger.close()
  elsewhere.close()
  file.close()
})

const keyOf = async (email: string, at = ledger) => {
  const { id } = await getAccount({ ledger: at, now }, email)
  const key = { account_id: id, address: undefined, name: 'Default' }
  return createKey({ ledger: at, now }, key)
}

const revoke = (id: string, at = ledger) =>
  revokeKey({ ledger: at, now }, { id, address: undefined })

const refusal = { code: 'INVALID_API_KEY' }

/** Waits until a change by another process must be visible. */
const untilVisible = () => Bun.sleep(ACCESS_RECHECK_MS + 1)

/** Returns the principal of a key, or the code of the refusal. */
async function outcome(run: () => unknown): Promise<unknown> {
  try {
    return await run()
  } catch (error) {
    return (error as { code: string }).code // a ServiceError has one; else the test fails on undefined
  }
}

describe('a key', () => {
  test('belongs to its account and tier, from the ledger and from memory', async () => {
    const callerOf = createApiKeyAuthenticator({ ledger, config: { hasLimits: true } })
    const { id, key } = await keyOf('pro@guests.example')
    const account = { account_id: file.accounts.pro, tier: 'pro', is_unlimited: false } as const
    const caller = { kind: 'key', key_id: id, ...account } as const
    expect(await callerOf(key)).toEqual(caller)
    expect(callerOf(key)).toEqual(caller)
  })

  test('that was just created is known, whichever process created it', async () => {
    const callerOf = createApiKeyAuthenticator({ ledger, config: { hasLimits: true } })
    for (const at of [ledger, elsewhere]) {
      const { id, key } = await keyOf('free@guests.example', at)
      expect(await callerOf(key)).toMatchObject({ key_id: id })
    }
  })

  test.each(['at once if this process did it', 'after 5 ms if another process did it'])(
    'that was deactivated is rejected %s',
    async (where) => {
      const callerOf = createApiKeyAuthenticator({ ledger, config: { hasLimits: true } })
      const { id, key } = await keyOf('pro@guests.example')
      const caller = await callerOf(key)
      expect(caller).toMatchObject({ key_id: id })
      // From memory, so that no read of this process makes it look at the ledger again.
      expect(callerOf(key)).toBe(caller)
      const isElsewhere = where.includes('another')
      await revoke(id, isElsewhere ? elsewhere : ledger)
      if (isElsewhere) await untilVisible()
      expect(await outcome(() => callerOf(key))).toBe(refusal.code)
      expect(await outcome(() => callerOf(key))).toBe(refusal.code)
    },
  )

  test('stays in memory while quotas are leased, here and in another process', async () => {
    const callerOf = createApiKeyAuthenticator({ ledger, config: { hasLimits: true } })
    const { key } = await keyOf('pro@guests.example')
    const caller = await callerOf(key)
    for (const at of [ledger, elsewhere]) {
      await at.usage.lease(file.accounts.free, 20_000, { limit: 100, wanted: 10, needed: 1 })
      // Returned synchronously, not as a promise, because nothing was read.
      expect(callerOf(key)).toBe(caller)
    }
  })

  test('that is deactivated during its lookup is rejected after 5 ms', async () => {
    const callerOf = createApiKeyAuthenticator({ ledger, config: { hasLimits: true } })
    const revoked = await keyOf('pro@guests.example')
    const other = await keyOf('free@guests.example')
    // As between two requests of a busy server: the lookup has read the key, another process
    // deactivates it, and another request notices the change.
    const authenticating = callerOf(revoked.key)
    const revoking = revoke(revoked.id, elsewhere)
    const others = callerOf(other.key)
    await Promise.all([authenticating, revoking, others])
    await untilVisible()
    expect(await outcome(() => callerOf(revoked.key))).toBe(refusal.code)
  })

  test('leaves the account’s other keys unchanged', async () => {
    const callerOf = createApiKeyAuthenticator({ ledger, config: { hasLimits: true } })
    const first = await keyOf('pro@guests.example')
    const second = await keyOf('pro@guests.example')
    await revoke(first.id, elsewhere)
    await untilVisible()
    expect(await outcome(() => callerOf(first.key))).toBe(refusal.code)
    expect(await callerOf(second.key)).toMatchObject({ key_id: second.id })
  })

  test.each(['at once if this process changed it', 'after 5 ms if another process changed it'])(
    'has the new tier %s',
    async (where) => {
      const callerOf = createApiKeyAuthenticator({ ledger, config: { hasLimits: true } })
      const { key } = await keyOf('free@guests.example')
      expect(await callerOf(key)).toMatchObject({ tier: 'free' })
      const isElsewhere = where.includes('another')
      const at = isElsewhere ? elsewhere : ledger
      await changeTier({ ledger: at, now }, { email: 'free@guests.example', tier: 'business' })
      if (isElsewhere) await untilVisible()
      expect(await callerOf(key)).toMatchObject({ tier: 'business' })
      await changeTier({ ledger: at, now }, { email: 'free@guests.example', tier: 'hobby' })
      if (isElsewhere) await untilVisible()
      expect(await callerOf(key)).toMatchObject({ tier: 'hobby' })
    },
  )

  test('is stored only as its hash', async () => {
    const { key } = await keyOf('pro@guests.example')
    const { account_id } =
      (await ledger.keys.getOwner(new Bun.CryptoHasher('sha256').update(key).digest())) ?? {}
    expect(account_id).toBe(file.accounts.pro)
    const bytes = Buffer.concat(
      await Promise.all(
        ['ledger.db', 'ledger.db-wal'].map(async (name) =>
          Buffer.from(await Bun.file(`${file.folder}/${name}`).arrayBuffer()),
        ),
      ),
    )
    expect(bytes.includes(key)).toBe(false)
    expect(bytes.includes(key.slice(9, -6))).toBe(false)
  })
})

describe('an account', () => {
  test('that is unknown has neither keys nor a tier', async () => {
    const email = 'stranger@guests.example'
    expect(await outcome(() => keyOf(email))).toBe('NOT_FOUND')
    expect(await outcome(() => changeTier({ ledger, now }, { email, tier: 'pro' }))).toBe(
      'NOT_FOUND',
    )
    expect(await outcome(() => revoke('no-such-key'))).toBe('NOT_FOUND')
  })
})
