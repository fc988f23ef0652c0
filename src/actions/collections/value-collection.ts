import type { Deps } from '#deps.ts'
import { summarizeItems, type ValuedItem } from '#rules/collections/summarize.ts'
import { dayOf } from '#rules/primitives/days.ts'
import type { CollectionItem } from '#store/ledger/collections/list-items.ts'
import type { ListKey } from '#store/ledger/collections/lists.ts'
import { nextTurn } from '../cooperative-loop.ts'
import { addCopies, type CopiesBySeries, totalDays } from './total-days.ts'
import { findCost, itemValue, type PricedItem, rateItems, toValuedItem } from './value-items.ts'

/** Dependencies of a valuation. */
export type ValuationDeps = Pick<Deps, 'catalog' | 'ledger' | 'now'>

/**
 * Values a collection: its summary, and its daily totals from the history of each price. Stores both in one
 * transaction. Works in small steps, so that requests can run in between if it does not run in a thread.
 */
export async function valueCollection(
  deps: ValuationDeps,
  { id, account_id }: ListKey,
): Promise<void> {
  const { catalog, ledger, now } = deps
  const collection = await ledger.lists.get({ id, account_id })
  if (collection === undefined) return
  // Read before the items and prices, so that later changes make the result outdated.
  const { content } = collection
  const { version: catalog_version } = catalog.publication.getCurrent()
  const time = now()
  const items: ValuedItem[] = []
  const copies: CopiesBySeries = new Map()
  for await (const page of readPages(deps, id)) {
    for (let start = 0; start < page.length; start += VALUES_AT_ONCE) {
      const priced = rateItems(deps, page.slice(start, start + VALUES_AT_ONCE))
      for (const one of priced) {
        const cost = findCost(deps, one.item)
        items.push(toValuedItem(one, cost))
        addCopies(copies, { ...one, cost }, dayOf(time))
      }
      await storeItemValues(deps, id, priced)
      await nextTurn()
    }
  }
  const { days, history } = await totalDays(deps, copies, dayOf(time))
  const singles = await countSingles(deps, new Set(items.map(({ set_id }) => set_id)))
  const summary = summarizeItems(items, { history, singles })
  await ledger.collectionValuations.put(
    id,
    {
      content,
      catalog_version,
      computed_at: time.getTime(),
      value: summary.total.value,
      unpriced: summary.total.unpriced,
      notes: JSON.stringify(summary.notes),
      summary: JSON.stringify(summary),
    },
    days.map(({ foreign, ...day }) => {
      // The most copies at the highest price would not fit into 64 bits.
      const cost = Math.min(day.cost, Number.MAX_SAFE_INTEGER)
      const foreign_costs = foreign === undefined ? null : JSON.stringify(foreign)
      return { ...day, cost, foreign_costs }
    }),
  )
}

/**
 * Values that one transaction stores. Requests that write wait for it if the valuation runs in a thread, and get their
 * turn while the next values are computed.
 */
const VALUES_AT_ONCE = 25

/** Values all collections that were valued with an older version of the catalog. @returns how many */
export async function valueOutdated(deps: ValuationDeps): Promise<number> {
  const { version } = deps.catalog.publication.getCurrent()
  let valued = 0
  for (let after = ''; ; ) {
    const page = await deps.ledger.lists.listOutdated(version, after, PAGE_COLLECTIONS)
    for (const key of page) await valueCollection(deps, key)
    valued += page.length
    after = page.at(-1)?.id ?? ''
    if (page.length < PAGE_COLLECTIONS) return valued
  }
}

const PAGE_COLLECTIONS = 100

/** Reads all items in pages, ordered by id. */
export async function* readPages(
  { ledger }: Pick<Deps, 'ledger'>,
  collectionId: string,
): AsyncGenerator<CollectionItem[]> {
  for (let after = ''; ; ) {
    const page = await ledger.listItems.listAfter(collectionId, after, PAGE_ITEMS)
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    after = last.id
  }
}

/** Reading a page and its prices takes some milliseconds. */
const PAGE_ITEMS = 200

/** Stores changed values. */
async function storeItemValues(
  { ledger }: Pick<Deps, 'ledger'>,
  collectionId: string,
  priced: readonly PricedItem[],
): Promise<void> {
  const changed = priced
    .map((one) => ({ id: one.item.id, value: itemValue(one), before: one.item.value }))
    .filter(({ value, before }) => value !== before)
  if (changed.length > 0) await ledger.collectionValuations.putItemValues(collectionId, changed)
}

/** Counts the cards of sets. Each set takes a fraction of a millisecond. */
async function countSingles({ catalog }: Pick<Deps, 'catalog'>, sets: ReadonlySet<number>) {
  const singles = new Map<number, number | null>()
  for (const id of sets) {
    singles.set(id, catalog.sources.holdings.countSingles(id))
    if (singles.size % SETS_A_TURN === 0) await nextTurn()
  }
  return singles
}

const SETS_A_TURN = 5
