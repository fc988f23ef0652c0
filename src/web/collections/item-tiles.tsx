import type { ReactNode } from 'react'
import * as texts from '#texts/collections/collections.ts'
import { CardImage, cardImageUrl } from '../components/card-image.tsx'
import { Menu } from '../components/menu.tsx'
import { Tile } from '../components/tile.tsx'
import { copiesText } from './item-text.ts'
import type { ItemAction, ListedItem } from './items-table.tsx'

type ItemTilesProps<Item> = {
  label: string
  items: readonly Item[]
  /** Amounts of an item, below its copies. */
  amounts: (item: Item) => ReactNode
  /** Control over the picture of an item. */
  over?: (item: Item) => ReactNode
}

/** Shows items as the pages of a binder do: picture or drawn face, name, copies and amounts. */
export function ItemTiles<Item extends ListedItem>({
  label,
  items,
  amounts,
  over,
}: ItemTilesProps<Item>) {
  return (
    <ul className="tiles item-tiles" aria-label={label}>
      {items.map((item) => (
        <ItemTile key={item.id} item={item} over={over?.(item)}>
          {amounts(item)}
        </ItemTile>
      ))}
    </ul>
  )
}

type ItemTileProps = { item: ListedItem; over: ReactNode; children: ReactNode }

/** A card that is no longer in the catalog has no page. */
function ItemTile({ item, over, children }: ItemTileProps) {
  const { card_id, image_url, number, set_name, notes } = item
  if (card_id === null) return null
  const name = item.name ?? ''
  return (
    <Tile
      href={notes.includes('card_not_found') ? undefined : `/cards/${card_id}`}
      name={name}
      art={
        <CardImage
          src={cardImageUrl({ id: card_id, image_url })}
          face={{ ...item, name }}
          size="small"
        />
      }
      over={over}
    >
      <p className="small soft">{[set_name, number].filter(Boolean).join(' · ')}</p>
      <p className="small">{copiesText(item)}</p>
      {children}
    </Tile>
  )
}

type ItemMenuProps<Item> = { item: Item; actions: readonly ItemAction<Item>[] }

/** Shows the actions of an item as a menu. */
export function ItemMenu<Item extends ListedItem>({ item, actions }: ItemMenuProps<Item>) {
  return (
    <Menu
      label={texts.actionsFor(item.name)}
      items={actions
        .filter(({ isOffered }) => isOffered?.(item) !== false)
        .map(({ label, isDanger = false, onClick }) => ({
          name: label,
          isDanger,
          onPick: () => onClick(item),
        }))}
    />
  )
}
