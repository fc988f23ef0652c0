import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { LedgerEngine } from '#store/ledger/engine/operation.ts'
import { openOwnedRows } from '#store/ledger/engine/owned-rows.ts'
import { type KeyRow, keys } from '#store/ledger/schema/accounts.ts'
import { ENGINES, enterAccount, type TestEngines } from '../../support/ledger/engines.ts'

describe.each(ENGINES)('rows of an account on %s', (_, open) => {
  let opened: TestEngines
  let engine: LedgerEngine
  beforeAll(async () => {
    opened = await open()
    engine = opened.engines[0] as LedgerEngine
  })
  afterAll(() => opened?.close())

  /** Opens rows of keys whose name is not `hidden`, by name; those with an "a" are limited. */
  const openRows = () =>
    openOwnedRows<Pick<KeyRow, 'id' | 'name' | 'is_active'> & { note: string }, typeof keys>(
      engine,
      keys,
      {
        select: `id, name, is_active, 'of ' || name AS note FROM keys`,
        where: "name <> 'hidden'",
        limited: "name LIKE '%a%'",
        order: 'name DESC',
      },
    )

  async function enter(...names: string[]) {
    const { id: account_id, key } = await enterAccount(engine)
    const rows = openRows()
    await rows.delete({ id: key, account_id })
    const ids: string[] = []
    for (const name of names) {
      const id = crypto.randomUUID()
      ids.push(id)
      const secret = { key_hash: Buffer.from(id), key_prefix: '', last4: '' }
      expect(await rows.create({ id, account_id, name, created_at: 0, ...secret }, 99)).toBe(true)
    }
    return { account_id, rows, ids }
  }

  const namesOf = ({ rows }: { rows: { name: string }[] }) => rows.map(({ name }) => name)

  test('are listed in their order: all, or those of a page, with their number', async () => {
    const { account_id, rows } = await enter('b', 'hidden', 'a', 'd', 'c')
    await enter('x', 'y')
    const list = (limit: number, offset: number) => rows.list({ account_id }, { limit, offset })
    expect(namesOf(await rows.list({ account_id }))).toEqual(['d', 'c', 'b', 'a'])
    const pages = [await list(3, 0), await list(3, 3), await list(3, 6)]
    expect(pages.map(namesOf)).toEqual([['d', 'c', 'b'], ['a'], []])
    expect(pages.map(({ total }) => total)).toEqual([4, 4, 4])
  })

  test('are created unless the account has as many limited ones as it may', async () => {
    const { account_id, rows } = await enter('a', 'aa', 'b', 'c')
    const add = (id: string, max: number, also?: Parameters<typeof rows.create>[2]) =>
      rows.create(
        {
          id,
          account_id,
          name: 'za',
          key_hash: Buffer.from(id),
          key_prefix: '',
          last4: '',
          created_at: 0,
        },
        max,
        also,
      )
    const mark = engine.prepare<[number]>("UPDATE keys SET last4 = 'seen' WHERE account_id = ?")
    expect(await add(crypto.randomUUID(), 2, () => mark.run(account_id))).toBe(false)
    expect(await add(crypto.randomUUID(), 3, () => mark.run(account_id))).toBe(true)
    const seen = engine.prepare<[number], { name: string }>(
      "SELECT name FROM keys WHERE account_id = ? AND last4 = 'seen' ORDER BY name",
    )
    expect(namesOf({ rows: await engine.query(seen.all(account_id)) })).toEqual([
      'a',
      'aa',
      'b',
      'c',
    ])
  })

  test('are read, changed and deleted by their account only, with flags as booleans', async () => {
    const { account_id, rows, ids } = await enter('a', 'hidden')
    const [id = '', hidden = ''] = ids
    const stranger = (await enter()).account_id
    const key = { id, account_id }
    const foreign = { id, account_id: stranger }
    const row = { id, name: 'a', is_active: true, note: 'of a' }
    const rename = engine.prepare<[string, string]>(
      'UPDATE keys SET name = ?, is_active = 0 WHERE id = ?',
    )
    expect(await rows.get(key)).toEqual(row)
    expect(await rows.update(key, ({ name }) => rename.run(`${name}b`, id))).toEqual({
      id,
      name: 'ab',
      is_active: false,
      note: 'of ab',
    })
    for (const missing of [foreign, { id: hidden, account_id }, { id: 'none', account_id }]) {
      expect(await rows.get(missing)).toBeUndefined()
      expect(await rows.update(missing, () => rename.run('x', missing.id))).toBeUndefined()
      expect(await rows.delete(missing, () => rename.run('x', missing.id))).toBeUndefined()
    }
    expect(await rows.delete(key)).toMatchObject({ name: 'ab' })
    expect(await rows.get(key)).toBeUndefined()
  })

  test('stay as they are if a further operation of a change fails', async () => {
    const { account_id, rows, ids } = await enter('a')
    const key = { id: ids[0] ?? '', account_id }
    const fail = engine.prepare<[]>('INSERT INTO key_totals (key_id) VALUES (NULL)')
    const rename = engine.prepare<[string]>("UPDATE keys SET name = 'b' WHERE id = ?")
    await expect(
      rows.update(key, function* () {
        yield* rename.run(key.id)
        yield* fail.run()
      }),
    ).rejects.toThrow()
    await expect(rows.delete(key, () => fail.run())).rejects.toThrow()
    expect(await rows.get(key)).toMatchObject({ name: 'a' })
  })
})
