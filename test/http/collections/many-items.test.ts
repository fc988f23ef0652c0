import { expect, test } from 'bun:test'
import type { Collection, CollectionItem, ItemOutcome } from '../../../src/client/endpoints.ts'
import { callsOf } from '../../support/collections/collection-calls.ts'
import { createTestApp, type TestAccount } from '../../support/test-app.ts'
import type { TestResponse } from '../../support/test-client.ts'

const testApp = await createTestApp()
const FREIGHTER = 900401
const REFIT = 900402

type Answer<Data> = Promise<TestResponse<Data>>

const reviseOf =
  (app: typeof testApp, as: TestAccount = 'pro') =>
  (id: string, items: object[], collection_id?: string | null) =>
    app.client.request('PATCH', `/v1/collections/${id}/items`, {
      as,
      json: { items, ...(collection_id !== undefined && { collection_id }) },
    }) as Answer<ItemOutcome[]>

const revise = reviseOf(testApp)
const calls = callsOf(testApp)

/** Creates a collection of some copies, in the order of their addition. */
async function createBinder(...facts: object[]): Promise<{ id: string; items: CollectionItem[] }> {
  const id = await calls.create()
  const { body } = await calls.add(
    id,
    facts.map((one) => ({ card_id: FREIGHTER, ...one })),
  )
  return { id, items: body.data }
}

const toChange = ({ id, revision }: CollectionItem, changes: object = {}) => ({
  id,
  revision,
  ...changes,
})

const outcomesOf = ({ body }: TestResponse<ItemOutcome[]>) =>
  body.data.map(({ outcome }) => outcome)

test('items are found by parts of their name, set and number, in any case and order', async () => {
  const { id } = await createBinder({}, { card_id: REFIT }, { card_id: 900101 })
  const found = async (q: string) =>
    (await calls.items(id, `?q=${encodeURIComponent(q)}&sort=added_asc`)).map(
      ({ card_id }) => card_id,
    )
  expect(await found('marigold')).toEqual([FREIGHTER, REFIT])
  expect(await found('REFIT First')).toEqual([REFIT])
  expect(await found('#pd1-001')).toEqual([FREIGHTER])
  expect(await found('tidepool')).toEqual([900101])
  expect(await found('marigold tidepool')).toEqual([])
})

test('items are found by place, condition and printing, in every order and page by page', async () => {
  const { id } = await createBinder(
    { place: 'Box 1', condition: 'damaged' },
    { place: 'Box 1', printing: 'Cold Foil' },
    { place: 'Box 2' },
  )
  const total = async (query: string) => {
    const { body } = await calls.get<CollectionItem[]>(id, `/items?${query}`)
    return [body.data.length, body.meta?.total]
  }
  expect(await total('place=Box%201')).toEqual([2, 2])
  expect(await total('place=Box%201&per_page=1&page=2')).toEqual([1, 2])
  expect(await total('place=Box%201&printing=Cold%20Foil')).toEqual([1, 1])
  expect(await total('condition=damaged')).toEqual([1, 1])
  expect(await total('condition=damaged&set_id=1')).toEqual([0, 0])
  expect(await total('place=Box')).toEqual([0, 0])
  await calls.summary(id)
  for (const sort of ['added_asc', 'added_desc', 'name', 'value_asc', 'value_desc']) {
    const all = await calls.items(id, `?sort=${sort}`)
    const filtered = await calls.items(id, `?q=marigold&sort=${sort}`)
    expect([sort, filtered]).toEqual([sort, all])
  }
})

test('a summary names the places and printings of the items', async () => {
  const { id } = await createBinder({ place: 'Box 2' }, { place: 'Box 1' }, { place: 'Box 2' }, {})
  expect(await calls.summary(id)).toMatchObject({
    places: ['Box 1', 'Box 2'],
    printings: ['Normal'],
  })
})

test('items with their own ids are added once, however often they are sent', async () => {
  const id = await calls.create()
  const uuid = '01890000-0000-7000-8000-000000000001'
  const first = await calls.add(id, [{ id: uuid, card_id: FREIGHTER, quantity: 2 }])
  expect(first.status).toBe(201)
  const again = await calls.add(id, [
    { id: uuid, card_id: FREIGHTER, quantity: 2 },
    { id: '01890000-0000-7000-8000-000000000002', card_id: REFIT },
  ])
  expect(again.body.data.map(({ card_id }) => card_id)).toEqual([FREIGHTER, REFIT])
  expect(again.body.data[0]).toEqual(first.body.data[0])
  expect(await calls.items(id)).toHaveLength(2)
  expect((await calls.summary(id)).copies).toBe(3)
})

