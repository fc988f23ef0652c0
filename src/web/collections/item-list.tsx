import type { CollectionItem } from '#client/endpoints.ts'
import * as texts from '#texts/collections/collections.ts'
import type { Column } from '../components/table.tsx'
import { count, dayText, moneyText } from '../format.ts'
import { gainText } from '../pricing/change-text.ts'
import { OWNER_TEXTS } from './item-draft.ts'
import { ItemMenu, ItemTiles } from './item-tiles.tsx'
import type { ItemView } from './item-view.ts'
import {
  COPIES_COLUMN,
  cardColumn,
  type ItemAction,
  ItemActions,
  ItemAmount,
  ItemsTable,
  MarkedAmount,
  PRICE_COLUMN,
} from './items-table.tsx'
import type { ItemSelection } from './many/use-selection.ts'

type ItemListProps = {
  view: ItemView
  items: readonly CollectionItem[]
  isWish: boolean
  actions: readonly ItemAction<CollectionItem>[]
  /** Shown instead of the actions. */
  selection: ItemSelection | undefined
}

/** Shows items as a table or as tiles, with their actions or their check boxes. */
export function ItemList({ view, items, isWish, actions, selection }: ItemListProps) {
  const label = texts.listOfItems
  const check = (item: CollectionItem) =>
    selection && <ItemCheck item={item} listed={items} selection={selection} />
  if (view === 'table') {
    const last: Column<CollectionItem> = selection
      ? [texts.select, check, 'number', true]
      : [texts.actions, (item) => <ItemActions item={item} actions={actions} />, 'number', true]
    return <ItemsTable label={label} items={items} columns={itemColumns(isWish, last)} />
  }
  return (
    <ItemTiles
      label={label}
      items={items}
      amounts={(item) => (
        <>
          <p className="tile-price">
            <ItemWorth item={item} isWish={isWish} />
          </p>
          <p className="small soft">{quantityText(item, isWish)}</p>
        </>
      )}
      over={(item) => check(item) ?? <ItemMenu item={item} actions={actions} />}
    />
  )
}

/** Describes how many copies there are, and what the owner has entered for each: "2 copies · paid $3.00". */
function quantityText(item: CollectionItem, isWish: boolean): string {
  const entered = isWish ? item.target_price : item.price_paid
  const copies = texts.copyCount(item.quantity)
  return entered === null ? copies : `${copies} · ${enteredText(item, isWish)}`
}

/** Columns of the items of a collection, or of a wish list with its targets. */
function itemColumns(isWish: boolean, last: Column<CollectionItem>): Column<CollectionItem>[] {
  const worth: Column<CollectionItem> = [
    isWish ? texts.price : texts.value,
    (item) => <ItemWorth item={item} isWish={isWish} />,
    'number',
  ]
  return [
    cardColumn((item: CollectionItem) => (
      <>
        <span className="small soft">
          {[
            item.acquired_on && dayText(item.acquired_on),
            ...OWNER_TEXTS.map(({ name }) => item[name]),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        <span className="narrow-only small soft">
          {count(item.quantity)} × {enteredText(item, isWish)}
        </span>
      </>
    )),
    COPIES_COLUMN,
    [isWish ? texts.target : texts.paid, (item) => enteredOf(item, isWish), 'number wide-only'],
    ...(isWish ? [worth, COST_COLUMN] : [PRICE_COLUMN, worth]),
    last,
  ]
}

/** Price of all copies of an item, beside the price of one. */
const COST_COLUMN: Column<CollectionItem> = [
  texts.allCopies,
  (item) => <MarkedAmount item={item} amount={item.value} />,
  'number wide-only',
]

/** Returns what the owner has entered for each copy: its target, or the price paid. */
function enteredText(item: CollectionItem, isWish: boolean): string {
  const amount = enteredOf(item, isWish)
  return isWish ? texts.targetOf(amount) : texts.paidFor(amount)
}

function enteredOf(item: CollectionItem, isWish: boolean): string {
  return isWish ? moneyText(item.target_price) : moneyText(item.price_paid, item.paid_currency)
}

/** Shows the value of an item and its gain; for one of a wish list its price, and if that has reached the target. */
function ItemWorth({ item, isWish }: { item: CollectionItem; isWish: boolean }) {
  return (
    <ItemAmount item={item} amount={isWish ? item.market_price : item.value}>
      {!isWish && item.gain !== null && (
        <span className={`small change line ${item.gain < 0 ? 'down' : 'up'}`}>
          {gainText(item.gain, item.currency)}
        </span>
      )}
      {isWish && item.target_reached && (
        <span className="small change up line">{texts.targetReached}</span>
      )}
    </ItemAmount>
  )
}

type ItemCheckProps = {
  item: CollectionItem
  listed: readonly CollectionItem[]
  selection: ItemSelection
}

/** Check box of an item. A click with the shift key selects a range. */
function ItemCheck({ item, listed, selection }: ItemCheckProps) {
  return (
    <label className="item-check">
      <input
        type="checkbox"
        aria-label={texts.selectCard(item.name)}
        checked={selection.items.has(item.id)}
        onChange={({ nativeEvent }) =>
          selection.toggle(item, listed, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
        }
      />
    </label>
  )
}
