import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import type { SharedCollection } from '#client/endpoints.ts'
import * as texts from '#texts/collections/collections.ts'
import { QueryError } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { SegmentedControl } from '../components/segmented-control.tsx'
import { Select } from '../components/select.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import type { Column } from '../components/table.tsx'
import { agoText } from '../format.ts'
import { useCurrency } from '../pricing/currency.ts'
import { HowMade } from '../pricing/how-made.tsx'
import { PriceText } from '../pricing/price-text.tsx'
import { apiQuery } from '../query-client.ts'
import { parsePage } from '../route-params.ts'
import { amountOrigin } from './amounts.ts'
import { ItemTiles } from './item-tiles.tsx'
import { ITEM_VIEWS, type ItemView, readItemView, storeItemView } from './item-view.ts'
import {
  COPIES_COLUMN,
  cardColumn,
  ItemAmount,
  ItemsTable,
  PRICE_COLUMN,
  VALUE_COLUMN,
} from './items-table.tsx'
import { ITEM_ORDERS, ITEMS, parseItemOrder } from './queries.ts'
import { pricedOtherwise, unpricedText, ValueRemarks } from './value-remarks.tsx'

/** Shows a collection to everybody who has its link. */
export function SharedCollectionView({ token }: { token: string }) {
  const { currency } = useCurrency()
  const [query, setQuery] = useSearchParams()
  const params = { sort: parseItemOrder(query.get('sort')), page: parsePage(query) }
  const view = readItemView(query)
  const change = (changes: Record<string, string>) =>
    setQuery((before) => ({ ...Object.fromEntries(before), ...changes }))
  const result = useQuery(
    apiQuery('/v1/shared/{token}', {
      path: { token },
      query: { ...params, per_page: ITEMS, currency },
    }),
  )
  if (result.isError) {
    return (
      <Page title={texts.sharedCollection}>
        <QueryError query={result} notFound={NOT_FOUND} />
      </Page>
    )
  }
  const shared = result.data?.data
  return (
    <Page
      title={shared?.name ?? texts.sharedCollection}
      lead={shared === undefined ? '\u00a0' : describe(shared)}
    >
      {shared === undefined ? (
        <LineSkeleton count={8} />
      ) : (
        <div className="stack">
          <div className="shared-head">
            <p className="price-large">
              <PriceText amount={shared.value} origin={amountOrigin(shared)} />
            </p>
            <div className="row">
              <SegmentedControl
                label={texts.view}
                options={ITEM_VIEWS}
                value={view}
                onChange={(chosen) => {
                  storeItemView(chosen)
                  change({ view: chosen })
                }}
              />
              <Select
                aria-label={texts.order}
                className="select"
                options={ITEM_ORDERS}
                value={params.sort}
                onChange={(sort) => change({ sort, page: '1' })}
              />
            </div>
          </div>
          <ValueRemarks
            className="soft"
            remarks={[...pricedOtherwise(shared), ...unpricedText(shared.unpriced)]}
          />
          {shared.items.length === 0 ? (
            <p className="note">{texts.collectionIsEmpty}</p>
          ) : (
            <SharedItems view={view} items={shared.items} />
          )}
          {result.data !== undefined && (
            <Pager meta={result.data.meta} onPage={(page) => change({ page: String(page) })} />
          )}
          <HowMade of={['value-of-a-collection', 'market-price']} />
        </div>
      )}
    </Page>
  )
}

type SharedItem = SharedCollection['items'][number]

function SharedItems({ view, items }: { view: ItemView; items: readonly SharedItem[] }) {
  const label = texts.listOfItems
  if (view === 'table') return <ItemsTable label={label} items={items} columns={COLUMNS} />
  return (
    <ItemTiles
      label={label}
      items={items}
      amounts={(item) => (
        <>
          <p className="tile-price">
            <ItemAmount item={item} amount={item.value} />
          </p>
          <p className="small soft">{texts.copyCount(item.quantity)}</p>
        </>
      )}
    />
  )
}

const COLUMNS: Column<SharedItem>[] = [
  cardColumn(({ quantity }) => (
    <span className="narrow-only small soft">{texts.copyCount(quantity)}</span>
  )),
  COPIES_COLUMN,
  PRICE_COLUMN,
  VALUE_COLUMN,
]

function describe({ kind, item_count, computed_at }: SharedCollection): string {
  const what = kind === 'wish' ? texts.wishlist : texts.collection
  return `${what} · ${texts.itemsValued({ items: item_count, ago: agoText(computed_at) })}`
}

const NOT_FOUND = {
  title: texts.linkHasEnded,
  text: texts.senderHasANewLink,
}
