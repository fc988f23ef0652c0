import type { Deps } from '#deps.ts'
import {
  chooseHoldingPrice,
  findMoverBase,
  type HoldingPrice,
  type PricedCopies,
  type ValueNote,
} from '#rules/collections/choose-price.ts'
import { firstDayHeld, type Holding } from '#rules/collections/holding.ts'
import type { ValuedItem } from '#rules/collections/summarize.ts'
import { MIRROR_KIND } from '#rules/pricing/price-key.ts'
import { convertKnown } from '#rules/pricing/viewed-prices.ts'
import { dayOf } from '#rules/primitives/days.ts'
import type { CollectionItem } from '#store/ledger/collections/list-items.ts'
import { assessPrices } from '../pricing/assess-prices.ts'

/** The part of an item that determines its value. */
type ItemOfValue = PricedCopies & { card_id: number | null; quantity: number }

/** An item with its current price. */
export type PricedItem<Item = CollectionItem> = {
  item: Item
  /** Undefined if unknown. */
  price: HoldingPrice | undefined
  notes: ValueNote[]
  is_single: boolean
  /** Day of the first price of the game; null if unknown. */
  prices_since: number | null
}

/** Finds the current prices of items, in their order. Those without a card have none. */
export function priceItems<Item extends ItemOfValue>(
  { catalog }: Pick<Deps, 'catalog'>,
  items: readonly Item[],
): PricedItem<Item>[] {
  const cards = catalog.sources.holdings.getByIds(items.flatMap(({ card_id }) => card_id ?? []))
  return items.map((item) => {
    const card = item.card_id === null ? undefined : cards.get(item.card_id)
    const { is_single = false, prices_since = null } = card ?? {}
    const none = { price: undefined, notes: [] }
    const chosen = item.card_id === null ? none : chooseHoldingPrice(item, card)
    return { item, ...chosen, is_single, prices_since }
  })
}

/** Finds the current prices of items, and notes which are of low confidence. */
export function rateItems<Item extends ItemOfValue>(
  deps: Pick<Deps, 'catalog' | 'now'>,
  items: readonly Item[],
): PricedItem<Item>[] {
  const priced = priceItems(deps, items)
  const known = priced.flatMap((one) => {
    const { card_id } = one.item
    if (card_id === null || one.price?.market_price == null) return []
    return [{ one, shown: { ...one.price, card_id } }]
  })
  const confidences = assessPrices(
    deps,
    known.map(({ shown }) => shown),
  )
  for (const [at, { one }] of known.entries()) {
    if (confidences[at]?.level === 'low') one.notes.push('low_confidence')
  }
  return priced
}

/** The part of an item that says what its copies have cost. */
type PaidCopies = Pick<Holding, 'price_paid' | 'paid_currency' | 'acquired_on'> & {
  quantity: number
  /** Epoch milliseconds. */
  created_at?: number
}

/**
 * Returns what all copies have cost in US cents, with the exchange rate of the day from which they count; null if it is unknown,
 * or that day has no rate. One yen is less than a cent, so that a cost is rounded once for all copies.
 */
export function findCost({ catalog, now }: Pick<Deps, 'catalog' | 'now'>, item: PaidCopies) {
  const { quantity, price_paid, paid_currency: from, acquired_on, created_at } = item
  const to = MIRROR_KIND.currency
  if (price_paid === null) return null
  const paid = quantity * price_paid
  if (from === to) return paid
  const today = dayOf(now())
  const created_on = created_at === undefined ? today : dayOf(new Date(created_at))
  const day = firstDayHeld({ acquired_on, created_on }, today)
  return convertKnown(paid, catalog.sources.rates.find({ from, to, day }))
}

/** Lists the notes about an item for its owner. @param cost as `findCost` returns it */
export function listOwnNotes(
  { item, notes }: Pick<PricedItem, 'item' | 'notes'>,
  cost: number | null,
): ValueNote[] {
  const isLeftOut = item.price_paid !== null && cost === null
  return isLeftOut ? [...notes, 'price_paid_not_converted'] : notes
}

/** Selects the members of an item that a summary needs. @param cost as `findCost` returns it */
export function toValuedItem(priced: PricedItem, cost: number | null): ValuedItem {
  const { item, price, notes, is_single } = priced
  const { id, card_id, name, set_id, set_name, game, printing, place } = item
  const { quantity, price_paid, paid_currency, target_price } = item
  const isDoubtful = price === undefined || notes.includes('low_confidence')
  return {
    id,
    card_id,
    name,
    set_id,
    set_name,
    game,
    printing,
    place,
    quantity,
    cost,
    paid: price_paid === null ? null : { cents: quantity * price_paid, currency: paid_currency },
    target_price,
    market_price: price?.market_price ?? null,
    base_7d: isDoubtful ? null : findMoverBase(price),
    is_single,
    notes: listOwnNotes(priced, cost),
  }
}

/** Returns the value of all copies of an item, in cents; null if it is unknown. */
export function itemValue({
  item,
  price,
}: Pick<PricedItem<Pick<ItemOfValue, 'quantity'>>, 'item' | 'price'>): number | null {
  const cents = price?.market_price ?? null
  return cents === null ? null : item.quantity * cents
}
