import type { ReactNode } from 'react'
import * as texts from '#texts/collections/items.ts'
import { ConfirmDialog } from '../components/dialog.tsx'
import { useAction } from '../hooks/use-action.ts'

type RemoveItemProps = {
  name: string | null
  /** Removes the item, unless it has another revision. */
  remove: () => Promise<void>
  /** Explains what is lost. */
  children: ReactNode
  onClose: () => void
}

/** Removes an item of a list, unless another tab has changed it since. */
export function RemoveItemDialog({ name, remove, children, onClose }: RemoveItemProps) {
  const action = useAction(remove)
  const isChanged = action.error?.code === 'REVISION_CONFLICT'
  return (
    <ConfirmDialog
      title={texts.removeQuestion(name)}
      confirmLabel={texts.remove}
      action={isChanged ? { ...action, error: undefined } : action}
      onClose={onClose}
    >
      <p>{children}</p>
      {isChanged && (
        <p className="field-error" role="alert">
          {texts.itemChangedElsewhere}
        </p>
      )}
    </ConfirmDialog>
  )
}
