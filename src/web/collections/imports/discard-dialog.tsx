import * as texts from '#texts/collections/imports.ts'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { useAction } from '../../hooks/use-action.ts'

type DiscardDialogProps = { file: string; discard: () => Promise<void>; onClose: () => void }

/** Asks before a draft is discarded. */
export function DiscardDialog({ file, discard, onClose }: DiscardDialogProps) {
  const action = useAction(discard)
  return (
    <ConfirmDialog
      title={texts.discardImport}
      confirmLabel={texts.discard}
      action={action}
      onClose={onClose}
    >
      <p>{texts.decisionsAreLost(file)}</p>
    </ConfirmDialog>
  )
}
