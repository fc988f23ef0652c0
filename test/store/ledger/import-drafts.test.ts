// Drafts of imports on both engines: revisions, concurrent servers, parts, undo and deletion.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { UNKNOWN_HOLDING } from '#rules/collections/holding.ts'
import { DRAFT_MS } from '#rules/collections/import-draft.ts'
import type { DraftReader } from '#store/ledger/collections/import-drafts.ts'
import { type LedgerStores, openLedgerStores } from '#store/ledger/ledger.ts'
import { ENGINES, enterAccount, type TestEngines } from '../../support/ledger/engines.ts'

const NOW = new Date(1_800_000_000_000)
const after = (ms: number) => new Date(NOW.getTime() + ms)

let made = 0

const readerOf = ({ collection_id, import_id, reader }: DraftReader) => ({
  collection_id,
  import_id,
  reader,
})

const newItem = (note: string) => ({
  ...UNKNOWN_HOLDING,
  id: `item_${String(made++).padStart(6, '0')}`,
  card_id: 7,
  name: 'Cindle',
  number: null,
  game: 'wickerwild',
  set_id: 1,
  set_name: 'Set',
  printing: 'Normal',
  quantity: 2,
  note,
})

describe.each(ENGINES)('drafts on %s', (_name, open) => {
  let ledger: TestEngines
  let stores: LedgerStores[]

  beforeAll(async () => {
    ledger = await open()
    stores = ledger.engines.map((engine) =>
      openLedgerStores(engine, { get: () => 1, forget: () => undefined }),
    )
  })
  afterAll(() => ledger.close())

  function server(number: number): LedgerStores {
    const found = stores[number]
    if (found === undefined) throw new Error(`there is no server ${number}`)
    return found
  }

  /** Creates a collection of a new account, and a function that reads drafts of it. */
  async function enter() {
    const [engine] = ledger.engines
    if (engine === undefined) throw new Error('there is no engine')
    const account_id = (await enterAccount(engine)).id
    const id = `col_draft_${made++}`
    await server(0).lists.create({ id, account_id, kind: 'owned', name: 'Box' }, 1_000, NOW)
    const begin = (now = NOW, content_hash = 'draft', unowned = 'leave_out') =>
      server(0).importDrafts.begin(
        {
          account_id,
          collection_id: id,
          file_name: null,
          content_hash,
          direct_hash: 'direct',
          unowned,
        },
        now,
      )
    const read = async (now = NOW) => {
      const key = readerOf(await begin(now))
      await server(0).importDrafts.finish(key, { ...FACTS, totals: '{"a":0}' }, now)
      return key
    }
    const get = (import_id: string, now = NOW) =>
      server(1).importRecords.get({ id: import_id, account_id }, now)
    return { account_id, collection_id: id, begin, read, get }
  }

  const FACTS = { columns: '[]', header: '["Name"]', states: '{}' }

  test('can be read once they are finished, by their account, for a day', async () => {
    const { begin, get } = await enter()
    const { is_repeated, ...begun } = await begin()
    const key = readerOf(begun)
    expect([is_repeated, await get(key.import_id)]).toEqual([false, undefined])
    await server(1).importDrafts.finish(key, { ...FACTS, totals: '{}' }, NOW)
    expect(await get(key.import_id)).toMatchObject({ revision: 1, header: '["Name"]', items: 0 })
    const foreign = { id: key.import_id, account_id: (await enter()).account_id }
    expect(await server(0).importRecords.get(foreign, NOW)).toBeUndefined()
    expect(await get(key.import_id, after(DRAFT_MS - 1))).toBeDefined()
    expect(await get(key.import_id, after(DRAFT_MS))).toBeUndefined()
  })

  test('keep parts as they are, and decisions by their place', async () => {
    const { read } = await enter()
    const key = await read()
    const { importDrafts } = server(0)
    const content = new Uint8Array(70_000).map((_, at) => (at * 31) % 256)
    await importDrafts.addPart({ ...key, kind: 'guessed', part: 1 }, content)
    const stored = await server(1).importDrafts.getPart({ ...key, kind: 'guessed', part: 1 })
    expect(Buffer.from(stored ?? []).equals(content)).toBe(true)
    expect(await importDrafts.getPart({ ...key, kind: 'guessed', part: 0 })).toBeUndefined()
    const change = (position: number, state: 'skipped' | null) =>
      ({ kind: 'guessed', position, state, changed: '{}' }) as const
    const decision = { states: '{}', totals: '{}' }
    const changes = [change(9, 'skipped'), change(10, 'skipped'), change(19, null)]
    expect(await importDrafts.change(key, 1, { ...decision, changes }, NOW)).toBe(true)
    const list = () => server(1).importDrafts.listChanges({ ...key, kind: 'guessed', part: 1 }, 10)
    const first = { ...change(10, 'skipped'), revision: 2 }
    expect(await list()).toEqual([first, { ...change(19, null), revision: 2 }])
    const again = { ...decision, changes: [change(19, 'skipped')] }
    expect(await importDrafts.change(key, 2, again, NOW)).toBe(true)
    expect(await list()).toEqual([first, { ...change(19, 'skipped'), revision: 3 }])
  })

  test('that were paused are continued, and only by the last run', async () => {
    const { begin, get } = await enter()
    const first = readerOf(await begin())
    const { importDrafts } = server(0)
    const part = { kind: 'certain', part: 0 } as const
    await importDrafts.addPart({ ...first, ...part }, new Uint8Array([1]))
    await importDrafts.pause(first, { read_rows: 1, totals: '{"a":1}' })
    const second = { ...first, reader: 2 }
    expect(await begin(after(1))).toMatchObject({ ...second, read_rows: 1, totals: '{"a":1}' })
    await server(1).importDrafts.addPart({ ...second, ...part }, new Uint8Array([1, 2]))
    // The first run has lost its turn, and does not know it yet.
    await importDrafts.addPart({ ...first, ...part }, new Uint8Array([3]))
    await importDrafts.pause(first, { read_rows: 9, totals: '{}' })
    const facts = { ...FACTS, totals: '{"a":2}' }
    expect(await importDrafts.finish(first, facts, after(2))).toBe(false)
    expect(await server(1).importDrafts.finish(second, facts, after(2))).toBe(true)
    const stored = await importDrafts.getPart({ ...first, ...part })
    expect([...(stored ?? [])]).toEqual([1, 2])
    expect(await get(first.import_id, after(3))).toMatchObject({ totals: '{"a":2}' })
    // The file was read to its end: it begins another draft.
    expect((await begin(after(4))).import_id).not.toBe(first.import_id)
  })

  test('are not continued with another choice for rows that nobody owns', async () => {
    const { begin } = await enter()
    const first = readerOf(await begin())
    await server(0).importDrafts.pause(first, { read_rows: 1, totals: '{}' })
    const other = await begin(after(1), 'draft', 'wishlist')
    expect(other).toMatchObject({ read_rows: 0 })
    expect(other.import_id).not.toBe(first.import_id)
  })

  test('change, start and end once for each revision, whichever server is asked', async () => {
    const { read, get } = await enter()
    const key = await read()
    const decision = { states: '{}', totals: '{}', changes: [] }
    const changed = await Promise.all(
      stores.map(({ importDrafts }) => importDrafts.change(key, 1, decision, NOW)),
    )
    expect(changed.toSorted()).toEqual([false, false, true])
    const start = (revision: number) => ({ revision, rows: 3, max: 5 })
    const started = await Promise.all(
      stores.map(({ importRecords }) => importRecords.start(key, start(2), NOW)),
    )
    expect(started.toSorted()).toEqual(['changed', 'changed', 'started'])
    expect(await server(0).importDrafts.change(key, 3, decision, NOW)).toBe(false)
    expect(await server(0).importDrafts.discard(key, 3, NOW)).toBe(false)
    expect(await get(key.import_id)).toMatchObject({ revision: 3, completed_at: null })
    const full = await read()
    const many = { revision: 1, rows: 6, max: 5 }
    expect(await server(0).importRecords.start(full, many, NOW)).toBe('full')
    expect(await server(1).importDrafts.discard(full, 1, NOW)).toBe(true)
    expect(await get(full.import_id)).toBeUndefined()
  })

  test('neither change nor start once they have ended', async () => {
    const { read, get } = await enter()
    const key = await read()
    const end = after(DRAFT_MS)
    const { importDrafts, importRecords } = server(0)
    const decision = { states: '{}', totals: '{}', changes: [] }
    expect(await importDrafts.change(key, 1, decision, end)).toBe(false)
    expect(await importDrafts.discard(key, 1, end)).toBe(false)
    expect(await importRecords.start(key, { revision: 1, rows: 1, max: 5 }, end)).toBe('changed')
    expect(await get(key.import_id, end)).toBeUndefined()
    expect(await get(key.import_id)).toMatchObject({ revision: 1, started_at: null })
  })

  test('of an account are three; an interrupted one has ended', async () => {
    const { begin, read, get } = await enter()
    const lost = await begin(after(0))
    const keys = []
    for (const ms of [1, 2, 3, 4]) keys.push(await read(after(ms)))
    await server(0).importDrafts.finish(lost, { ...FACTS, totals: '{}' }, after(5))
    const found = await Promise.all(
      [lost, ...keys].map(async ({ import_id }) => (await get(import_id, after(5))) !== undefined),
    )
    expect(found).toEqual([false, false, true, true, true])
  })

  test('are undone: items that were not changed since, and no others', async () => {
    const { read, get, account_id, collection_id } = await enter()
    const key = await read()
    const { importRecords, importDrafts, collectionImports, listItems, lists } = server(0)
    await importRecords.start(key, { revision: 1, rows: 4, max: 100 }, NOW)
    const stored = await importDrafts.getKey(key)
    if (stored === undefined) throw new Error('there is no draft')
    const { states: _, ...run } = stored
    const batch = (before: number, notes: string[]) => {
      const items = notes.map(newItem)
      return { before, next: before + notes.length, items, problem_count: 0, problems: '[]' }
    }
    const first = batch(0, ['a', 'b'])
    expect(await collectionImports.addBatch(run, first, 100, NOW)).toBe('stored')
    await listItems.add(collection_id, [newItem('own')], 100, NOW)
    expect(await collectionImports.addBatch(run, batch(2, ['c', 'd']), 100, NOW)).toBe('stored')
    const changed = { account_id, list_id: collection_id, id: first.items[1]?.id ?? '' }
    await listItems.update({ ...changed, revision: undefined }, { quantity: 9 }, NOW)
    const undone = await Promise.all(stores.map((one) => one.importRecords.undo(key, 2, NOW)))
    expect(undone.toSorted()).toEqual([false, false, true])
    expect(await collectionImports.addBatch(run, batch(4, ['e']), 100, NOW)).toBe('overtaken')
    expect(await collectionImports.getProgress(run)).toBeUndefined()
    let last: string | undefined = ''
    for (let number = 0; last !== undefined; number++) {
      last = await server(number % 3).importRecords.removeItems(
        key,
        { list_id: collection_id, after: last, limit: 2 },
        NOW,
      )
    }
    const left = await listItems.listAfter(collection_id, '', 100)
    expect(left.map(({ note, quantity }) => [note, quantity])).toEqual([
      ['b', 9],
      ['own', 2],
    ])
    expect(await lists.get({ id: collection_id, account_id })).toMatchObject({
      items: 2,
      copies: 11,
    })
    expect(await get(key.import_id)).toMatchObject({ imported: 4, removed: 3 })
    expect(await importRecords.listKept(key, 10)).toEqual({
      items: [{ item_id: changed.id, card_id: 7, name: 'Cindle' }],
      total: 1,
      isEnded: true,
    })
  })

  test('are deleted in small steps after their end, and what was imported stays', async () => {
    const { read, get } = await enter()
    const [kept, used] = [await read(), await read(after(1))]
    const { importDrafts, importRecords } = server(0)
    for (const part of [0, 1, 2]) {
      await importDrafts.addPart({ ...kept, kind: 'certain', part }, new Uint8Array(10))
    }
    await importRecords.start(used, { revision: 1, rows: 0, max: 5 }, NOW)
    const purged: number[] = []
    const late = after(3 * DRAFT_MS)
    do purged.push(await importDrafts.purge(2, late))
    while (purged.at(-1) !== 0)
    expect(purged.every((count) => count <= 2)).toBe(true)
    expect(await importDrafts.getPart({ ...kept, kind: 'certain', part: 2 })).toBeUndefined()
    expect(await get(used.import_id, late)).toMatchObject({ expires_at: null, revision: 2 })
    expect(await importDrafts.getKey(kept)).toBeUndefined()
  })
})
