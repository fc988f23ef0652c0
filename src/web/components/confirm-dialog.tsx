import type { ReactNode } from 'react'
import type { AsyncAction } from '../hooks/use-action.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FormError } from './form-error.tsx'

type ConfirmProps = {
  title: string
  /** Label of the confirm button. */
  confirmLabel: string
  action: Pick<AsyncAction<[]>, 'start' | 'isRunning' | 'error'>
  onClose: () => void
  /** Consequences of the action. */
  children: ReactNode
}

/** Asks before an irreversible action. Stays open until it is done. */
export function ConfirmDialog({ title, confirmLabel, action, onClose, children }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <FormError error={action.error} />
      {/* Cancel comes first, so that an extra Enter does nothing. */}
      <div className="row end">
        <Button onClick={onClose}>Cancel</Button>
        <Button className="danger" action={action}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  )
}
