import { useState } from 'react'
import { Link, Redirect, useLocation, useSearch } from 'wouter'
import type { Collection } from '#client/endpoints.ts'
import * as texts from '#texts/collections/collections.ts'
import { ErrorMessage, loginUrl, QueryError } from '../components/error-message.tsx'
import { NameDialog } from '../components/name-dialog.tsx'
import { Page } from '../components/page.tsx'
import { SegmentedControl } from '../components/segmented-control.tsx'
import { TileSkeleton } from '../components/skeleton.tsx'
import { agoText, count } from '../format.ts'
import { lazyView } from '../lazy-view.ts'
import { useCurrency } from '../pricing/currency.ts'
import { HowMade } from '../pricing/how-made.tsx'
import { PriceText } from '../pricing/price-text.tsx'
import { forgetAnswers } from '../query-client.ts'
import { randomUuid } from '../random-uuid.ts'
import { useSession } from '../session.ts'
import { amountOrigin } from './amounts.ts'
import { CollectionView } from './collection.tsx'
import { OpenImports, useOpenImports } from './imports/open-imports.tsx'
import { createCollectionOnce } from './item-requests.ts'
import { KINDS } from './item-text.ts'
import { collectionUrl, useCollections } from './queries.ts'
import { pricedOtherwise, unpricedText, ValueRemarks } from './value-remarks.tsx'

const ImportPage = lazyView(async () => (await import('./imports/import.tsx')).ImportPage)

type CollectionsViewProps = { id?: string | undefined; importId?: string }

/**
 * Lists the collections and wish lists of the account, or shows one of them, or an import into one. Redirects visitors
 * to the login.
 */
export function CollectionsView({ id, importId }: CollectionsViewProps) {
  const { me, error, refresh } = useSession()
  if (error !== undefined) return <ErrorMessage error={error} onRetry={() => void refresh()} />
  if (me === null) return <Redirect to={loginUrl()} replace />
  if (me === undefined) return <TileSkeleton count={3} wide />
  // Remounts them for another account, collection or import.
  if (importId !== undefined) return <ImportPage key={`${me.id} ${importId}`} id={importId} />
  return id === undefined ? (
    <CollectionList key={me.id} />
  ) : (
    <CollectionView key={`${me.id} ${id}`} id={id} />
  )
}

function CollectionList() {
  const { currency } = useCurrency()
  const [path, go] = useLocation()
  const isCreating = new URLSearchParams(useSearch()).has('new')
  const result = useCollections(currency)
  const openImports = useOpenImports()
  // Both at once, so that nothing moves.
  const isPending = result.isPending || openImports.isPending
  const all = result.data?.data ?? []
  return (
    <Page
      title={texts.collections}
      lead={texts.collectionsExplained}
      aside={
        <Link className="button main" href={`${path}?new`}>
          {texts.newCollection}
        </Link>
      }
    >
      <QueryError query={result} />
      {isPending && <TileSkeleton count={3} wide />}
      {!isPending && <OpenImports query={openImports} />}
      {!isPending && result.data !== undefined && all.length === 0 && <NoCollections />}
      {!isPending && result.data !== undefined && all.length > 0 && (
        <>
          <ul className="collection-tiles">
            {all.map((collection) => (
              <CollectionTile key={collection.id} collection={collection} />
            ))}
          </ul>
          <HowMade of={['value-of-a-collection']} />
          <Limits {...result.data.meta} />
        </>
      )}
      {isCreating && <NewCollectionDialog onClose={() => go(path, { replace: true })} />}
    </Page>
  )
}

function NoCollections() {
  return (
    <div className="note">
      <h2>{texts.noCollectionsYet}</h2>
      <p>{texts.noCollectionsExplained}</p>
    </div>
  )
}

function CollectionTile({ collection }: { collection: Collection }) {
  const { id, name, kind, item_count, value, unpriced, computed_at, shared_at } = collection
  return (
    <li className="panel summary-tile collection-tile">
      <h2>
        <Link href={collectionUrl(id)}>{name}</Link>
      </h2>
      <p className="figure">
        <PriceText amount={value} origin={amountOrigin(collection)} />
      </p>
      <p className="small soft">
        {computed_at === null
          ? texts.itemCount(item_count)
          : texts.itemsValued({ items: item_count, ago: agoText(computed_at) })}
      </p>
      <ValueRemarks
        className="soft"
        remarks={[...pricedOtherwise(collection), ...unpricedText(unpriced)]}
      />
      <p className="row tags">
        <span className="tag">{kind === 'wish' ? texts.wishlist : texts.collection}</span>
        {shared_at !== null && <span className="tag good">{texts.shared}</span>}
      </p>
    </li>
  )
}

/** Creates a collection or a wish list, and opens it. */
function NewCollectionDialog({ onClose }: { onClose: () => void }) {
  const [, go] = useLocation()
  const [kind, setKind] = useState<(typeof KINDS)[number][0]>('owned')
  const [ids] = useState(() => new Map(KINDS.map(([one]) => [one, randomUuid()])))
  const create = async (name: string) => {
    const created = await createCollectionOnce({ id: ids.get(kind) ?? randomUuid(), name, kind })
    forgetAnswers()
    go(collectionUrl(created.id))
  }
  return (
    <NameDialog
      title={texts.newCollection}
      submitLabel={texts.create}
      save={create}
      onClose={onClose}
    >
      <SegmentedControl label={texts.kind} options={KINDS} value={kind} onChange={setKind} />
    </NameDialog>
  )
}

type LimitsProps = { collections_max: number | null; items_max: number | null }

function Limits({ collections_max, items_max }: LimitsProps) {
  if (collections_max === null || items_max === null) return null
  return (
    <p className="small soft collection-limits">
      {texts.planIncludes({ collectionsMax: collections_max, itemsMax: count(items_max) })}
    </p>
  )
}
