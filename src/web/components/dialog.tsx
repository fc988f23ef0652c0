import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'

type DialogProps = {
  title: string
  /** Asked for by Escape, by the phone's way back, or by a click beside it. */
  onClose: () => void
  /** Whether it closes when that is asked for; else `onClose` may say why it does not. */
  mayClose?: boolean
  children: ReactNode
}

/**
 * Something that is asked before anything else goes on. The focus goes into it, and back to where it
 * was when the dialog is taken away.
 */
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
      // A browser may close it without asking: what must not be lost is shown again.
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
