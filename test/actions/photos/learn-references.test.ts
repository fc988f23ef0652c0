import { beforeEach, describe, expect, test } from 'bun:test'
import { deleteAccount } from '#actions/accounts/delete-account.ts'
import { loadReferences } from '#actions/photos/load-references.ts'
import { removeReferencesOf } from '#actions/photos/manage-references.ts'
import { formatFingerprint } from '#rules/photos/picture-index/learned-references.ts'
import { embedderVersion } from '#vision/retrieval/embedder-version.ts'
import type { Reference } from '../../../src/client/endpoints.ts'
import { fakeReader, OBSERVATION, PHOTO } from '../../support/photos/reader-fixtures.ts'
import { scriptedVector } from '../../support/photos/scripted-pipeline.ts'
import {
  createTestApp,
  type TestAccount,
  type TestApp,
  type TestUser,
} from '../../support/test-app.ts'

const CARD = 900402
const EMBEDDER = 'embedder'
const picture = { vector: scriptedVector(1), hash: new Uint8Array(128).fill(3) }

let testApp: TestApp

beforeEach(async () => {
  const fingerprint = formatFingerprint(EMBEDDER, picture)
  testApp = await createTestApp({ reader: fakeReader(() => ({ ...OBSERVATION, fingerprint })) })
})

/** Sends a photo of a card, and names the card. */
async function name(as: TestUser, card_id: number | null = CARD): Promise<string> {
  const { body } = await testApp.client.request<{ id: string }>('POST', '/v1/identify', {
    as,
    body: PHOTO.jpeg,
    headers: { 'content-type': 'image/jpeg' },
  })
  const { id } = body.data
  await testApp.client.post(`/v1/identify/${id}/feedback`, { card_id }, { as })
  return id
}

const learned = async (embedder = EMBEDDER) =>
  (await loadReferences(testApp.deps, embedder)).references

describe('a named photo', () => {
  test('of an operator is a reference of its card and game at once', async () => {
    await testApp.makeOperator('pro')
    await name('pro')
    const [game] = testApp.deps.catalog.candidates.getGameIds([CARD]).values()
    expect(await learned()).toEqual([{ ...picture, card_id: CARD, game_id: game ?? 0, giver: 0 }])
  })

  test('of another account needs a second one, and ends with the account', async () => {
    await name('free')
    await name('free')
    expect(await learned()).toEqual([])
    await name('pro')
    expect(await learned()).toHaveLength(3)
    const account = await testApp.deps.ledger.accounts.getById(await testApp.accountId('pro'))
    if (account === undefined) throw new Error('the account is missing')
    await deleteAccount(testApp.deps, account)
    expect(await learned()).toEqual([])
  })

  test('is not used if its card is not in the catalog, or the networks have changed', async () => {
    await testApp.makeOperator('pro')
    await name('pro', null)
    expect(await learned()).toEqual([])
    await name('pro')
    expect(await learned('another embedder')).toEqual([])
  })
})

describe('the list of references', () => {
  const list = async (as: TestAccount, query = '') => {
    const session = await testApp.createSession(as)
    return (await testApp.client.get<Reference[]>(`/v1/references${query}`, { session })).body.data
  }
  const remove = async (as: TestAccount, id: string) =>
    testApp.client.request('DELETE', `/v1/references/${id}`, {
      session: await testApp.createSession(as),
    })
  const listRemovals = async () => {
    const entries = await testApp.deps.ledger.audit.list(50)
    return entries.flatMap(({ event, detail }) => (event === 'reference_removed' ? [detail] : []))
  }

  test('has those of the account, for operators those of all', async () => {
    const [own, other] = [await name('free'), await name('pro')]
    expect((await list('free')).map(({ id }) => id)).toEqual([own])
    await testApp.makeOperator('pro')
    expect(new Set((await list('pro')).map(({ id }) => id))).toEqual(new Set([own, other]))
    expect(await list('pro', '?card_id=900401')).toEqual([])
    const account_id = await testApp.accountId('free')
    expect((await list('pro', `?account_id=${account_id}`)).map(({ id }) => id)).toEqual([own])
  })

  test('has nothing of other accounts, whichever is asked for', async () => {
    await name('pro')
    expect(await list('free', `?account_id=${await testApp.accountId('pro')}`)).toEqual([])
  })

  test('has the card, who named it, and whether it is accepted', async () => {
    const fingerprint = formatFingerprint(embedderVersion(), picture)
    testApp = await createTestApp({ reader: fakeReader(() => ({ ...OBSERVATION, fingerprint })) })
    await name('free')
    const [first] = await list('free')
    expect(first).toMatchObject({ card_id: CARD, email: 'free@guests.example', is_accepted: false })
    expect(first?.name).toBe(testApp.deps.catalog.candidates.getByIds([CARD])[0]?.name ?? null)
    await name('pro')
    expect((await list('free')).map(({ is_accepted }) => is_accepted)).toEqual([true])
  })

  test('lets an account remove its own, and operators all, for good', async () => {
    const [own, other] = [await name('free'), await name('pro')]
    expect((await remove('free', other)).status).toBe(404)
    expect((await remove('free', own)).status).toBe(200)
    await testApp.client.post(`/v1/identify/${own}/feedback`, { card_id: CARD }, { as: 'free' })
    expect(await list('free')).toEqual([])
    await testApp.makeOperator('pro')
    const again = await name('free')
    expect((await remove('pro', again)).status).toBe(200)
    expect((await list('pro')).map(({ id }) => id)).toEqual([other])
  })

  test('lets operators remove all of an account, for good, and says so in the audit log', async () => {
    const ids = [await name('free'), await name('free')]
    const kept = await name('pro')
    const account_id = await testApp.accountId('free')
    const removeAll = async (as: TestAccount) =>
      testApp.client.request('DELETE', `/v1/references?account_id=${account_id}`, {
        session: await testApp.createSession(as),
      })
    expect((await removeAll('pro')).status).toBe(403)
    await testApp.makeOperator('pro')
    expect((await removeAll('pro')).body.data).toEqual({ removed: 2 })
    for (const id of ids) {
      await testApp.client.post(`/v1/identify/${id}/feedback`, { card_id: CARD }, { as: 'free' })
    }
    expect((await list('pro')).map(({ id }) => id)).toEqual([kept])
    expect(await listRemovals()).toEqual([`all 2, of account ${account_id}`])
  })

  test('has in the audit log what was removed of an account before a failure', async () => {
    const account_id = await testApp.accountId('free')
    const { deps } = testApp
    const parts = [200, 200]
    const deleteOfAccount = async () => {
      const count = parts.pop()
      if (count === undefined) throw new Error('the database is gone')
      return count
    }
    const cardReferences = { ...deps.ledger.cardReferences, deleteOfAccount }
    const failing = { now: deps.now, ledger: { ...deps.ledger, cardReferences } }
    const remover = { account_id: undefined, address: undefined }
    const removal = removeReferencesOf(failing, remover, account_id)
    expect(await removal.catch(String)).toBe('Error: the database is gone')
    expect(await listRemovals()).toEqual([`the first 400, of account ${account_id}`])
  })
})
