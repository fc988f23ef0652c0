import type { Deps } from '#deps.ts'
import { type Holding, isAcquisitionDay } from '#rules/collections/holding.ts'
import { isCurrency } from '#rules/pricing/parse-amount.ts'
import { MIRROR_KIND } from '#rules/pricing/price-key.ts'
import { dayOf, parseDate } from '#rules/primitives/days.ts'
import { ServiceError } from '#rules/primitives/errors.ts'
import { toCents } from '#rules/primitives/money.ts'
import { pickGiven } from '#rules/primitives/pick.ts'
import type { NamedCard } from '#store/catalog/priced-cards.ts'
import type { ItemCard, StoredItem } from '#store/ledger/collections/list-items.ts'

type ParseDeps = Pick<Deps, 'catalog' | 'now'>

/** Members of an item that its owner can change. */
type OwnedFacts = Holding & { printing: string | null; quantity: number }

/** Members of an item as requests name them: amounts in whole units, `acquired_on` as `YYYY-MM-DD`; null: unknown. */
export type ItemInput = {
  [Name in keyof OwnedFacts]?:
    | (Name extends 'acquired_on' ? string | null : OwnedFacts[Name])
    | undefined
}

/**
 * Creates the id of an item. Ids ascend by the time of creation, which keeps lists and files in order.
 *
 * @param uuid UUID that a client chose; one of version 7 ascends, too
 */
export function createItemId(uuid: string = Bun.randomUUIDv7()): string {
  return `item_${uuid.replaceAll('-', '')}`
}

/** @throws ServiceError VALIDATION_ERROR that names an id which `items` has twice */
export function checkDistinct(ids: readonly string[]): void {
  const repeated = ids.find((id, at) => ids.indexOf(id) < at)
  if (repeated === undefined) return
  throw new ServiceError(
    'VALIDATION_ERROR',
    `"items" has the id "${repeated.slice(0, 40)}" twice. Send each one once.`,
  )
}

/** Members of an item that are derived from its card. */
export type DescribedCard = ItemCard & Pick<StoredItem, 'printing' | 'condition'>

/** Describes a card for an item: with its base printing, and in mint condition or unopened. */
export function describeCard(
  { catalog }: Pick<Deps, 'catalog'>,
  { id: card_id, name, number, game_slug: game, set_name }: NamedCard,
): DescribedCard {
  const card = catalog.sources.holdings.getByIds([card_id]).get(card_id)
  return {
    card_id,
    name,
    number,
    game,
    set_id: card?.set_id ?? 0,
    set_name,
    printing: catalog.prices.getBase(card_id).printing,
    condition: card?.is_single === false ? 'unopened' : 'near_mint',
  }
}

/**
 * Validates changes of an item. Undefined members stay the same; without a price, there is no currency to keep. An item
 * keeps a printing that the catalog no longer has.
 *
 * @param known the item before; `card_id` is null if it has no card yet
 */
export function parseChanges(
  deps: ParseDeps,
  known: Pick<StoredItem, 'card_id' | 'printing' | 'price_paid'>,
  { printing, price_paid, paid_currency, target_price, acquired_on, ...input }: ItemInput,
): Partial<OwnedFacts> {
  const changes: Partial<OwnedFacts> = pickGiven(input)
  if (printing !== undefined) {
    const isKept = printing === known.printing
    changes.printing = isKept ? printing : parsePrinting(deps, known.card_id, printing)
  }
  if (price_paid !== undefined) changes.price_paid = parseMoney('price_paid', price_paid)
  if (paid_currency !== undefined) changes.paid_currency = parsePaidCurrency(paid_currency)
  const isPaidChanged = price_paid !== undefined || paid_currency !== undefined
  if (isPaidChanged && { ...known, ...changes }.price_paid === null)
    changes.paid_currency = MIRROR_KIND.currency
  if (target_price !== undefined) changes.target_price = parseMoney('target_price', target_price)
  if (acquired_on !== undefined)
    changes.acquired_on = parseAcquisition(acquired_on, dayOf(deps.now()))
  return changes
}

/** Validates the printing of an item. @throws ServiceError VALIDATION_ERROR that lists the printings of the card */
export function parsePrinting(
  { catalog }: Pick<Deps, 'catalog'>,
  cardId: number | null,
  printing: string | null,
): string | null {
  const printings = cardId === null ? [] : catalog.prices.listPrintings(cardId)
  // A card without prices may get any printing later.
  if (printing === null || printings.length === 0 || printings.includes(printing)) return printing
  throw new ServiceError(
    'VALIDATION_ERROR',
    `"printing" must be a printing of the card: ${printings.join(', ')}.`,
  )
}

function parseMoney(name: string, dollars: number | null): number | null {
  const cents = dollars === null ? null : toCents(dollars)
  if (cents !== undefined) return cents
  throw new ServiceError(
    'VALIDATION_ERROR',
    `"${name}" must be an amount with at most two decimals, such as 19.99.`,
  )
}

function parsePaidCurrency(code: string): string {
  if (isCurrency(code)) return code
  throw new ServiceError('VALIDATION_ERROR', '"paid_currency" must be a currency such as EUR.')
}

function parseAcquisition(date: string | null, today: number): number | null {
  if (date === null) return null
  const day = parseDate(date)
  if (day !== undefined && isAcquisitionDay(day, today)) return day
  throw new ServiceError(
    'VALIDATION_ERROR',
    '"acquired_on" must be a date from 1990-01-01 to today, such as 2026-05-31.',
  )
}
