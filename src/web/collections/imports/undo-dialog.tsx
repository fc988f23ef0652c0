import type { CollectionImport } from '#client/endpoints.ts'
import { ConfirmDialog } from '../../components/dialog.tsx'
import { plural } from '../../format.ts'
import { useAction } from '../../hooks/use-action.ts'
import { placesText } from './import-text.ts'

type UndoDialogProps = {
  found: CollectionImport
  remove: () => Promise<boolean>
  onClose: () => void
}

/** Asks before an import is undone. */
export function UndoDialog({ found, remove, onClose }: UndoDialogProps) {
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
        {plural(found.imported + found.unowned, 'item')} will be removed from {placesText(found)}.
        Items that you have changed since stay.
      </p>
      <p role="status" className="small soft">
        {undo.isRunning && 'Removing… A large import takes up to a minute.'}
      </p>
    </ConfirmDialog>
  )
}
