import { useState } from 'react'
import { Link } from 'wouter'
import type { Card, Price } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { loginUrl, QueryError } from '../components/error-message.tsx'
import { FormError } from '../components/form-error.tsx'
import { LineSkeleton } from '../components/skeleton.tsx'
import { DOLLARS } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { forgetAnswers } from '../query-client.ts'
import { useSession } from '../session.ts'
import { AddedDialog } from './added-dialog.tsx'
import { changesOf, emptyDraft, newDraft } from './item-draft.ts'
import { ItemForm } from './item-form.tsx'
import { useCollections } from './queries.ts'
import { type TargetCollection, TargetSelect, useTargets } from './target-select.tsx'

type AddToCollectionProps = { card: Card | undefined; prices: readonly Price[] | undefined }

/** Adds a card to a collection or wish list. Visitors log in first. */
export function AddToCollection({ card, prices }: AddToCollectionProps) {
  const { me } = useSession()
  const [isOpen, setOpen] = useState(false)
  if (me === null) {
    return (
      <Link className="button" href={loginUrl()}>
        Add to collection
      </Link>
    )
  }
  return (
    <>
      <Button disabled={card === undefined || me === undefined} onClick={() => setOpen(true)}>
        Add to collection
      </Button>
      {isOpen && card !== undefined && (
        <AddDialog card={card} prices={prices ?? []} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

type AddDialogProps = { card: Card; prices: readonly Price[]; onClose: () => void }

function AddDialog({ card, prices, onClose }: AddDialogProps) {
  const collections = useCollections(DOLLARS)
  const [added, setAdded] = useState<{ id: string; name: string }>()
  if (added !== undefined) {
    return (
      <AddedDialog id={added.id} onClose={onClose}>
        {card.name} is in “{added.name}”.
      </AddedDialog>
    )
  }
  return (
    <Dialog title={`Add ${card.name}`} onClose={onClose}>
      <QueryError query={collections} />
      {collections.data === undefined ? (
        collections.isPending && <LineSkeleton count={4} />
      ) : (
        <AddForm
          card={card}
          prices={prices}
          collections={collections.data.data}
          onAdded={setAdded}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

type AddFormProps = AddDialogProps & {
  collections: readonly TargetCollection[]
  onAdded: (target: TargetCollection) => void
}

function AddForm({ card, prices, collections, onAdded, onClose }: AddFormProps) {
  const { target, createTarget, ...targets } = useTargets(collections)
  const [draft, setDraft] = useState(() =>
    newDraft(prices[0]?.printing, card.product_type === 'Sealed Products'),
  )
  const add = useAction(async () => {
    if (target === undefined) return
    const into = await createTarget()
    const item = { card_id: card.id, ...changesOf(draft, emptyDraft()) }
    const path = { id: into.id }
    await api.post('/v1/collections/{id}/items', { path, body: { items: [item] } })
    forgetAnswers()
    onAdded(into)
  })
  return (
    <ItemForm
      draft={draft}
      onChange={setDraft}
      printings={prices.map(({ printing }) => printing)}
      kind={target?.kind ?? 'owned'}
      onSubmit={() => void add.start()}
      above={
        <>
          <FormError error={add.error} />
          <TargetSelect {...targets} />
        </>
      }
    >
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" className="main" isBusy={add.isRunning}>
        Add
      </Button>
    </ItemForm>
  )
}
