import { Suspense, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useSearchParams } from 'wouter'
import type { Collection, CollectionItem, CollectionSummary } from '#client/endpoints.ts'
import * as texts from '#texts/collections/items.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { QueryError } from '../components/error-message.tsx'
import { Pager } from '../components/pager.tsx'
import { SegmentedControl } from '../components/segmented-control.tsx'
import { LineSkeleton, TileSkeleton } from '../components/skeleton.tsx'
import { lazyView } from '../lazy-view.ts'
import { EditItemDialog } from './edit-item.tsx'
import { ItemFilters } from './item-filters.tsx'
import { ItemList } from './item-list.tsx'
import { copiesText } from './item-text.ts'
import { ITEM_VIEWS, readItemView, storeItemView } from './item-view.ts'
import type { ItemAction } from './items-table.tsx'
import { SelectionBar } from './many/selection-bar.tsx'
import { useSelection } from './many/use-selection.ts'
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
  const view = readItemView(query)
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
  const actions: ItemAction<CollectionItem>[] = [
    {
      label: texts.watch,
      describe: texts.watchThePriceOf,
      isOffered: ({ notes }) => !notes.includes('card_not_found'),
      onClick: setWatching,
    },
    { label: texts.edit, describe: texts.editCard, onClick: setEditing },
    { label: texts.remove, describe: texts.removeCard, isDanger: true, onClick: setRemoving },
  ]
  const done = (text: string) => {
    setEditing(undefined)
    setRemoving(undefined)
    onChanged(text)
  }
  return (
    <section ref={section} className="stack tight" aria-labelledby="items">
      <h2 id="items">{texts.items}</h2>
      <ItemFilters params={params} summary={summary} onChange={change}>
        {collection.item_count > 0 && (
          <SegmentedControl
            label={texts.view}
            options={ITEM_VIEWS}
            value={view}
            onChange={(chosen) => {
              storeItemView(chosen)
              change({ view: chosen, page: String(params.page) })
            }}
          />
        )}
        {!isSelecting && collection.item_count > 0 && (
          <Button className="start-selection" onClick={() => select(true)}>
            {texts.select}
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
      {result.isPending && (view === 'tiles' ? <TileSkeleton /> : <LineSkeleton count={8} />)}
      {result.data !== undefined && (
        <>
          {result.data.meta.total === 0 ? (
            <p className="note">
              {collection.item_count === 0 ? texts.noItemsYet : texts.noItemMatchesTheFilters}
            </p>
          ) : (
            <ItemList
              view={view}
              items={result.data.data}
              isWish={isWish}
              actions={actions}
              selection={isSelecting ? selection : undefined}
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
            done(texts.isSaved(data.name))
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
            done(texts.isRemoved(name))
          }}
          onClose={() => setRemoving(undefined)}
        >
          {texts.removeExplained({ quantity: removing.quantity, copies: copiesText(removing) })}
        </RemoveItemDialog>
      )}
    </section>
  )
}
