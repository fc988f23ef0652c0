import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import * as texts from '#texts/collections/items.ts'
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
      <Dialog title={texts.whichCardInstead(item.name)} onClose={onClose}>
        <FormError error={action.error} />
        {choices?.({
          isBusy: action.isRunning,
          onChoose: (card_id) => void action.start({ card_id }, revision),
        })}
        <div className="row end">
          <Button onClick={() => setOther(false)}>{texts.back}</Button>
        </div>
      </Dialog>
    )
  }
  return (
    <Dialog title={texts.editCard(item.name)} onClose={onClose}>
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
        {choices !== undefined && (
          <Button onClick={() => setOther(true)}>{texts.anotherCard}</Button>
        )}
        {theirs === undefined ? (
          <Button onClick={onClose}>{texts.cancel}</Button>
        ) : (
          <Button
            onClick={() => {
              setBase(theirs)
              setDraft(draftOf(theirs))
              action.clearError()
            }}
          >
            {texts.discardMyChanges}
          </Button>
        )}
        <Button type="submit" className="main" isBusy={action.isRunning}>
          {theirs === undefined ? texts.save : texts.saveMyChanges}
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
      <h3>{texts.changedElsewhere}</h3>
      <ul>
        {changed.map((name) => (
          <li key={name}>
            {mine[name] === base[name]
              ? texts.fieldNow({ field: fieldLabel(name), now: current[name] || texts.empty })
              : texts.fieldNowAndYours({
                  field: fieldLabel(name),
                  now: current[name] || texts.empty,
                  yours: mine[name] || texts.empty,
                })}
          </li>
        ))}
      </ul>
      <p>{texts.notSavedYet}</p>
    </div>
  )
}
