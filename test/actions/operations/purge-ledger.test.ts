import { afterEach, expect, test } from 'bun:test'
import { authenticateSession } from '#actions/accounts/authenticate-session.ts'
import { purgeLedger } from '#actions/operations/purge-ledger.ts'
import { hashSecret } from '#rules/accounts/credentials.ts'
import { MS_PER_DAY } from '#rules/primitives/days.ts'
import { openLedger } from '#store/index.ts'
import { createLedgerFile, FROZEN_TIME } from '../../support/test-app.ts'

const closers: (() => unknown)[] = []
afterEach(() => {
  for (const close of closers.splice(0).reverse()) close()
})

test('a session that is used every day outlives the idle limit, and ends after thirty days', async () => {
  const file = await createLedgerFile()
  closers.push(file.close)
  const ledger = openLedger(file.folder)
  closers.push(() => ledger.close())
  let clock = Date.parse(FROZEN_TIME)
  const now = () => new Date(clock)
  const account = await ledger.accounts.getById(file.accounts.pro)
  await ledger.sessions.create({
    account_id: file.accounts.pro,
    password_hash: account?.password_hash ?? '',
    token_hash: hashSecret('token'),
    replaces: undefined,
    now: now(),
    address: '192.0.2.7',
  })
  for (let day = 1; day < 30; day++) {
    clock += MS_PER_DAY
    await purgeLedger({ ledger, now })
    expect({ day, session: await authenticateSession({ ledger, now }, 'token') }).toMatchObject({
      day,
      session: { account_id: file.accounts.pro },
    })
  }
  clock += MS_PER_DAY + 1
  await purgeLedger({ ledger, now })
  expect(await ledger.sessions.getByToken(hashSecret('token'))).toBeUndefined()
})
