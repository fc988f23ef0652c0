import { Suspense, useState } from 'react'
import { useSearchParams } from 'wouter'
import type { Collection, CollectionItem, CollectionSummary } from '#client/endpoints.ts'
import { useGames } from '../catalog/queries.ts'
import { QueryError } from '../components/error-message.tsx'
import { Pager } from '../components/pager.tsx'
import { GameSelect, Select } from '../components/select.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { lazyView } from '../lazy-view.ts'
import { parseId, parsePage } from '../route-params.ts'
import { EditItemDialog } from './edit-item.tsx'
import { ItemsTable } from './items-table.tsx'
import { type CollectionQuery, ITEM_ORDERS, parseItemOrder, useItems } from './queries.ts'
import { RemoveItemDialog } from './remove-item.tsx'

const WatchPrice = lazyView(async () => (await import('../alerts/watch-price.tsx')).WatchPrice)

type CollectionItemsProps = {
  of: CollectionQuery
  collection: Collection
  summary: CollectionSummary | undefined
  onChanged: (text: string) => void
}

/** Lists the items, a page at a time, with what can be done to them. The URL holds the selection. */
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
              items={result.data.data}
              isWish={isWish}
              onWatch={setWatching}
              onEdit={setEditing}
              onRemove={setRemoving}
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
          collectionId={collection.id}
          item={editing}
          isWish={isWish}
          onSaved={({ name }) => done(`${name} is saved.`)}
          onClose={() => setEditing(undefined)}
        />
      )}
      {removing !== undefined && (
        <RemoveItemDialog
          collectionId={collection.id}
          item={removing}
          onRemoved={() => done(`${removing.name} is removed.`)}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </section>
  )
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
