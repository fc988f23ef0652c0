import { useEffect, useRef, useState } from 'react'
import type { Collection } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { QueryError } from '../components/error-message.tsx'
import { Menu } from '../components/menu.tsx'
import { Page } from '../components/page.tsx'
import { LineSkeleton, PanelSkeleton } from '../components/skeleton.tsx'
import { plural } from '../format.ts'
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
const ACTIONS = ['Import', 'Export', 'Share'] as const

type Action = (typeof ACTIONS)[number] | 'Rename' | 'Delete'

const CRUMBS = [{ href: '/collection', name: 'Collections' }]

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
      <Page title="Collection" crumbs={CRUMBS}>
        <QueryError query={result} notFound={NOT_FOUND} />
      </Page>
    )
  }
  const isWish = collection?.kind === 'wish'
  const hasItems = (collection?.item_count ?? 1) > 0
  return (
    <Page
      title={collection?.name ?? 'Collection'}
      lead={collection ? describe(collection) : '\u00a0'}
      crumbs={CRUMBS}
      aside={
        <div className="row">
          {ACTIONS.map((name) => (
            <Button
              key={name}
              className={name === 'Import' ? 'main' : ''}
              disabled={collection === undefined}
              onClick={() => setAction(name)}
            >
              {name}
            </Button>
          ))}
          <Menu
            label="More actions"
            disabled={collection === undefined}
            items={[
              { name: 'Rename', onPick: () => setAction('Rename') },
              { name: 'Delete', isDanger: true, onPick: () => setAction('Delete') },
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
    case 'Import':
      return <ImportDialog collection={collection} onClose={onClose} />
    case 'Export':
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
    case 'Share':
      return <ShareDialog collection={collection} onClose={onClose} />
    case 'Rename':
      return <RenameDialog collection={collection} onClose={onClose} />
    case 'Delete':
      return <DeleteDialog collection={collection} onClose={onClose} />
    case undefined:
      return null
  }
}

function describe({ kind, item_count, shared_at }: Collection): string {
  return [
    kind === 'wish' ? 'Wish list' : 'Collection',
    plural(item_count, 'item'),
    shared_at === null ? undefined : 'shared',
  ]
    .filter(Boolean)
    .join(' · ')
}

const NOT_FOUND = {
  title: 'Collection not found',
  text: 'It was deleted, or belongs to another account.',
}
