import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { ApiError } from '../api.ts'
import { usePrices } from '../catalog/queries.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { FormError } from '../components/form-error.tsx'
import { DOLLARS } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { apiQuery } from '../query-client.ts'
import {
  changesOf,
  type DraftedItem,
  draftOf,
  FIELD_NAMES,
  fieldLabel,
  type ItemChange,
  type ItemDraft,
  isSealedProduct,
} from './item-draft.ts'
import { ItemForm, type ItemKind } from './item-form.tsx'

type EditableItem = DraftedItem & {
  name: string | null
  card_id: number | null
  revision: number
}

type EditItemProps = {
  item: EditableItem
  kind: ItemKind
  save: (changes: ItemChange & { card_id?: number; revision: number }) => Promise<void>
  /** Lists other cards that may be chosen for the item. */
  choices?: (props: { isBusy: boolean; onChoose: (card_id: number) => void }) => ReactNode
  onClose: () => void
}

/**
 * Changes an item of a list. Sends only what was changed here, with the revision that it is based on: if another tab
 * has changed the item since, it shows those changes and asks.
 */
export function EditItemDialog({ item, kind, save, choices, onClose }: EditItemProps) {
  const [base, setBase] = useState(item)
  const [draft, setDraft] = useState(() => draftOf(item))
  const [isOther, setOther] = useState(false)
  const prices = usePrices(item.card_id ?? undefined, DOLLARS)
  const card = useEditedCard(item.card_id)
  const action = useAction((changes: ItemChange & { card_id?: number }, revision: number) =>
    save({ ...changes, revision }),
  )
  const theirs = conflictOf(action.error)
  const revision = theirs?.revision ?? base.revision
  const submit = () => {
    const changes = changesOf(draft, draftOf(base))
    if (Object.keys(changes).length === 0) onClose()
    else void action.start(changes, revision)
  }
  if (isOther) {
    return (
      <Dialog title={`Which card is it instead of ${item.name}?`} onClose={onClose}>
        <FormError error={action.error} />
        {choices?.({
          isBusy: action.isRunning,
          onChoose: (card_id) => void action.start({ card_id }, revision),
        })}
        <div className="row end">
          <Button onClick={() => setOther(false)}>Back</Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title={`Edit ${item.name}`} onClose={onClose}>
      <ItemForm
        draft={draft}
        onChange={setDraft}
        printings={prices.data?.map(({ printing }) => printing) ?? []}
        kind={kind}
        isSealed={card && isSealedProduct(card)}
        onSubmit={submit}
        above={
          theirs === undefined ? (
            <FormError error={action.error} />
          ) : (
            <Conflict mine={draft} base={draftOf(base)} theirs={theirs} />
          )
        }
      >
        {choices !== undefined && <Button onClick={() => setOther(true)}>Another card</Button>}
        {theirs === undefined ? (
          <Button onClick={onClose}>Cancel</Button>
        ) : (
          <Button
            onClick={() => {
              setBase(theirs)
              setDraft(draftOf(theirs))
              action.clearError()
            }}
          >
            Discard my changes
          </Button>
        )}
        <Button type="submit" className="main" isBusy={action.isRunning}>
          {theirs === undefined ? 'Save' : 'Save my changes'}
        </Button>
      </ItemForm>
    </Dialog>
  )
}

function useEditedCard(id: number | null) {
  const query = apiQuery('/v1/cards/{id}', { path: { id: id ?? 0 } })
  return useQuery({ ...query, enabled: id !== null }).data?.data
}

/** Returns the item as changed by another tab; undefined for other errors. */
function conflictOf(error: ApiError | undefined): EditableItem | undefined {
  // The endpoint declares what `current` is.
  return error?.code === 'REVISION_CONFLICT' ? (error.current as EditableItem) : undefined
}

type ConflictProps = { mine: ItemDraft; base: ItemDraft; theirs: EditableItem }

/** Shows what has changed elsewhere, and which of these changes would be overwritten. */
function Conflict({ mine, base, theirs }: ConflictProps) {
  const current = draftOf(theirs)
  const changed = FIELD_NAMES.filter((name) => current[name] !== base[name])
  return (
    <div className="note wait" role="alert">
      <h3>This item was changed elsewhere</h3>
      <ul>
        {changed.map((name) => (
          <li key={name}>
            {fieldLabel(name)}: now “{current[name] || 'empty'}”
            {mine[name] !== base[name] && `, your change is “${mine[name] || 'empty'}”`}
          </li>
        ))}
      </ul>
      <p>
        Your changes are not saved yet. Fields that you did not change keep their current values.
      </p>
    </div>
  )
}
