import type { ChangedItem } from '#actions/collections/change-items.ts'
import type { CurrentValuation } from '#actions/collections/get-valuation.ts'
import type { CollectionRecord } from '#actions/collections/manage-collections.ts'
import {
  findCost,
  itemValue,
  listOwnNotes,
  type PricedItem,
  rateItems,
} from '#actions/collections/value-items.ts'
import type { Deps } from '#deps.ts'
import {
  type CollectionMoney,
  IN_DOLLARS,
  roundAmount,
  toAmount,
  toCost,
} from '#rules/collections/collection-money.ts'
import type { DayChange } from '#rules/collections/daily-totals.ts'
import { HOLDING_TEXT_NAMES } from '#rules/collections/holding.ts'
import type { CollectionMover, NotedSums } from '#rules/collections/summarize.ts'
import { gainOf, type ItemSums, isTargetReached, percentOf } from '#rules/collections/summarize.ts'
import { formatDate } from '#rules/primitives/days.ts'
import { toDollars } from '#rules/primitives/money.ts'
import { pick } from '#rules/primitives/pick.ts'
import { CARD_MEMBERS, COPY_MEMBERS } from '#store/ledger/collections/item-writer.ts'
import type { CollectionItem, StoredItem } from '#store/ledger/collections/list-items.ts'

import { timeText } from './members.ts'
/** Renders a collection for its owner. */
export function renderOwnCollection(collection: CollectionRecord, money = IN_DOLLARS) {
  const { id, kind, name, items, value, unpriced, notes } = collection
  const { computed_at, shared_at, revision } = collection
  return {
    id,
    kind,
    name,
    item_count: items,
    value: toAmount(money, value),
    unpriced,
    // valueCollection has written this text, so its shape is known.
    notes: renderNotes(JSON.parse(notes ?? '{}') as NotedSums, money),
    ...renderCurrency(money),
    computed_at: timeText(computed_at),
    shared_at: timeText(shared_at),
    revision,
    created_at: timeText(collection.created_at),
    updated_at: timeText(collection.updated_at),
  }
}

/** Renders the currency of values, and the rate by which they were converted. */
export function renderCurrency({ currency, rate }: CollectionMoney) {
  return {
    currency,
    ...(rate !== undefined && { rate: rate.rate, rate_date: formatDate(rate.day) }),
  }
}

/** Renders items for their owner, with their current prices. Prices that the owner has entered stay in their currency. */
export function renderItems(
  deps: Pick<Deps, 'catalog' | 'now'>,
  items: readonly CollectionItem[],
  money = IN_DOLLARS,
) {
  return describeItems(deps, items).map(({ priced, card }) => {
    const { item } = priced
    const { id, price_paid, paid_currency, acquired_on, target_price, revision } = item
    const market_price = priced.price?.market_price ?? null
    const cost = findCost(deps, item)
    return {
      id,
      ...card,
      price_paid: toDollars(price_paid),
      paid_currency,
      acquired_on: acquired_on === null ? null : formatDate(acquired_on),
      ...pick(item, HOLDING_TEXT_NAMES),
      target_price: toDollars(target_price),
      target_reached: isTargetReached({ market_price, target_price }),
      ...renderValue({ ...priced, notes: listOwnNotes(priced, cost) }, money),
      gain: renderGain(priced, cost, money),
      revision,
      created_at: timeText(item.created_at),
      updated_at: timeText(item.updated_at),
    }
  })
}

/** Renders the gain of an item, whose cost is what was paid if that is in the currency. */
function renderGain(priced: PricedItem, cost: number | null, money: CollectionMoney) {
  const { quantity, price_paid, paid_currency } = priced.item
  const value = itemValue(priced)
  if (value === null || cost === null || price_paid === null) return null
  if (paid_currency !== money.currency) return toAmount(money, value - cost)
  return roundAmount(toAmount(money, value) - toDollars(quantity * price_paid))
}

/** Renders one item for its owner. */
export function renderItem(deps: Pick<Deps, 'catalog' | 'now'>, item: CollectionItem) {
  const [rendered] = renderItems(deps, [item])
  if (rendered === undefined) throw new Error('an item was not rendered')
  return rendered
}

/** Renders what became of changed items. */
export function renderOutcomes(
  deps: Pick<Deps, 'catalog' | 'now'>,
  outcomes: readonly ChangedItem[],
) {
  const rendered = new Map(
    renderItems(
      deps,
      outcomes.flatMap(({ item }) => item ?? []),
    ).map((item) => [item.id, item]),
  )
  return outcomes.map(({ id, outcome }) => ({ id, outcome, item: rendered.get(id) ?? null }))
}

