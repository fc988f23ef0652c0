import * as texts from '#texts/collections/owned.ts'
import { PlusIcon } from '../../action-icons.tsx'
import { api } from '../../api.ts'
import { toApiError } from '../../api-error.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { useOverlay } from '../../components/overlay.tsx'
import { Toast, type ToastOpener } from '../../components/toast.tsx'
import { useAction } from '../../hooks/use-action.ts'
import { refetchAfterChange } from '../../query-client.ts'
import { useSession } from '../../session.ts'
import { createItemAdder } from '../add-once.ts'
import { itemRequests } from '../item-requests.ts'
import { findTarget, rememberTarget } from '../last-target.ts'
import type { TargetCollection } from '../target-select.tsx'

/** A card to add. Without `printing`, the copy gets the base printing. */
export type AddedCard = { id: number; name: string; printing: string | null }

/** Adds one copy of a card to the collection that was used last, and offers to undo it. Hidden without an account. */
export function AddCopy({ card }: { card: AddedCard }) {
  const { me } = useSession()
  const show = useOverlay()
  const add = useAction(async (opener: ToastOpener) => {
    try {
      const added = await addCopy(card)
      show((close) => <AddedToast {...added} name={card.name} opener={opener} onClose={close} />)
    } catch (cause) {
      show((close) => (
        <Toast opener={opener} isLasting onClose={close}>
          <FormError error={toApiError(cause)} />
        </Toast>
      ))
    }
  })
  if (!me) return null
  return (
    <Button
      className="icon-button round"
      aria-label={texts.addACopyOf(card.name)}
      title={texts.addACopy}
      isBusy={add.isRunning}
      onClick={({ currentTarget: element, detail }) =>
        void add.start({ element, isKeyboard: detail === 0 })
      }
    >
      <PlusIcon />
    </Button>
  )
}

type Added = { into: TargetCollection; item: string }

/** Copies are added one after another, because the first one may create the collection of the others. */
let last: Promise<unknown> = Promise.resolve()

function addCopy(card: AddedCard): Promise<Added> {
  const next = last.then(() => storeCopy(card))
  last = next.catch(() => {})
  return next
}

/** Adders of copies without an answer so far, by card: the next attempt is for the same copy. */
const adders = new Map<string, ReturnType<typeof createItemAdder>>()

async function storeCopy({ id: card_id, printing }: AddedCard): Promise<Added> {
  const key = `${card_id} ${printing}`
  const add = adders.get(key) ?? createItemAdder(itemRequests)
  adders.set(key, add)
  const into = await findTarget()
  const item = await add(into.id, { card_id, ...(printing !== null && { printing }) })
  adders.delete(key)
  rememberTarget(into)
  refetchAfterChange('/v1/collections')
  return { into, item }
}

type AddedToastProps = Added & { name: string; opener: ToastOpener; onClose: () => void }

function AddedToast({ into, item, name, opener, onClose }: AddedToastProps) {
  const undo = useAction(async () => {
    await api.delete('/v1/collections/{id}/items/{item_id}', {
      path: { id: into.id, item_id: item },
    })
    refetchAfterChange('/v1/collections')
    onClose()
  })
  return (
    <Toast opener={opener} isLasting={undo.error !== undefined} onClose={onClose}>
      <p>{texts.copyIsIn({ card: name, collection: into.name })}</p>
      <Button action={undo}>{texts.undo}</Button>
      <FormError error={undo.error} />
    </Toast>
  )
}
