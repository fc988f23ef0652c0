import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'

type DialogProps = {
  title: string
  /** Called on Escape, on the back gesture and on a click outside. */
  onClose: () => void
  /** If false, the dialog stays open and `onClose` can explain why. */
  mayClose?: boolean
  children: ReactNode
}

/** Modal dialog. Focus moves into it and returns when it closes. */
export function Dialog({ title, onClose, mayClose = true, children }: DialogProps) {
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
      className="dialog"
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      // Browsers can close a dialog on their own: reopen it if it must stay.
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