test('items with their own ids are added once, also if they were moved in the meantime', async () => {
  const [id, to] = [await calls.create(), await calls.create()]
  const sent = [{ id: '01890000-0000-7000-8000-000000000003', card_id: FREIGHTER, quantity: 2 }]
  const [item] = (await calls.add(id, sent)).body.data
  if (!item) throw new Error('the item is missing')
  const [moved] = (await revise(id, [toChange(item)], to)).body.data
  const again = await calls.add(id, sent)
  expect([again.status, again.body.data]).toEqual([201, moved?.item ? [moved.item] : []])
  expect([await calls.items(id), await calls.items(to)]).toMatchObject([[], [{ id: item.id }]])
})

test('an id belongs to one item: it is neither sent twice nor with other members', async () => {
  const id = await calls.create()
  const sent = { id: '01890000-0000-7000-8000-000000000004', card_id: FREIGHTER }
  const twice = await calls.add(id, [sent, { ...sent, quantity: 2 }])
  expect([twice.status, twice.text]).toEqual([400, expect.stringContaining(sent.id)])
  await calls.add(id, [sent])
  const others = [
    { ...sent, quantity: 2 },
    { ...sent, card_id: REFIT },
    { ...sent, note: 'x' },
  ]
  for (const other of others) {
    const reply = await calls.add(id, [{ card_id: REFIT }, other])
    expect([reply.status, reply.text]).toEqual([409, expect.stringContaining('"ID_TAKEN"')])
    expect(reply.text).toContain('Choose another id')
  }
  expect(await calls.items(id)).toHaveLength(1)
})

test('a collection with its own id is created once', async () => {
  const json = { name: 'Box', id: '01890000-0000-7000-8000-00000000000a' }
  const create = () =>
    testApp.client.request('POST', '/v1/collections', { as: 'pro', json }) as Answer<Collection>
  const first = await create()
  expect([first.status, (await create()).body.data]).toEqual([201, first.body.data])
  await calls.remove(first.body.data.id, '')
  const used = await create()
  expect([used.status, used.text]).toEqual([404, expect.stringContaining('Choose another id')])
})

test('the id of a collection is not that of one with another name or kind', async () => {
  const id = '01890000-0000-7000-8000-00000000000b'
  const create = (members: object) => {
    const json = { name: 'Box', id, ...members }
    return testApp.client.request('POST', '/v1/collections', { as: 'pro', json })
  }
  expect((await create({})).status).toBe(201)
  for (const reply of [await create({ name: 'Crate' }), await create({ kind: 'wish' })]) {
    expect([reply.status, reply.text]).toEqual([409, expect.stringContaining('"ID_TAKEN"')])
    expect(reply.text).toContain('Choose another id')
  }
  expect((await create({ kind: 'owned' })).status).toBe(201)
})

test('many items are changed at once, and a repeated request changes nothing', async () => {
  const { id, items } = await createBinder({}, { quantity: 3 })
  const changes = items.map((item) => toChange(item, { condition: 'damaged', quantity: 5 }))
  const first = await revise(id, changes)
  expect(outcomesOf(first)).toEqual(['changed', 'changed'])
  expect(first.body.data[1]?.item).toMatchObject({ condition: 'damaged', quantity: 5, revision: 2 })
  expect((await revise(id, changes)).body.data).toEqual(first.body.data)
  expect((await calls.summary(id)).copies).toBe(10)
})

test('items that were changed elsewhere, deleted or have no such printing stay as they are', async () => {
  const { id, items } = await createBinder({}, {}, { card_id: 900003 }, {})
  const [changed, deleted, other, free] = items
  if (!changed || !deleted || !other || !free) throw new Error('an item is missing')
  await calls.change(id, changed.id, { note: 'Signed' })
  await calls.remove(id, `/items/${deleted.id}`)
  const reply = await revise(
    id,
    items.map((item) => toChange(item, { printing: 'Cold Foil' })),
  )
  expect(outcomesOf(reply)).toEqual(['conflict', 'missing', 'refused', 'changed'])
  expect(reply.body.data[0]?.item).toMatchObject({ note: 'Signed', printing: 'Normal' })
  const stored = await calls.items(id, '?sort=added_asc')
  expect(stored.map(({ printing }) => printing)).toEqual(['Normal', other.printing, 'Cold Foil'])
})

