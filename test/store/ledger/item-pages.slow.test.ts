// Pages of a list of a hundred thousand items: right in each order, and cheap at any depth.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { UNKNOWN_HOLDING } from '#rules/collections/holding.ts'
import { ITEM_SORTS, type ItemSort } from '#rules/collections/list-kinds.ts'
import type { ItemFilter } from '#store/ledger/collections/item-pages.ts'
import type { NewCollectionItem } from '#store/ledger/collections/list-items.ts'
import type { Ledger } from '#store/ledger/ledger.ts'
import type { RowWindow } from '#store/rows.ts'
import { measureWorkCpuMs } from '../../support/event-loop-turns.ts'
import { LEDGERS, type TestLedgers } from '../../support/ledger/ledgers.ts'
import { randomFrom, SEED } from '../../support/random.ts'

const NOW = new Date(1_800_000_000_000)
const ITEMS = 100_000
const PAGE = 100

/** The work of a page is at most this share of the work of reading the whole list (docs/reference/choices.md). */
const PAGE_SHARE_MAX = 1 / 20

/** Calls whose processor time is measured together, because its clock has steps of some milliseconds. */
const CALLS = 20

type Model = Pick<NewCollectionItem, 'id' | 'name' | 'game' | 'set_id'> & { value: number | null }

const FILTERS: ItemFilter[] = [
  { game: undefined, set_id: undefined },
  { game: 'magic', set_id: undefined },
  { game: undefined, set_id: 7 },
  { game: 'rare', set_id: undefined },
  { game: 'magic', set_id: 7 },
  { game: undefined, set_id: 77 },
  { game: 'rare', set_id: 77 },
]

const ALL: ItemFilter = { game: undefined, set_id: undefined }

describe.each(LEDGERS)('a list of 100,000 items on %s', (_name, open) => {
  const random = randomFrom(SEED)
  const list_id = 'col_large'
  let ledgers: TestLedgers
  let ledger: Ledger
  let items: Model[]

  beforeAll(async () => {
    ledgers = await open()
    ledger = ledgers.open()
    const account_id = ledgers.accounts.business
    const list = { id: list_id, account_id, kind: 'owned', name: 'Stock' } as const
    await ledger.lists.create(list, 10, NOW)
    items = []
    for (let at = 0; at < ITEMS; at += 1_000) {
      const added = Array.from({ length: 1_000 }, (_, index) => newItem(at + index))
      expect(await ledger.listItems.add(list_id, added, ITEMS, NOW)).toBe('added')
      items.push(...added.map((item) => ({ ...item, value: null })))
    }
    await changeValues(ITEMS)
  }, 300_000)
  afterAll(() => ledgers.close())

  function newItem(at: number): NewCollectionItem {
    return {
      ...UNKNOWN_HOLDING,
      id: `item_${String(at).padStart(8, '0')}`,
      card_id: 1 + at,
      name: `Card ${Math.floor(random() * 20_000)}`,
      number: null,
      // Nearly all items are of one game, and a few of another.
      game: at % 1_000 === 0 ? 'rare' : 'magic',
      // Ten large sets, and one of 200 items.
      set_id: at % 500 === 3 ? 77 : at % 10,
      set_name: 'Set',
      printing: 'Normal',
      language: 'en',
      quantity: 1,
      price_paid: null,
    }
  }

  /** Prices change: many values are equal, and a tenth is unknown. */
  async function changeValues(count: number): Promise<void> {
    for (let at = 0; at < count; at += 1_000) {
      const values = items.slice(at, at + 1_000).map((item) => {
        item.value = random() < 0.1 ? null : Math.floor(random() * 30_000)
        return { id: item.id, value: item.value }
      })
      await ledger.collectionValuations.putItemValues(list_id, values)
    }
  }

  /** Returns the milliseconds of the event loop that a page takes. */
  async function measurePage(filter: ItemFilter, window: RowWindow & { sort: ItemSort }) {
    const readAll = async () => {
      for (let call = 0; call < CALLS; call++) await ledger.listItems.list(list_id, filter, window)
    }
    await readAll()
    return (await measureWorkCpuMs(readAll)) / CALLS
  }

  /** Returns the milliseconds of the event loop that the whole list takes. */
  const measureList = (sort: ItemSort) =>
    measureWorkCpuMs(() => ledger.listItems.list(list_id, ALL, { sort, limit: ITEMS, offset: 0 }))

  async function expectPages(sort: ItemSort, filter: ItemFilter): Promise<void> {
    const expected = sortModel(items, sort, filter).map(({ id }) => id)
    const last = Math.floor((expected.length - 1) / PAGE) * PAGE
    const offsets = [0, PAGE, last >> 1, (last >> 1) + PAGE, last - 1, last, last + PAGE]
    for (const offset of [...offsets, Math.floor(random() * expected.length)]) {
      const window = { sort, limit: PAGE, offset: Math.max(0, offset) }
      const { rows, total } = await ledger.listItems.list(list_id, filter, window)
      expect([sort, offset, total]).toEqual([sort, offset, expected.length])
      expect(rows.map(({ id }) => id)).toEqual(expected.slice(window.offset, window.offset + PAGE))
    }
  }

  test('has each page of each order and filter, also after prices have changed', async () => {
    for (const filter of FILTERS) for (const sort of ITEM_SORTS) await expectPages(sort, filter)
    await changeValues(2_000)
    for (const sort of ITEM_SORTS) await expectPages(sort, ALL)
  }, 300_000)

  test('takes at most a twentieth of the work of the whole list for any page', async () => {
    const shares: Record<string, number> = {}
    for (const sort of ITEM_SORTS) {
      const listMs = await measureList(sort)
      for (const share of [0, 0.25, 0.5, 0.75, 0.999]) {
        const offset = Math.floor(share * ITEMS)
        shares[`${sort} at ${offset}`] =
          (await measurePage(ALL, { sort, limit: PAGE, offset })) / listMs
      }
      for (const set_id of [7, 77]) {
        const filter = { game: undefined, set_id }
        const { total } = await ledger.listItems.list(list_id, filter, {
          sort,
          limit: 1,
          offset: 0,
        })
        const offset = total >> 1
        shares[`${sort} of set ${set_id}`] =
          (await measurePage(filter, { sort, limit: PAGE, offset })) / listMs
      }
    }
    console.log(JSON.stringify(shares))
    const above = Object.entries(shares).filter(([, share]) => share > PAGE_SHARE_MAX)
    expect(above).toEqual([])
  }, 300_000)
})

function sortModel(items: readonly Model[], sort: ItemSort, { game, set_id }: ItemFilter): Model[] {
  const found = items.filter(
    (item) =>
      (game === undefined || item.game === game) &&
      (set_id === undefined || item.set_id === set_id),
  )
  const byId = (a: Model, b: Model) => (a.id < b.id ? -1 : 1)
  const byValue = (a: Model, b: Model, sign: number) => {
    if (a.value === null || b.value === null)
      return Number(a.value === null) - Number(b.value === null)
    return sign * (a.value - b.value)
  }
  switch (sort) {
    case 'added_asc':
      return found.sort(byId)
    case 'added_desc':
      return found.sort((a, b) => byId(b, a))
    case 'name':
      return found.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : byId(a, b)))
    case 'value_desc':
      return found.sort((a, b) => byValue(a, b, -1) || byId(a, b))
    case 'value_asc':
      return found.sort((a, b) => byValue(a, b, 1) || byId(a, b))
  }
}
