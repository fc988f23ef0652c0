import type { Deps } from '#deps.ts'
import {
  chooseHoldingPrice,
  findMoverBase,
  type HoldingPrice,
  type PricedCopies,
  type ValueNote,
} from '#rules/collections/choose-price.ts'
import type { ValuedItem } from '#rules/collections/summarize.ts'
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

/** Selects the members of an item that a summary needs. */
export function toValuedItem({ item, price, notes, is_single }: PricedItem): ValuedItem {
  const { id, card_id, name, set_id, set_name, game, printing } = item
  const { quantity, price_paid, target_price } = item
  const isDoubtful = price === undefined || notes.includes('low_confidence')
  return {
    id,
    card_id,
    name,
    set_id,
    set_name,
    game,
    printing,
    quantity,
    price_paid,
    target_price,
    market_price: price?.market_price ?? null,
    base_7d: isDoubtful ? null : findMoverBase(price),
    is_single,
    notes,
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
