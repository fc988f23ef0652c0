import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { CollectionItem } from '#client/endpoints.ts'
import { Button } from '../components/button.tsx'
import { CardImage, cardImageUrl } from '../components/card-image.tsx'
import { count, dayText, moneyText } from '../format.ts'
import { PriceText } from '../pricing/price-text.tsx'
import { amountOrigin } from './amounts.ts'
import { copiesText, explainPrice } from './item-text.ts'
import { gainText } from './value-panel.tsx'

type ItemsTableProps = {
  items: readonly CollectionItem[]
  isWish: boolean
  onWatch: (item: CollectionItem) => void
  onEdit: (item: CollectionItem) => void
  onRemove: (item: CollectionItem) => void
}

/** Lists the items of the account with their prices. */
export function ItemsTable({ items, ...row }: ItemsTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable
    <section className="table-frame items-table" aria-label="List of items" tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Card</th>
            <th scope="col" className="number wide-only">
              Copies
            </th>
            <th scope="col" className="number wide-only">
              {row.isWish ? 'Target' : 'Paid'}
            </th>
            <th scope="col" className="number wide-only">
              Price
            </th>
            <th scope="col" className="number">
              {row.isWish ? 'Price' : 'Value'}
            </th>
            <th scope="col">
              <span className="visually-hidden">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <ItemRow key={item.id} item={item} {...row} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

type ItemRowProps = Omit<ItemsTableProps, 'items'> & { item: CollectionItem }

function ItemRow({ item, isWish, onWatch, onEdit, onRemove }: ItemRowProps) {
  const { name, quantity, market_price, value, gain, notes, currency } = item
  const origin = amountOrigin(item)
  const entered = isWish ? item.target_price : item.price_paid
  const note = explainPrice(notes)
  return (
    <tr>
      <th scope="row">
        <ItemName item={item}>
          <span className="small soft">
            {[item.acquired_on && dayText(item.acquired_on), item.place, item.note]
              .filter(Boolean)
              .join(' · ')}
          </span>
          <span className="narrow-only small soft">
            {count(quantity)} × {isWish ? 'target' : 'paid'} {moneyText(entered)}
          </span>
        </ItemName>
      </th>
      <td className="number wide-only">{count(quantity)}</td>
      <td className="number wide-only">{moneyText(entered)}</td>
      <td className="number wide-only">
        <PriceText amount={market_price} origin={origin} />
      </td>
      <td className="number">
        <strong>
          <PriceText amount={isWish ? market_price : value} origin={origin} />
        </strong>
        {!isWish && gain !== null && (
          <span className={`small change line ${gain < 0 ? 'down' : 'up'}`}>
            {gainText(gain, currency)}
          </span>
        )}
        {isWish && item.target_reached && (
          <span className="small change up line">Target reached</span>
        )}
        {note !== undefined && <span className="small soft line">{note}</span>}
      </td>
      <td className="number">
        <div className="item-actions">
          {!notes.includes('card_not_found') && (
            <Button
              className="small quiet"
              aria-label={`Watch the price of ${name}`}
              onClick={() => onWatch(item)}
            >
              Watch
            </Button>
          )}
          <Button className="small quiet" aria-label={`Edit ${name}`} onClick={() => onEdit(item)}>
            Edit
          </Button>
          <Button
            className="small quiet"
            aria-label={`Remove ${name}`}
            onClick={() => onRemove(item)}
          >
            Remove
          </Button>
        </div>
      </td>
    </tr>
  )
}

type NamedItem = Pick<
  CollectionItem,
  'card_id' | 'image_url' | 'name' | 'number' | 'set_name' | 'notes'
> &
  Parameters<typeof copiesText>[0]

/** Card of an item: picture, link, set and copies. A card that is no longer in the catalog has no page. */
export function ItemName({ item, children }: { item: NamedItem; children?: ReactNode }) {
  const { card_id, image_url, name, number, set_name, notes } = item
  return (
    <div className="item-name">
      <span className="item-art">
        <CardImage src={cardImageUrl({ id: card_id, image_url })} name="" size="tiny" />
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
