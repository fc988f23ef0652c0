// Rows that nobody owns, as they go to a wish list if the import asks for it.

import { describe, expect, test } from 'bun:test'
import type { Collection } from '../../../src/client/endpoints.ts'
import { draftCallsOf, sumsOf } from '../../support/collections/draft-calls.ts'
import { expectRefusal } from '../../support/refusal.ts'
import { createTestApp, type TestAccount } from '../../support/test-app.ts'

const CSV = [
  'Name,Set,Number,Quantity,Binder Type,Watchlist,Proxy,Price Paid,Note,Currency',
  'Cindle,TPP,001/020,2,binder,false,false,3,mine',
  'Cindle,TPP,001/020,1,list,false,false,9,listed,EUR',
  'Cindle,TPP,001/020,3,deck,false,false,,decked',
  'Cindle,TPP,001/020,4,,true,false,,watched',
  'Cindle,TPP,001/020,1,list,true,true,,printed at home',
  'Cindel,TPP,,1,list,false,false,,misspelled',
].join('\n')

/** Rows that go to the wish list. */
const WANTED = ['listed', 'decked', 'watched']

async function open(as: TestAccount = 'business') {
  const app = await createTestApp()
  const calls = draftCallsOf(app, as)
  const listAll = async (kind: string) => {
    const { body } = await app.client.get<Collection[]>('/v1/collections', { as })
    return body.data.filter((one) => one.kind === kind)
  }
  const notesIn = async (id: string) =>
    (await calls.items(id, '?sort=added_asc&per_page=100')).map(({ note }) => note)
  const { advance } = app
  return { ...calls, app, advance, listAll, notesIn, collection: await calls.create() }
}

describe('rows that nobody owns', () => {
  test('are left out by default, and no wish list is created', async () => {
    const { collection, import: send, listAll } = await open()
    expect(await send(collection, CSV)).toMatchObject({ imported: 1, unowned: 0, skipped: 5 })
    expect(await listAll('wish')).toEqual([])
  })

  test('go to a new wish list, without what was paid; proxies and guesses do not', async () => {
    const { collection, import: send, listAll, notesIn, items } = await open()
    const report = await send(collection, CSV, '?unowned=wishlist')
    expect(report).toMatchObject({ rows: 6, imported: 1, unowned: 3, skipped: 2 })
    expect(report.problems.map(({ row, reason }) => [row, reason])).toEqual([
      [5, 'proxy'],
      [6, 'guessed'],
    ])
    expect(await notesIn(collection)).toEqual(['mine'])
    const [list] = await listAll('wish')
    expect(list).toMatchObject({ name: 'Wish list', item_count: 3 })
    expect(await notesIn(list?.id ?? '')).toEqual(WANTED)
    const [first] = await items(list?.id ?? '', '?sort=added_asc')
    expect(first).toMatchObject({
      quantity: 1,
      price_paid: null,
      paid_currency: 'USD',
      acquired_on: null,
    })
  })

  test('go to the oldest wish list once, however often the file is sent', async () => {
    const { advance, create, collection, import: send, listAll, notesIn } = await open()
    const oldest = await create('wish')
    advance(1)
    await create('wish')
    const first = await send(collection, CSV, '?unowned=wishlist')
    for (const query of ['?unowned=wishlist', '']) {
      const again = await send(collection, CSV, query)
      expect(again).toMatchObject({ import_id: first.import_id, is_repeated: true, unowned: 3 })
    }
    expect(await notesIn(oldest)).toEqual(WANTED)
    expect((await listAll('wish')).map(({ item_count }) => item_count)).toEqual([3, 0])
  })

  test('of a file for a wish list are items of this list', async () => {
    const { create, import: send, notesIn } = await open()
    const [other, list] = [await create('wish'), await create('wish')]
    const report = await send(list, CSV, '?unowned=wishlist')
    expect(report).toMatchObject({ imported: 4, unowned: 0 })
    expect(await notesIn(list)).toEqual(['mine', ...WANTED])
    expect(await notesIn(other)).toEqual([])
  })

  test('are removed by the undo, unless they were changed since', async () => {
    const { collection, import: send, listAll, notesIn, items, change, takeBack } = await open()
    const { import_id } = await send(collection, CSV, '?unowned=wishlist')
    const [list] = await listAll('wish')
    const id = list?.id ?? ''
    const [, decked] = await items(id, '?sort=added_asc')
    await change(id, decked?.id ?? '', { target_price: 1 })
    const undone = await takeBack(import_id)
    expect(undone.body.data).toMatchObject({
      state: 'undone',
      removed: 3,
      kept_count: 1,
      kept: [{ item_id: decked?.id }],
    })
    expect([await notesIn(collection), await notesIn(id)]).toEqual([[], ['decked']])
    expect((await listAll('wish'))[0]?.item_count).toBe(1)
  })

  test('of a file for a wish list are kept once by the undo', async () => {
    const { create, draft, store, items, change, takeBack } = await open()
    const list = await create('wish')
    const id = await draft(list, CSV, '&unowned=wishlist')
    await store(id, 1)
    const [first] = await items(list)
    await change(list, first?.id ?? '', { target_price: 1 })
    const { data } = (await takeBack(id)).body
    expect([data.removed, data.kept_count, data.kept.length]).toEqual([3, 1, 1])
  })

  test('for which the wish list has no room are reported, and the others are added', async () => {
    const { create, add, collection, import: send, notesIn, listAll } = await open('free')
    const list = await create('wish')
    const items = Array.from({ length: 100 }, () => ({ card_id: 900401 }))
    for (let part = 0; part < 5; part++) await add(list, part === 4 ? items.slice(2) : items)
    const report = await send(collection, CSV, '?unowned=wishlist')
    expect(report).toMatchObject({ imported: 1, unowned: 2, skipped: 3, is_full: false })
    expect(report.problems.map(({ row, reason }) => [row, reason])).toContainEqual([
      4,
      'wishlist_full',
    ])
    expect(await notesIn(collection)).toEqual(['mine'])
    expect((await listAll('wish'))[0]?.item_count).toBe(500)
  })
})

