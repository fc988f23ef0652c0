import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Collection, CollectionItem } from '#client/endpoints.ts'
import * as texts from '#texts/collections/many.ts'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { FormError } from '../../components/form-error.tsx'
import { useOverlay } from '../../components/overlay.tsx'
import { count } from '../../format.ts'
import { useAction } from '../../hooks/use-action.ts'
import { refetchAfterChange } from '../../query-client.ts'
import type { ItemChange } from '../item-draft.ts'
import { fetchAllItems, type ItemParams } from '../queries.ts'
import type { TargetCollection } from '../target-select.tsx'
import { ChangedToast } from './changed-toast.tsx'
import { type ItemsChanged, isChanged } from './item-outcomes.ts'
import { EditManyDialog, MoveDialog } from './many-dialogs.tsx'
import { factsBefore, isRestorable, removeItems, restoreItems, reviseItems } from './many-items.ts'
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
  const selectAll = useAction(() => selection.addLater(fetchAllItems(collection.id, params)))
  const items = [...selection.items.values()]
  const isEmpty = items.length === 0
  // A later attempt to remove them finds that they are missing.
  const [unanswered] = useState(() => new Set<string>())
  const finish = (
    say: (items: number) => string,
    { outcomes, error }: ItemsChanged,
    undo: (changed: CollectionItem[]) => Promise<ItemsChanged>,
  ) => {
    refetchAfterChange('/v1/collections')
    const changed = outcomes
      .filter(isChanged)
      .flatMap(({ id, item }) => item ?? selection.items.get(id) ?? [])
    if (error !== undefined && changed.length === 0) throw error
    const isKeyboard = document.activeElement?.matches(':focus-visible') === true
    // The focus leaves the dialog with it.
    flushSync(() => setChange(undefined))
    const answered = new Set(outcomes.map(({ id }) => id))
    selection.clear()
    selection.add(items.filter(({ id }) => !answered.has(id)))
    const element = bar.current?.querySelector('button')
    if (!element) return
    if (isKeyboard) element.focus()
    show((close) => (
      <ChangedToast
        opener={{ element, isKeyboard }}
        say={say}
        outcomes={outcomes}
        error={error}
        undo={() => undo(changed)}
        onClose={close}
      />
    ))
  }
  const edit = async (facts: ItemChange) => {
    const revisions = items.map(({ id, revision }) => ({ ...facts, id, revision }))
    finish(texts.itemsChanged, await reviseItems(collection.id, revisions), (changed) =>
      reviseItems(
        collection.id,
        changed.map(({ id, revision }) => {
          const before = selection.items.get(id)
          return { ...(before && factsBefore(before, facts)), id, revision }
        }),
      ),
    )
  }
  const move = async (to: TargetCollection) => {
    const moved = await reviseItems(collection.id, items.map(revisionOf), to.id)
    finish(
      (items) => texts.itemsMoved({ items, to: to.name }),
      moved,
      (changed) => reviseItems(to.id, changed.map(revisionOf), collection.id),
    )
  }
  const remove = useAction(async () => {
    const removed = await removeItems(collection.id, items, unanswered)
    finish(texts.itemsRemoved, removed, (changed) => restoreItems(collection.id, changed))
  })
  return (
    <section ref={bar} className="panel selection-bar row" aria-label={texts.selectedItems}>
      <Button onClick={onDone}>{texts.done}</Button>
      <strong role="status">{texts.itemsSelected(items.length)}</strong>
      <Button className="quiet" onClick={() => selection.add(listed)}>
        {texts.selectPage}
      </Button>
      {total > listed.length && (
        <Button className="quiet" action={selectAll}>
          {texts.selectAll(count(total))}
        </Button>
      )}
      <Button className="quiet" disabled={isEmpty} onClick={selection.clear}>
        {texts.clear}
      </Button>
      <span className="row selection-actions">
        <Button disabled={isEmpty} onClick={() => setChange('edit')}>
          {texts.edit}
        </Button>
        <Button disabled={isEmpty} onClick={() => setChange('move')}>
          {texts.move}
        </Button>
        <Button className="danger" disabled={isEmpty} onClick={() => setChange('remove')}>
          {texts.remove}
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
          title={texts.removeItems(items.length)}
          confirmLabel={texts.remove}
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
  return <p>{lost === 0 ? texts.removalExplained : texts.removalExplainedExcept(lost)}</p>
}

function revisionOf({ id, revision }: CollectionItem) {
  return { id, revision }
}
