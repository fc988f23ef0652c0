import { MIRROR_KIND } from '../pricing/price-key.ts'
import type { ValueNote } from './choose-price.ts'
import type { Costs } from './collection-money.ts'
import type { DayChange } from './daily-totals.ts'

/**
 * An item with its current price. Money is in cents; `market_price` and `base_7d` are those of one copy. `base_7d` is
 * null if the change is not of at least medium confidence, as by default for movers.
 */
export type ValuedItem = {
  id: string
  card_id: number
  name: string
  set_id: number
  set_name: string
  game: string
  printing: string | null
  place: string | null
  quantity: number
  /** Cost of all copies in US cents; null if it is unknown, or its day has no exchange rate. */
  cost: number | null
  /** The cost as it was paid, in hundredths of its currency. */
  paid: { cents: number; currency: string } | null
  target_price: number | null
  market_price: number | null
  base_7d: number | null
  /** True for a single card, which counts for its set. */
  is_single: boolean
  notes: readonly ValueNote[]
}

/** Sums of items, in cents: `value` - `without_cost_value` - `cost` is the gain. */
export type ItemSums = {
  items: number
  copies: number
  /** Items without a known price, which are in no other sum, and what was paid for them. */
  unpriced: number
  unpriced_cost: number
  /** Parts of `unpriced_cost` that were paid in other currencies. */
  unpriced_foreign?: Costs['foreign']
  value: number
  /** Items in `value` whose price paid is unknown, and their value. */
  without_cost: number
  without_cost_value: number
  /** Price paid for the other items in `value`. */
  cost: number
} & Pick<Costs, 'foreign'>

export type GameSums = ItemSums & { game: string }
/** `owned`: different single cards of the set in the collection, of `total`; null if the set is not in the catalog. */
export type SetSums = ItemSums & {
  set_id: number
  set_name: string
  game: string
  owned: number
  total: number | null
}

/** An item whose value has changed much within seven days. Money is in cents. */
export type CollectionMover = Pick<
  ValuedItem,
  'id' | 'card_id' | 'name' | 'set_name' | 'printing' | 'quantity'
> & { market_price: number; price_7d: number; change: number }

/** A valued collection in its stored form. Sets and games are ordered by value. */
export type CollectionSummary = {
  total: ItemSums
  games: GameSums[]
  sets: SetSums[]
  best: CollectionMover[]
  worst: CollectionMover[]
  /** Items of a wish list whose price is at or below their target. */
  reached: number
  /** First day on which any item with a price was held; null without one. */
  held_since: number | null
  /** Value of the items whose price has no history because it was always low: daily totals have today's price. */
  untracked_value: number
  /** Change of the value on the day of the newest prices; null before the second day. */
  newest_change: DayChange | null
  notes: NotedSums
  /** Different printings and places, in the order of the alphabet: at most NAMES_MAX of each. */
  printings: string[]
  places: string[]
}

const NAMES_MAX = 200

/** Items whose price does not exactly fit the copies for a reason, and their value. */
export type NoteSums = Pick<ItemSums, 'items' | 'value'>

export type NotedSums = Partial<Record<ValueNote, NoteSums>>

/** Facts that come from the histories of the prices. */
export type HistoryFacts = Pick<
  CollectionSummary,
  'held_since' | 'untracked_value' | 'newest_change'
>

/** Facts besides the items: `singles` contains the numbers of single cards by set. */
export type SummaryFacts = { history: HistoryFacts; singles: ReadonlyMap<number, number | null> }