test('items are moved with everything that is known about them, once', async () => {
  const { id, items } = await createBinder({ price_paid: 4, place: 'Box 1' }, { quantity: 2 })
  const to = await calls.create()
  const moved = await revise(
    id,
    items.map((item) => toChange(item)),
    to,
  )
  expect(outcomesOf(moved)).toEqual(['changed', 'changed'])
  const again = await revise(
    id,
    items.map((item) => toChange(item)),
    to,
  )
  expect(again.body.data).toEqual(moved.body.data)
  expect(await calls.items(id)).toEqual([])
  expect(await calls.summary(id)).toMatchObject({ items: 0, copies: 0 })
  const stored = await calls.items(to, '?sort=added_asc')
  expect(stored).toMatchObject([
    { id: items[0]?.id, price_paid: 4, place: 'Box 1', created_at: items[0]?.created_at },
    { id: items[1]?.id, quantity: 2 },
  ])
  expect(await calls.summary(to)).toMatchObject({ items: 2, copies: 3 })
})

test('items that move with another quantity are counted where they are', async () => {
  const { id, items } = await createBinder({})
  const to = await calls.create()
  const [moved] = (
    await revise(
      id,
      items.map((item) => toChange(item, { quantity: 10 })),
      to,
    )
  ).body.data
  expect([moved?.outcome, (await calls.summary(to)).copies]).toEqual(['changed', 10])
  const removed = await calls.remove(to, `/items/${moved?.id}`)
  expect([removed.status, (await calls.summary(to)).copies]).toEqual([200, 0])
})

test('an item keeps a printing that its card no longer has, beside others that change', async () => {
  const { id, items } = await createBinder({}, {})
  const [old, free] = items
  if (!old || !free) throw new Error('an item is missing')
  testApp
    .ledgerDb()
    .prepare('UPDATE list_items SET printing = ? WHERE id = ?')
    .run('Stamped', old.id)
  const kept = { printing: 'Stamped', quantity: 2 }
  const reply = await revise(id, [toChange(old, kept), toChange(free, { printing: 'Cold Foil' })])
  expect(outcomesOf(reply)).toEqual(['changed', 'changed'])
  expect((await calls.change(id, old.id, kept)).status).toBe(200)
  const lost = await revise(id, [{ id: free.id, revision: 2, printing: 'Stamped' }])
  expect(outcomesOf(lost)).toEqual(['refused'])
})

test('items are removed unless they were changed elsewhere, and can be added again', async () => {
  const { id, items } = await createBinder({ note: 'Signed' }, {})
  const [first, second] = items
  if (!first || !second) throw new Error('an item is missing')
  await calls.change(id, second.id, { quantity: 2 })
  const removed = await revise(
    id,
    items.map((item) => toChange(item)),
    null,
  )
  expect(outcomesOf(removed)).toEqual(['changed', 'conflict'])
  expect(removed.body.data[0]?.item).toMatchObject({ note: 'Signed' })
  expect(outcomesOf(await revise(id, [toChange(first)], null))).toEqual(['missing'])
  expect(await calls.summary(id)).toMatchObject({ items: 1, copies: 2 })
  const hex = first.id.replace('item_', '')
  const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  await calls.add(id, [{ id: uuid, card_id: FREIGHTER, note: 'Signed' }])
  expect((await calls.items(id, '?sort=added_asc')).map((item) => item.id)).toEqual([
    first.id,
    second.id,
  ])
})

test('a collection without room takes none of the items', async () => {
  const own = await createTestApp()
  const { create, add, items } = callsOf(own, 'free')
  const id = await create()
  const wanted = await create('wish')
  for (let part = 0; part < 5; part++) {
    const many = Array.from({ length: 100 }, () => ({ card_id: FREIGHTER }))
    expect((await add(id, many)).status).toBe(201)
  }
  const { data } = (await add(wanted, [{ card_id: REFIT }])).body
  const change = data.map((item) => toChange(item))
  const reply = await reviseOf(own, 'free')(wanted, change, id)
  expect(reply.status).toBe(409)
  expect(await items(wanted)).toHaveLength(1)
})

test('items of others are neither changed nor moved', async () => {
  const { id, items } = await createBinder({})
  const theirs = await callsOf(testApp, 'business').create()
  const change = items.map((item) => toChange(item))
  expect((await revise(id, change, theirs)).status).toBe(404)
  expect((await reviseOf(testApp, 'business')(id, change, null)).status).toBe(404)
  expect((await revise(theirs, change, id)).status).toBe(404)
  expect((await revise(id, [...change, ...change])).status).toBe(400)
  expect(await calls.items(id)).toHaveLength(1)
})