/** Renders items for everybody with the link, without prices paid, targets, dates, notes and places. */
export function renderSharedItems(
  deps: Pick<Deps, 'catalog' | 'now'>,
  items: readonly CollectionItem[],
  money: CollectionMoney,
) {
  return describeItems(deps, items).map(({ priced, card }) => ({
    id: priced.item.id,
    ...card,
    ...renderValue(priced, money),
  }))
}

type DescribedItem = Pick<StoredItem, (typeof CARD_MEMBERS)[number] | (typeof COPY_MEMBERS)[number]>

/** Finds the current prices and the pictures of items, and renders their cards and copies. */
export function describeItems<Item extends DescribedItem>(
  deps: Pick<Deps, 'catalog' | 'now'>,
  items: readonly Item[],
) {
  const cards = deps.catalog.pricedCards.listNamed(items.flatMap(({ card_id }) => card_id ?? []))
  const pictures = new Map(cards.map(({ id, image_url }) => [id, image_url]))
  return rateItems(deps, items).map((priced) => {
    const { item } = priced
    const image_url = (item.card_id === null ? null : pictures.get(item.card_id)) ?? null
    return { priced, card: { ...pick(item, CARD_MEMBERS), image_url, ...pick(item, COPY_MEMBERS) } }
  })
}

/** Renders the price and the value of an item. */
export function renderValue(priced: PricedItem<{ quantity: number }>, money: CollectionMoney) {
  return {
    market_price: toAmount(money, priced.price?.market_price ?? null),
    value: toAmount(money, itemValue(priced)),
    ...renderCurrency(money),
    notes: priced.notes,
  }
}

/** Renders the time of a valuation, and the currency of its values. */
export function renderValuedAt(
  { computed_at, is_current }: CurrentValuation,
  money: CollectionMoney,
) {
  return { ...renderCurrency(money), computed_at: timeText(computed_at), is_current }
}

/** Renders a summary, with its most valuable sets. */
export function renderSummary(valuation: CurrentValuation, money: CollectionMoney) {
  const { total, games, sets, best, worst, reached, notes, newest_change } = valuation.summary
  const sums = (of: ItemSums) => renderSums(of, money)
  return {
    ...sums(total),
    ...renderChange(newest_change, money),
    reached,
    games: games.map((one) => ({ game: one.game, ...sums(one) })),
    sets: sets.slice(0, SETS_SHOWN).map((one) => {
      const { set_id, set_name, game } = one
      return { set_id, set_name, game, ...sums(one) }
    }),
    best: best.map((mover) => renderMover(mover, money)),
    worst: worst.map((mover) => renderMover(mover, money)),
    notes: renderNotes(notes, money),
    // Summaries of earlier programs have neither.
    printings: valuation.summary.printings ?? [],
    places: valuation.summary.places ?? [],
    ...renderValuedAt(valuation, money),
  }
}

const SETS_SHOWN = 20

function renderSums(sums: ItemSums, money: CollectionMoney) {
  const { items, copies, unpriced, without_cost, value, without_cost_value } = sums
  const amounts = {
    value: toAmount(money, value),
    without_cost_value: toAmount(money, without_cost_value),
    cost: toCost(money, sums),
  }
  return {
    items,
    copies,
    unpriced,
    unpriced_cost: toCost(money, {
      cost: sums.unpriced_cost,
      foreign: sums.unpriced_foreign,
    }),
    without_cost,
    ...amounts,
    // Amounts that were converted one by one add up only if the gain is their difference.
    gain: roundAmount(gainOf(amounts)),
    gain_percent: percentOf(gainOf(amounts), amounts.cost),
  }
}

/** Renders the change of the day of the newest prices. */
function renderChange(newest: DayChange | null, money: CollectionMoney) {
  if (newest === null) return { change_date: null, change: null, change_percent: null }
  const { day, change, before } = newest
  return {
    change_date: formatDate(day),
    change: toAmount(money, change),
    change_percent: percentOf(change, before),
  }
}

function renderMover(
  { id, price_7d, change, market_price, ...mover }: CollectionMover,
  money: CollectionMoney,
) {
  return {
    item_id: id,
    ...mover,
    market_price: toAmount(money, market_price),
    price_7d_ago: toAmount(money, price_7d),
    change: toAmount(money, change),
    change_percent: percentOf(market_price - price_7d, price_7d),
  }
}

/** Renders the parts of a value whose prices do not exactly fit. */
export function renderNotes(notes: NotedSums, money: CollectionMoney) {
  return Object.entries(notes).map(([note, { items, value }]) => ({
    note,
    items,
    value: toAmount(money, value),
  }))
}