describe('rows of a draft that nobody owns', () => {
  test('are shown with their card, add no value, and go to the wish list', async () => {
    const calls = await open()
    const { collection, draft, get, store, listAll, notesIn, takeBack } = calls
    const id = await draft(collection, CSV, '&unowned=wishlist')
    const before = await get(id)
    expect(await listAll('wish')).toEqual([])
    expect(sumsOf(before, 'certain')).toMatchObject({ rows: 4, accepted: 4, unowned: 3 })
    const [owned, ...unowned] = before.entries.filter(({ kind }) => kind === 'certain')
    expect(sumsOf(before, 'certain')?.accepted_value).toBe(owned?.value ?? 0)
    expect(unowned.map(({ value, notes }) => [value, notes])).toEqual([
      [null, ['in_list']],
      [null, ['in_deck']],
      [null, ['on_watchlist']],
    ])
    const skipped = before.entries.filter(({ kind }) => kind === 'skipped')
    expect(skipped.map(({ reason }) => reason)).toEqual(['proxy'])
    expect((await store(id, before.revision)).body.data).toMatchObject({ imported: 1, unowned: 3 })
    const [list] = await listAll('wish')
    expect([await notesIn(collection), await notesIn(list?.id ?? '')]).toEqual([['mine'], WANTED])
    expect((await takeBack(id)).body.data).toMatchObject({ state: 'undone', removed: 4 })
    expect((await listAll('wish'))[0]?.item_count).toBe(0)
  })

  test('keep their list when another card is chosen', async () => {
    const { collection, draft, decide, store, listAll, notesIn } = await open()
    const id = await draft(collection, CSV, '&unowned=wishlist')
    const { revision, entries } = await decide(id, {
      kinds: [{ kind: 'certain', state: 'skipped' }],
      rows: [{ id: 'guessed-1', card_id: 900402 }],
    })
    expect(entries[0]).toMatchObject({ state: 'accepted', value: null })
    expect((await store(id, revision)).body.data).toMatchObject({ imported: 0, unowned: 1 })
    const [list] = await listAll('wish')
    expect([await notesIn(collection), await notesIn(list?.id ?? '')]).toEqual([[], ['misspelled']])
  })

  test('for which the wish list has no room are refused with the whole import', async () => {
    const { create, add, collection, draft, store, notesIn } = await open('free')
    const list = await create('wish')
    const items = Array.from({ length: 100 }, () => ({ card_id: 900401 }))
    for (let part = 0; part < 5; part++) await add(list, part === 4 ? items.slice(2) : items)
    const id = await draft(collection, CSV, '&unowned=wishlist')
    const refused = await store(id, 1)
    expectRefusal(refused, 409, 'COLLECTION_FULL')
    expect(refused.text).toContain('A wish list can have 500 items')
    expect(await notesIn(collection)).toEqual([])
  })

  /** A draft whose import into a wish list has begun when its server stops. */
  async function beginImport(as: TestAccount) {
    const calls = await open(as)
    const { app, collection, create, draft } = calls
    const list = await create('wish')
    const id = await draft(collection, CSV, '&unowned=wishlist')
    const { importRecords } = app.deps.ledger
    const start = { revision: 1, rows: 1, unowned: { list_id: list, rows: 3 }, max: 500 }
    const key = { collection_id: collection, import_id: id }
    expect(await importRecords.start(key, start, app.deps.now())).toBe('started')
    return { ...calls, list, id }
  }

  test('wait for room if the wish list is filled while they are imported', async () => {
    const { id, list, add, store, get, items, remove, listAll } = await beginImport('free')
    const more = Array.from({ length: 100 }, () => ({ card_id: 900401 }))
    for (let part = 0; part < 5; part++) await add(list, part === 4 ? more.slice(2) : more)
    const refused = await store(id, 2)
    expectRefusal(refused, 409, 'COLLECTION_FULL')
    expect(refused.text).toContain('A wish list can have 500 items')
    expect((await get(id)).state).toBe('importing')
    const [first] = await items(list)
    await remove(list, `/items/${first?.id}`)
    expect((await store(id, 2)).body.data).toMatchObject({ state: 'imported', unowned: 3 })
    expect((await listAll('wish'))[0]?.item_count).toBe(500)
  })

  test('go to another wish list if theirs is deleted while they are imported', async () => {
    const { app, id, list, remove, store, get, listAll, notesIn } = await beginImport('business')
    const { importRecords } = app.deps.ledger
    const { keepDraft } = importRecords
    importRecords.keepDraft = async (...parameters) => {
      await keepDraft(...parameters)
      await remove(list, '')
    }
    expectRefusal(await store(id, 2), 503, 'UNAVAILABLE')
    expect((await get(id)).state).toBe('importing')
    importRecords.keepDraft = keepDraft
    expect((await store(id, 2)).body.data).toMatchObject({ state: 'imported', unowned: 3 })
    const [other] = await listAll('wish')
    expect(await notesIn(other?.id ?? '')).toEqual(WANTED)
  })
})
