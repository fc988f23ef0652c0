import { Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useSearchParams } from 'wouter'
import type { Collection, CollectionItem, CollectionSummary } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { QueryError } from '../components/error-message.tsx'
import { Pager } from '../components/pager.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import type { Column } from '../components/table.tsx'
import { count, dayText, moneyText, plural } from '../format.ts'
import { lazyView } from '../lazy-view.ts'
import { gainText } from '../pricing/change-text.ts'
import { EditItemDialog } from './edit-item.tsx'
import { OWNER_TEXTS } from './item-draft.ts'
import { ItemFilters } from './item-filters.tsx'
import { copiesText } from './item-text.ts'
import {
  COPIES_COLUMN,
  cardColumn,
  type ItemAction,
  ItemActions,
  ItemAmount,
  ItemsTable,
  PRICE_COLUMN,
} from './items-table.tsx'
import { SelectionBar } from './many/selection-bar.tsx'
import { type ItemSelection, useSelection } from './many/use-selection.ts'
import { type CollectionQuery, parseItemParams, useItems } from './queries.ts'
import { RemoveItemDialog } from './remove-item.tsx'

const WatchPrice = lazyView(async () => (await import('../alerts/watch-price.tsx')).WatchPrice)

type CollectionItemsProps = {
  of: CollectionQuery
  collection: Collection
  summary: CollectionSummary | undefined
  onChanged: (text: string) => void
}

/** Lists the items in pages, with their actions. The URL holds the selection. */
export function CollectionItems({ of, collection, summary, onChanged }: CollectionItemsProps) {
  const [query, setQuery] = useSearchParams()
  const [watching, setWatching] = useState<CollectionItem>()
  const [editing, setEditing] = useState<CollectionItem>()
  const [removing, setRemoving] = useState<CollectionItem>()
  const [isSelecting, setSelecting] = useState(false)
  const section = useRef<HTMLElement>(null)
  const isWish = collection.kind === 'wish'
  const params = parseItemParams(query)
  const result = useItems(of, params)
  const selection = useSelection(result.data?.data)
  // The button that was pressed leaves; the focus goes on to what took its place.
  const select = (isOn: boolean) => {
    flushSync(() => setSelecting(isOn))
    const next = section.current?.querySelector<HTMLElement>(
      isOn ? '.selection-bar button' : '.start-selection',
    )
    const other = section.current?.querySelector<HTMLElement>('input')
    ;(next ?? other)?.focus()
  }
  const change = (changes: Record<string, string>) =>
    setQuery((before) => {
      const next = { ...Object.fromEntries(before), page: '1', ...changes }
      return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== ''))
    })
  const done = (text: string) => {
    setEditing(undefined)
    setRemoving(undefined)
    onChanged(text)
  }
  return (
    <section ref={section} className="stack tight" aria-labelledby="items">
      <h2 id="items">Items</h2>
      <ItemFilters params={params} summary={summary} onChange={change}>
        {!isSelecting && collection.item_count > 0 && (
          <Button className="start-selection" onClick={() => select(true)}>
            Select
          </Button>
        )}
      </ItemFilters>
      {isSelecting && result.data !== undefined && (
        <SelectionBar
          collection={collection}
          selection={selection}
          params={params}
          listed={result.data.data}
          total={result.data.meta.total}
          printings={summary?.printings ?? []}
          onDone={() => {
            selection.clear()
            select(false)
          }}
        />
      )}
      <QueryError query={result} />
      {result.isPending && <LineSkeleton count={8} />}
      {result.data !== undefined && (
        <>
          {result.data.meta.total === 0 ? (
            <p className="note">
              {collection.item_count === 0
                ? 'No items yet. Import the export of your app, paste a list, or add cards from their pages.'
                : 'No item matches the filters.'}
            </p>
          ) : (
            <ItemsTable
              label="List of items"
              items={result.data.data}
              columns={itemColumns(
                isWish,
                isSelecting
                  ? selectColumn(selection, result.data.data)
                  : actionsColumn([
                      {
                        label: 'Watch',
                        verb: 'Watch the price of',
                        isOffered: ({ notes }) => !notes.includes('card_not_found'),
                        onClick: setWatching,
                      },
                      { label: 'Edit', onClick: setEditing },
                      { label: 'Remove', onClick: setRemoving },
                    ]),
              )}
            />
          )}
          <Pager meta={result.data.meta} onPage={(page) => change({ page: String(page) })} />
        </>
      )}
      {watching !== undefined && (
        <Suspense>
          <WatchPrice
            card={{ id: watching.card_id, name: watching.name }}
            printing={watching.printing ?? undefined}
            target={watching.target_price}
            onClose={() => setWatching(undefined)}
          />
        </Suspense>
      )}
      {editing !== undefined && (
        <EditItemDialog
          item={editing}
          kind={collection.kind}
          save={async (body) => {
            const path = { id: collection.id, item_id: editing.id }
            const { data } = await api.patch('/v1/collections/{id}/items/{item_id}', { path, body })
            done(`${data.name} is saved.`)
          }}
          onClose={() => setEditing(undefined)}
        />
      )}
      {removing !== undefined && (
        <RemoveItemDialog
          name={removing.name}
          remove={async () => {
            const { id: item_id, name, revision } = removing
            const path = { id: collection.id, item_id }
            await api.delete('/v1/collections/{id}/items/{item_id}', { path, query: { revision } })
            done(`${name} is removed.`)
          }}
          onClose={() => setRemoving(undefined)}
        >
          {plural(removing.quantity, 'copy', 'copies')}, {copiesText(removing)}. You cannot undo
          this.
        </RemoveItemDialog>
      )}
    </section>
  )
}

/** Columns of the items of a collection, or of a wish list with its targets. */
function itemColumns(isWish: boolean, last: Column<CollectionItem>): Column<CollectionItem>[] {
  const enteredOf = (item: CollectionItem) =>
    isWish ? moneyText(item.target_price) : moneyText(item.price_paid, item.paid_currency)
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
          {count(item.quantity)} × {isWish ? 'target' : 'paid'} {enteredOf(item)}
        </span>
      </>
    )),
    COPIES_COLUMN,
    [isWish ? 'Target' : 'Paid', enteredOf, 'number wide-only'],
    PRICE_COLUMN,
    [
      isWish ? 'Price' : 'Value',
      (item) => (
        <ItemAmount item={item} amount={isWish ? item.market_price : item.value}>
          {!isWish && item.gain !== null && (
            <span className={`small change line ${item.gain < 0 ? 'down' : 'up'}`}>
              {gainText(item.gain, item.currency)}
            </span>
          )}
          {isWish && item.target_reached && (
            <span className="small change up line">Target reached</span>
          )}
        </ItemAmount>
      ),
      'number',
    ],
    last,
  ]
}

function actionsColumn(actions: readonly ItemAction<CollectionItem>[]): Column<CollectionItem> {
  return ['Actions', (item) => <ItemActions item={item} actions={actions} />, 'number', true]
}

/** Column of check boxes. A click with the shift key selects a range. */
function selectColumn(
  selection: ItemSelection,
  listed: readonly CollectionItem[],
): Column<CollectionItem> {
  return [
    'Select',
    (item) => (
      <label className="item-check">
        <input
          type="checkbox"
          aria-label={`Select ${item.name}`}
          checked={selection.items.has(item.id)}
          onChange={({ nativeEvent }) =>
            selection.toggle(
              item,
              listed,
              nativeEvent instanceof MouseEvent && nativeEvent.shiftKey,
            )
          }
        />
      </label>
    ),
    'number',
    true,
  ]
}
