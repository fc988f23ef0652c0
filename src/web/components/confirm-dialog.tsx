import type { ReactNode } from 'react'
import type { AsyncAction } from '../hooks/use-action.ts'
import { BusyButton } from './busy-button.tsx'
import { Dialog } from './dialog.tsx'
import { FormError } from './form-error.tsx'

type ConfirmDialogProps = {
  /** The question. */
  title: string
  /** What is done then, as its button says. */
  confirmLabel: string
  action: Pick<AsyncAction<[]>, 'start' | 'isRunning' | 'error'>
  onClose: () => void
  /** What it means. */
  children: ReactNode
}

/** A question before something that cannot be taken back. It stays open until that is done. */
export function ConfirmDialog({
  title,
  confirmLabel,
  action,
  onClose,
  children,
}: ConfirmDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <FormError error={action.error} />
      {/* Whoever presses Enter once too often has done nothing. */}
      <div className="row end">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <BusyButton
          className="danger"
          isBusy={action.isRunning}
          onClick={() => void action.start()}
        >
          {confirmLabel}
        </BusyButton>
      </div>
    </Dialog>
  )
}
