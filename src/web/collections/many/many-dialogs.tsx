import { useState } from 'react'
import * as texts from '#texts/collections/many.ts'
import { parseTypedAmount } from '../../alerts/alert-text.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { QueryError } from '../../components/error-message.tsx'
import { Field } from '../../components/field.tsx'
import { FormError } from '../../components/form-error.tsx'
import { LineSkeleton } from '../../components/skeleton.tsx'
import { DOLLARS } from '../../format.ts'
import { submitTo, useAction } from '../../hooks/use-action.ts'
import { commonChangesOf, emptyDraft, type ItemChange, type ItemDraft } from '../item-draft.ts'
import { LabeledSelect, PaidCurrency } from '../item-form.tsx'
import { CONDITION_NAMES, LANGUAGE_NAMES } from '../item-text.ts'
import { useCollections } from '../queries.ts'
import { type TargetCollection, TargetSelect, useTargets } from '../target-select.tsx'

type EditManyProps = {
  count: number
  kind: TargetCollection['kind']
  printings: readonly string[]
  save: (change: ItemChange) => Promise<void>
  onClose: () => void
}

/** Changes the same members of many items. Empty fields stay as they are in each item. */
export function EditManyDialog({ count, kind, printings, save, onClose }: EditManyProps) {
  const [draft, setDraft] = useState(emptyDraft)
  const set = (name: keyof ItemDraft) => (text: string) => setDraft({ ...draft, [name]: text })
  const amount = kind === 'wish' ? 'target_price' : 'price_paid'
  const isAmount = draft[amount].trim() === '' || parseTypedAmount(draft[amount]) !== undefined
  const change = commonChangesOf(draft)
  const action = useAction(() => save(change))
  return (
    <Dialog title={texts.editItems(count)} onClose={onClose}>
      <form noValidate className="stack" onSubmit={submitTo(action)}>
        <FormError error={action.error} />
        <div className="item-fields">
          <LabeledSelect
            all={KEEP}
            label={texts.condition}
            options={CONDITION_NAMES}
            value={draft.condition}
            onChange={set('condition')}
          />
          <LabeledSelect
            all={KEEP}
            label={texts.printing}
            options={printings.map((name) => [name, name] as const)}
            value={draft.printing}
            onChange={set('printing')}
          />
          <LabeledSelect
            all={KEEP}
            label={texts.language}
            options={LANGUAGE_NAMES}
            value={draft.language}
            onChange={set('language')}
          />
          <Field
            label={texts.place}
            name="place"
            autoComplete="off"
            maxLength={100}
            placeholder={KEEP}
            value={draft.place}
            onChange={({ target }) => set('place')(target.value)}
          />
          <Field
            label={kind === 'wish' ? texts.targetPriceUsd : texts.pricePaidForEachCopy}
            name={amount}
            inputMode="decimal"
            autoComplete="off"
            placeholder={KEEP}
            value={draft[amount]}
            error={isAmount ? undefined : texts.enterAnAmount}
            onChange={({ target }) => set(amount)(target.value)}
          />
          {kind === 'owned' && (
            <PaidCurrency value={draft.paid_currency} onChange={set('paid_currency')} />
          )}
        </div>
        <div className="row end">
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button
            type="submit"
            className="main"
            disabled={!isAmount || Object.keys(change).length === 0}
            isBusy={action.isRunning}
          >
            {texts.save}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const KEEP = texts.keep

type MoveProps = {
  count: number
  from: TargetCollection
  move: (to: TargetCollection) => Promise<void>
  onClose: () => void
}

/** Moves items to another collection or wish list. */
export function MoveDialog({ count, from, move, onClose }: MoveProps) {
  const collections = useCollections(DOLLARS)
  const others = collections.data?.data.filter(({ id }) => id !== from.id)
  return (
    <Dialog title={texts.moveItems(count)} onClose={onClose}>
      <QueryError query={collections} />
      {others === undefined ? (
        collections.isPending && <LineSkeleton count={2} />
      ) : (
        <MoveForm others={others} move={move} onClose={onClose} />
      )}
    </Dialog>
  )
}

type MoveFormProps = Pick<MoveProps, 'move' | 'onClose'> & { others: readonly TargetCollection[] }

function MoveForm({ others, move, onClose }: MoveFormProps) {
  const { target: _, createTarget, ...targets } = useTargets(others)
  const action = useAction(async () => move(await createTarget()))
  return (
    <form noValidate className="stack" onSubmit={submitTo(action)}>
      <FormError error={action.error} />
      <TargetSelect {...targets} />
      <div className="row end">
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button type="submit" className="main" isBusy={action.isRunning}>
          {texts.move}
        </Button>
      </div>
    </form>
  )
}
