import type { CollectionItem } from '#client/endpoints.ts'
import { api } from '../api.ts'
import { ConfirmDialog } from '../components/dialog.tsx'
import { plural } from '../format.ts'
import { useAction } from '../hooks/use-action.ts'
import { copiesText } from './item-text.ts'

type RemoveItemProps = {
  collectionId: string
  item: CollectionItem
  onRemoved: () => void
  onClose: () => void
}

/** Removes an item, unless another tab has changed it since. */
export function RemoveItemDialog({ collectionId, item, onRemoved, onClose }: RemoveItemProps) {
  const { id: item_id, name, quantity, revision } = item
  const remove = useAction(async () => {
    const path = { id: collectionId, item_id }
    await api.delete('/v1/collections/{id}/items/{item_id}', { path, query: { revision } })
    onRemoved()
  })
  const isChanged = remove.error?.code === 'REVISION_CONFLICT'
  return (
    <ConfirmDialog
      title={`Remove ${name}?`}
      confirmLabel="Remove"
      action={isChanged ? { ...remove, error: undefined } : remove}
      onClose={onClose}
    >
      <p>
        {plural(quantity, 'copy', 'copies')}, {copiesText(item)}. You cannot undo this.
      </p>
      {isChanged && (
        <p className="field-error" role="alert">
          This item was changed elsewhere. Close this, and look at it again.
        </p>
      )}
    </ConfirmDialog>
  )
}
