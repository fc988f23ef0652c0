import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { UNKNOWN_HOLDING } from '#rules/collections/holding.ts'
import { ITEM_SORTS, type ItemSort } from '#rules/collections/list-kinds.ts'
import { compareItems } from '#rules/collections/match-items.ts'
import type { CollectionItem, NewCollectionItem } from '#store/ledger/collections/list-items.ts'
import { type LedgerStores, openLedgerStores } from '#store/ledger/ledger.ts'
import { ENGINES, enterAccount, type TestEngines } from '../../support/ledger/engines.ts'
import { pick, randomFrom, SEED } from '../../support/random.ts'

const NOW = new Date(1_800_000_000_000)
const MAX = 60

let made = 0

function newItem(random: () => number): NewCollectionItem {
  const card = Math.floor(random() * 30)
  return {
    ...UNKNOWN_HOLDING,
    id: `item_${String(made++).padStart(6, '0')}`,
    card_id: 1 + card,
    name: pick(random, ['Zeppelin', 'Ångström', 'apple', 'Apple', 'ピカチュウ']),
    number: null,
    game: pick(random, ['a', 'b']),
    set_id: 1 + (card % 3),
    set_name: 'Set',
    printing: 'Normal',
    language: 'en',
    quantity: 1 + Math.floor(random() * 5),
    price_paid: random() < 0.5 ? null : Math.floor(random() * 1000),
  }
}

/** Begins the import of a file without a draft. */
async function begin(
  imports: LedgerStores['collectionImports'],
  file: { collection_id: string; content_hash: string },
) {
  const begun = await imports.begin({ ...file, again: false }, NOW)
  if ('unfinished' in begun) throw new Error('the file has a draft')
  return begun
}

