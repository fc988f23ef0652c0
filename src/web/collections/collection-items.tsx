import { Suspense, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { Collection, CollectionItem, CollectionSummary } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { useGames } from '../catalog/queries.ts'
import { QueryError } from '../components/error-message.tsx'
import { Pager } from '../components/pager.tsx'
import { GameSelect, Select } from '../components/select.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import type { Column } from '../components/table.tsx'
import { count, dayText, gainText, moneyText, plural } from '../format.ts'
import { lazyView } from '../lazy-view.ts'
import { parseId, parsePage } from '../route-params.ts'
import { EditItemDialog } from './edit-item.tsx'
import { OWNER_TEXTS } from './item-draft.ts'
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
import { type CollectionQuery, ITEM_ORDERS, parseItemOrder, useItems } from './queries.ts'
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
  const isWish = collection.kind === 'wish'
  const params = {
    game: query.get('game') || undefined,
    set_id: parseId(query.get('set') ?? ''),
    sort: parseItemOrder(query.get('sort')),
    page: parsePage(query),
  }
  const result = useItems(of, params)
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
    <section className="stack tight" aria-labelledby="items">
      <h2 id="items">Items</h2>
      <Filters params={params} summary={summary} onChange={change} />
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
              columns={itemColumns(isWish, [
                {
                  label: 'Watch',
                  verb: 'Watch the price of',
                  isOffered: ({ notes }) => !notes.includes('card_not_found'),
                  onClick: setWatching,
                },
                { label: 'Edit', onClick: setEditing },
                { label: 'Remove', onClick: setRemoving },
              ])}
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
function itemColumns(
  isWish: boolean,
  actions: readonly ItemAction<CollectionItem>[],
): Column<CollectionItem>[] {
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
    ['Actions', (item) => <ItemActions item={item} actions={actions} />, 'number', true],
  ]
}

type FiltersProps = {
  params: { game: string | undefined; set_id: number | undefined; sort: string }
  summary: CollectionSummary | undefined
  onChange: (changes: Record<string, string>) => void
}

function Filters({ params, summary, onChange }: FiltersProps) {
  const games = useGames()
  const held = new Set(summary?.games.map(({ game }) => game))
  const sets = summary?.sets ?? []
  return (
    <div className="row item-filters">
      <GameSelect
        label="Game"
        all="All games"
        games={games.data?.data.filter(({ slug }) => held.has(slug)) ?? []}
        value={params.game}
        onChange={(game) => onChange({ game, set: '' })}
      />
      <div className="field">
        <label htmlFor="item-set">Set</label>
        <Select
          id="item-set"
          all="All sets"
          options={sets
            .filter(({ game }) => params.game === undefined || game === params.game)
            .map(({ set_id, set_name }) => [String(set_id), set_name] as const)}
          value={params.set_id === undefined ? '' : String(params.set_id)}
          onChange={(set) => onChange({ set })}
        />
      </div>
      <div className="field">
        <label htmlFor="item-order">Order</label>
        <Select
          id="item-order"
          options={ITEM_ORDERS}
          value={params.sort}
          onChange={(sort) => onChange({ sort })}
        />
      </div>
    </div>
  )
}
