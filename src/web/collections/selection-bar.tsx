import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Collection, CollectionItem, ItemOutcome } from '#client/endpoints.ts'
import { Button } from '../components/button.tsx'
import { ConfirmDialog } from '../components/dialog.tsx'
import { FormError } from '../components/form-error.tsx'
import { useOverlay } from '../components/overlay.tsx'
import { Toast } from '../components/toast.tsx'
import { plural } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { refetchAfterChange } from '../query-client.ts'
import type { ItemChange } from './item-draft.ts'
import { EditManyDialog, MoveDialog } from './many-dialogs.tsx'
import { factsBefore, isRestorable, restoreItems, reviseItems } from './many-items.ts'
import { fetchAllItems, type ItemParams } from './queries.ts'
import type { TargetCollection } from './target-select.tsx'
import type { ItemSelection } from './use-selection.ts'

type SelectionBarProps = {
  collection: Collection
  selection: ItemSelection
  params: ItemParams
  /** Items of the page, and the number of all that are found. */
  listed: readonly CollectionItem[]
  total: number
  printings: readonly string[]
  onDone: () => void
}

type Change = 'edit' | 'move' | 'remove'

/** Selects items, and changes, moves or removes those that are selected. Each change can be taken back. */
export function SelectionBar(props: SelectionBarProps) {
  const { collection, selection, params, listed, total, printings, onDone } = props
  const [change, setChange] = useState<Change>()
  const bar = useRef<HTMLElement>(null)
  const show = useOverlay()
  const selectAll = useAction(async () => {
    selection.add(await fetchAllItems(collection.id, params))
  })
  const items = [...selection.items.values()]
  const isEmpty = items.length === 0
  const finish = (text: ReactNode, undo: () => Promise<unknown>) => {
    const isKeyboard = document.activeElement?.matches(':focus-visible') === true
    // The focus leaves the dialog with it.
    flushSync(() => setChange(undefined))
    selection.clear()
    refetchAfterChange('/v1/collections')
    const element = bar.current?.querySelector('button')
    if (!element) return
    if (isKeyboard) element.focus()
    show((close) => (
      <Toast opener={{ element, isKeyboard }} onClose={close}>
        <Undo undo={undo} onClose={close}>
          {text}
        </Undo>
      </Toast>
    ))
  }
  const revise = (facts: ItemChange, to?: string | null) =>
    reviseItems(
      collection.id,
      items.map(({ id, revision }) => ({ ...facts, id, revision })),
      to,
    )
  const edit = async (facts: ItemChange) => {
    const outcomes = await revise(facts)
    finish(describe('changed', outcomes), () =>
      reviseItems(
        collection.id,
        changedOf(outcomes).map(({ id, revision }) => {
          const before = selection.items.get(id)
          return { ...(before && factsBefore(before, facts)), id, revision }
        }),
      ),
    )
  }
  const move = async (to: TargetCollection) => {
    const outcomes = await revise({}, to.id)
    finish(describe(`moved to “${to.name}”`, outcomes), () =>
      reviseItems(
        to.id,
        changedOf(outcomes).map(({ id, revision }) => ({ id, revision })),
        collection.id,
      ),
    )
  }
  const remove = useAction(async () => {
    const outcomes = await revise({}, null)
    const removed = changedOf(outcomes).filter(isRestorable)
    finish(describe('removed', outcomes), () => restoreItems(collection.id, removed))
  })
  return (
    <section ref={bar} className="panel selection-bar row" aria-label="Selected items">
      <Button onClick={onDone}>Done</Button>
      <strong role="status">{plural(items.length, 'item')} selected</strong>
      <Button className="quiet" onClick={() => selection.add(listed)}>
        Select page
      </Button>
      {total > listed.length && (
        <Button className="quiet" action={selectAll}>
          Select all {total.toLocaleString('en')}
        </Button>
      )}
      <Button className="quiet" disabled={isEmpty} onClick={selection.clear}>
        Clear
      </Button>
      <span className="row selection-actions">
        <Button disabled={isEmpty} onClick={() => setChange('edit')}>
          Edit
        </Button>
        <Button disabled={isEmpty} onClick={() => setChange('move')}>
          Move
        </Button>
        <Button className="danger" disabled={isEmpty} onClick={() => setChange('remove')}>
          Remove
        </Button>
      </span>
      <FormError error={selectAll.error} />
      {change === 'edit' && (
        <EditManyDialog
          count={items.length}
          kind={collection.kind}
          printings={printings}
          save={edit}
          onClose={() => setChange(undefined)}
        />
      )}
      {change === 'move' && (
        <MoveDialog
          count={items.length}
          from={collection}
          move={move}
          onClose={() => setChange(undefined)}
        />
      )}
      {change === 'remove' && (
        <ConfirmDialog
          title={`Remove ${plural(items.length, 'item')}?`}
          confirmLabel="Remove"
          action={remove}
          onClose={() => setChange(undefined)}
        >
          <RemovalNote items={items} />
        </ConfirmDialog>
      )}
    </section>
  )
}

function RemovalNote({ items }: { items: readonly CollectionItem[] }) {
  const lost = items.filter((item) => !isRestorable(item)).length
  return (
    <p>
      You can undo this directly afterwards
      {lost > 0 &&
        `, except for ${plural(lost, 'item')} whose card or printing is no longer in the catalog`}
      .
    </p>
  )
}

type UndoProps = { undo: () => Promise<unknown>; onClose: () => void; children: ReactNode }

function Undo({ undo, onClose, children }: UndoProps) {
  const action = useAction(async () => {
    await undo()
    refetchAfterChange('/v1/collections')
    onClose()
  })
  return (
    <>
      <p>{children}</p>
      <Button action={action}>Undo</Button>
      <FormError error={action.error} />
    </>
  )
}

/** Returns the changed items as they are now. */
function changedOf(outcomes: readonly ItemOutcome[]): CollectionItem[] {
  return outcomes.flatMap(({ outcome, item }) => (outcome === 'changed' && item ? [item] : []))
}

/** Says how many items were changed, and why others were not. */
function describe(what: string, outcomes: readonly ItemOutcome[]): string {
  const count = (wanted: ItemOutcome['outcome']) =>
    outcomes.filter(({ outcome }) => outcome === wanted).length
  const done = count('changed')
  const left = [
    [count('conflict'), 'changed elsewhere'],
    [count('missing'), 'no longer here'],
    [count('refused'), 'without this printing'],
  ] as const
  const others = left.filter(([number]) => number > 0).map(([number, why]) => `${number} ${why}`)
  const text = `${plural(done, 'item')} ${done === 1 ? 'is' : 'are'} ${what}.`
  return others.length === 0 ? text : `${text} Left as they are: ${others.join(', ')}.`
}