describe.each(ENGINES)('collections on %s', (_name, open) => {
  let ledger: TestEngines
  let stores: LedgerStores[]
  let account_id: number

  beforeAll(async () => {
    ledger = await open()
    stores = ledger.engines.map((engine) =>
      openLedgerStores(engine, { get: () => 1, forget: () => undefined }),
    )
    account_id = await enterOwner()
  })
  afterAll(() => ledger.close())

  function server(number: number): LedgerStores {
    const found = stores[number]
    if (found === undefined) throw new Error(`there is no server ${number}`)
    return found
  }

  async function enterOwner(): Promise<number> {
    const [engine] = ledger.engines
    if (engine === undefined) throw new Error('there is no engine')
    return (await enterAccount(engine)).id
  }

  async function createOne(kind: 'owned' | 'wish' = 'owned'): Promise<string> {
    const id = `col_${made++}`
    const key = { id, account_id, kind, name: 'Binder' }
    expect(await server(0).lists.create(key, 1_000, NOW)).toMatchObject(key)
    return id
  }

  test('keep to the number of collections of a kind, also when two servers create at once', async () => {
    const owner = await enterOwner()
    const create = (number: number, kind: 'owned' | 'wish') =>
      server(number).lists.create(
        { id: `col_${made++}`, account_id: owner, kind, name: 'Binder' },
        2,
        NOW,
      )
    const created = await Promise.all([0, 1, 2, 0, 1].map((number) => create(number, 'owned')))
    expect(created.filter((one) => one !== 'full')).toHaveLength(2)
    expect(await create(0, 'wish')).toMatchObject({ kind: 'wish' })
    const listed = await server(1).lists.listCollections(owner, { limit: 2, offset: 2 })
    expect([listed.rows.length, listed.total]).toEqual([1, 3])
  })

  test('equal a model after random changes from two servers', async () => {
    const random = randomFrom(SEED)
    const id = await createOne()
    const model = new Map<string, CollectionItem>()
    for (let step = 0; step < 250; step++) {
      const { listItems, collectionImports } = pick(random, stores)
      const [known] = [...model.keys()].slice(Math.floor(random() * model.size))
      const choice = random()
      if (choice < 0.3 || known === undefined) {
        const items = Array.from({ length: 1 + Math.floor(random() * 30) }, () => newItem(random))
        const outcome = await listItems.add(id, items, MAX, NOW)
        expect(outcome).toBe(model.size + items.length > MAX ? 'full' : 'added')
        if (outcome === 'added') for (const item of items) model.set(item.id, stored(item))
      } else if (choice < 0.4) {
        const file = { collection_id: id, content_hash: `file ${Math.floor(random() * 3)}` }
        const { run, done } = await begin(collectionImports, file)
        const items = [newItem(random), newItem(random)]
        const batch = { before: done, next: done + 2, items, problem_count: 0, problems: '[]' }
        const outcome = await collectionImports.addBatch({ ...file, run }, batch, MAX, NOW)
        if (outcome === 'stored') for (const item of items) model.set(item.id, stored(item))
        expect(outcome).toBeOneOf(['stored', 'full'])
        const again = await collectionImports.addBatch({ ...file, run }, batch, MAX, NOW)
        if (outcome === 'stored') expect(again).toBeOneOf(['overtaken', 'full'])
      } else if (choice < 0.75) {
        const current = model.get(known)
        if (current === undefined) continue
        const revision = pick(random, [() => undefined, () => current.revision, () => 0])()
        const changes = { quantity: 1 + Math.floor(random() * 9), note: pick(random, [null, 'x']) }
        const { outcome } = await listItems.update(
          { account_id, list_id: id, id: known, revision },
          changes,
          NOW,
        )
        const fits = revision === undefined || revision === current.revision
        expect(outcome).toBe(fits ? 'changed' : 'conflict')
        if (fits) model.set(known, { ...current, ...changes, revision: current.revision + 1 })
      } else {
        const { outcome } = await listItems.delete(
          { account_id, list_id: id, id: known, revision: undefined },
          NOW,
        )
        expect(outcome).toBe('changed')
        model.delete(known)
      }
      const found = await server(0).lists.get({ id, account_id })
      expect(found?.items).toBe(model.size)
    }
    for (const sort of ITEM_SORTS) {
      for (const filter of FILTERS) {
        const expected = sortItems(
          [...model.values()].filter((item) => fits(item, filter)),
          sort,
        )
        const page = { sort, limit: 7, offset: 3 }
        const { rows, total } = await server(1).listItems.list(id, filter, page)
        expect([sort, filter, total]).toEqual([sort, filter, expected.length])
        expect(rows).toEqual(expected.slice(3, 10))
      }
    }
    const owned = (of: (item: CollectionItem) => boolean) =>
      countCopies([...model.values()].filter(of)).map((copies) => ({
        ...copies,
        collection_id: id,
      }))
    const { ownedCopies } = server(1)
    const cards = [3, 14, 15, 92]
    const copies = await ownedCopies.list(account_id, cards, 1_000)
    const here = copies.filter((one) => one.collection_id === id)
    expect(here.toSorted((one, other) => one.card_id - other.card_id)).toEqual(
      owned(({ card_id }) => cards.includes(card_id)),
    )
    expect(await ownedCopies.list(account_id, cards, 1)).toHaveLength(1)
    expect(await ownedCopies.list(await enterOwner(), cards, 1_000)).toEqual([])
    expect(await ownedCopies.listCollections(account_id, '', 1_000)).toContain(id)
    expect(await ownedCopies.listCollections(account_id, id, 1_000)).not.toContain(id)
    const held = [...new Set([...model.values()].map(({ card_id }) => card_id))].sort(
      (a, b) => a - b,
    )
    expect(await ownedCopies.listCards(id, 0, 1_000)).toEqual(held)
    expect(await ownedCopies.listCards(id, held[1] ?? 0, 2)).toEqual(held.slice(2, 4))
    const all: CollectionItem[] = []
    for (let page = ['']; page.length > 0; ) {
      const rows = await server(1).listItems.listAfter(id, page.at(-1) ?? '', 10)
      all.push(...rows)
      page = rows.map((row) => row.id)
    }
    expect(all).toEqual(sortItems([...model.values()], 'added_asc'))
  }, 120_000)

  test('have one first wish list, also when several servers need it at once', async () => {
    const owner = await enterOwner()
    const need = async ({ lists }: LedgerStores) => {
      const list = {
        id: `col_${made++}`,
        account_id: owner,
        kind: 'wish',
        name: 'Wish list',
      } as const
      const found = await lists.createFirst(list, 5, NOW)
      return typeof found === 'string' ? found : found.id
    }
    expect(new Set(await Promise.all(stores.map(need))).size).toBe(1)
    expect((await server(0).lists.listCollections(owner)).total).toBe(1)
  })

  test('store each row of a file once, whichever of several servers imports it', async () => {
    const random = randomFrom(SEED + 1)
    const id = await createOne()
    const file = { collection_id: id, content_hash: 'many' }
    const importAll = async ({ collectionImports }: LedgerStores) => {
      for (;;) {
        const { run, done } = await begin(collectionImports, file)
        if (done >= 50) return collectionImports.complete({ ...file, run }, NOW)
        const items = Array.from({ length: 5 }, (_, row) => {
          return { ...newItem(random), card_id: done + row + 1 }
        })
        const batch = { before: done, next: done + 5, items, problem_count: 1, problems: '[]' }
        await collectionImports.addBatch({ ...file, run }, batch, 1_000, NOW)
      }
    }
    await Promise.all(stores.map(importAll))
    const rows = await server(0).listItems.listAfter(id, '', 1_000)
    expect(rows.map(({ card_id }) => card_id).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, row) => row + 1),
    )
    const first = await server(0).collectionImports.begin({ ...file, again: false }, NOW)
    expect(first).toMatchObject({ run: 1, done: 50, imported: 50, problem_count: 10 })
    const second = await server(0).collectionImports.begin({ ...file, again: true }, NOW)
    expect(second).toMatchObject({ run: 2, done: 0, completed_at: null })
    // It is incomplete, so another request continues it.
    expect(await server(1).collectionImports.begin({ ...file, again: true }, NOW)).toEqual(second)
  })

  test('are renamed by the first of two tabs, and show the second one its name', async () => {
    const id = await createOne()
    const key = { id, account_id }
    const [here, there] = [server(0).lists, server(1).lists]
    expect(await here.rename(key, { name: 'Trades', revision: 1 }, NOW)).toMatchObject({
      outcome: 'changed',
      current: { name: 'Trades', revision: 2 },
    })
    expect(await there.rename(key, { name: 'Mine', revision: 1 }, NOW)).toMatchObject({
      outcome: 'conflict',
      current: { name: 'Trades', revision: 2 },
    })
    expect(
      await there.rename({ id, account_id: 0 }, { name: 'x', revision: undefined }, NOW),
    ).toEqual({ outcome: 'missing' })
  })

  test('are read in one order by index and by search', async () => {
    const random = randomFrom(SEED)
    const id = await createOne()
    const items = Array.from({ length: 40 }, () => newItem(random))
    expect(await server(0).listItems.add(id, items, MAX, NOW)).toBe('added')
    const values = items.slice(10).map((item) => ({ id: item.id, value: item.card_id % 4 }))
    await server(0).collectionValuations.putItemValues(id, values)
    const everything = {
      game: undefined,
      set_id: undefined,
      place: undefined,
      condition: undefined,
      printing: undefined,
    }
    const { traits, next } = await server(1).itemBatches.listTraits(id, '', everything)
    expect([traits.length, next]).toEqual([40, undefined])
    for (const sort of ITEM_SORTS) {
      const all = { game: undefined, set_id: undefined }
      const page = { sort, limit: 100, offset: 0 }
      const { rows } = await server(1).listItems.list(id, all, page)
      const found = traits.toSorted(compareItems(sort))
      expect(found.map((item) => item.id)).toEqual(rows.map((item) => item.id))
      const ids = found.map((item) => item.id)
      expect(await server(1).itemBatches.list(id, ids)).toEqual(rows)
    }
    const find = async (after: string, search: object) =>
      (await server(0).itemBatches.listTraits(id, after, { ...everything, ...search })).traits
    expect(await find(traits[9]?.id ?? '', {})).toEqual(traits.slice(10))
    const ofSet = items.filter((item) => item.set_id === 2 && item.game === 'a')
    const found = await find('', {
      game: 'a',
      set_id: 2,
      printing: 'Normal',
      condition: 'near_mint',
    })
    expect(found.map((item) => item.id)).toEqual(ofSet.map((item) => item.id))
    expect(await find('', { printing: 'Cold Foil' })).toEqual([])
    expect(await find('', { place: 'Box 1' })).toEqual([])
  })

  test('say whether a list without the items is full or was deleted', async () => {
    const random = randomFrom(SEED)
    const [from, to] = [await createOne(), await createOne()]
    const item = newItem(random)
    const { itemBatches, lists } = server(0)
    const key = (id: string) => ({ id, account_id })
    const one = [{ item, given: {} }]
    expect(await itemBatches.addOnce(key(from), one, 0, NOW)).toBe('full')
    expect(await itemBatches.addOnce(key(from), one, MAX, NOW)).toEqual([stored(item)])
    await lists.delete(key(to), NOW)
    expect(
      await itemBatches.addOnce(key(to), [{ item: newItem(random), given: {} }], MAX, NOW),
    ).toBe('missing')
    const move = [{ id: item.id, revision: 1, changes: {} }]
    const target = { list_id: to, max: MAX }
    expect(await itemBatches.revise(key(from), move, target, NOW)).toBe('missing')
    expect(await lists.purge(10)).toBe(1)
    expect(await itemBatches.list(from, [item.id])).toEqual([stored(item)])
  })

  test('add an item with an id of its own once, also to two lists from two servers', async () => {
    const random = randomFrom(SEED)
    const [here, there] = [await createOne(), await createOne('wish')]
    const item = newItem(random)
    const given = { card_id: item.card_id, quantity: item.quantity }
    const add = (number: number, id: string, members: object = {}) =>
      server(number).itemBatches.addOnce(
        { id, account_id },
        [{ item, given: { ...given, ...members } }],
        MAX,
        NOW,
      )
    const added = await Promise.all([add(0, here), add(1, there), add(1, here)])
    expect(added).toEqual([[stored(item)], [stored(item)], [stored(item)]])
    const ids = [item.id]
    const { itemBatches } = server(0)
    const found = [await itemBatches.list(here, ids), await itemBatches.list(there, ids)]
    expect(found.flat()).toEqual([stored(item)])
    expect(await add(0, here, { quantity: item.quantity + 1 })).toEqual({ taken: item.id })
    const other = await enterOwner()
    const theirs = { id: `col_${made++}`, account_id: other, kind: 'owned', name: 'Box' } as const
    await server(0).lists.create(theirs, 1, NOW)
    expect(await itemBatches.addOnce(theirs, [{ item, given }], MAX, NOW)).toEqual([stored(item)])
    expect(await itemBatches.list(theirs.id, ids)).toHaveLength(1)
  })

  test('move an item with another quantity, and no item that both lists have', async () => {
    const random = randomFrom(SEED)
    const [from, to] = [await createOne(), await createOne()]
    const [moved, both] = [newItem(random), newItem(random)]
    const { itemBatches, listItems, lists } = server(0)
    expect(await listItems.add(from, [moved, both], MAX, NOW)).toBe('added')
    expect(await listItems.add(to, [both], MAX, NOW)).toBe('added')
    const revise = (changes: object) =>
      itemBatches.revise(
        { id: from, account_id },
        [moved, both].map(({ id }) => ({ id, revision: 1, changes })),
        { list_id: to, max: MAX },
        NOW,
      )
    const answer = await revise({ quantity: 9 })
    expect(answer).toMatchObject([
      { outcome: 'changed', item: { quantity: 9, revision: 2 } },
      { outcome: 'conflict', item: { quantity: both.quantity, revision: 1 } },
    ])
    expect(await revise({ quantity: 9 })).toEqual(answer)
    expect(await revise({ quantity: 8 })).toMatchObject([
      { outcome: 'conflict', item: { quantity: 9 } },
      { outcome: 'conflict' },
    ])
    const copiesOf = async (id: string) => (await lists.get({ id, account_id }))?.copies
    expect(await copiesOf(from)).toBe(both.quantity)
    expect(await copiesOf(to)).toBe(both.quantity + 9)
  })

  test('count the items that two servers move, change and remove at once', async () => {
    const random = randomFrom(SEED)
    const [from, to] = [await createOne(), await createOne()]
    const items = Array.from({ length: 30 }, () => newItem(random))
    expect(await server(0).listItems.add(from, items, MAX, NOW)).toBe('added')
    const key = { id: from, account_id }
    const all = items.map(({ id }) => ({ id, revision: 1, changes: {} }))
    const target = { list_id: to, max: MAX }
    expect(await server(0).itemBatches.revise(key, all, { ...target, max: 29 }, NOW)).toBe('full')
    const answers = await Promise.all([
      server(0).itemBatches.revise(key, all.slice(0, 20), target, NOW),
      server(1).itemBatches.revise(key, all.slice(0, 20), target, NOW),
      server(1).itemBatches.revise(key, all.slice(20, 25), null, NOW),
      server(0).itemBatches.revise(
        key,
        all.slice(25).map((one) => ({ ...one, changes: { quantity: 7 } })),
        undefined,
        NOW,
      ),
    ])
    for (const answer of answers) {
      if (answer === 'full' || answer === 'missing') throw new Error('there was room')
      expect(answer.map(({ outcome }) => outcome)).toEqual(answer.map(() => 'changed'))
    }
    const moved = items.slice(0, 20).reduce((sum, { quantity }) => sum + quantity, 0)
    expect(await server(0).lists.get(key)).toMatchObject({ items: 5, copies: 35 })
    expect(await server(1).lists.get({ id: to, account_id })).toMatchObject({
      items: 20,
      copies: moved,
    })
  })

  test('say which sets have most items', async () => {
    const random = randomFrom(SEED)
    const [one, two] = [await createOne(), await createOne('wish')]
    const add = (id: string, set_id: number, count: number) =>
      server(0).listItems.add(
        id,
        Array.from({ length: count }, () => ({ ...newItem(random), set_id })),
        MAX,
        NOW,
      )
    await add(one, 77_001, 20)
    await add(one, 77_002, 15)
    await add(two, 77_002, 15)
    const sets = await server(1).listItems.listSets(1_000)
    expect(sets.filter((id) => id > 77_000)).toEqual([77_002, 77_001])
    expect(await server(1).listItems.listSets(1)).toEqual(sets.slice(0, 1))
  })

  test('are invisible from their deletion on, and purged in small steps', async () => {
    const random = randomFrom(SEED)
    const id = await createOne()
    const { lists, listItems, collectionShares, collectionValuations } = server(0)
    await listItems.add(
      id,
      Array.from({ length: 25 }, () => newItem(random)),
      MAX,
      NOW,
    )
    const sums = { value: 5, unpriced: 1, notes: '{}', summary: '{}' }
    const valuation = { content: 2, catalog_version: 1, ...sums, computed_at: 9 }
    await collectionValuations.put(id, valuation, [
      { day: 1, value: 2, carried: 1, cost: 3, foreign_costs: null },
    ])
    await collectionShares.create({ id, account_id }, linkOf(7), NOW)
    expect(await lists.delete({ id, account_id: 0 }, NOW)).toBeUndefined()
    expect(await lists.delete({ id, account_id }, NOW)).toMatchObject({ id, items: 25 })
    expect(await lists.get({ id, account_id })).toBeUndefined()
    expect(await collectionShares.getByToken(Uint8Array.of(7))).toBeUndefined()
    expect(await listItems.add(id, [newItem(random)], MAX, NOW)).toBe('missing')
    let steps = 0
    while ((await lists.purge(10)) > 0) steps++
    expect(steps).toBe(5)
    expect(await listItems.listAfter(id, '', 10)).toEqual([])
    expect(await collectionValuations.get(id)).toBeUndefined()
  })

  test('have one link, which ends with the next one', async () => {
    const id = await createOne()
    const { collectionShares: shares } = server(0)
    const [first, second] = [linkOf(1), linkOf(2)]
    const found = ({ token_hash }: typeof first) => shares.getByToken(token_hash)
    expect(await shares.create({ id, account_id: 0 }, first, NOW)).toBe(false)
    expect(await shares.get({ id, account_id })).toBeUndefined()
    expect(await shares.create({ id, account_id }, first, NOW)).toBe(true)
    expect(await found(first)).toMatchObject({ id, name: 'Binder', kind: 'owned' })
    expect(await shares.create({ id, account_id }, second, NOW)).toBe(true)
    expect(await found(first)).toBeUndefined()
    const stored = await shares.get({ id, account_id })
    expect([...(stored?.sealed_token ?? [])]).toEqual([...second.sealed_token])
    expect(stored?.created_at).toBe(NOW.getTime())
    expect(await shares.get({ id, account_id: 0 })).toBeUndefined()
    expect(await shares.delete({ id, account_id: 0 })).toBe(false)
    expect(await shares.delete({ id, account_id })).toBe(true)
    expect(await found(second)).toBeUndefined()
    expect(await shares.get({ id, account_id })).toBeUndefined()
  })

  test('keep the days of their last valuation only', async () => {
    const id = await createOne()
    const { lists, collectionValuations: valuations } = server(0)
    expect(await lists.listOutdated(7, '', 1_000)).toContainEqual({ id, account_id })
    const sums = { value: 1, unpriced: 1, notes: '{"low_confidence":{}}', summary: '{}' }
    const valuation = { content: 1, catalog_version: 7, ...sums, computed_at: 1 }
    const days = Array.from({ length: 120 }, (_, day) => ({
      day,
      value: day * 10,
      carried: day,
      cost: 1e15,
      foreign_costs: day % 3 === 0 ? null : `{"EUR":${day}}`,
    }))
    await valuations.put(id, valuation, days)
    expect(await valuations.listDays(id, 0)).toEqual(days)
    const next = days.slice(10).map((row) => ({
      ...row,
      value: row.value + (row.day % 2),
      foreign_costs: row.day % 5 === 0 ? null : row.foreign_costs,
    }))
    await valuations.put(id, { ...valuation, content: 2 }, next)
    expect(await valuations.listDays(id, 0)).toEqual(next)
    expect(await valuations.listDays(id, 100)).toEqual(next.slice(90))
    expect(await valuations.get(id)).toEqual({ ...valuation, content: 2 })
    const { unpriced, notes } = sums
    expect(await lists.get({ id, account_id })).toMatchObject({ value: 1, unpriced, notes })
    expect(await lists.listOutdated(7, '', 1_000)).not.toContainEqual({ id, account_id })
    expect(await lists.listOutdated(8, '', 1_000)).toContainEqual({ id, account_id })
    expect(await lists.listOutdated(8, id, 1_000)).not.toContainEqual({ id, account_id })
  })
})

