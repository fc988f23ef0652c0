import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type IdentificationStore, openIdentificationStore } from '#store/ledger/identifications.ts'
import { ENGINES, enterAccount, type TestEngines } from '../../support/ledger/engines.ts'

describe.each(ENGINES)('identifications on %s', (_name, open) => {
  let ledger: TestEngines
  let engine: TestEngines['engines'][number]
  let store: IdentificationStore

  beforeAll(async () => {
    ledger = await open()
    engine = ledger.engines[0] as typeof engine
    store = openIdentificationStore(engine)
  })
  afterAll(() => ledger.close())

  async function enter(account: number, at: number, data = '{"é":1}'): Promise<string> {
    const insert = engine.prepare<[string, number, number, string]>(
      `INSERT INTO identifications (id, account_id, at, status, data) VALUES (?, ?, ?, 'matched', ?)`,
    )
    const id = crypto.randomUUID()
    await engine.query(insert.run(id, account, at, data))
    return id
  }

  test('belong to one account, with its last feedback', async () => {
    const [owner, other] = [await enterAccount(engine), await enterAccount(engine)]
    const id = await enter(owner.id, 1_700_000_000_000)
    const none = { data: '{"é":1}', feedback_at: null, feedback_card_id: null }
    expect(await store.getById(id, owner.id)).toEqual(none)
    expect(await store.getById(id, other.id)).toBeUndefined()
    const given = (account_id: number, card: number | null) =>
      store.updateFeedback({ id, account_id }, card, new Date(1_700_000_000_001))
    expect(await given(other.id, 7)).toBeUndefined()
    await given(owner.id, 7)
    const last = { ...none, feedback_at: 1_700_000_000_001 }
    expect(await store.getById(id, owner.id)).toEqual({ ...last, feedback_card_id: 7 })
    expect(await given(owner.id, null)).toEqual(last)
  })

  test('of all accounts are listed, newest first', async () => {
    for (const at of [1_800_000_000_002, 1_800_000_000_003, 1_800_000_000_001]) {
      const { id: account } = await enterAccount(engine)
      await enter(account, at, `{"at":${at}}`)
    }
    expect(await store.listLast(2)).toEqual(['{"at":1800000000003}', '{"at":1800000000002}'])
  })

  test('older than a time are deleted, at most as many as wanted', async () => {
    const { id: account } = await enterAccount(engine)
    for (let at = 1; at <= 5; at++) await enter(account, at)
    expect(await store.deleteBefore(new Date(5), 3)).toBe(3)
    expect(await store.deleteBefore(new Date(5), 3)).toBe(1)
    expect(await store.deleteBefore(new Date(5), 3)).toBe(0)
  })
})
