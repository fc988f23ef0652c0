import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { LEDGERS, type TestLedgers } from '../../support/ledger/ledgers.ts'

describe.each(LEDGERS)('references of cards on %s', (_name, create) => {
  let ledgers: TestLedgers
  let ledger: ReturnType<TestLedgers['open']>
  let count = 0

  beforeAll(async () => {
    ledgers = await create()
    ledger = ledgers.open()
  })
  afterAll(() => ledgers.close())

  /** Stores an identification of an account, with a fingerprint. */
  async function identify(account_id: number, fingerprint = `v1:${count}`): Promise<string> {
    const id = `print-${String(count++).padStart(4, '0')}`
    await ledgers.execute(
      `INSERT INTO identifications (id, account_id, at, status, data, fingerprint)
       VALUES ('${id}', ${account_id}, 1, 'ambiguous', '{}', '${fingerprint}')`,
    )
    return id
  }

  const name = (id: string, account_id: number, card_id: number | null, at = 5) =>
    ledger.identifications.updateFeedback({ id, account_id }, card_id, new Date(at))
  const listed = async (card_id: number) =>
    (await ledger.cardReferences.list({ card_id, account_id: null }, { limit: 100, offset: 0 }))
      .rows

  test('are the photos whose card was named, with their last card', async () => {
    const { free, pro } = ledgers.accounts
    const id = await identify(free, 'v1:first')
    expect(await listed(7)).toEqual([])
    await name(id, free, 7)
    const [reference] = await listed(7)
    expect(reference).toMatchObject({ id, account_id: free, card_id: 7, fingerprint: 'v1:first' })
    await name(id, pro, 8)
    expect(await listed(8)).toEqual([])
    await name(id, free, 8)
    expect([await listed(7), await listed(8)]).toMatchObject([[], [{ id, card_id: 8 }]])
    await name(id, free, null)
    expect(await listed(8)).toEqual([])
  })

  test('do not include a photo without a fingerprint', async () => {
    const { free } = ledgers.accounts
    await ledgers.execute(
      `INSERT INTO identifications (id, account_id, at, status, data)
       VALUES ('bare', ${free}, 1, 'ambiguous', '{}')`,
    )
    await name('bare', free, 9)
    expect(await listed(9)).toEqual([])
  })

  test('are at most eight of an account for a card: the newest', async () => {
    const { free, pro } = ledgers.accounts
    for (let at = 1; at <= 10; at++) await name(await identify(free), free, 10, at)
    await name(await identify(pro), pro, 10, 0)
    const times = (await listed(10)).map(({ created_at }) => Number(created_at))
    expect(times).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 0])
  })

  test('outlive their identification', async () => {
    const { free } = ledgers.accounts
    await name(await identify(free), free, 11)
    await ledger.identifications.deleteBefore(new Date(2), 1_000)
    expect(await listed(11)).toHaveLength(1)
  })

  test('are removed by their account or by the operator, and never come back', async () => {
    const { free, pro } = ledgers.accounts
    const { cardReferences } = ledger
    const id = await identify(free)
    await name(id, free, 12)
    expect(await cardReferences.delete(id, pro)).toBeUndefined()
    expect(await cardReferences.delete(id, free)).toMatchObject({ id, card_id: 12 })
    await name(id, free, 12)
    expect(await listed(12)).toEqual([])
    const other = await identify(pro)
    await name(other, pro, 12)
    expect(await cardReferences.delete(other, null)).toMatchObject({ id: other })
    expect(await cardReferences.delete(other, null)).toBeUndefined()
  })

  test('of a card are listed with those of operators first, then the newest', async () => {
    const { free, pro } = ledgers.accounts
    await ledgers.execute(`UPDATE accounts SET is_operator = 1 WHERE id = ${pro}`)
    for (const [account, at] of [
      [free, 1],
      [free, 3],
      [pro, 2],
      [free, 4],
    ] as const) {
      await name(await identify(account), account, 21, at)
    }
    const times = (await ledger.cardReferences.listOfCard(21, 3)).map((one) => one.created_at)
    expect(times.map(Number)).toEqual([2, 4, 3])
    await ledgers.execute(`UPDATE accounts SET is_operator = 0 WHERE id = ${pro}`)
  })

  test('of an account are removed in parts, and never come back', async () => {
    const { free, pro } = ledgers.accounts
    const { cardReferences } = ledger
    await ledgers.execute(`DELETE FROM card_references WHERE account_id = ${free}`)
    const own = [await identify(free), await identify(free), await identify(free)]
    for (const id of own) await name(id, free, 22)
    const other = await identify(pro)
    await name(other, pro, 22)
    const removed = [
      await cardReferences.deleteOfAccount(free, 2),
      await cardReferences.deleteOfAccount(free, 2),
    ]
    expect(removed).toEqual([2, 1])
    for (const id of own) await name(id, free, 22)
    expect((await listed(22)).map(({ id }) => id)).toEqual([other])
    await name(await identify(free), free, 22)
    expect(await listed(22)).toHaveLength(2)
  })

  test('have a version that grows with them and with the roles of accounts', async () => {
    const { free } = ledgers.accounts
    const { cardReferences } = ledger
    const versions = [await cardReferences.getVersion()]
    const note = async () => versions.push(await cardReferences.getVersion())
    const id = await identify(free)
    await note()
    await name(id, free, 13)
    await note()
    await ledgers.execute(`UPDATE accounts SET is_operator = 1 WHERE id = ${free}`)
    await note()
    await cardReferences.delete(id, null)
    await note()
    const grows = versions.slice(1).map((version, at) => version > (versions[at] ?? 0))
    expect(grows).toEqual([false, true, true, true])
  })

  test('are read in pages, with the roles of their accounts', async () => {
    const { free } = ledgers.accounts
    const { cardReferences } = ledger
    const all = await cardReferences.listAfter('', 1_000)
    const first = await cardReferences.listAfter('', 3)
    const rest = await cardReferences.listAfter(first.at(-1)?.id ?? '', 1_000)
    expect([...first, ...rest]).toEqual(all)
    expect(all.find(({ account_id }) => account_id === free)).toMatchObject({ is_operator: 1 })
  })
})