/** Counts the copies of each card. All items here have one printing and condition. */
function countCopies(items: CollectionItem[]) {
  const byCard = Map.groupBy(items, ({ card_id }) => card_id)
  return [...byCard]
    .sort(([one], [other]) => one - other)
    .map(([card_id, same]) => {
      const { printing, condition, grade, language } = same[0] as CollectionItem
      const quantity = same.reduce((sum, item) => sum + item.quantity, 0)
      return { card_id, printing, condition, grade, language, quantity }
    })
}

function stored(item: NewCollectionItem): CollectionItem {
  return { ...item, value: null, revision: 1, created_at: NOW.getTime(), updated_at: NOW.getTime() }
}

const FILTERS = [
  { game: undefined, set_id: undefined },
  { game: 'a', set_id: undefined },
  { game: undefined, set_id: 2 },
  { game: 'b', set_id: 1 },
]

function fits(item: CollectionItem, { game, set_id }: (typeof FILTERS)[number]): boolean {
  return (game ?? item.game) === item.game && (set_id ?? item.set_id) === item.set_id
}

/** Sorts like the databases: texts by their bytes. No item has a value here. */
function sortItems(items: CollectionItem[], sort: ItemSort): CollectionItem[] {
  const byId = items.sort((a, b) => (a.id < b.id ? -1 : 1))
  if (sort === 'added_desc') return byId.reverse()
  if (sort !== 'name') return byId
  return byId.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)))
}

/** Returns the token of a link, with bytes that tell it from others. */
function linkOf(byte: number) {
  return { token_hash: Uint8Array.of(byte), sealed_token: Uint8Array.of(byte, 0, 255) }
}
