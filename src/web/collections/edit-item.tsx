import { useState } from 'react'
import type { CollectionItem } from '#client/endpoints.ts'
import { type ApiError, api } from '../api.ts'
import { usePrices } from '../catalog/queries.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormError } from '../components/form-error.tsx'
import { DOLLARS } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { changesOf, draftOf, ITEM_LABELS, type ItemDraft } from './item-draft.ts'
import { ItemForm } from './item-form.tsx'

type EditItemProps = {
  collectionId: string
  item: CollectionItem
  isWish: boolean
  onSaved: (item: CollectionItem) => void
  onClose: () => void
}

/**
 * Changes an item. Sends only what was changed here, with the revision that it is based on: if another tab was
 * faster, it shows what that one has written, and asks.
 */
export function EditItemDialog({ collectionId, item, isWish, onSaved, onClose }: EditItemProps) {
  const [base, setBase] = useState(item)
  const [draft, setDraft] = useState(() => draftOf(item))
  const prices = usePrices(item.card_id, DOLLARS)
  const path = { id: collectionId, item_id: item.id }
  const save = useAction(async (revision: number) => {
    const body = { ...changesOf(draft, draftOf(base)), revision }
    onSaved((await api.patch('/v1/collections/{id}/items/{item_id}', { path, body })).data)
  })
  const theirs = conflictOf(save.error)
  const submit = () => {
    if (Object.keys(changesOf(draft, draftOf(base))).length === 0) onClose()
    else void save.start(theirs?.revision ?? base.revision)
  }
  return (
    <Dialog title={`Edit ${item.name}`} onClose={onClose}>
      <ItemForm
        draft={draft}
        onChange={setDraft}
        printings={prices.data?.map(({ printing }) => printing) ?? []}
        kind={isWish ? 'wish' : 'owned'}
        onSubmit={submit}
        above={
          theirs === undefined ? (
            <FormError error={save.error} />
          ) : (
            <Conflict mine={draft} base={draftOf(base)} theirs={theirs} />
          )
        }
      >
        {theirs === undefined ? (
          <Button onClick={onClose}>Cancel</Button>
        ) : (
          <Button
            onClick={() => {
              setBase(theirs)
              setDraft(draftOf(theirs))
              save.clearError()
            }}
          >
            Discard my changes
          </Button>
        )}
        <Button type="submit" className="main" isBusy={save.isRunning}>
          {theirs === undefined ? 'Save' : 'Save my changes'}
        </Button>
      </ItemForm>
    </Dialog>
  )
}

/** Returns the item as another tab has written it; undefined for other errors. */
function conflictOf(error: ApiError | undefined): CollectionItem | undefined {
  // The endpoint declares what `current` is.
  return error?.code === 'REVISION_CONFLICT' ? (error.current as CollectionItem) : undefined
}

type ConflictProps = { mine: ItemDraft; base: ItemDraft; theirs: CollectionItem }

/** Says what has changed elsewhere, and what of it would be overwritten. */
function Conflict({ mine, base, theirs }: ConflictProps) {
  const current = draftOf(theirs)
  // Object.keys returns strings; these are the keys of the labels.
  const fields = Object.keys(ITEM_LABELS) as (keyof ItemDraft)[]
  const changed = fields.filter((name) => current[name] !== base[name])
  return (
    <div className="note wait" role="alert">
      <h3>This item was changed elsewhere</h3>
      <ul>
        {changed.map((name) => (
          <li key={name}>
            {ITEM_LABELS[name]}: now “{current[name] || 'empty'}”
            {mine[name] !== base[name] && `, your change is “${mine[name] || 'empty'}”`}
          </li>
        ))}
      </ul>
      <p>Your changes are not saved yet. What you did not change stays as it is now.</p>
    </div>
  )
}
