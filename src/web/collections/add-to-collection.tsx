import { useState } from 'react'
import { Link } from 'wouter'
import type { Card, Price } from '#client/endpoints.ts'
import * as texts from '#texts/collections/add.ts'
import { Button } from '../components/button.tsx'
import { loginUrl } from '../components/error-message.tsx'
import { FormError } from '../components/form-error.tsx'
import { useAction } from '../hooks/use-action.ts'
import { refetchAfterChange } from '../query-client.ts'
import { useSession } from '../session.ts'
import { AddDialog } from './add-dialog.tsx'
import { createItemAdder } from './add-once.ts'
import { changesOf, emptyDraft, isSealedProduct, newDraft } from './item-draft.ts'
import { ItemForm } from './item-form.tsx'
import { itemRequests } from './item-requests.ts'
import { rememberTarget } from './last-target.ts'
import { type TargetCollection, TargetSelect, useTargets } from './target-select.tsx'

type AddToCollectionProps = { card: Card | undefined; prices: readonly Price[] | undefined }

/** Adds a card to a collection or wish list. Visitors log in first. */
export function AddToCollection({ card, prices }: AddToCollectionProps) {
  const { me } = useSession()
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  if (me === null) {
    return (
      <Link className="button main" href={loginUrl()}>
        {texts.addToCollection}
      </Link>
    )
  }
  return (
    <>
      <Button
        className="main"
        disabled={card === undefined || me === undefined}
        onClick={() => setOpen(true)}
      >
        {texts.addToCollection}
      </Button>
      {isOpen && card !== undefined && (
        <AddDialog<{ into: TargetCollection }>
          title={texts.addCard(card.name)}
          form={(form) => <AddForm {...form} card={card} prices={prices ?? []} onClose={close} />}
          describe={({ into }) => texts.cardIsIn({ card: card.name, collection: into.name })}
          onClose={close}
        />
      )}
    </>
  )
}

type AddFormProps = {
  card: Card
  prices: readonly Price[]
  collections: readonly TargetCollection[]
  onAdded: (result: { into: TargetCollection }) => void
  onClose: () => void
}

function AddForm({ card, prices, collections, onAdded, onClose }: AddFormProps) {
  const { target, createTarget, ...targets } = useTargets(collections)
  const isSealed = isSealedProduct(card)
  const [draft, setDraft] = useState(() => newDraft(prices[0]?.printing, isSealed))
  const [addItem] = useState(() => createItemAdder(itemRequests))
  const add = useAction(async () => {
    if (target === undefined) return
    const into = await createTarget()
    await addItem(into.id, { card_id: card.id, ...changesOf(draft, emptyDraft()) })
    rememberTarget(into)
    refetchAfterChange('/v1/collections')
    onAdded({ into })
  })
  return (
    <ItemForm
      draft={draft}
      onChange={setDraft}
      printings={prices.map(({ printing }) => printing)}
      kind={target?.kind ?? 'owned'}
      isSealed={isSealed}
      onSubmit={() => void add.start()}
      above={
        <>
          <FormError error={add.error} />
          <TargetSelect {...targets} />
        </>
      }
    >
      <Button onClick={onClose}>{texts.cancel}</Button>
      <Button type="submit" className="main" isBusy={add.isRunning}>
        {texts.add}
      </Button>
    </ItemForm>
  )
}
