import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import * as texts from '#texts/components/controls.ts'
import type { AsyncAction } from '../hooks/use-action.ts'
import { Button } from './button.tsx'
import { FormError } from './form-error.tsx'

type DialogProps = {
  title: string
  className?: string
  /** Called on Escape, on the back gesture and on a click outside. */
  onClose: () => void
  /** If false, the dialog stays open and `onClose` can explain why. */
  mayClose?: boolean
  children: ReactNode
}

/** Modal dialog. Focus moves into it and returns when it closes. */
export function Dialog({ title, className = '', onClose, mayClose = true, children }: DialogProps) {
  const shown = useRef<HTMLDialogElement>(null)
  const id = useId()
  useLayoutEffect(() => {
    const dialog = shown.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={shown}
      className={`dialog ${className}`}
      aria-labelledby={id}
      onKeyDown={(event) => {
        // A list in the dialog may have closed on it.
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        onClose()
      }}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // Browsers can close a dialog themselves: reopen it if it must stay.
      onClose={({ currentTarget }) => {
        if (!currentTarget.isConnected) return
        if (mayClose) onClose()
        else currentTarget.showModal()
      }}
      onClick={({ target, currentTarget }) => {
        if (target === currentTarget) onClose()
      }}
    >
      <div className="dialog-inner">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  )
}

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
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button className="danger" action={action}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  )
}
