import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { CollectionItem, ScanSessionItem } from '#client/endpoints.ts'
import * as texts from '#texts/collections/items.ts'
import { Button } from '../components/button.tsx'
import { CardImage, cardImageUrl } from '../components/card-image.tsx'
import { type Column, Table } from '../components/table.tsx'
import { count } from '../format.ts'
import { UnreliableMark } from '../pricing/market-price.tsx'
import { PriceText } from '../pricing/price-text.tsx'
import { amountOrigin } from './amounts.ts'
import { copiesText, explainPrice } from './item-text.ts'

/** An item of any list, with its value. */
export type ListedItem = Pick<
  CollectionItem | ScanSessionItem,
  | 'id'
  | 'card_id'
  | 'image_url'
  | 'name'
  | 'number'
  | 'set_name'
  | 'printing'
  | 'condition'
  | 'grade'
  | 'language'
  | 'quantity'
  | 'market_price'
  | 'value'
  | 'currency'
  | 'rate'
  | 'rate_date'
  | 'notes'
>

type ItemsTableProps<Item> = { label: string; items: readonly Item[]; columns: Column<Item>[] }

/** Lists items of a collection, a wish list or a scan session. */
export function ItemsTable<Item extends ListedItem>({
  label,
  items,
  columns,
}: ItemsTableProps<Item>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable
    <section className="table-frame items-table" aria-label={label} tabIndex={0}>
      <Table columns={columns} rows={items} keyOf={({ id }) => id} />
    </section>
  )
}

/** Column of the cards: picture, link, set, copies, and the content `below`. */
export function cardColumn<Item extends ListedItem>(below: (item: Item) => ReactNode) {
  return [
    texts.card,
    (item) => <ItemName item={item}>{below(item)}</ItemName>,
  ] satisfies Column<Item>
}

export const COPIES_COLUMN: Column<ListedItem> = [
  texts.copies,
  ({ quantity }) => count(quantity),
  'number wide-only',
]

export const PRICE_COLUMN: Column<ListedItem> = [
  texts.price,
  (item) => <MarkedAmount item={item} amount={item.market_price} />,
  'number wide-only',
]

export const VALUE_COLUMN: Column<ListedItem> = [
  texts.value,
  (item) => <ItemAmount item={item} amount={item.value} />,
  'number',
]

type ItemAmountProps = { item: ListedItem; amount: number | null; children?: ReactNode }

/** Shows an amount of an item, and explains a price that is not exactly that of the copies. */
export function ItemAmount({ item, amount, children }: ItemAmountProps) {
  const note = explainPrice(item.notes)
  return (
    <>
      <strong>
        <MarkedAmount item={item} amount={amount} />
      </strong>
      {children}
      {note !== undefined && <span className="small soft line">{note}</span>}
    </>
  )
}

/** Amount that follows from the price of an item, with a mark if that is of low confidence. */
export function MarkedAmount({ item, amount }: Omit<ItemAmountProps, 'children'>) {
  return (
    <>
      <PriceText amount={amount} origin={amountOrigin(item)} />
      {item.notes.includes('low_confidence') && <UnreliableMark />}
    </>
  )
}

/** Action on an item, behind a button. */
export type ItemAction<Item> = {
  label: string
  /** Label for screen readers, which names the item. */
  describe: (name: string | null) => string
  isOffered?: (item: Item) => boolean
  isDanger?: boolean
  onClick: (item: Item) => void
}

/** Shows the actions of an item as buttons. */
export function ItemActions<Item extends ListedItem>({
  item,
  actions,
}: {
  item: Item
  actions: readonly ItemAction<Item>[]
}) {
  return (
    <div className="item-actions">
      {actions.map(({ label, describe, isOffered, onClick }) =>
        isOffered?.(item) === false ? null : (
          <Button
            key={label}
            className="small quiet"
            aria-label={describe(item.name)}
            onClick={() => onClick(item)}
          >
            {label}
          </Button>
        ),
      )}
    </div>
  )
}

/** Card of an item: picture, link, set and copies. A card that is no longer in the catalog has no page. */
function ItemName({ item, children }: { item: ListedItem; children: ReactNode }) {
  const { card_id, image_url, name, number, set_name, notes } = item
  // Listed items have a card. Items of a scan session without one are shown elsewhere.
  if (card_id === null) return null
  return (
    <div className="item-name">
      <span className="item-art">
        <CardImage
          src={cardImageUrl({ id: card_id, image_url })}
          face={{ ...item, name: item.name ?? '' }}
          size="tiny"
        />
      </span>
      <span className="item-text">
        {notes.includes('card_not_found') ? name : <Link href={`/cards/${card_id}`}>{name}</Link>}
        <span className="small soft">{[set_name, number].filter(Boolean).join(' · ')}</span>
        <span className="small">{copiesText(item)}</span>
        {children}
      </span>
    </div>
  )
}
