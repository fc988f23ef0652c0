import { expect, test } from 'bun:test'
import { setImmediate as nextImmediate } from 'node:timers/promises'
import { searchItems } from '#actions/collections/search-items.ts'
import type { Deps } from '#deps.ts'
import type { ItemTraits } from '#rules/collections/match-items.ts'

const ITEMS = 500
const PART = 20

/** A ledger with one list, whose parts are read in a later turn of the event loop. */
function createLedger() {
  const traits = Array.from({ length: ITEMS }, (_, at): ItemTraits => {
    const id = `item_${String(at).padStart(4, '0')}`
    return { id, name: `Card ${(at * 7) % ITEMS}`, number: null, set_name: 'Set', value: at % 9 }
  })
  const running = { now: 0, most: 0, parts: 0 }
  const itemBatches = {
    async listTraits(_list: string, after: string) {
      running.most = Math.max(running.most, ++running.now)
      running.parts++
      await nextImmediate()
      running.now--
      const start = traits.findIndex(({ id }) => id > after)
      const part = traits.slice(start, start + PART)
      return { traits: part, next: start + PART < ITEMS ? part.at(-1)?.id : undefined }
    },
    list: async (_list: string, ids: readonly string[]) => ids.map((id) => ({ id })),
  }
  // Searches use nothing else of it.
  return { running, deps: { ledger: { itemBatches } as unknown as Deps['ledger'] } }
}

const SEARCH = {
  q: 'card',
  game: undefined,
  set_id: undefined,
  place: undefined,
  condition: undefined,
  printing: undefined,
}

const searchPage = (
  { deps }: ReturnType<typeof createLedger>,
  { account_id = 1, offset = 0, signal = new AbortController().signal },
) => {
  const page = { sort: 'value_asc', limit: 100, offset } as const
  return searchItems(deps, { id: 'col_1', account_id }, SEARCH, page, signal)
}

test('searches of one account run one after another, and their pages have each item once', async () => {
  const ledger = createLedger()
  const pages = await Promise.all(
    [0, 100, 200, 300, 400].map((offset) => searchPage(ledger, { offset })),
  )
  expect(ledger.running.most).toBe(1)
  expect(pages.map(({ total }) => total)).toEqual([ITEMS, ITEMS, ITEMS, ITEMS, ITEMS])
  const values = pages.flatMap(({ rows }) => rows.map(({ id }) => Number(id.slice(5)) % 9))
  expect(values).toEqual(values.toSorted((a, b) => a - b))
  expect(new Set(pages.flatMap(({ rows }) => rows.map(({ id }) => id))).size).toBe(ITEMS)
})

test('a search ends with its connection, and so does one that waits', async () => {
  const ledger = createLedger()
  const controller = new AbortController()
  const { signal } = controller
  const ended = [searchPage(ledger, { signal }), searchPage(ledger, { signal })]
  controller.abort()
  for (const { reason } of (await Promise.allSettled(ended)) as PromiseRejectedResult[]) {
    expect(reason).toMatchObject({ code: 'UNAVAILABLE' })
  }
  expect(ledger.running.parts).toBeLessThan(2)
  expect((await searchPage(ledger, {})).total).toBe(ITEMS)
})
