import type { UseQueryResult } from '@tanstack/react-query'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { ApiResponse } from '#client/client.ts'
import type { CollectionImport } from '#client/endpoints.ts'
import * as texts from '#texts/collections/imports.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { QueryError } from '../../components/error-message.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Pager } from '../../components/pager.tsx'
import { LineSkeleton } from '../../components/skeleton.tsx'
import { count } from '../../format.ts'
import { useAction } from '../../hooks/use-action.ts'
import { CardSearch } from '../../search/card-search.tsx'
import { Alternatives, DraftEntry } from './draft-entry.tsx'
import type { ImportEntry } from './import-queries.ts'
import { KIND_TEXTS } from './import-text.ts'
import type { DraftChange } from './use-draft-changes.ts'

type RowGroupProps = {
  totals: CollectionImport['totals'][number]
  /** Shown page of the rows; undefined while the group is folded. */
  result: UseQueryResult<ApiResponse<'GET', '/v1/imports/{id}'>> | undefined
  change: (change: DraftChange) => Promise<void>
  onOpen: (isOpen: boolean) => void
  onPage: (page: number) => void
}

/** Lists the rows of one kind, with the decisions about all of them. Rows that need none are folded. */
export function RowGroup({ totals, result, change, onOpen, onPage }: RowGroupProps) {
  const { kind, rows, accepted, skipped } = totals
  const { title, text } = KIND_TEXTS[kind]
  const heading = useRef<HTMLHeadingElement>(null)
  const [choosing, setChoosing] = useState<ImportEntry>()
  const decide = useAction((state: ImportEntry['state']) => change({ kinds: [{ kind, state }] }))
  const page = result?.data?.meta.page
  useNewPage(page, heading)
  const list = (
    <>
      <p className="soft">{text}</p>
      {rows > 1 && (
        <div className="row">
          {hasCards(kind) && (
            <Button isBusy={decide.isRunning} onClick={() => void decide.start('accepted')}>
              {texts.acceptAll(count(rows))}
            </Button>
          )}
          {(kind !== 'skipped' || accepted > 0) && (
            <Button isBusy={decide.isRunning} onClick={() => void decide.start('skipped')}>
              {texts.skipAll(count(rows))}
            </Button>
          )}
          {accepted + skipped > 0 && !isTaken(kind) && (
            <Button
              className="quiet"
              isBusy={decide.isRunning}
              onClick={() => void decide.start('open')}
            >
              {texts.decideAgain}
            </Button>
          )}
        </div>
      )}
      <FormError error={decide.error} />
      {result !== undefined && <QueryError query={result} />}
      {result?.isPending && <LineSkeleton count={8} />}
      {result?.data !== undefined && (
        <>
          <ol className="import-rows" aria-labelledby={kind} onKeyDown={moveRowFocus}>
            {result.data.data.entries.map((row) => (
              <DraftEntry
                key={row.id}
                row={row}
                change={change}
                onSearch={() => setChoosing(row)}
              />
            ))}
          </ol>
          <Pager meta={result.data.meta} onPage={onPage} />
        </>
      )}
      {choosing !== undefined && (
        <ChooseDialog row={choosing} change={change} onClose={() => setChoosing(undefined)} />
      )}
    </>
  )
  const name = (
    <h2 ref={heading} id={kind} tabIndex={-1}>
      {title} <span className="soft">({count(rows)})</span>
    </h2>
  )
  if (kind !== 'certain') {
    return (
      <section className="stack tight" aria-labelledby={kind}>
        {name}
        {list}
      </section>
    )
  }
  return (
    <details
      className="import-fold"
      open={result !== undefined}
      onToggle={({ currentTarget }) => onOpen(currentTarget.open)}
    >
      <summary>{name}</summary>
      <div className="stack tight">{list}</div>
    </details>
  )
}

/** Kinds whose rows have cards. */
function hasCards(kind: ImportEntry['kind']): boolean {
  return kind !== 'not_found' && kind !== 'skipped'
}

/** Kinds that are imported without a decision. */
function isTaken(kind: ImportEntry['kind']): boolean {
  return kind === 'certain' || kind === 'assumed'
}

/** Moves the focus to the heading when another page has arrived. */
function useNewPage(page: number | undefined, heading: RefObject<HTMLHeadingElement | null>): void {
  const shown = useRef(page)
  useEffect(() => {
    if (shown.current !== undefined && page !== undefined && shown.current !== page) {
      heading.current?.focus({ preventScroll: true })
      heading.current?.scrollIntoView({ block: 'start' })
    }
    shown.current = page ?? shown.current
  }, [page, heading])
}

/** Moves the focus to the decision of the row above or below. */
function moveRowFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const { target, currentTarget } = event
  if (
    step === undefined ||
    !(target instanceof HTMLElement) ||
    target.closest('button, a') === null
  )
    return
  if (event.altKey || event.ctrlKey || event.metaKey) return
  const rows = [...currentTarget.children]
  const next = rows[rows.findIndex((row) => row.contains(target)) + step]
  const button = next?.querySelector<HTMLElement>('.import-decision button:not(:disabled)')
  if (button == null) return
  event.preventDefault()
  button.focus()
}

type ChooseDialogProps = {
  row: ImportEntry
  change: (change: DraftChange) => Promise<void>
  onClose: () => void
}

/** Chooses another card for a row, among those that it may mean or by a search. */
function ChooseDialog({ row: entry, change, onClose }: ChooseDialogProps) {
  const { id, row, text, alternatives } = entry
  const choose = useAction(async (card_id: number) => {
    await change({ rows: [{ id, card_id }] })
    onClose()
  })
  return (
    <Dialog title={texts.whichCardIsRow(count(row))} onClose={onClose}>
      <p className="import-source">{text}</p>
      {alternatives.length > 0 && (
        <Alternatives
          title={texts.otherPossibleCards}
          alternatives={alternatives}
          isBusy={choose.isRunning}
          onChoose={(card_id) => void choose.start(card_id)}
        />
      )}
      <CardSearch onChoose={(card_id) => void choose.start(card_id)} />
      <FormError error={choose.error} />
      <div className="row end">
        <Button onClick={onClose}>{texts.cancel}</Button>
      </div>
    </Dialog>
  )
}
