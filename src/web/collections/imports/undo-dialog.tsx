import type { CollectionImport } from '#client/endpoints.ts'
import * as texts from '#texts/collections/imports.ts'
import { ConfirmDialog } from '../../components/dialog.tsx'
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
      title={texts.undoTheImport}
      confirmLabel={texts.undoImport}
      action={undo}
      onClose={onClose}
    >
      <p>
        {texts.itemsWillBeRemoved({
          imported: found.imported + found.unowned,
          places: placesText(found),
        })}
      </p>
      <p role="status" className="small soft">
        {undo.isRunning && texts.removing}
      </p>
    </ConfirmDialog>
  )
}