/** Summarizes a collection. */
export function summarizeItems(
  items: readonly ValuedItem[],
  { history, singles }: SummaryFacts,
): CollectionSummary {
  const total = noSums()
  const games = new Map<string, GameSums>()
  const sets = new Map<number, SetSums & { cards: Set<number> }>()
  const notes: NotedSums = {}
  for (const item of items) {
    const { game, set_id, set_name } = item
    const ofGame = games.get(game) ?? { game, ...noSums() }
    const ofSet = sets.get(set_id) ?? {
      set_id,
      set_name,
      game,
      owned: 0,
      total: singles.get(set_id) ?? null,
      ...noSums(),
      cards: new Set(),
    }
    games.set(game, ofGame)
    sets.set(set_id, ofSet)
    for (const sums of [total, ofGame, ofSet]) addItem(sums, item)
    if (item.is_single) ofSet.cards.add(item.card_id)
    addNotes(notes, item.notes, { items: 1, value: item.quantity * (item.market_price ?? 0) })
  }
  const movers = items.flatMap(toMover).sort((a, b) => b.change - a.change)
  return {
    total,
    games: byValue([...games.values()]),
    sets: byValue([...sets.values()]).map(({ cards, ...set }) => ({ ...set, owned: cards.size })),
    best: movers.filter(({ change }) => change > 0).slice(0, MOVERS),
    worst: movers
      .filter(({ change }) => change < 0)
      .slice(-MOVERS)
      .reverse(),
    reached: items.filter(isTargetReached).length,
    ...history,
    notes,
    printings: listNames(items.map(({ printing }) => printing)),
    places: listNames(items.map(({ place }) => place)),
  }
}

function listNames(names: readonly (string | null)[]): string[] {
  const known = names.filter((name) => name !== null)
  return [...new Set(known)].sort().slice(0, NAMES_MAX)
}

/** Adds items to the sums of their notes. */
export function addNotes(sums: NotedSums, notes: readonly ValueNote[], more: NoteSums): void {
  for (const note of notes) {
    const { items, value } = sums[note] ?? { items: 0, value: 0 }
    sums[note] = { items: items + more.items, value: value + more.value }
  }
}

/** Returns true if a card costs at most the owner's target price. */
export function isTargetReached({
  market_price,
  target_price,
}: Pick<ValuedItem, 'market_price' | 'target_price'>): boolean {
  return market_price !== null && target_price !== null && market_price <= target_price
}

/** Returns the gain of the items whose price and price paid are known. */
export function gainOf({
  value,
  without_cost_value,
  cost,
}: Pick<ItemSums, 'value' | 'without_cost_value' | 'cost'>): number {
  return value - without_cost_value - cost
}

/** Returns a change in percent with one decimal; null if the earlier value was 0. */
export function percentOf(change: number, before: number): number | null {
  return before === 0 ? null : Math.round((change / before) * 1000) / 10
}

const MOVERS = 10

function noSums(): ItemSums {
  return {
    items: 0,
    copies: 0,
    unpriced: 0,
    unpriced_cost: 0,
    value: 0,
    without_cost: 0,
    without_cost_value: 0,
    cost: 0,
  }
}

function addItem(sums: ItemSums, item: ValuedItem): void {
  const { quantity, market_price, cost } = item
  sums.items++
  sums.copies += quantity
  if (market_price === null) {
    sums.unpriced++
    sums.unpriced_cost += cost ?? 0
    sums.unpriced_foreign = addForeign(sums.unpriced_foreign, item)
    return
  }
  sums.value += quantity * market_price
  if (cost === null) {
    sums.without_cost++
    sums.without_cost_value += quantity * market_price
    return
  }
  sums.cost += cost
  sums.foreign = addForeign(sums.foreign, item)
}

/** Adds what was paid in another currency, if it has a cost. */
function addForeign(foreign: Costs['foreign'], { cost, paid }: ValuedItem): Costs['foreign'] {
  if (cost === null || paid === null || paid.currency === MIRROR_KIND.currency) return foreign
  const known = foreign?.[paid.currency] ?? { paid: 0, cost: 0 }
  const sum = { paid: known.paid + paid.cents, cost: known.cost + cost }
  return { ...foreign, [paid.currency]: sum }
}

function byValue<Sums extends ItemSums>(sums: Sums[]): Sums[] {
  return sums.sort((a, b) => b.value - a.value || b.items - a.items)
}

function toMover(item: ValuedItem): CollectionMover[] {
  const { id, card_id, name, set_name, printing, quantity, market_price, base_7d } = item
  if (market_price === null || base_7d === null) return []
  const change = quantity * (market_price - base_7d)
  const mover = { id, card_id, name, set_name, printing, quantity, market_price }
  return [{ ...mover, price_7d: base_7d, change }]
}
