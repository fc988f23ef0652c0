import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import type { SharedCollection } from '#client/endpoints.ts'
import { QueryError } from '../components/error-message.tsx'
import { Page } from '../components/page.tsx'
import { Pager } from '../components/pager.tsx'
import { Select } from '../components/select.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import type { Column } from '../components/table.tsx'
import { agoText, plural } from '../format.ts'
import { useCurrency } from '../pricing/currency.ts'
import { HowMade } from '../pricing/how-made.tsx'
import { PriceText } from '../pricing/price-text.tsx'
import { apiQuery } from '../query-client.ts'
import { parsePage } from '../route-params.ts'
import { amountOrigin } from './amounts.ts'
import {
  COPIES_COLUMN,
  cardColumn,
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
  const result = useQuery(
    apiQuery('/v1/shared/{token}', {
      path: { token },
      query: { ...params, per_page: ITEMS, currency },
    }),
  )
  if (result.isError) {
    return (
      <Page title="Shared collection">
        <QueryError query={result} notFound={NOT_FOUND} />
      </Page>
    )
  }
  const shared = result.data?.data
  return (
    <Page
      title={shared?.name ?? 'Shared collection'}
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
            <Select
              aria-label="Order"
              className="select"
              options={ITEM_ORDERS}
              value={params.sort}
              onChange={(sort) => setQuery({ sort })}
            />
          </div>
          <ValueRemarks
            className="soft"
            remarks={[...pricedOtherwise(shared), ...unpricedText(shared.unpriced)]}
          />
          {shared.items.length === 0 ? (
            <p className="note">This collection is empty.</p>
          ) : (
            <ItemsTable label="List of items" items={shared.items} columns={COLUMNS} />
          )}
          {result.data !== undefined && (
            <Pager
              meta={result.data.meta}
              onPage={(page) => setQuery({ sort: params.sort, page: String(page) })}
            />
          )}
          <HowMade of={['value-of-a-collection', 'market-price']} />
        </div>
      )}
    </Page>
  )
}

type SharedItem = SharedCollection['items'][number]

const COLUMNS: Column<SharedItem>[] = [
  cardColumn(({ quantity }) => (
    <span className="narrow-only small soft">{plural(quantity, 'copy', 'copies')}</span>
  )),
  COPIES_COLUMN,
  PRICE_COLUMN,
  VALUE_COLUMN,
]

function describe({ kind, item_count, computed_at }: SharedCollection): string {
  const what = kind === 'wish' ? 'Wish list' : 'Collection'
  return `${what} · ${plural(item_count, 'item')} · valued ${agoText(computed_at)}`
}

const NOT_FOUND = {
  title: 'This link has ended',
  text: 'Ask the person who sent it to you for a new one.',
}
