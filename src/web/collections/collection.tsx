import { useEffect, useRef, useState } from 'react'
import type { Collection } from '#client/endpoints.ts'
import * as texts from '#texts/collections/collections.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { QueryError } from '../components/error-message.tsx'
import { Menu } from '../components/menu.tsx'
import { Page } from '../components/page.tsx'
import { LineSkeleton, PanelSkeleton } from '../components/skeleton.tsx'
import { useCurrency } from '../pricing/currency.ts'
import { refetchAfterChange } from '../query-client.ts'
import { Breakdown, Completion } from './breakdown.tsx'
import { CollectionItems } from './collection-items.tsx'
import { CollectionMovers } from './collection-movers.tsx'
import { ExportDialog } from './export-dialog.tsx'
import type { GameItems } from './export-formats.ts'
import { ImportDialog } from './import-dialog.tsx'
import { DeleteDialog, RenameDialog } from './manage-collection.tsx'
import { useCollection, useSummary } from './queries.ts'
import { ShareDialog } from './share-dialog.tsx'
import { ValueHistory } from './value-history.tsx'
import { ValuePanel } from './value-panel.tsx'

/** Actions that are always shown. Those that are rare or destroy something are in a menu. */
const ACTIONS = [
  ['import', texts.importLabel],
  ['export', texts.exportLabel],
  ['share', texts.share],
] as const

type Action = (typeof ACTIONS)[number][0] | 'rename' | 'delete'

const CRUMBS = [{ href: '/collection', name: texts.collections }]

/** Shows one collection or wish list of the account. */
export function CollectionView({ id }: { id: string }) {
  const { currency } = useCurrency()
  const [action, setAction] = useState<Action>()
  const [statusText, setStatusText] = useState('')
  const status = useRef<HTMLParagraphElement>(null)
  const of = { id, currency }
  const result = useCollection(of)
  const summary = useSummary(of)
  useValuation(summary)
  const collection = result.data?.data
  if (result.isError) {
    return (
      <Page title={texts.collection} crumbs={CRUMBS}>
        <QueryError query={result} notFound={NOT_FOUND} />
      </Page>
    )
  }
  const isWish = collection?.kind === 'wish'
  const hasItems = (collection?.item_count ?? 1) > 0
  return (
    <Page
      title={collection?.name ?? texts.collection}
      lead={collection ? describe(collection) : '\u00a0'}
      crumbs={CRUMBS}
      aside={
        <div className="row">
          {ACTIONS.map(([name, text]) => (
            <Button
              key={name}
              className={name === 'import' ? 'main' : ''}
              disabled={collection === undefined}
              onClick={() => setAction(name)}
            >
              {text}
            </Button>
          ))}
          <Menu
            label={texts.moreActions}
            disabled={collection === undefined}
            items={[
              { name: texts.rename, onPick: () => setAction('rename') },
              { name: texts.deleteLabel, isDanger: true, onPick: () => setAction('delete') },
            ]}
          />
        </div>
      }
    >
      <div className="stack">
        <p ref={status} className="status-line" role="status" tabIndex={-1}>
          {statusText}
        </p>
        {hasItems && (
          <>
            <QueryError query={summary} />
            {summary.isPending && (
              <div className="value-loading">
                <PanelSkeleton lines={[[30, '3rem'], [20], [40]]} />
              </div>
            )}
            {summary.data !== undefined && (
              <ValuePanel summary={summary.data.data} isWish={isWish} />
            )}
            <ValueHistory of={of} collection={collection} />
          </>
        )}
        {collection === undefined ? (
          <LineSkeleton count={8} />
        ) : (
          <CollectionItems
            of={of}
            collection={collection}
            summary={summary.data?.data}
            onChanged={(text) => {
              setStatusText(text)
              refetchAfterChange('/v1/collections')
              status.current?.focus()
            }}
          />
        )}
        {hasItems && summary.data !== undefined && (
          <>
            <CollectionMovers summary={summary.data.data} />
            <Breakdown summary={summary.data.data} isWish={isWish} />
            <Completion of={of} />
          </>
        )}
      </div>
      {collection !== undefined && (
        <ActionDialog
          action={action}
          collection={collection}
          games={summary.data?.data.games}
          onClose={() => setAction(undefined)}
        />
      )}
    </Page>
  )
}

/** Refetches values that are being computed. */
function useValuation({ data, isFetching }: ReturnType<typeof useSummary>): void {
  const isOutdated = data?.data.is_current === false
  // Each response starts one timer.
  useEffect(() => {
    if (!isOutdated || isFetching) return
    const timer = setTimeout(() => refetchAfterChange('/v1/collections'), VALUATION_MS)
    return () => clearTimeout(timer)
  }, [isOutdated, isFetching])
}

const VALUATION_MS = 2_000

type ActionDialogProps = {
  action: Action | undefined
  collection: Collection
  games: readonly GameItems[] | undefined
  onClose: () => void
}

function ActionDialog({ action, collection, games, onClose }: ActionDialogProps) {
  switch (action) {
    case 'import':
      return <ImportDialog collection={collection} onClose={onClose} />
    case 'export':
      return (
        <ExportDialog
          name={collection.name}
          games={games}
          load={(format) =>
            api.get('/v1/collections/{id}/export', {
              path: { id: collection.id },
              query: { format },
            })
          }
          onClose={onClose}
        />
      )
    case 'share':
      return <ShareDialog collection={collection} onClose={onClose} />
    case 'rename':
      return <RenameDialog collection={collection} onClose={onClose} />
    case 'delete':
      return <DeleteDialog collection={collection} onClose={onClose} />
    case undefined:
      return null
  }
}

function describe({ kind, item_count, shared_at }: Collection): string {
  return [
    kind === 'wish' ? texts.wishlist : texts.collection,
    texts.itemCount(item_count),
    shared_at === null ? undefined : texts.isShared,
  ]
    .filter(Boolean)
    .join(' · ')
}

const NOT_FOUND = {
  title: texts.collectionNotFound,
  text: texts.collectionIsGone,
}
