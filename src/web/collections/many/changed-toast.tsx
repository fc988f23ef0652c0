import { useState } from 'react'
import type { ItemOutcome } from '#client/endpoints.ts'
import * as texts from '#texts/collections/many.ts'
import type { ApiError } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { FormError } from '../../components/form-error.tsx'
import { Toast, type ToastOpener } from '../../components/toast.tsx'
import { useAction } from '../../hooks/use-action.ts'
import { refetchAfterChange } from '../../query-client.ts'
import { describeOutcomes, type ItemsChanged, isChanged } from './item-outcomes.ts'

type ChangedToastProps = {
  opener: ToastOpener
  /** Verb of the change, such as `removed`. */
  /** The sentence that says how many items were changed. */
  say: (items: number) => string
  outcomes: readonly ItemOutcome[]
  /** Error that ended the change early. */
  error: ApiError | undefined
  undo: () => Promise<ItemsChanged>
  onClose: () => void
}

/** Says what a change of many items did, and takes it back. Stays while there is something that must not be missed. */
export function ChangedToast({ opener, say, outcomes, error, undo, onClose }: ChangedToastProps) {
  const [left, setLeft] = useState<string>()
  const action = useAction(async () => {
    const undone = await undo()
    refetchAfterChange('/v1/collections')
    if (undone.error !== undefined) throw undone.error
    if (undone.outcomes.every(isChanged)) onClose()
    else setLeft(describeOutcomes(texts.itemsRestored, undone.outcomes))
  })
  const isLasting = [error, left, action.error].some((one) => one !== undefined)
  return (
    <Toast opener={opener} isLasting={isLasting || action.isRunning} onClose={onClose}>
      <p>{left ?? describeOutcomes(say, outcomes)}</p>
      {left !== undefined ? (
        <Button key="undo" onClick={onClose}>
          {texts.ok}
        </Button>
      ) : (
        outcomes.some(isChanged) && (
          <Button key="undo" action={action}>
            {texts.undo}
          </Button>
        )
      )}
      <FormError error={action.error ?? (left === undefined ? error : undefined)} />
    </Toast>
  )
}
