import { ConfirmDialog } from '../../components/dialog.tsx'
import { plural } from '../../format.ts'
import { useAction } from '../../hooks/use-action.ts'

type UndoDialogProps = { imported: number; remove: () => Promise<boolean>; onClose: () => void }

/** Asks before an import is undone. */
export function UndoDialog({ imported, remove, onClose }: UndoDialogProps) {
  const undo = useAction(async () => {
    await remove()
    onClose()
  })
  return (
    <ConfirmDialog
      title="Undo the import?"
      confirmLabel="Undo import"
      action={undo}
      onClose={onClose}
    >
      <p>
        {plural(imported, 'item')} will be removed from the collection. Items that you have changed
        since stay.
      </p>
      <p role="status" className="small soft">
        {undo.isRunning && 'Removing… A large import takes up to a minute.'}
      </p>
    </ConfirmDialog>
  )
}
