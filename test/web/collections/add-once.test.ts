import { expect, test } from 'bun:test'
import { ApiError } from '../../../src/client/client.ts'
import {
  createItemAdder,
  type ItemRequests,
  type UnsentItem,
} from '../../../src/web/collections/add-once.ts'

const refuse = (status: number, code: string) => Object.assign(new ApiError(code, code), { status })

type Failure = { isStored: boolean; error: ApiError }

/** Wait that is too long for a repetition. */
const UNREPEATED_MS = 60_000

/** Creates collections that store items as the API does, and answers that fail in their order. */
function openCollections(failures: Failure[], waitMs = UNREPEATED_MS) {
  const stored = new Map<string, { into: string; item: UnsentItem; revision: number }>()
  const removals: string[] = []
  const idOf = (uuid: string) => `item_${uuid.replaceAll('-', '')}`
  const requests: ItemRequests = {
    async add(into, { id: uuid, ...item }) {
      const failure = failures.shift()
      if (failure?.isStored === false) throw failure.error
      const known = stored.get(idOf(uuid))
      if (known !== undefined && JSON.stringify(known.item) !== JSON.stringify(item)) {
        throw refuse(409, 'ID_TAKEN')
      }
      if (known === undefined) stored.set(idOf(uuid), { into, item, revision: 1 })
      if (failure !== undefined) throw failure.error
      return idOf(uuid)
    },
    async remove(into, id, revision) {
      removals.push(id)
      const known = stored.get(id)
      if (known?.into !== into) throw refuse(404, 'NOT_FOUND')
      if (known.revision !== revision) throw refuse(409, 'REVISION_CONFLICT')
      stored.delete(id)
    },
  }
  const add = createItemAdder(requests, waitMs)
  const list = () => [...stored.values()].map(({ into, item }) => [into, item.quantity])
  return { stored, removals, add, list }
}

const LOST = { isStored: true, error: new ApiError('NETWORK', 'No answer.') }
const UNSENT = { ...LOST, isStored: false }
const one: UnsentItem = { card_id: 1, quantity: 1 }
const two: UnsentItem = { card_id: 1, quantity: 2 }

test.each([
  ['was stored', LOST],
  ['was not stored', UNSENT],
  ['ended in an error of the server', { isStored: true, error: refuse(500, 'INTERNAL_ERROR') }],
])('an attempt without an answer that %s is repeated, and adds one item', async (_, failure) => {
  const { add, list } = openCollections([failure])
  await expect(add('binder', one)).rejects.toThrow()
  await add('binder', one)
  expect(list()).toEqual([['binder', 1]])
  await add('binder', one)
  expect(list()).toHaveLength(2)
})

test.each([
  ['was stored', LOST],
  ['was not stored', UNSENT],
])('another collection or other facts replace an attempt that %s', async (_, failure) => {
  const { add, list } = openCollections([failure, failure])
  await expect(add('binder', one)).rejects.toThrow()
  await expect(add('box', one)).rejects.toThrow()
  await add('box', two)
  expect(list()).toEqual([['box', 2]])
})

test.each([
  ['a repetition', 1],
  ['another attempt', UNREPEATED_MS],
])('%s that is refused leaves what was stored before to be removed', async (_, waitMs) => {
  const full = { isStored: false, error: refuse(409, 'COLLECTION_FULL') }
  const { add, list } = openCollections([LOST, full], waitMs)
  await expect(add('binder', one)).rejects.toThrow()
  if (waitMs === UNREPEATED_MS) await expect(add('binder', one)).rejects.toThrow()
  await add('box', one)
  expect(list()).toEqual([['box', 1]])
})

test('after a refusal nothing is removed', async () => {
  const { add, list, removals } = openCollections([
    { isStored: false, error: refuse(409, 'COLLECTION_FULL') },
  ])
  await expect(add('binder', one)).rejects.toThrow()
  await add('box', one)
  expect([removals.length, list()]).toEqual([0, [['box', 1]]])
})

test('an item that somebody has changed since stays, and the next one is another one', async () => {
  for (const [into, item] of [
    ['binder', one],
    ['box', one],
  ] as const) {
    const { add, list, stored } = openCollections([LOST])
    await expect(add('binder', one)).rejects.toThrow()
    for (const known of stored.values()) Object.assign(known, { item: two, revision: 2 })
    await add(into, item)
    expect(list()).toEqual([
      ['binder', 2],
      [into, 1],
    ])
  }
})
