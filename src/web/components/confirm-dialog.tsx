import type { ReactNode } from 'react'
import type { Deed } from '../hooks/use-action.ts'
import { Act } from './busy-button.tsx'
import { Dialog } from './dialog.tsx'
import { Refusal } from './form-error.tsx'

type ConfirmProps = {
  /** The question. */
  title: string
  /** What is done then, as its button says. */
  yes: string
  deed: Pick<Deed<[]>, 'start' | 'isRunning' | 'error'>
  onClose: () => void
  /** What it means. */
  children: ReactNode
}

/** A question before something that cannot be taken back. It stays open until that is done. */
export function Confirm({ title, yes, deed, onClose, children }: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Refusal error={deed.error} />
      {/* Whoever presses Enter once too often has done nothing. */}
      <div className="row end">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <Act className="danger" isRunning={deed.isRunning} onClick={() => void deed.start()}>
          {yes}
        </Act>
      </div>
    </Dialog>
  )
}
