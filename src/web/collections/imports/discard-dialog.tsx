import { ConfirmDialog } from '../../components/dialog.tsx'
import { useAction } from '../../hooks/use-action.ts'

type DiscardDialogProps = { file: string; discard: () => Promise<void>; onClose: () => void }

/** Asks before a draft is discarded. */
export function DiscardDialog({ file, discard, onClose }: DiscardDialogProps) {
  const action = useAction(discard)
  return (
    <ConfirmDialog
      title="Discard this import?"
      confirmLabel="Discard"
      action={action}
      onClose={onClose}
    >
      <p>Your decisions about the rows of “{file}” are lost. Nothing of it was imported.</p>
    </ConfirmDialog>
  )
}
